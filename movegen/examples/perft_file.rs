//! Checks every perft count of a file in the form of `tests/data/perft.jsonl`, however large, on all processors.
//!
//! Prints one line a failure and a summary; exit code 1 when a count differs, 2 when the file cannot be used.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use chuhe_movegen::{Board, Leaves, perft};
use rayon::prelude::*;

#[derive(serde::Deserialize)]
struct Case {
    id: String,
    fen: String,
    counts: BTreeMap<u32, u64>,
}

/// Counts on all processors. The first two plies are split, so that none is idle at the end.
fn count(board: &Board, depth: u32) -> u64 {
    if depth < 4 {
        return perft(board, depth, Leaves::Counted);
    }
    let children: Vec<Board> = board.legal_moves().iter().map(|&mv| board.make(mv)).collect();
    let grandchildren = children.par_iter().flat_map_iter(|child| {
        let moves = child.legal_moves();
        moves.into_iter().map(|mv| child.make(mv))
    });
    grandchildren.map(|board| perft(&board, depth - 2, Leaves::Counted)).sum()
}

/// Checks the counts of one line and returns how many there were, of how many nodes, and how many were wrong.
fn check(line: &str) -> Result<(u32, u64, u32), String> {
    let case: Case = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let board = Board::from_composed_fen(&case.fen).map_err(|error| format!("{}: {error}", case.id))?;
    let (mut counts, mut total, mut wrong) = (0, 0, 0);
    for (&depth, &expected) in case.counts.iter().filter(|&(&depth, _)| depth > 0) {
        let nodes = count(&board, depth);
        if nodes != expected {
            println!("{} depth {depth}: {nodes} nodes, expected {expected}", case.id);
            wrong += 1;
        }
        counts += 1;
        total += nodes;
    }
    Ok((counts, total, wrong))
}

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: perft_file FILE.jsonl");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let (mut counts, mut nodes, mut wrong) = (0, 0, 0);
    for (number, line) in (1..).zip(text.lines()) {
        match check(line) {
            Ok(checked) => {
                counts += checked.0;
                nodes += checked.1;
                wrong += checked.2;
            }
            Err(error) => {
                eprintln!("{} line {number}: {error}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = nodes as f64 / seconds / 1e6;
    println!("{counts} counts, {wrong} wrong, {nodes} nodes, {seconds:.1} s, {speed:.0} Mnps");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
