//! A game on one line as a position with moves.

use chuhe_movegen::{Board, Move};

use super::{Entry, GameError, epd};
use crate::notation::{self, Ranks};
use crate::{MoveError, Record, fen};

/// Whether a line is an object of JSON rather than a comment of PGN.
pub(super) fn looks_like_json(line: &str) -> bool {
    line.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
}

/// Whether a line begins with a position or moves rather than with a tag or a move number. Two moves in another notation
/// than coordinates are a round of a game that stands on many lines.
pub(super) fn looks_like_moves(line: &str) -> bool {
    let first = first_word(line);
    let is_move = |word: &str| notation::parse(word, &Board::startpos()) != Err(MoveError::Unreadable);
    matches!(first, "position" | "startpos" | "fen" | "moves")
        || fen::looks_like_board(first)
        || first.parse::<Move>().is_ok()
        || line.split_whitespace().take(ROUND + 1).filter(|word| is_move(word)).count() > ROUND
}

/// Whether a line goes on with the game of the line before rather than beginning another.
pub(super) fn goes_on(before: &str, line: &str) -> bool {
    let begins_with_board = |line: &str| {
        let first = first_word(line);
        matches!(first, "position" | "startpos" | "fen") || fen::looks_like_board(first)
    };
    if looks_like_json(line) || begins_with_board(line) {
        return false;
    }
    if begins_with_board(before) {
        // A line of moves alone would be a game from the start position.
        return split_fen(before).1.is_empty();
    }
    // A line that is a game by itself begins one.
    let is_game = |text: &str| {
        let (record, error) = play(Board::startpos(), text.split_whitespace());
        error.is_none() && !record.tree.is_empty()
    };
    [first_word(line), line].into_iter().any(|next| is_game(&format!("{before} {next}")) && !is_game(next))
}

/// Moves of a round.
const ROUND: usize = 2;

