//! Tables for spreadsheets: a row for each move, or for a position without moves.

use chuhe_movegen::{Board, Move};
use chuhe_records::Notation;
use chuhe_text::csv_cell;
use serde::Serialize;
use serde_json::Value;

use super::{id_text, side};
use crate::{Decision, GameAnalysis, MateNote, MoveAnalysis, PositionAnalysis, Score, accuracy};

/// The first row, with the line end.
#[must_use]
pub fn header() -> String {
    format!("{}\n", COLUMNS.join(","))
}

const COLUMNS: [&str; 24] = [
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
    "ended_by",
    "error",
];

/// The rows of a game, or the one row of a position, each with its line end. Moves are also named in this notation. A row
/// behind the moves says what is wrong with a record that is not whole. Ids and messages, which others wrote, are guarded
/// by [`csv_cell`].
#[must_use]
pub fn rows(id: &Value, analysis: &GameAnalysis, notation: Notation) -> String {
    let id = id_text(id);
    let id = csv_cell(&id);
    let damage = analysis.damage.as_deref().map(csv_cell);
    let game = analysis.game();
    let mut rows: Vec<Row<'_>> = analysis
        .moves
        .iter()
        .zip(game.plies())
        .enumerate()
        .map(|(index, (played, ply))| Row::of_move(&id, index + 1, played, &ply.board, notation))
        .collect();
    if rows.is_empty() {
        let nothing = PositionAnalysis::default();
        rows.push(Row::of_position(&id, analysis.last_position.as_ref().unwrap_or(&nothing), &analysis.start));
    }
    if let Some(last) = rows.last_mut() {
        last.ended_by = analysis.ended_by.map(|ending| ending.name());
    }
    rows.extend(damage.as_deref().map(|error| Row::of_error(&id, error)));
    written(&rows)
}

/// Something that could not be analyzed: one row with its line end.
#[must_use]
pub fn error(id: &Value, error: &str) -> String {
    let id = id_text(id);
    written(&[Row::of_error(&csv_cell(&id), &csv_cell(error))])
}

fn written(rows: &[Row<'_>]) -> String {
    let mut writer = ::csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for row in rows {
        // Nothing fails to be written into memory.
        let _ = writer.serialize(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// A row, in the order of [`COLUMNS`]. Numbers as in [`super::json`], scores in pawns.
#[derive(Default, Serialize)]
struct Row<'a> {
    game: &'a str,
    ply: Option<usize>,
    number: Option<u16>,
    side: Option<&'static str>,
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
    depth: Option<u32>,
    nodes: Option<u64>,
    line: String,
    ended_by: Option<&'static str>,
    error: Option<&'a str>,
}

impl<'a> Row<'a> {
    fn of_position(game: &'a str, position: &PositionAnalysis, board: &Board) -> Row<'a> {
        let best = position.best();
        Row {
            game,
            ply: Some(0),
            number: Some(board.fullmove_number().max(1)),
            side: Some(side(board.side_to_move())),
            best: best.and_then(|line| line.moves.first()).map(Move::to_string),
            best_score: best.map(|line| score(line.score)),
            best_win_probability: best.map(|line| probability(line.chances.win_probability())),
            depth: Some(position.depth),
            nodes: Some(position.nodes),
            line: best.map_or_else(String::new, |line| joined(&line.moves)),
            ..Row::default()
        }
    }

    fn of_error(game: &'a str, error: &'a str) -> Row<'a> {
        Row { game, error: Some(error), ..Row::default() }
    }

    fn of_move(game: &'a str, ply: usize, played: &MoveAnalysis, board: &Board, notation: Notation) -> Row<'a> {
        Row {
            ply: Some(ply),
            mv: Some(played.mv.to_string()),
            name: Some(notation.write(played.mv, board)),
            score: Some(score(played.score)),
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

/// A score. Mates and wins by the rules have their sign behind the letter: `+M3` would be the value of another cell.
fn score(score: Score) -> String {
    match score.decided_in() {
        Some((Decision::Mate, moves)) => format!("M{moves}"),
        Some((Decision::Rule, moves)) => format!("R{moves}"),
        None => score.to_string(),
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
