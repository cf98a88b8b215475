//! What a probe costs, and what it costs not to be in a table.

use std::hint::black_box;

use chuhe_endgame::Tables;
use chuhe_movegen::{Board, Move};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Positions that a random walk without captures meets from each of these.
fn walk(fen: &str, length: usize) -> Vec<Board> {
    let mut board = Board::from_fen(fen).expect("a valid FEN");
    let mut boards = Vec::with_capacity(length);
    let mut state = 1u64;
    while boards.len() < length {
        let quiet: Vec<Move> = board.legal_moves().into_iter().filter(|&mv| !board.is_capture(mv)).collect();
        if quiet.is_empty() {
            board = Board::from_fen(fen).expect("a valid FEN");
            continue;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        board = board.make(quiet[(state >> 33) as usize % quiet.len()]);
        boards.push(board.clone());
    }
    boards
}

fn bench(criterion: &mut Criterion) {
    let tables = Tables::embedded();
    let mut group = criterion.benchmark_group("probe");
    for (name, fen) in [
        ("rook against guards", "2bak1b2/4a4/9/9/9/9/9/9/4R4/3K5 w"),
        ("rook against two pawns", "4k4/9/9/9/9/9/2p3p2/9/4R4/3K5 w"),
        ("horse and pawn against elephants", "2b1k1b2/9/9/9/4N4/4P4/9/9/9/3K5 w"),
        ("in no table, few pieces", "3akab2/9/4b4/9/9/9/9/9/2RC5/3K5 w"),
        ("in no table, the start", Board::START_FEN),
    ] {
        let boards = walk(fen, 4096);
        group.throughput(Throughput::Elements(boards.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| boards.iter().filter(|board| tables.value(black_box(board)).is_some()).count());
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
