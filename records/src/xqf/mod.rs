//! XQF, the files of XQStudio (象棋演播室): one game with variations and comments, behind a header of 1,024 bytes.
//!
//! [`crate::games`] reads every version, encrypted or not; [`to_bytes`] writes version 1.0, which is plain and which all
//! programs read. The layout follows `XQFTOOLS` of ElephantEye and was checked on real files of versions 1.0 to 1.8.

mod cipher;
mod header;
mod read;
mod write;

pub(crate) use read::read;
pub use write::{TooManyPieces, cut_tags, is_lossy, to_bytes};

/// The first bytes of every file.
pub(crate) const MAGIC: &[u8; 2] = b"XQ";
/// Version 1.0, the last one without encryption.
const PLAIN_VERSION: u8 = 10;
/// From this version on pieces are listed in an order that depends on the key. Of version 11 no real file is known, and
/// programs disagree.
const ROTATED_VERSION: u8 = 12;

/// Marks of a move in encrypted files.
mod flag {
    /// A move follows.
    pub(super) const NEXT: u8 = 0x80;
    /// Another move in its place comes behind all that follows.
    pub(super) const SIBLING: u8 = 0x40;
    /// A comment comes before the next move.
    pub(super) const COMMENT: u8 = 0x20;
}

/// What is added to the points of a move, besides the key.
mod offset {
    pub(super) const FROM: u8 = 24;
    pub(super) const TO: u8 = 32;
    /// To the length of a comment.
    pub(super) const COMMENT: u32 = 767;
}
