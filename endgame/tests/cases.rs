//! Positions with known results.
//!
//! `data/proved.jsonl` comes from an exhaustive analysis made independently of this program: result and number of plies
//! to mate or stalemate, repetition aside; drawn cases only where the defender has nothing but advisors and elephants.

mod common;

use std::path::PathBuf;

use chuhe_endgame::{Tables, Value};
use chuhe_movegen::{Board, Color};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    fen: String,
    result: String,
    distance_plies: Option<u16>,
}

fn cases() -> Vec<(Case, Board)> {
    let text = include_str!("data/proved.jsonl");
    text.lines()
        .map(|line| {
            let case: Case = serde_json::from_str(line).unwrap();
            let board = Board::from_fen(&case.fen).unwrap();
            (case, board)
        })
        .collect()
}

fn expected(case: &Case, board: &Board) -> Value {
    let winner = match case.result.as_str() {
        "red_win" => Color::Red,
        "black_win" => Color::Black,
        _ => return Value::Draw,
    };
    if winner == board.side_to_move() { Value::Win } else { Value::Loss }
}

/// Compares the distances of all cases in these tables, and tells how many there are.
fn compare_distances(tables: &Tables) -> usize {
    let mut compared = 0;
    for (case, board) in cases() {
        let Some(probe) = tables.probe(&board) else { continue };
        assert_eq!(probe.value, expected(&case, &board), "{}", case.id);
        assert_eq!(probe.plies, case.distance_plies, "{}", case.id);
        compared += 1;
    }
    compared
}

#[test]
fn the_embedded_tables_know_the_result_of_every_proved_case() {
    let tables = Tables::embedded();
    for (case, board) in cases() {
        let value = tables.value(&board);
        assert_eq!(value, Some(expected(&case, &board)), "{} {}", case.id, case.fen);
    }
    assert_eq!(cases().len(), 172);
}

#[test]
fn distances_of_small_classes_are_exact() {
    assert!(compare_distances(&common::built("RvABB PPvA CAvAA NvAB NvBB PvAA PvB CAvB CBv")) >= 70);
}

#[test]
#[ignore = "needs a folder with the standard set, named by CHUHE_ENDGAMES; scripts/endgame-checks.sh makes one"]
fn distances_of_every_proved_case_are_exact() {
    let folder = PathBuf::from(std::env::var_os("CHUHE_ENDGAMES").expect("CHUHE_ENDGAMES names a folder"));
    assert_eq!(compare_distances(&Tables::open(&folder).unwrap()), 172);
}
