//! A game on one line: as JSON, or as a position with moves.

use chuhe_movegen::{Board, Move};
use serde::Deserialize;
use serde_json::Value;

use super::{Entry, GameError};
use crate::{Record, notation};

/// A game in JSON; keys not named here are for people and other programs.
#[derive(Deserialize)]
struct JsonGame {
    #[serde(alias = "start_fen")]
    fen: String,
    moves: Moves,
    ruleset: Option<String>,
}

/// Moves one by one or in one text.
#[derive(Deserialize)]
#[serde(untagged, expecting = "\"moves\" is neither a list of moves nor a text")]
enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Moves {
    fn words(&self) -> Vec<&str> {
        match self {
            Moves::List(moves) => moves.iter().map(|word| word.trim()).collect(),
            Moves::Text(text) => text.split_whitespace().collect(),
        }
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
    let mut value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return Entry::unnamed(Err(plain(&error))),
    };
    let id = value.get_mut("id").map(Value::take).filter(|id| !id.is_null());
    match serde_json::from_value::<JsonGame>(value) {
        Err(error) => Entry { id, ruleset: None, record: Err(plain(&error)) },
        Ok(game) => {
            let start = Board::from_composed_fen(game.fen.trim()).map_err(GameError::Position);
            Entry { id, ruleset: game.ruleset, record: start.and_then(|start| play(start, &game.moves.words())) }
        }
    }
}

/// What the parser says, shortened. It counts lines too, but sees only this one.
fn plain(error: &serde_json::Error) -> GameError {
    let message = error.to_string().replace(" at line 1 column", " at column");
    let is_short = message.chars().count() <= MAX_MESSAGE_LEN;
    let start = || message.chars().take(MAX_MESSAGE_LEN).collect::<String>() + "…";
    GameError::Json(if is_short { message.clone() } else { start() })
}

/// Characters of what the parser says that are passed on; it may quote the line.
const MAX_MESSAGE_LEN: usize = 160;

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
            ("{", None, "EOF"),
            (r#"{"id": "a"}"#, Some("a"), "missing field `fen`"),
            (r#"{"id": "a", "fen": "3k5"}"#, Some("a"), "missing field `moves`"),
            (r#"{"id": "a", "fen": "3k5", "moves": 5}"#, Some("a"), "neither a list of moves nor a text"),
            (r#"{"id": null, "fen": "3k5", "moves": []}"#, None, "start position: "),
            ("[1, 2]", None, "expected"),
        ] {
            let entry = json(line);
            let error = entry.record.expect_err(line).to_string();
            assert!(error.contains(expected), "{line}: {error}");
            assert_eq!(entry.id, id.map(Value::from), "{line}");
        }
    }

    #[test]
    fn messages_are_short_whatever_the_line() {
        let line = format!("{{\"fen\": \"\", \"moves\": [], \"ruleset\": [\"{}\"]}}", "x".repeat(10_000));
        let error = json(&line).record.expect_err("no rule set").to_string();
        assert!(error.chars().count() <= MAX_MESSAGE_LEN + 1, "{error}");
    }
}
