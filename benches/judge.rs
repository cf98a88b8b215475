//! Cost of the judgement of a finished game under every rule set: the bare verdict, and the ruling with the class of
//! every move.
//!
//! Over the case file, and over the games of the PGN file that the environment variable `CHUHE_GAMES` names, if it does.

use std::fs::File;
use std::hint::black_box;
use std::io::BufReader;
use std::path::Path;

use chuhe_movegen::Board;
use chuhe_records::pgn;
use chuhe_rules::{Game, RuleSet};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

/// The games of the case file.
fn cases() -> Vec<Game> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/repetition.jsonl");
    let text = std::fs::read_to_string(path).expect("the data are there");
    let game = |line| {
        let case: Value = serde_json::from_str(line).expect("JSON");
        let start = Board::from_composed_fen(case["fen"].as_str().expect("a position")).expect("a position");
        let mut game = Game::new(start);
        for mv in case["moves"].as_array().expect("moves") {
            game.play(mv.as_str().and_then(|mv| mv.parse().ok()).expect("a move")).expect("legal");
        }
        game
    };
    text.lines().map(game).collect()
}

/// The games of the file that the user names.
fn own_games() -> Option<Vec<Game>> {
    let path = std::env::var_os("CHUHE_GAMES")?;
    let file = File::open(path).expect("CHUHE_GAMES names a file");
    Some(pgn::Reader::new(BufReader::new(file)).filter_map(|record| record.ok()?.to_game().ok()).collect())
}

fn judge(criterion: &mut Criterion, name: &str, games: &[Game]) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(games.len() as u64)).sample_size(10);
    for rules in RuleSet::ALL.into_iter().chain([RuleSet::CHINESE_OLD]) {
        group.bench_function(format!("verdict/{rules}"), |bencher| {
            bencher.iter(|| {
                games.iter().for_each(|game| {
                    black_box(game.verdict(&rules));
                })
            });
        });
        group.bench_function(format!("ruling/{rules}"), |bencher| {
            bencher.iter(|| {
                games.iter().for_each(|game| {
                    black_box(game.ruling(&rules));
                })
            });
        });
    }
    group.finish();
}

fn judgements(criterion: &mut Criterion) {
    judge(criterion, "cases", &cases());
    if let Some(games) = own_games() {
        judge(criterion, "games", &games);
    }
}

criterion_group!(benches, judgements);
criterion_main!(benches);
