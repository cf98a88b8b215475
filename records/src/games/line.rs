//! A game on one line: as JSON, or as a position with moves.

use std::fmt;

use chuhe_movegen::{Board, Move};
use serde_json::error::Category;
use serde_json::{Map, Value};

use super::{Entry, GameError};
use crate::{Record, notation};

/// Why a line of JSON tells no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JsonFault {
    /// Something else than an object.
    #[error("found {0:?}, expected a JSON object such as {{\"fen\": …, \"moves\": [\"h2e2\", …]}}")]
    NoObject(
        /// The beginning of the line.
        String,
    ),
    /// The object does not end on its line.
    #[error("the JSON is cut off after column {column}")]
    Cut {
        /// Bytes of the line.
        column: usize,
    },
    /// The line cannot be read as JSON.
    #[error("the JSON is faulty at column {column}: {fault}")]
    Syntax {
        /// Byte of the line, from 1.
        column: usize,
        /// What is wrong there or was expected.
        fault: String,
    },
    /// There are no moves.
    #[error("\"moves\" is missing, expected a list of moves or a text of them")]
    NoMoves,
    /// A value is of the wrong kind.
    #[error("\"{key}\": found {found}, expected {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// What kind of value was found.
        found: JsonKind,
        /// What kind may stand there.
        expected: &'static str,
    },
}

/// Kinds of values in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

impl JsonKind {
    fn of(value: &Value) -> JsonKind {
        match value {
            Value::Null => JsonKind::Null,
            Value::Bool(_) => JsonKind::Bool,
            Value::Number(_) => JsonKind::Number,
            Value::String(_) => JsonKind::Text,
            Value::Array(_) => JsonKind::List,
            Value::Object(_) => JsonKind::Object,
        }
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JsonKind::Null => "null",
            JsonKind::Bool => "true or false",
            JsonKind::Number => "a number",
            JsonKind::Text => "a text",
            JsonKind::List => "a list",
            JsonKind::Object => "an object",
        })
    }
}

/// Whether a line is an object of JSON rather than a comment of PGN.
pub(super) fn looks_like_json(line: &str) -> bool {
    line.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
}

/// Whether a line begins with a position or a move rather than with a tag or a move number.
pub(super) fn looks_like_moves(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    matches!(first, "position" | "startpos" | "fen" | "moves")
        || first.bytes().filter(|&byte| byte == b'/').count() == 9
        || first.parse::<Move>().is_ok()
}

/// A game from a line of JSON.
pub(super) fn json(text: &str) -> Entry {
    match object(text) {
        Err(fault) => Entry::unnamed(Err(fault.into())),
        Ok(mut object) => {
            let id = object.remove("id").filter(|id| !id.is_null());
            match optional_text(&mut object, "ruleset") {
                Err(fault) => Entry { id, ruleset: None, record: Err(fault.into()) },
                Ok(ruleset) => Entry { id, ruleset, record: json_record(&mut object) },
            }
        }
    }
}

fn object(text: &str) -> Result<Map<String, Value>, JsonFault> {
    if !text.starts_with('{') {
        return Err(JsonFault::NoObject(text.chars().take(20).collect()));
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Eof => JsonFault::Cut { column: error.column() },
        _ => JsonFault::Syntax { column: error.column(), fault: syntax(&error) },
    })
}

/// What the parser says, without the place and its own terms.
fn syntax(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = match message {
        "expected ident" => "expected null, true or false",
        "expected value" => "expected a value",
        "key must be a string" => "expected a key in quotation marks",
        other => other,
    };
    message.chars().take(MAX_MESSAGE_LEN).collect()
}

/// Characters of what the parser says that are passed on.
const MAX_MESSAGE_LEN: usize = 160;

fn json_record(object: &mut Map<String, Value>) -> Result<Record, GameError> {
    let fen = match optional_text(object, "fen")? {
        Some(fen) => Some(fen),
        None => optional_text(object, "start_fen")?,
    };
    let moves = moves_text(object.remove("moves").ok_or(JsonFault::NoMoves)?)?;
    let start = match fen.as_deref().map(str::trim) {
        None | Some("startpos") => Board::startpos(),
        Some(fen) => Board::from_composed_fen(fen)?,
    };
    play(start, &moves.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The text under a key; null is as good as no such key.
fn optional_text(object: &mut Map<String, Value>, key: &'static str) -> Result<Option<String>, JsonFault> {
    match object.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(JsonFault::Value { key, found: JsonKind::of(&other), expected: "a text" }),
    }
}

/// Moves one by one or in one text.
fn moves_text(value: Value) -> Result<Vec<String>, JsonFault> {
    let fault = |value: &Value, expected| JsonFault::Value { key: "moves", found: JsonKind::of(value), expected };
    match value {
        Value::String(text) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        Value::Array(list) => list
            .into_iter()
            .map(|item| match item {
                Value::String(word) => Ok(word.trim().to_owned()),
                other => Err(fault(&other, "a move in each place of the list")),
            })
            .collect(),
        other => Err(fault(&other, "a list of moves or a text of them")),
    }
}

/// A game from a line such as `position fen FEN moves h2e2 h9g7`, of which everything may be missing but a position or a
/// move.
pub(super) fn moves(text: &str) -> Result<Record, GameError> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let mut skip = |expected: &str| {
        let is_there = words.first() == Some(&expected);
        if is_there {
            words.remove(0);
        }
        is_there
    };
    skip("position");
    let is_fen = skip("fen");
    let start = if !is_fen && skip("startpos") {
        Board::startpos()
    } else if is_fen || words.first().is_some_and(|word| word.contains('/')) {
        let is_field =
            |word: &&&str| matches!(**word, "w" | "b" | "r" | "-") || word.bytes().all(|b| b.is_ascii_digit());
        let fields = 1 + words.iter().skip(1).take(5).take_while(is_field).count();
        let fen: Vec<&str> = words.drain(..fields.min(words.len())).collect();
        Board::from_composed_fen(&fen.join(" "))?
    } else {
        Board::startpos()
    };
    if words.first() == Some(&"moves") {
        words.remove(0);
    }
    play(start, &words)
}

