//! Tables for spreadsheets: a row for each move, or for a position without moves.

use chuhe_movegen::{Board, Move};
use chuhe_records::Notation;
use serde::Serialize;
use serde_json::Value;

use super::{id_text, side};
use crate::{GameAnalysis, MateNote, MoveAnalysis, PositionAnalysis, accuracy};

/// The first row, with the line end.
#[must_use]
pub fn header() -> String {
    format!("{}\n", COLUMNS.join(","))
}

const COLUMNS: [&str; 22] = [
    "game",
    "ply",
    "number",
    "side",
    "move",
    "name",
    "score",
    "win_probability",
    "red_win_probability",
    "loss",
    "cp_loss",
    "accuracy",
    "judgement",
    "mate",
    "book",
    "forced",
    "best",
    "best_score",
    "best_win_probability",
    "depth",
    "nodes",
    "line",
];

/// The rows of a game, or the one row of a position, each with its line end. Moves are also named in this notation.
#[must_use]
pub fn rows(id: &Value, analysis: &GameAnalysis, notation: Notation) -> String {
    let id = id_text(id);
    let mut writer = ::csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let game = analysis.game();
    let mut rows: Vec<Row<'_>> = analysis
        .moves
        .iter()
        .zip(game.plies())
        .enumerate()
        .map(|(index, (played, ply))| Row::of_move(&id, index + 1, played, &ply.board, notation))
        .collect();
    if analysis.moves.is_empty() {
        rows.extend(analysis.last_position.as_ref().map(|position| Row::of_position(&id, position, &analysis.start)));
    }
    for row in rows {
        // Nothing fails to be written into memory.
        let _ = writer.serialize(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A row, in the order of [`COLUMNS`]. Numbers as in [`super::json`], scores for people.
#[derive(Serialize)]
struct Row<'a> {
    game: &'a str,
    ply: usize,
    number: u16,
    side: &'static str,
    mv: Option<String>,
    name: Option<String>,
    score: Option<String>,
    win_probability: Option<String>,
    red_win_probability: Option<String>,
    loss: Option<String>,
    cp_loss: Option<i32>,
    accuracy: Option<String>,
    judgement: Option<&'static str>,
    mate: Option<String>,
    book: Option<bool>,
    forced: Option<bool>,
    best: Option<String>,
    best_score: Option<String>,
    best_win_probability: Option<String>,
    depth: u32,
    nodes: u64,
    line: String,
}

impl<'a> Row<'a> {
    fn of_position(game: &'a str, position: &PositionAnalysis, board: &Board) -> Row<'a> {
        let best = position.best();
        Row {
            game,
            ply: 0,
            number: board.fullmove_number().max(1),
            side: side(board.side_to_move()),
            mv: None,
            name: None,
            score: None,
            win_probability: None,
            red_win_probability: None,
            loss: None,
            cp_loss: None,
            accuracy: None,
            judgement: None,
            mate: None,
            book: None,
            forced: None,
            best: best.and_then(|line| line.moves.first()).map(Move::to_string),
            best_score: best.map(|line| line.score.to_string()),
            best_win_probability: best.map(|line| probability(line.chances.win_probability())),
            depth: position.depth,
            nodes: position.nodes,
            line: best.map_or_else(String::new, |line| joined(&line.moves)),
        }
    }

    fn of_move(game: &'a str, ply: usize, played: &MoveAnalysis, board: &Board, notation: Notation) -> Row<'a> {
        Row {
            ply,
            mv: Some(played.mv.to_string()),
            name: Some(notation.write(played.mv, board)),
            score: Some(played.score.to_string()),
            win_probability: Some(probability(played.chances.win_probability())),
            red_win_probability: Some(probability(played.red_chances().win_probability())),
            loss: Some(probability(played.loss)),
            cp_loss: Some(played.cp_loss()),
            accuracy: Some(format!("{:.2}", accuracy(played.loss))),
            judgement: Some(played.judgement.as_str()),
            mate: played.mate.map(|note| match note {
                MateNote::Found(moves) => format!("found {moves}"),
                MateNote::Missed(moves) => format!("missed {moves}"),
                MateNote::Allowed(moves) => format!("allowed {moves}"),
            }),
            book: Some(played.is_book),
            forced: Some(played.is_forced),
            ..Row::of_position(game, &played.before, board)
        }
    }
}

fn probability(value: f64) -> String {
    format!("{value:.4}")
}

fn joined(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_in_the_order_of_the_fields() {
        let board = Board::startpos();
        let row = Row::of_position("", &PositionAnalysis::default(), &board);
        let value = serde_json::to_string(&row).expect("a row is plain");
        let mut at = 0;
        for column in COLUMNS {
            let key = if column == "move" { "mv" } else { column };
            let found = value[at..].find(&format!("\"{key}\":"));
            at += found.unwrap_or_else(|| panic!("{column} is not where it should be in {value}"));
        }
        assert_eq!(value.matches("\":").count(), COLUMNS.len());
    }
}
