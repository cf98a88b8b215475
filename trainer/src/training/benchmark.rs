//! How fast a recipe trains on this machine.

use std::time::Instant;

use chuhe_movegen::Board;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::order;
use super::recipe::Recipe;
use super::trainer::{Step, Trainer, TrainerError};
use crate::data::{GameOutcome, Record};

/// Plies of a random game.
const GAME_PLIES: u16 = 160;

/// Positions of games of random moves, with random scores and results: what they cost is what real ones cost, about.
pub fn random_records(count: usize, seed: u64) -> Vec<Record> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut records = Vec::with_capacity(count);
    while records.len() < count {
        let mut board = Board::startpos();
        for ply in 0..GAME_PLIES {
            let moves = board.legal_moves();
            if moves.is_empty() || records.len() == count {
                break;
            }
            board = board.make(moves[rng.random_range(0..moves.len())]);
            let outcome = GameOutcome::ALL[rng.random_range(0..GameOutcome::ALL.len())];
            records.push(Record::new(&board, outcome, rng.random_range(-500..=500), ply));
        }
    }
    records
}

/// Learns as many batches of random positions as fit into a time, after one that does not count. Returns positions a
/// second.
///
/// # Errors
/// [`TrainerError`] when the recipe is wrong or threads cannot be started.
pub fn measure(recipe: &Recipe, seconds: f64) -> Result<f64, TrainerError> {
    let records = random_records(8 * recipe.batch, recipe.seed);
    let order = order::shuffled(records.len(), recipe.seed, 0, recipe.mirror);
    let mut trainer = Trainer::new(recipe)?;
    let step = Step { rate: recipe.learning_rate, lambda: recipe.lambda_start, lambda_end: recipe.lambda_end };
    trainer.learn(&records, &order[..recipe.batch], step);
    let start = Instant::now();
    let mut learnt = 0;
    for batch in order.chunks(recipe.batch).cycle() {
        trainer.learn(&records, batch, step);
        learnt += batch.len();
        if start.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    Ok(learnt as f64 / start.elapsed().as_secs_f64())
}
