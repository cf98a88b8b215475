//! A number for a position, kept incrementally.

use chuhe_movegen::{Board, Move};

/// Every static evaluation lies strictly between minus and plus this.
pub const EVAL_LIMIT: i32 = 20_000;

/// The evaluation state of one search thread: a stack of incremental sums, one a ply.
#[derive(Clone, Debug)]
pub struct Evaluator {}

impl Evaluator {
    /// A state whose bottom is `root`.
    pub fn new(_root: &Board) -> Evaluator {
        Evaluator {}
    }

    /// Starts again from `root`, keeping allocated memory.
    pub fn reset(&mut self, _root: &Board) {}

    /// Follows a move about to be made on `before`.
    pub fn push(&mut self, _before: &Board, _mv: Move) {}

    /// Follows a null move.
    pub fn push_null(&mut self) {}

    /// Takes back the last push.
    pub fn pop(&mut self) {}

    /// Static evaluation of `board`, the position reached by the pushes, from its side to move, in internal units.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        use chuhe_movegen::PieceType;
        let us = board.side_to_move();
        PieceType::ALL
            .iter()
            .skip(1)
            .zip([20, 20, 45, 100, 46, 15])
            .map(|(&k, v)| (board.pieces(us, k).count() as i32 - board.pieces(!us, k).count() as i32) * v)
            .sum::<i32>()
            * 4
    }
}

/// The score shown to users for an internal score: 100 = an even chance to win outright.
pub fn shown(internal: i32) -> i32 {
    internal / 2
}

/// Win, draw and loss chances in per mille for an internal score; they add up to 1000.
pub fn wdl(_internal: i32) -> [u16; 3] {
    [300, 400, 300]
}
