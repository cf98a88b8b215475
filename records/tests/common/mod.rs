//! Games for tests.

use chuhe_movegen::Board;
use chuhe_records::Record;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A game of random moves with random variations.
pub(crate) fn random_record(seed: u64, start: Board, plies: usize, variations: usize) -> Record {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut record = Record::new(start);
    for line in 0..=variations {
        let from = if line == 0 { 0 } else { rng.random_range(0..=record.tree.len()) };
        let mut node = record.tree.walk().nth(from).unwrap().1;
        let mut board = record.start.clone();
        for mv in record.tree.path_to(node) {
            board = board.play(mv).unwrap();
        }
        let plies = if line == 0 { plies } else { rng.random_range(1..6) };
        for _ in 0..plies {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            node = record.tree.add(node, mv);
            board = board.make(mv);
        }
    }
    record
}
