//! What can be wrong with a PGN file.

use std::io;

use chuhe_movegen::{Color, FenError};

use super::{MAX_DEPTH, MAX_TAGS};
use crate::MoveError;

/// Why there is no record.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The stream cannot be read any further.
    #[error("line {line}: {source}")]
    Read {
        /// The line at which reading stopped, from 1.
        line: u64,
        /// What the system says.
        source: io::Error,
    },
    /// One game is damaged; the reader can go on with the next.
    #[error(transparent)]
    Game(#[from] DamagedGame),
}

/// A game that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}, line {line}{}: {fault}", .ply.map_or_else(String::new, |ply| format!(", ply {ply}")))]
pub struct DamagedGame {
    /// Which game of the stream, from 1.
    pub game: u64,
    /// Which line of the stream, from 1.
    pub line: u64,
    /// Which move was to be read next, from 1 and counted along its variation; `None` among the tags.
    pub ply: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// A word where a move should stand.
    #[error("found `{word}`, {source}")]
    Move {
        /// The word, shortened.
        word: String,
        /// What was expected.
        source: MoveError,
    },
    /// Something that has no place here.
    #[error("found `{word}`, expected {expected}")]
    Unexpected {
        /// The text, shortened.
        word: String,
        /// What may stand here.
        expected: &'static str,
    },
    /// A number that does not fit the moves before it (in plain text).
    #[error("found move number {found}, expected {side}'s move {expected}")]
    Number {
        /// The number.
        found: u32,
        /// What it would have to be.
        expected: u32,
        /// Whose turn it is.
        side: Color,
    },
    /// A move that is written as one of the other side, by its digits or by dots before it (in plain text).
    #[error("found `{word}`, written as a move of {}, expected a move of {side}", !*side)]
    OtherSide {
        /// The move, shortened.
        word: String,
        /// Whose turn it is.
        side: Color,
    },
    /// The start position is none.
    #[error("tag FEN: {0}")]
    Fen(#[from] FenError),
    /// A comment without an end.
    #[error("the comment that begins here does not end, expected `}}`")]
    OpenComment,
    /// A variation without an end.
    #[error("the variation that begins here does not end, expected `)`")]
    OpenVariation,
    /// Variations in variations in variations.
    #[error("variations more than {MAX_DEPTH} deep, expected fewer")]
    TooDeep,
    /// Too many tags.
    #[error("more than {MAX_TAGS} tags, expected fewer")]
    TooManyTags,
    /// The game is too large.
    #[error("the game has more than {limit} bytes, expected fewer")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The file is in UTF-16.
    #[error("UTF-16 text, expected UTF-8, GB18030 or Big5")]
    Utf16,
}
