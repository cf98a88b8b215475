//! One step of a line of play.

use chuhe_movegen::{Board, Color, Move, Piece};

/// A position and the move that led to it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The position after the move.
    pub board: Board,
    /// The move; `None` for the first position of a line and after a null move of a search.
    pub mv: Option<Move>,
    /// What the move captured.
    pub captured: Option<Piece>,
}

impl Ply {
    /// The first position of a line.
    pub fn start(board: Board) -> Ply {
        Ply { board, mv: None, captured: None }
    }

    /// The step from `before` by a legal move.
    #[inline]
    pub fn after(before: &Board, mv: Move) -> Ply {
        Ply { board: before.make(mv), mv: Some(mv), captured: before.piece_at(mv.to()) }
    }

    /// Who made the move.
    #[inline]
    pub fn mover(&self) -> Color {
        !self.board.side_to_move()
    }

    /// Whether the move gave check.
    #[inline]
    pub fn gives_check(&self) -> bool {
        self.board.in_check()
    }

    /// Whether no earlier position of the line can come again: the line starts here, or the move captured.
    #[inline]
    pub(crate) fn is_irreversible(&self) -> bool {
        self.mv.is_none() || self.captured.is_some()
    }
}
