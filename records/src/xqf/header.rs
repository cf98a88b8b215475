//! Where things stand in the header.

use std::ops::Range;

/// Bytes of the header.
pub(super) const LEN: usize = 0x400;

pub(super) const VERSION: usize = 2;
pub(super) const KEY_MASK: usize = 3;
pub(super) const KEY_OR: usize = 8;
pub(super) const KEY_SUM: usize = 12;
pub(super) const KEY_XY: usize = 13;
pub(super) const KEY_FROM: usize = 14;
pub(super) const KEY_TO: usize = 15;
/// Points of 32 pieces.
pub(super) const PIECES: Range<usize> = 16..48;
/// Who moves first: 0 Red, 1 Black; often 0 whoever does.
pub(super) const SIDE: usize = 0x32;
/// 0 unknown, 1 Red won, 2 Black won, 3 or 4 drawn.
pub(super) const RESULT: usize = 0x33;
/// What part of a game it is, see [`TYPES`].
pub(super) const TYPE: usize = 0x40;

/// Names for the types of games but the first, which is a whole game.
pub(super) const TYPES: [&str; 4] = ["", "opening", "middlegame", "endgame"];
/// The tag for the type.
pub(super) const TYPE_TAG: &str = "Type";

/// A text: one byte for its length, then room for the text in GBK.
pub(super) struct Field {
    pub(super) tag: &'static str,
    pub(super) at: usize,
    /// Bytes that a text can have.
    pub(super) room: usize,
}

/// The texts, in the order in which PGN names such things.
pub(super) const FIELDS: [Field; 11] = [
    Field { tag: "Title", at: 0x50, room: 63 },
    Field { tag: "Event", at: 0xd0, room: 63 },
    Field { tag: "Date", at: 0x110, room: 15 },
    Field { tag: "Site", at: 0x120, room: 15 },
    Field { tag: "Red", at: 0x130, room: 15 },
    Field { tag: "Black", at: 0x140, room: 15 },
    Field { tag: "TimeControl", at: 0x150, room: 63 },
    Field { tag: "RedTime", at: 0x190, room: 15 },
    Field { tag: "BlackTime", at: 0x1a0, room: 15 },
    Field { tag: "Annotator", at: 0x1d0, room: 15 },
    Field { tag: "Author", at: 0x1e0, room: 15 },
];