fn play(start: Board, words: &[&str]) -> Result<Record, GameError> {
    let mut record = Record::new(start.clone());
    let mut board = start;
    for (index, word) in words.iter().enumerate() {
        let mv = notation::parse(word, &board).map_err(|source| GameError::Move {
            number: index + 1,
            word: word.chars().take(20).collect(),
            source,
        })?;
        board = board.make(mv);
        record.tree.push(mv);
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_the_first_line() {
        for line in ["{\"id\": 1}", "{ \"fen\"", "{}"] {
            assert!(looks_like_json(line), "{line}");
        }
        for line in ["h2e2 h9g7", "H2-E2", "position startpos", "startpos", Board::START_FEN] {
            assert!(looks_like_moves(line) && !looks_like_json(line), "{line}");
        }
        for line in ["[Red \"A\"]", "1. h2e2 h9g7", "{ a comment }", "1.炮二平五", ""] {
            assert!(!looks_like_moves(line) && !looks_like_json(line), "{line}");
        }
    }

    #[test]
    fn positions_and_moves_on_a_line() {
        let endgame = "3k5/9/9/9/9/9/9/9/R8/4K4 w";
        let cases = [
            ("h2e2 h9g7".to_owned(), 2, Board::START_FEN.to_owned()),
            ("position startpos moves h2e2 H9-G7".to_owned(), 2, Board::START_FEN.to_owned()),
            ("startpos".to_owned(), 0, Board::START_FEN.to_owned()),
            (format!("position fen {endgame} - - 0 1 moves a1a2"), 1, format!("{endgame} - - 0 1")),
            (format!("fen {endgame} moves a1a2 d9d8"), 2, format!("{endgame} - - 0 1")),
            (format!("{endgame} - - 7 30 a1a2"), 1, format!("{endgame} - - 7 30")),
            (format!("{endgame} a1a2"), 1, format!("{endgame} - - 0 1")),
        ];
        for (line, plies, start) in cases {
            let record = moves(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!((record.main_line().count(), record.start.to_fen()), (plies, start), "{line}");
        }
        for (line, expected) in [
            ("position fen", "expected"),
            ("fen 9/9/9 w moves a0a1", "expected"),
            ("h2e2 h2e2", "move 2: found \"h2e2\", expected a legal move of Black"),
            ("position startpos moves 1. h2e2", "move 1: found \"1.\""),
        ] {
            let error = moves(line).expect_err(line).to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn json_keeps_the_id_of_what_it_cannot_use() {
        let entry = json(r#"{"id": 7, "fen": "3k5/9/9/9/9/9/9/9/R8/4K4 w", "moves": "a1a2 d9d8", "ruleset": "cxa"}"#);
        assert_eq!((entry.id, entry.ruleset.as_deref()), (Some(Value::from(7)), Some("cxa")));
        assert_eq!(entry.record.map(|record| record.main_line().count()), Ok(2));
        for (line, id, expected) in [
            ("{", None, "cut off after column 1"),
            (r#"{"id": "a"}"#, Some("a"), "\"moves\" is missing"),
            (r#"{"id": "a", "fen": "3k5", "moves": 5}"#, Some("a"), "\"moves\": found a number, expected a list"),
            (r#"{"id": "a", "moves": ["h2e2", null]}"#, Some("a"), "\"moves\": found null, expected a move"),
            (r#"{"id": "a", "moves": "", "fen": []}"#, Some("a"), "\"fen\": found a list, expected a text"),
            (r#"{"id": "a", "moves": "", "ruleset": {}}"#, Some("a"), "\"ruleset\": found an object"),
            (r#"{"id": null, "fen": "3k5", "moves": []}"#, None, "start position: "),
            ("[1, 2]", None, "found \"[1, 2]\", expected a JSON object such as {\"fen\": …"),
            ("not json", None, "found \"not json\", expected a JSON object"),
            ("{ a comment }", None, "column 3: expected a key in quotation marks"),
            (r#"{"id": nil}"#, None, "column 9: expected null, true or false"),
        ] {
            let entry = json(line);
            let error = entry.record.expect_err(line).to_string();
            assert!(error.contains(expected), "{line}: {error}");
            assert_eq!(entry.id, id.map(Value::from), "{line}");
        }
    }

    #[test]
    fn json_without_a_position_begins_from_the_start() {
        for fen in ["", r#""fen": null,"#, r#""fen": "startpos","#, r#""start_fen": " startpos ","#] {
            let entry = json(&format!(r#"{{{fen} "moves": ["h2e2"]}}"#));
            let record = entry.record.unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!((record.start.to_fen().as_str(), record.main_line().count()), (Board::START_FEN, 1), "{fen}");
        }
        assert!(json(r#"{"fen": "", "moves": []}"#).record.is_err(), "an empty position is a mistake");
    }

    #[test]
    fn messages_are_short_whatever_the_line() {
        let long = "x".repeat(10_000);
        for line in [&long, &format!("{{\"{long}"), &format!("{{{long}"), &format!("{{\"moves\": [\"{long}\"]}}")] {
            let error = json(line).record.expect_err("no game").to_string();
            assert!(error.chars().count() <= 2 * MAX_MESSAGE_LEN, "{error}");
        }
    }
}
