//! A mate puzzle: a position, the moves to mate, and the first moves that keep that length.

use std::time::Duration;

use chuhe_engine::clock::Instant;
use chuhe_engine::{Control, Engine, Limits, Outcome};
use chuhe_movegen::{Board, Move};
use chuhe_rules::Game;
use serde::{Deserialize, Serialize};

/// A valid puzzle.
#[derive(Debug)]
pub struct Puzzle {
    /// Its name.
    pub id: Option<String>,
    /// The position, the attacker to move.
    pub board: Board,
    /// Moves of the attacker, the mating one included.
    pub mate_in: u32,
    first_moves: Vec<Move>,
}

/// What the engine made of a puzzle.
#[derive(Debug, Serialize)]
pub struct Attempt {
    /// Whether the stated mate or a shorter one was found.
    pub solved: bool,
    /// Moves to mate as the puzzle states them.
    pub mate_in: u32,
    /// Moves to mate as the engine found them.
    pub found_mate_in: Option<u32>,
    /// The first move that the engine found.
    pub best: Option<String>,
    /// Depth reached, in plies.
    pub depth: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Milliseconds spent.
    pub time_ms: u64,
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
    pub fn parse(text: &str) -> Result<Puzzle, String> {
        if !text.trim_start().starts_with('{') {
            let example = r#"{"fen": …, "mate_in": 2, "first_moves": ["a2a8"]}"#;
            return Err(format!("found {:?}, expected a JSON object such as {example}", chuhe_text::excerpt(text, 20)));
        }
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

    /// Searches until the stated mate or a shorter one is proved, or the time is over.
    pub fn attempt(&self, engine: &mut Engine, time: Duration) -> Attempt {
        engine.new_game();
        let start = Instant::now();
        let limits = Limits { mate: Some(self.mate_in), ..Limits::move_time(time) };
        let outcome = engine.search(&Game::new(self.board.clone()), &limits, &Control::new(), &mut |_| ());
        Attempt {
            solved: self.is_solved_by(&outcome),
            mate_in: self.mate_in,
            found_mate_in: mate_in(&outcome),
            best: outcome.best.map(|mv| mv.to_string()),
            depth: outcome.depth,
            nodes: outcome.nodes,
            time_ms: start.elapsed().as_millis() as u64,
        }
    }

    /// Whether a mate of the stated length was found by a listed first move, or a shorter one by any.
    fn is_solved_by(&self, outcome: &Outcome) -> bool {
        let (Some(found), Some(best)) = (mate_in(outcome), outcome.best) else { return false };
        found < self.mate_in || (found == self.mate_in && self.first_moves.contains(&best))
    }
}

/// The mover's moves to the mate found, if one was.
fn mate_in(outcome: &Outcome) -> Option<u32> {
    let plies = outcome.score.mate_plies()?;
    u32::try_from(plies).ok().filter(|&plies| plies > 0).map(|plies| plies.div_ceil(2))
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
            ("4k4/R8/1R7/9/9/9/9/9/9/3K5 w", "expected a JSON object"),
            ("XQF\u{12}", "expected a JSON object"),
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
