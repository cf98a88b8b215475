//! Lists of lines and positions.

use chuhe_movegen::Board;
use chuhe_records::notation;

use super::{Line, OpeningFault};

/// Reads a list, each line cut to so many plies.
///
/// # Errors
/// The first faulty line, from 1, and what is wrong with it.
pub(super) fn read(text: &str, plies: usize) -> Result<Vec<Line>, (usize, OpeningFault)> {
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| read_line(line, index + 1, plies).map_err(|fault| (index + 1, fault)))
        .collect()
}

fn read_line(line: &str, number: usize, plies: usize) -> Result<Line, OpeningFault> {
    let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
    let game_column = columns.iter().position(|column| looks_like_fen(column)).unwrap_or(columns.len() - 1);
    let mut names: Vec<&str> = Vec::new();
    for (index, &column) in columns.iter().enumerate() {
        if index != game_column && !column.bytes().all(|byte| byte.is_ascii_digit()) {
            names.push(column);
        }
    }
    let text = columns[game_column];
    let (start, moves, id) = if looks_like_fen(text) { split_fen(text)? } else { (Board::startpos(), text, None) };
    names.extend(id);
    let name = if names.is_empty() { format!("line {number}") } else { names.join(" ") };

    let mut board = start.clone();
    let mut line = Line { name, start, moves: Vec::new() };
    // All words are read, so that a fault shows however short the lines are cut.
    for (index, word) in moves.split_whitespace().filter(|&word| word != "|").enumerate() {
        let mv = notation::parse(word, &board).map_err(|source| OpeningFault::Move {
            ply: index + 1,
            word: chuhe_text::quoted(word),
            source,
        })?;
        board = board.make(mv);
        line.moves.push(mv);
    }
    line.moves.truncate(plies);
    if line.game().board().has_legal_move() { Ok(line) } else { Err(OpeningFault::Over) }
}

/// Takes a position apart: board, moves played from it, and its name if it is EPD.
fn split_fen(text: &str) -> Result<(Board, &str, Option<&str>), OpeningFault> {
    let (fen, rest) = text.split_at(fen_end(text));
    let board = Board::from_fen(fen)?;
    Ok(match rest.strip_prefix("moves") {
        Some(moves) => (board, moves, None),
        None => (board, "", epd_id(rest)),
    })
}

/// Whether a column is meant as a position, even a faulty one; names hold a slash or two.
fn looks_like_fen(column: &str) -> bool {
    column.split(' ').next().is_some_and(|word| word.contains('/'))
        && column.bytes().filter(|&byte| byte == b'/').count() > 4
}

/// Where the moves or the operations of EPD begin: at the first word behind the placement that begins with a letter and
/// is no side.
fn fen_end(text: &str) -> usize {
    let mut is_first = true;
    let mut at = 0;
    for word in text.split_inclusive(' ') {
        let begins_operations = !is_first
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
            && !matches!(word.trim(), "w" | "b" | "r" | "W" | "B" | "R");
        if begins_operations {
            return at;
        }
        is_first = false;
        at += word.len();
    }
    text.len()
}

fn epd_id(operations: &str) -> Option<&str> {
    let mut operations = operations.split(';').map(str::trim);
    let id = operations.find_map(|operation| operation.strip_prefix("id "))?.trim().trim_matches('"');
    (!id.is_empty()).then_some(id)
}
