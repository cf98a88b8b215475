//! Perft: the number of leaves of the tree of legal moves, the standard test of a move generator.

use crate::{Board, Move};

/// Whether the last ply is counted or played out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// The legal moves of the last ply are counted without making them.
    Counted,
    /// Every leaf is made by the same make as in search.
    Made,
}

/// Number of move sequences of `depth` plies from `board`.
pub fn perft(board: &Board, depth: u32, leaves: Leaves) -> u64 {
    match (depth, leaves) {
        (0, _) => 1,
        (1, Leaves::Counted) => board.count_legal_moves(),
        (1, Leaves::Made) => {
            let mut nodes = 0;
            for &mv in &board.legal_moves() {
                std::hint::black_box(&board.make(mv));
                nodes += 1;
            }
            nodes
        }
        _ => board.legal_moves().iter().map(|&mv| perft(&board.make(mv), depth - 1, leaves)).sum(),
    }
}

/// [`perft`] below every root move, in the order of the generator. At depth 0 there is none to divide by.
pub fn perft_divide(board: &Board, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    board.legal_moves().iter().map(|&mv| (mv, perft(&board.make(mv), below, leaves))).collect()
}
