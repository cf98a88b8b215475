//! What can be wrong with a game of points and moves, and what is left out of its record.

use std::fmt;

use chuhe_movegen::{Color, FenError, Move, Square};

use crate::MAX_DEPTH;

/// A game that cannot be read to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{flaw}", .ply.map_or_else(String::new, |ply| format!("ply {ply}: ")))]
pub struct Damage {
    /// Which move was to be read, from 1 and counted along its variation; `None` when it is not about a move.
    pub ply: Option<usize>,
    /// What is wrong.
    pub flaw: Flaw,
}

impl Damage {
    /// Damage at a move, from 1.
    pub(crate) fn at(ply: usize, flaw: Flaw) -> Damage {
        Damage { ply: Some(ply), flaw }
    }
}

impl<F: Into<Flaw>> From<F> for Damage {
    fn from(flaw: F) -> Damage {
        Damage { ply: None, flaw: flaw.into() }
    }
}

/// What is wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The bytes of the game end too early.
    #[error("the data end after {len} bytes, expected {expected}")]
    Cut {
        /// Bytes that are there.
        len: usize,
        /// What was to follow.
        expected: &'static str,
    },
    /// Something that has no place here.
    #[error("byte {at}: found {found}, expected {expected}")]
    Unexpected {
        /// Where, from 0 at the beginning of the game.
        at: usize,
        /// What stands there, shortened.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// The game is too large.
    #[error("more than {limit} bytes, expected fewer")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// The start position is none.
    #[error("start position: {0}")]
    Position(#[from] FenError),
    /// Two pieces of the start position on one point.
    #[error("start position: two pieces on {0}, expected one")]
    Crowded(Square),
    /// A move of the main line that is not legal.
    #[error("found {mv}, expected a legal move of {side}")]
    Illegal {
        /// The move.
        mv: Move,
        /// Whose turn it is.
        side: Color,
    },
    /// A move of the main line that does not lead from a point of the board to another.
    #[error("found a move off the board, expected one from a point to another")]
    OffBoard,
    /// Variations in variations in variations.
    #[error("variations more than {MAX_DEPTH} deep, expected fewer")]
    TooDeep,
}

/// Moves of a file that are no part of its record.
///
/// Authors use variations for notes, so that files hold variations that no game can follow; and some programs let a king
/// be captured. Neither is damage. Whatever was said about such moves is kept with the move before them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Omitted {
    /// How many moves, those that follow an illegal one included.
    pub moves: u64,
    /// Which move the first of them would be, from 1 and counted along its variation.
    pub ply: usize,
}

impl Omitted {
    /// Counts more moves.
    pub(crate) fn add(total: &mut Option<Omitted>, moves: u64, ply: usize) {
        total.get_or_insert(Omitted { moves: 0, ply }).moves += moves;
    }
}

impl fmt::Display for Omitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = if self.moves == 1 { "move" } else { "moves" };
        write!(f, "{} {moves} left out that cannot be played, the first at ply {}", self.moves, self.ply)
    }
}
