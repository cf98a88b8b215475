//! Time of verdicts and full rulings, per rule set, over the lines of a case file given as argument.
use std::time::Instant;

use chuhe_movegen::Board;
use chuhe_rules::{Game, RuleSet};

fn main() {
    let path = std::env::args().nth(1).expect("a case file");
    let text = std::fs::read_to_string(path).expect("readable");
    let games: Vec<Game> = text
        .lines()
        .map(|line| {
            let case: serde_json::Value = serde_json::from_str(line).expect("json");
            let fen = case["fen"].as_str().expect("fen");
            let board = Board::from_fen(fen).or_else(|_| Board::from_composed_fen(fen)).expect("position");
            let mut game = Game::new(board);
            for mv in case["moves"].as_array().expect("moves") {
                game.play(mv.as_str().expect("move").parse().expect("move")).expect("legal");
            }
            game
        })
        .collect();
    for rules in RuleSet::ALL.into_iter().chain([RuleSet::CHINESE_OLD]) {
        let (mut verdict, mut ruling, mut worst) = (0.0, 0.0, 0.0f64);
        for game in &games {
            let start = Instant::now();
            std::hint::black_box(game.verdict(&rules));
            verdict += start.elapsed().as_secs_f64();
            let start = Instant::now();
            std::hint::black_box(game.ruling(&rules));
            let time = start.elapsed().as_secs_f64();
            ruling += time;
            worst = worst.max(time);
        }
        let n = games.len() as f64 / 1e6;
        println!(
            "{rules:10} verdict {:8.1} us  ruling {:8.1} us  worst {:8.1} us",
            verdict / n,
            ruling / n,
            worst * 1e6
        );
    }
}
