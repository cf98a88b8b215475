//! Cost of the static evaluation, with the pushes and pops around it that search pays too.

use std::hint::black_box;

use chuhe_eval::Evaluator;
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

fn evaluation(criterion: &mut Criterion) {
    let transitions = transitions();
    let mut group = criterion.benchmark_group("eval");
    group.throughput(Throughput::Elements(transitions.len() as u64));
    group.bench_function("push, evaluate, pop", |bencher| {
        let mut evaluators: Vec<_> = transitions.iter().map(|(before, ..)| Evaluator::new(before)).collect();
        bencher.iter(|| {
            let mut sum = 0;
            for ((before, mv, after), evaluator) in transitions.iter().zip(&mut evaluators) {
                evaluator.push(before, *mv);
                sum += evaluator.evaluate(after);
                evaluator.pop();
            }
            black_box(sum)
        });
    });
    group.bench_function("push, pop", |bencher| {
        let mut evaluators: Vec<_> = transitions.iter().map(|(before, ..)| Evaluator::new(before)).collect();
        bencher.iter(|| {
            for ((before, mv, _), evaluator) in transitions.iter().zip(&mut evaluators) {
                evaluator.push(before, *mv);
                black_box(&mut *evaluator).pop();
            }
        });
    });
    group.bench_function("reset", |bencher| {
        let mut evaluator = Evaluator::new(&transitions[0].0);
        bencher.iter(|| {
            for (before, ..) in &transitions {
                evaluator.reset(before);
                black_box(&mut evaluator);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
