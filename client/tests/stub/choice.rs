//! A move that looks random and is the same every time.

use chuhe_movegen::{Board, Move};

/// A legal move, if there is one. Mates are never missed and captures are common, so that games end; the number of
/// the move counts, so that a position that comes again need not lead to the same move.
pub(crate) fn choose(board: &Board, seed: u64) -> Option<Move> {
    let moves = board.legal_moves();
    if let Some(&mate) = moves.iter().find(|&&mv| !board.make(mv).has_legal_move()) {
        return Some(mate);
    }
    let random = mix(board.key() ^ seed.rotate_left(32) ^ u64::from(board.fullmove_number()));
    let captures: Vec<Move> = moves.iter().copied().filter(|&mv| board.is_capture(mv)).collect();
    let list = if !captures.is_empty() && random.is_multiple_of(2) { &captures[..] } else { &moves[..] };
    (!list.is_empty()).then(|| list[(random >> 1) as usize % list.len()])
}

/// A number all of whose bits depend on all bits of the other: a step of SplitMix64 (Steele, Lea, Flood 2014).
const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
