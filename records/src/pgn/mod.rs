//! PGN for xiangqi.
//!
//! [`Reader`] takes games one by one from a stream of any size and any of the usual encodings, with moves in any
//! [`crate::Notation`] whatever the tags say; [`to_string`] and [`to_string_in`] write one game. Files in the field leave
//! out tags or moves, say `White` for `Red`, add footers and web addresses, or are cut in the middle: whatever is clear is
//! read, and what is not gives one error for its game, never for the file.
//!
//! ```
//! use chuhe_records::pgn;
//!
//! let text = b"[Red \"A\"]\n\n1. H2-E2 {central} H9-G7 (1. ... b9c7) *\n";
//! let record = pgn::Reader::new(&text[..]).next().expect("there is a game")?;
//! assert_eq!(record.tags.red(), Some("A"));
//! assert_eq!(record.main_line().count(), 2);
//! assert_eq!(record.tree.len(), 3);
//! # Ok::<(), pgn::PgnError>(())
//! ```

mod checks;
mod error;
mod parse;
mod reader;
mod split;
mod tag;
mod words;
mod write;

pub use crate::tree::MAX_DEPTH;
pub use error::{DamagedGame, Fault, PgnError};
pub use reader::Reader;
pub(crate) use reader::{GameText, Reading, Texts};
pub(crate) use words::{LONGEST_WORD, beginning};
pub use write::{to_string, to_string_in};

/// Bytes of one game that are read at most unless told otherwise.
pub const MAX_GAME_SIZE: usize = 4 << 20;
/// How many tags a game may have.
pub const MAX_TAGS: usize = 256;

/// Tags that are no part of [`crate::Tags`]: [`crate::Record`] holds what they say, or they describe the file.
const STRUCTURAL_TAGS: [&str; 5] = ["Game", "Result", "FEN", "SetUp", "Format"];

/// Whether a tag is one of the [`STRUCTURAL_TAGS`].
pub(crate) fn is_structural(name: &str) -> bool {
    STRUCTURAL_TAGS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether the name of a tag can hold this byte; `%` would make it a command such as `[%clk 0:01]`.
fn is_name_byte(byte: u8) -> bool {
    byte > b' ' && byte != 0x7f && !br#""[]{}();%"#.contains(&byte)
}
