//! Cost of reading games in every format that we write, and of writing them; one thread. `chuhe convert` spreads the games
//! of a file over all processors.
//!
//! Over games of random moves of the usual length, and over the games of the PGN file that the environment variable
//! `CHUHE_GAMES` names, if it does.

use std::hint::black_box;

use chuhe_movegen::Board;
use chuhe_records::games::Games;
use chuhe_records::json::About;
use chuhe_records::{ChineseStyle, Notation, Record, dhtmlxq, json, pgn, xqf};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Games of random moves.
const GAMES: u64 = 200;
/// Half-moves of a game.
const PLIES: usize = 100;

fn random_game(seed: u64) -> Record {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut record = Record::default();
    record.tags.set("Event", "random moves");
    let mut board = Board::startpos();
    for _ in 0..PLIES {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        record.tree.push(mv);
        board = board.make(mv);
    }
    record
}

fn read(bytes: &[u8]) -> usize {
    let games = Games::new(bytes, None).expect("bytes can be read");
    games.map(|game| game.expect("bytes can be read").read()).filter(|entry| entry.record.is_ok()).count()
}

/// Writes a game in a format.
type Write = fn(&Record) -> Vec<u8>;

fn convert(criterion: &mut Criterion, name: &str, records: &[Record]) {
    let written: [(&str, Write); 7] = [
        ("pgn-iccs", |record| pgn::to_string(record).into_bytes()),
        ("pgn-chinese", |record| pgn::to_string_in(record, Notation::Chinese(ChineseStyle::CUSTOMARY)).into_bytes()),
        ("pgn-wxf", |record| pgn::to_string_in(record, Notation::Wxf).into_bytes()),
        ("pgn-winboard", |record| pgn::to_string_in(record, Notation::WinBoard).into_bytes()),
        ("json", |record| (json::to_string(record, About::default()) + "\n").into_bytes()),
        ("dhtmlxq", |record| dhtmlxq::to_string(record).into_bytes()),
        ("xqf", |record| xqf::to_bytes(record).expect("no more pieces than a set has")),
    ];
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(records.len() as u64)).sample_size(10);
    for (format, write) in written {
        group.bench_function(format!("write/{format}"), |bencher| {
            bencher.iter(|| {
                records.iter().for_each(|record| {
                    black_box(write(record));
                })
            });
        });
        // A file of XQF holds one game.
        let files: Vec<Vec<u8>> = records.iter().map(write).collect();
        let files = if format == "xqf" { files } else { vec![files.concat()] };
        group.bench_function(format!("read/{format}"), |bencher| {
            bencher.iter(|| {
                let games: usize = files.iter().map(|file| read(black_box(file))).sum();
                assert_eq!(games, records.len());
            });
        });
    }
    group.finish();
}

fn conversions(criterion: &mut Criterion) {
    convert(criterion, "random", &(0..GAMES).map(random_game).collect::<Vec<_>>());
    if let Some(path) = std::env::var_os("CHUHE_GAMES") {
        let bytes = std::fs::read(path).expect("CHUHE_GAMES names a file");
        let records: Vec<Record> = pgn::Reader::new(&bytes[..]).filter_map(Result::ok).collect();
        convert(criterion, "games", &records);
    }
}

criterion_group!(benches, conversions);
criterion_main!(benches);
