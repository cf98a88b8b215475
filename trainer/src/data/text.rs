//! Positions with the results of their games, as text.
//!
//! One position a line: `FEN;result;score`. The result is that of the game for Red: `1`, `0.5` or `0`. The score is
//! that of a search in internal units from Red's side; it may be missing. Empty lines and lines that begin with `#` are
//! passed over. Positions should be quiet: the evaluation is asked about no others.

use chuhe_movegen::{Board, FenError};
use chuhe_text::quoted;

use crate::data::GameOutcome;
use crate::data::labelled::LabelledPosition;

/// What is wrong with a line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LineFault {
    /// The first field is no position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// The second field is no result.
    #[error("result {0:?}: expected `1`, `0.5` or `0`, for Red")]
    Result(String),
    /// The third field is no score.
    #[error("score {0:?}: expected a whole number or nothing")]
    Score(String),
    /// A fourth field.
    #[error("found {0} fields, expected `FEN;result;score`")]
    Fields(usize),
}

impl std::str::FromStr for LabelledPosition {
    type Err = LineFault;

    fn from_str(line: &str) -> Result<LabelledPosition, LineFault> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let (fen, result, score) = match fields[..] {
            [fen, result] => (fen, result, ""),
            [fen, result, score] => (fen, result, score),
            _ => return Err(LineFault::Fields(fields.len())),
        };
        let outcome = match result {
            "1" | "1.0" => GameOutcome::Win,
            "0.5" => GameOutcome::Draw,
            "0" | "0.0" => GameOutcome::Loss,
            _ => return Err(LineFault::Result(quoted(result))),
        };
        let score = match score {
            "" => None,
            text => Some(text.parse().map_err(|_| LineFault::Score(quoted(text)))?),
        };
        Ok(LabelledPosition { board: Board::from_fen(fen)?, outcome, score })
    }
}
