//! Perft: the number of leaves of the tree of legal moves, the standard test of a move generator.

use rayon::prelude::*;

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

/// [`perft`] of every root move, on the threads of the current `rayon` pool. The order is that of the generator.
///
/// Work is split at the second ply: forty root moves alone would leave threads idle at the end.
pub fn perft_divide(board: &Board, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
    let moves = board.legal_moves();
    if depth == 0 {
        return Vec::new();
    }
    moves
        .par_iter()
        .map(|&mv| {
            let child = board.make(mv);
            let nodes = if depth < 4 {
                perft(&child, depth - 1, leaves)
            } else {
                let replies = child.legal_moves();
                replies.par_iter().map(|&reply| perft(&child.make(reply), depth - 2, leaves)).sum()
            };
            (mv, nodes)
        })
        .collect()
}
