//! Perft that can be stopped.

use chuhe_engine::Control;
use chuhe_movegen::{Board, Leaves, Move, perft};

/// No tree this deep is ever counted to its end, and the recursion stays shallow.
pub(crate) const MAX_PERFT_DEPTH: u32 = 32;

/// Subtrees this low are counted in a few milliseconds, without a look at the control.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// Leaves of the tree below a position, or `None` when stopped.
fn count(board: &Board, depth: u32, control: &Control) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        return Some(perft(board, depth, Leaves::Counted));
    }
    board.legal_moves().iter().map(|&mv| count(&board.make(mv), depth - 1, control)).sum()
}

/// Counts below each root move in turn; ends early when stopped. Returns the sum, or `None` when stopped.
pub(crate) fn divide(board: &Board, depth: u32, control: &Control, mut each: impl FnMut(Move, u64)) -> Option<u64> {
    let Some(below) = depth.checked_sub(1) else { return Some(1) };
    let mut total = 0;
    for &mv in &board.legal_moves() {
        let nodes = count(&board.make(mv), below, control)?;
        each(mv, nodes);
        total += nodes;
    }
    Some(total)
}
