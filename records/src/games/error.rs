//! Why there are no games, or a game is not whole.

use std::io;

use chuhe_movegen::FenError;

use super::MAX_LINE_SIZE;
use crate::json::JsonFault;
use crate::{Damage, MoveError, Record, pgn};

/// Why a stream gives no games at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Its beginning cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// It holds something else.
    #[error("it holds no games in a known format")]
    UnknownFormat,
}

/// Why a game of a stream cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// A game in PGN or in plain text that is damaged.
    #[error(transparent)]
    Pgn(#[from] pgn::DamagedGame),
    /// A game in a file of another program that is damaged.
    #[error(transparent)]
    Damage(#[from] Damage),
    /// The line has more than [`MAX_LINE_SIZE`] bytes.
    #[error("the line has more than {} MiB", MAX_LINE_SIZE >> 20)]
    LineTooLong,
    /// The line is no JSON, or tells no game.
    #[error(transparent)]
    Json(#[from] JsonFault),
    /// The line says itself that its game is not whole, as those do that [`crate::json`] writes of damaged games.
    #[error("{0}")]
    Stated(String),
    /// The start position is none.
    #[error("start position: {0}")]
    Position(#[from] FenError),
    /// A word is no legal move.
    #[error("move {number}: found {word:?}, {source}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// The word, shortened.
        word: String,
        /// What was expected.
        source: MoveError,
    },
}

/// A game that is not whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub struct DamagedRecord {
    /// What is wrong with it.
    pub error: GameError,
    /// What could be read before that: all moves are legal, but some are missing. `None` when there is not even a start
    /// position.
    pub salvaged: Option<Box<Record>>,
}

impl From<GameError> for DamagedRecord {
    fn from(error: GameError) -> DamagedRecord {
        DamagedRecord { error, salvaged: None }
    }
}
