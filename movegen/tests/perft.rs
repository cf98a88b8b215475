//! Published and independently recomputed perft counts (`tests/data/perft.jsonl`), up to 50 million nodes a count.
//! `scripts/perft-all.sh` runs the rest.

use std::collections::BTreeMap;

use chuhe_movegen::{Board, Leaves, perft, perft_divide};
use rayon::prelude::*;

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    fen: String,
    counts: BTreeMap<u32, u64>,
    in_check: bool,
}

const LARGEST: u64 = 50_000_000;

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = include_str!("../../tests/data/perft.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of perft.jsonl"))
        .collect();
    assert!(cases.len() >= 80);
    cases
}

#[test]
fn published_counts() {
    cases().par_iter().for_each(|case| {
        let board = Board::from_composed_fen(&case.fen).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        // Kings that face each other, possible only in composed placements, are not called a check in the file.
        if Board::from_fen(&case.fen).is_ok() {
            assert_eq!(board.in_check(), case.in_check, "{}", case.id);
        }
        for (&depth, &expected) in case.counts.iter().filter(|&(_, &count)| count <= LARGEST) {
            assert_eq!(perft(&board, depth, Leaves::Counted), expected, "{} depth {depth}", case.id);
        }
    });
}

#[test]
fn made_leaves_and_divided_roots_give_the_same_counts() {
    for case in cases() {
        let board = Board::from_composed_fen(&case.fen).expect("checked above");
        for (&depth, &expected) in case.counts.iter().filter(|&(&depth, &count)| depth > 0 && count <= 2_000_000) {
            assert_eq!(perft(&board, depth, Leaves::Made), expected, "{} depth {depth}", case.id);
            let divided = perft_divide(&board, depth, Leaves::Counted);
            assert_eq!(divided.iter().map(|(_, nodes)| nodes).sum::<u64>(), expected, "{} depth {depth}", case.id);
        }
    }
}
