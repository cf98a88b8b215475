//! A mate puzzle: a position, the moves to mate, and the first moves that keep that length.

use chuhe_engine::Outcome;
use chuhe_movegen::{Board, Move};
use serde::Deserialize;

/// A valid puzzle.
#[derive(Debug)]
pub(super) struct Puzzle {
    /// Its name.
    pub(super) id: Option<String>,
    /// The position, the attacker to move.
    pub(super) board: Board,
    /// Moves of the attacker, the mating one included.
    pub(super) mate_in: u32,
    first_moves: Vec<Move>,
}

/// A line of the file as it stands there; keys not named here are for people.
#[derive(Deserialize)]
struct Line {
    id: Option<String>,
    fen: String,
    mate_in: u32,
    first_moves: Vec<String>,
}

impl Puzzle {
    /// Reads a line of JSON.
    ///
    /// # Errors
    /// What is wrong with it, for the user.
    pub(super) fn parse(text: &str) -> Result<Puzzle, String> {
        // The parser counts lines too, but sees only this one.
        let line: Line =
            serde_json::from_str(text).map_err(|error| error.to_string().replace("at line 1 column", "at column"))?;
        let board = Board::from_composed_fen(&line.fen).map_err(|error| format!("\"fen\": {error}"))?;
        if line.mate_in == 0 {
            return Err("\"mate_in\" is 0, expected at least 1".to_owned());
        }
        if line.first_moves.is_empty() {
            return Err("\"first_moves\" is empty, expected at least one move".to_owned());
        }
        let legal = board.legal_moves();
        let first_moves = line.first_moves.iter().map(|word| {
            let mv: Move = word.parse().map_err(|error| format!("\"first_moves\": {word:?}: {error}"))?;
            if !legal.contains(&mv) {
                return Err(format!("\"first_moves\": {mv} is not legal in this position"));
            }
            Ok(mv)
        });
        Ok(Puzzle { id: line.id, board, mate_in: line.mate_in, first_moves: first_moves.collect::<Result<_, _>>()? })
    }

    /// Whether a mate of the stated length was found by a listed first move, or a shorter one by any.
    pub(super) fn is_solved_by(&self, outcome: &Outcome) -> bool {
        let (Some(found), Some(best)) = (super::mate_in(outcome), outcome.best) else { return false };
        found < self.mate_in || (found == self.mate_in && self.first_moves.contains(&best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::Score;

    const MATE_IN_2: &str = r#"{"fen": "3k5/9/9/9/9/9/9/R8/1R7/4K4 w - - 0 1", "mate_in": 2, "first_moves": ["a2a8"]}"#;

    fn outcome(best: &str, plies: usize) -> Outcome {
        Outcome { best: Some(best.parse().unwrap()), score: Score::mate_in(plies), ..Outcome::default() }
    }

    #[test]
    fn stated_length_needs_a_listed_move() {
        let puzzle = Puzzle::parse(MATE_IN_2).unwrap();
        assert!(puzzle.is_solved_by(&outcome("a2a8", 3)));
        assert!(!puzzle.is_solved_by(&outcome("b1b8", 3)));
        assert!(puzzle.is_solved_by(&outcome("b1b8", 1)), "a shorter mate by another move");
        assert!(!puzzle.is_solved_by(&outcome("a2a8", 5)), "too long");
        assert!(!puzzle.is_solved_by(&Outcome { score: Score::new(900), ..outcome("a2a8", 3) }));
        assert!(!puzzle.is_solved_by(&Outcome { score: Score::mated_in(2), ..outcome("a2a8", 3) }));
    }

    #[test]
    fn faults_are_named() {
        for (line, expected) in [
            ("{", "EOF"),
            ("{}", "missing field `fen`"),
            (&MATE_IN_2.replace("3k5", "3x5"), "fen"),
            (&MATE_IN_2.replace(": 2,", ": 0,"), "mate_in"),
            (&MATE_IN_2.replace("\"a2a8\"", ""), "empty"),
            (&MATE_IN_2.replace("a2a8", "a2b8"), "not legal"),
            (&MATE_IN_2.replace("a2a8", "a2"), "a2"),
        ] {
            let reason = Puzzle::parse(line).unwrap_err();
            assert!(reason.contains(expected), "{line}: {reason}");
        }
    }
}
