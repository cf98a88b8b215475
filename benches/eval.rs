//! Cost of the static evaluation, with the pushes and pops around it that search pays too.

use std::hint::black_box;
use std::iter;

use chuhe_eval::network::{Architecture, Network, Parts};
use chuhe_eval::{Evaluation, Evaluator};
use chuhe_movegen::{Board, Move};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Moves of random games, with the boards before and after.
fn transitions() -> Vec<(Board, Move, Board)> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut all = Vec::new();
    for _ in 0..16 {
        let mut board = Board::startpos();
        for _ in 0..100 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            let next = board.make(mv);
            all.push((std::mem::replace(&mut board, next.clone()), mv, next));
        }
    }
    all
}

/// The hand-written evaluation, and networks of random weights.
fn evaluations() -> Vec<(String, Evaluation)> {
    let networks = [(1, 256, 1), (1, 512, 8), (6, 512, 8)].map(|(input_buckets, hidden, output_buckets)| {
        let architecture = Architecture::new(input_buckets, hidden, output_buckets).expect("supported");
        let network = Network::from_parts(&Parts::random(architecture, 1)).expect("a network");
        (architecture.to_string(), Evaluation::from(network))
    });
    iter::once(("hand-written".to_owned(), Evaluation::HandWritten)).chain(networks).collect()
}

fn evaluation(criterion: &mut Criterion) {
    let transitions = transitions();
    for (name, evaluation) in evaluations() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(transitions.len() as u64));
        // Along games: each position is one move from the one before, which is what search pays for most of its nodes.
        group.bench_function("push, evaluate", |bencher| {
            let mut evaluator = Evaluator::new(&evaluation, &transitions[0].0);
            bencher.iter(|| {
                let mut sum = 0;
                for game in transitions.chunk_by(|a, b| a.2 == b.0) {
                    evaluator.reset(&game[0].0);
                    for (before, mv, after) in game {
                        evaluator.push(before, *mv);
                        sum += evaluator.evaluate(after);
                    }
                }
                black_box(sum)
            });
        });
        group.bench_function("push, pop", |bencher| {
            let mut evaluator = Evaluator::new(&evaluation, &transitions[0].0);
            bencher.iter(|| {
                for (before, mv, _) in &transitions {
                    evaluator.push(before, *mv);
                    black_box(&mut evaluator).pop();
                }
            });
        });
        // Each position a move after another one: what the refresh cache makes of king moves is seldom dearer.
        group.bench_function("reset, evaluate", |bencher| {
            let mut evaluator = Evaluator::new(&evaluation, &transitions[0].0);
            bencher.iter(|| {
                let mut sum = 0;
                for (before, ..) in &transitions {
                    evaluator.reset(before);
                    sum += evaluator.evaluate(before);
                }
                black_box(sum)
            });
        });
        group.finish();
    }
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