/// A game from a line such as `position fen FEN moves h2e2 h9g7`, of which everything may be missing but a position or a
/// move; or a position in EPD.
pub(super) fn read(text: &str) -> Entry {
    let mut rest = text.trim();
    let mut skip = |expected: &str| {
        let is_there = first_word(rest) == expected;
        if is_there {
            rest = rest[expected.len()..].trim_start();
        }
        is_there
    };
    skip("position");
    let is_fen = skip("fen");
    let has_board = is_fen || !skip("startpos") && first_word(rest).contains('/');
    let mut start = Board::startpos();
    if has_board {
        let (board, behind) = split_fen(rest);
        if epd::looks_like_operations(behind) {
            return epd::read(board, behind).unwrap_or_else(|error| Entry::damaged(error.into()));
        }
        rest = behind;
        start = match fen::read(board) {
            Ok(board) => board,
            Err(error) => return Entry::damaged(error.into()),
        };
        // `FEN 第001局` is a title.
        if !first_word(rest).is_ascii() && notation::parse(first_word(rest), &start) == Err(MoveError::Unreadable) {
            let mut record = Record::new(start);
            record.tags.set("Title", rest);
            return Entry::new(Some(record), None, None);
        }
    }
    if first_word(rest) == "moves" {
        rest = &rest["moves".len()..];
    }
    let read = |start: Board, ranks| play_with(start, rest.split_whitespace(), ranks);
    let (mut record, mut error) = read(start.clone(), Ranks::FromZero);
    // Positions often name the wrong side, or none: the first move knows better.
    let turned = Some(&start).filter(|_| has_board && record.tree.is_empty()).and_then(|start| fen::turned(start).ok());
    for (start, ranks) in turned.map(|start| (start, Ranks::FromZero)).into_iter().chain([(start, Ranks::FromOne)]) {
        if error.is_some() {
            let other = read(start, ranks);
            if other.0.tree.len() > record.tree.len() {
                (record, error) = other;
            }
        }
    }
    Entry::new(Some(record), None, error)
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The fields of a position, as many as there are, and what stands behind them.
fn split_fen(text: &str) -> (&str, &str) {
    let is_field = |word: &str| {
        matches!(word.to_ascii_lowercase().as_str(), "w" | "b" | "r" | "-" | "--")
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut end = first_word(text).len();
    for _ in 0..5 {
        let word = first_word(&text[end..]);
        if word.is_empty() || !is_field(word) {
            break;
        }
        end = text.len() - text[end..].trim_start().len() + word.len();
    }
    (&text[..end], text[end..].trim_start())
}

/// Plays moves in any notation, up to the first word that is no legal move.
pub(crate) fn play<'w>(start: Board, words: impl IntoIterator<Item = &'w str>) -> (Record, Option<GameError>) {
    play_with(start, words, Ranks::FromZero)
}

fn play_with<'w>(start: Board, words: impl IntoIterator<Item = &'w str>, ranks: Ranks) -> (Record, Option<GameError>) {
    let mut record = Record::new(start.clone());
    let mut board = start;
    for (index, word) in words.into_iter().enumerate() {
        match notation::parse_with(word, &board, ranks) {
            Ok(mv) => {
                board = board.make(mv);
                record.tree.push(mv);
            }
            Err(source) => {
                let word = chuhe_text::quoted(word);
                return (record, Some(GameError::Move { number: index + 1, word, source }));
            }
        }
    }
    (record, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_the_first_line() {
        for line in ["{\"id\": 1}", "{ \"fen\"", "{}"] {
            assert!(looks_like_json(line), "{line}");
        }
        for line in
            ["h2e2 h9g7", "H2-E2", "position startpos", "startpos", Board::START_FEN, "炮二平五 马8进7 马二进三"]
        {
            assert!(looks_like_moves(line) && !looks_like_json(line), "{line}");
        }
        for line in ["[Red \"A\"]", "1. h2e2 h9g7", "{ a comment }", "1.炮二平五", "炮二平五 马8进7", ""] {
            assert!(!looks_like_moves(line) && !looks_like_json(line), "{line}");
        }
    }

    #[test]
    fn a_game_may_stand_on_many_lines() {
        let board = Board::START_FEN;
        for (before, line) in [
            ("h2e2", "h9g7"),
            ("h2e2 h9g7 h0g2", "i9h9"),
            ("H2-E2 H9-G7", "H0-G2 I9-H9"),
            (board, "1. 炮二平五"),
            (board, "炮二平五"),
        ] {
            assert!(goes_on(before, line), "{before} | {line}");
        }
        for (before, line) in [
            ("h2e2 h9g7", "h2e2 h9g7"),
            ("h2e2 h9g7", "b2e2"),
            ("h2e2", "x"),
            (board, board),
            (board, "{}"),
            ("startpos moves h2e2", "startpos moves h2e2"),
            ("startpos moves h2e2", "h9g7"),
            ("h2e2 h9g7", "b2e2 b9c7"),
        ] {
            assert!(!goes_on(before, line), "{before} | {line}");
        }
    }

    #[test]
    fn positions_and_moves_on_a_line() {
        let endgame = "3k5/9/9/9/9/9/9/9/R8/4K4 w";
        let cases = [
            ("h2e2 h9g7".to_owned(), 2, Board::START_FEN.to_owned()),
            ("position startpos moves h2e2 H9-G7".to_owned(), 2, Board::START_FEN.to_owned()),
            ("startpos".to_owned(), 0, Board::START_FEN.to_owned()),
            ("position startpos moves h3e3 h10g8 h1g3 i10h10".to_owned(), 4, Board::START_FEN.to_owned()),
            (format!("position fen {endgame} - - 0 1 moves a1a2"), 1, format!("{endgame} - - 0 1")),
            (format!("fen {endgame} moves a1a2 d9d8"), 2, format!("{endgame} - - 0 1")),
            (format!("{endgame} - - 7 30 a1a2"), 1, format!("{endgame} - - 7 30")),
            (format!("{endgame} a1a2"), 1, format!("{endgame} - - 0 1")),
            (format!("{endgame} - - 0 1 d9d8 a1a2"), 2, format!("{} - - 0 1", endgame.replace('w', "b"))),
            (
                format!("{} R - - 0 1 moves a1a2", endgame.replace("/9", "/").trim_end_matches(" w")),
                1,
                format!("{endgame} - - 0 1"),
            ),
            (format!("{endgame} - - 0 1 第001局 月上柳梢"), 0, format!("{endgame} - - 0 1")),
        ];
        for (line, plies, start) in cases {
            let record = read(&line).record.unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!((record.main_line().count(), record.start.to_fen()), (plies, start), "{line}");
        }
        for (line, expected) in [
            ("position fen", "expected"),
            ("fen 9/9/9 w moves a0a1", "expected"),
            ("h2e2 h2e2", "move 2: found \"h2e2\", expected a legal move of Black"),
            ("position startpos moves 1. h2e2", "move 1: found \"1.\""),
        ] {
            let error = read(line).record.expect_err(line).to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }
}
