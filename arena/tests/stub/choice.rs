//! A move that looks random and is the same every time.

use chuhe_movegen::{Board, Move};
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// A legal move, if there is one. Mates are never missed and captures are common, so that games end; the number of
/// the move counts, so that a position that comes again need not lead to the same move.
pub(crate) fn choose(board: &Board, seed: u64) -> Option<Move> {
    let moves = board.legal_moves();
    if let Some(&mate) = moves.iter().find(|&&mv| !board.make(mv).has_legal_move()) {
        return Some(mate);
    }
    let mut random = ChaCha8Rng::seed_from_u64(board.key() ^ seed.rotate_left(32) ^ u64::from(board.fullmove_number()));
    let captures: Vec<Move> = moves.iter().copied().filter(|&mv| board.is_capture(mv)).collect();
    let list = if !captures.is_empty() && random.next_u32() % 2 == 0 { &captures[..] } else { &moves[..] };
    (!list.is_empty()).then(|| list[random.random_range(0..list.len())])
}
