//! The case file of repetitions, cycles made by hand, and the examples of the documentation.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses its part of it")]

use std::collections::BTreeMap;
use std::path::Path;

use chuhe_movegen::{Board, Move};
use chuhe_rules::{Game, RuleSet};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    pub ruleset: String,
    pub fen: String,
    pub moves: Vec<String>,
    pub cycle_start_ply: usize,
    pub cycle_len: usize,
    pub verdict: String,
    pub classes: Option<Vec<String>>,
    pub confidence: String,
    pub title: Option<String>,
}

impl Case {
    pub fn is_certain(&self) -> bool {
        self.confidence == "certain"
    }

    pub fn rules(&self) -> RuleSet {
        self.ruleset.parse().unwrap()
    }

    pub fn game(&self) -> Game {
        self.game_of(|board| board, |mv| mv)
    }

    /// The case seen in a mirror, or from the other chair.
    pub fn game_of(&self, board: impl Fn(Board) -> Board, turn: impl Fn(Move) -> Move) -> Game {
        // One diagram has a pawn where no game brings it.
        let start = Board::from_fen(&self.fen).or_else(|_| Board::from_composed_fen(&self.fen));
        let mut game = Game::new(board(start.unwrap_or_else(|error| panic!("{}: {error}", self.id))));
        for mv in &self.moves {
            game.play(turn(mv.parse().unwrap())).unwrap_or_else(|error| panic!("{}: {error}", self.id));
        }
        game
    }
}

pub fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/repetition.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A case of the second file.
#[derive(Deserialize)]
pub struct ArguedCase {
    pub id: String,
    pub fen: String,
    pub moves: Vec<String>,
    /// What each rule set says.
    pub verdicts: BTreeMap<String, String>,
}

/// Cycles made by hand, with the verdicts argued from the articles.
pub fn argued_cases() -> Vec<ArguedCase> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/repetition-2.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The game with these moves.
pub fn played_once(fen: &str, moves: &[String]) -> Game {
    played(fen, &moves.join(" "), 1)
}

/// The game of the case with this id.
pub fn game_of(id: &str) -> Game {
    cases().into_iter().find(|case| case.id == id).unwrap_or_else(|| panic!("no case {id}")).game()
}

/// The game that plays a cycle so many times.
pub fn played(fen: &str, cycle: &str, loops: usize) -> Game {
    // Some cases have a pawn where no game brings it.
    let start = Board::from_fen(fen).or_else(|_| Board::from_composed_fen(fen));
    let mut game = Game::new(start.unwrap_or_else(|error| panic!("{fen}: {error}")));
    for _ in 0..loops {
        for mv in cycle.split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap_or_else(|error| panic!("{fen}: {error}"));
        }
    }
    game
}

/// The cells of the table of `docs/rules.md` whose first heading this is, line by line.
pub fn doc_table(heading: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let start = format!("| {heading} |");
    let table = text.lines().skip_while(|line| !line.starts_with(&start)).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<String>> = table
        .skip(2)
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect();
    assert!(!rows.is_empty(), "{}: no table of {heading}", path.display());
    rows
}
