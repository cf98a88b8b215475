//! Attacks, generation, making moves, exchanges and perft.

use std::hint::black_box;
use std::time::Duration;

use chuhe_movegen::attacks::{cannon_attacks, horse_attacks, rook_and_cannon_attacks, rook_attacks};
use chuhe_movegen::{Bitboard, Board, Leaves, Move, MoveList, PieceType, Square, perft};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Positions of random games, from the full board to thinner ones.
fn boards() -> Vec<Board> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut boards = Vec::new();
    for _ in 0..32 {
        let mut board = Board::startpos();
        for _ in 0..80 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board = board.make(moves[rng.random_range(0..moves.len())]);
            boards.push(board.clone());
        }
    }
    boards
}

fn attacks(c: &mut Criterion) {
    let cases: Vec<(Square, Bitboard)> = boards()
        .iter()
        .flat_map(|board| {
            let strong = board.kind(PieceType::Rook) | board.kind(PieceType::Cannon) | board.kind(PieceType::Horse);
            strong.into_iter().map(|square| (square, board.occupied()))
        })
        .collect();
    let mut group = c.benchmark_group("attacks");
    group.throughput(Throughput::Elements(cases.len() as u64));
    let mut measure = |name: &str, attacks: fn(Square, Bitboard) -> Bitboard| {
        group.bench_function(name, |b| {
            b.iter(|| cases.iter().fold(Bitboard::EMPTY, |all, &(square, occupied)| all ^ attacks(square, occupied)));
        });
    };
    measure("rook", rook_attacks);
    measure("cannon", cannon_attacks);
    measure("rook and cannon", |square, occupied| {
        let (rook, cannon) = rook_and_cannon_attacks(square, occupied);
        rook ^ cannon
    });
    measure("horse", horse_attacks);
    group.finish();
}

fn generation(c: &mut Criterion) {
    let (checked, free): (Vec<Board>, Vec<Board>) = boards().into_iter().partition(Board::in_check);
    let mut group = c.benchmark_group("generation");
    let mut measure = |name: &str, boards: &[Board], generate: fn(&Board, &mut MoveList)| {
        group.throughput(Throughput::Elements(boards.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                for board in boards {
                    let mut list = MoveList::new();
                    generate(board, &mut list);
                    black_box(&list);
                }
            });
        });
    };
    measure("captures", &free, |board, list| board.generate_captures(list));
    measure("quiets", &free, |board, list| board.generate_quiets(list));
    measure("evasions", &checked, |board, list| board.generate_evasions(list));
    measure("legal", &free, |board, list| *list = board.legal_moves());
    measure("legal in check", &checked, |board, list| *list = board.legal_moves());
    measure("counted", &free, |board, _| {
        black_box(board.count_legal_moves());
    });
    group.finish();
}

/// Boards with their legal moves.
fn with_moves() -> (Vec<(Board, Vec<Move>)>, u64) {
    let all: Vec<(Board, Vec<Move>)> =
        boards().into_iter().map(|board| (board.clone(), board.legal_moves().to_vec())).collect();
    let count = all.iter().map(|(_, moves)| moves.len() as u64).sum();
    (all, count)
}

fn making(c: &mut Criterion) {
    let (all, count) = with_moves();
    let mut group = c.benchmark_group("making");
    group.throughput(Throughput::Elements(count));
    group.bench_function("make", |b| {
        b.iter(|| {
            for (board, moves) in &all {
                for &mv in moves {
                    black_box(&board.make(mv));
                }
            }
        });
    });
    group.bench_function("play", |b| {
        b.iter(|| {
            for (board, moves) in &all {
                for &mv in moves {
                    black_box(&board.play(mv).is_ok());
                }
            }
        });
    });
    group.finish();
}

fn exchanges(c: &mut Criterion) {
    let (all, _) = with_moves();
    let captures: Vec<(&Board, Move)> = all
        .iter()
        .flat_map(|(board, moves)| moves.iter().map(move |&mv| (board, mv)))
        .filter(|(board, mv)| board.is_capture(*mv))
        .collect();
    let mut group = c.benchmark_group("exchanges");
    group.throughput(Throughput::Elements(captures.len() as u64));
    group.bench_function("captures", |b| {
        b.iter(|| captures.iter().filter(|(board, mv)| board.see_at_least(*mv, 0)).count());
    });
    group.finish();
}

fn perfts(c: &mut Criterion) {
    const NODES: u64 = 3_290_240;
    let board = Board::startpos();
    let mut group = c.benchmark_group("perft 4");
    group.throughput(Throughput::Elements(NODES));
    for (name, leaves) in [("counted", Leaves::Counted), ("made", Leaves::Made)] {
        group.bench_function(name, |b| b.iter(|| assert_eq!(perft(&board, 4, leaves), NODES)));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = attacks, generation, making, exchanges, perfts
}
criterion_main!(benches);
