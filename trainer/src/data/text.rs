//! Positions with the results of their games, as text.
//!
//! One position a line: `FEN;result;score`. The result is that of the game for Red: `1`, `0.5` or `0`. The score is
//! that of a search in internal units from Red's side; it may be missing. Empty lines and lines that begin with `#` are
//! passed over. Positions should be quiet: the evaluation is asked about no others.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use chuhe_eval::EVAL_LIMIT;
use chuhe_movegen::{Board, FenError};
use rayon::prelude::*;

use crate::data::Outcome;

/// Lines parsed in parallel at a time.
const BLOCK: usize = 1 << 16;

/// Why data cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not what it should be.
    #[error("{}, line {line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        fault: LineFault,
    },
    /// Nothing to learn from.
    #[error("{0}")]
    TooLittle(&'static str),
}

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

/// A position and what became of it.
#[derive(Clone, Debug)]
pub struct LabelledPosition {
    /// The position.
    pub board: Board,
    /// The result of the game.
    pub outcome: Outcome,
    /// Score of a search, Red's view.
    pub score: Option<i32>,
}

impl std::str::FromStr for LabelledPosition {
    type Err = LineFault;

    fn from_str(line: &str) -> Result<LabelledPosition, LineFault> {
        let quoted = |text: &str| text.chars().take(20).collect::<String>();
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let (fen, result, score) = match fields[..] {
            [fen, result] => (fen, result, ""),
            [fen, result, score] => (fen, result, score),
            _ => return Err(LineFault::Fields(fields.len())),
        };
        let outcome = match result {
            "1" | "1.0" => Outcome::Win,
            "0.5" => Outcome::Draw,
            "0" | "0.0" => Outcome::Loss,
            _ => return Err(LineFault::Result(quoted(result))),
        };
        let score = match score {
            "" => None,
            text => Some(text.parse().map_err(|_| LineFault::Score(quoted(text)))?),
        };
        Ok(LabelledPosition { board: Board::from_fen(fen)?, outcome, score })
    }
}

impl LabelledPosition {
    /// Whether the evaluation can learn from it: search never evaluates a position in check, and mate scores are not of
    /// this scale.
    fn is_usable(&self) -> bool {
        !self.board.in_check() && self.score.is_none_or(|score| score.unsigned_abs() < EVAL_LIMIT as u32)
    }
}

/// Reads files line by line and passes on what `convert` makes of the usable records; returns how many were passed over.
///
/// The order is that of the files and lines, whatever the number of threads.
pub fn read<T: Send>(
    paths: &[PathBuf],
    convert: impl Fn(&LabelledPosition) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<usize, DataError> {
    let mut skipped = 0;
    for path in paths {
        let unreadable = |source| DataError::Unreadable { path: path.clone(), source };
        let mut lines = BufReader::with_capacity(1 << 20, File::open(path).map_err(unreadable)?).lines();
        let mut first = 1;
        loop {
            let block: Vec<String> = lines.by_ref().take(BLOCK).collect::<Result<_, _>>().map_err(unreadable)?;
            if block.is_empty() {
                break;
            }
            for converted in convert_block(path, first, &block, &convert)? {
                match converted {
                    Some(value) => take(value),
                    None => skipped += 1,
                }
            }
            first += block.len();
        }
    }
    Ok(skipped)
}

/// Converts the lines of a block, comments left out; `None` for unusable records.
fn convert_block<T: Send>(
    path: &Path,
    first: usize,
    block: &[String],
    convert: &(impl Fn(&LabelledPosition) -> T + Sync),
) -> Result<Vec<Option<T>>, DataError> {
    // Collected before looking for faults, so that the first fault of the file is the one reported.
    let converted: Vec<Option<Result<Option<T>, DataError>>> = block
        .par_iter()
        .enumerate()
        .map(|(offset, line)| {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                return None;
            }
            Some(match line.parse::<LabelledPosition>() {
                Ok(record) => Ok(record.is_usable().then(|| convert(&record))),
                Err(fault) => Err(DataError::Line { path: path.to_path_buf(), line: first + offset, fault }),
            })
        })
        .collect();
    converted.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read_all(paths: &[PathBuf]) -> Result<(Vec<LabelledPosition>, usize), DataError> {
        let mut positions = Vec::new();
        let skipped = read(paths, LabelledPosition::clone, |position| positions.push(position))?;
        Ok((positions, skipped))
    }

    #[test]
    fn lines_are_read_in_order_and_faults_named() {
        let start = Board::START_FEN;
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        writeln!(file, "# comment\n{start};1;35\n\n{start};0\n{start};0.5;-30000").expect("written");
        let paths = [file.path().to_path_buf()];
        let (positions, skipped) = read_all(&paths).expect("valid data");
        assert_eq!(skipped, 1, "a mate score");
        let read: Vec<_> = positions.iter().map(|position| (position.outcome, position.score)).collect();
        assert_eq!(read, [(Outcome::Win, Some(35)), (Outcome::Loss, None)]);

        for (line, expected) in [
            (format!("{start};2"), "line 6: result \"2\": expected `1`, `0.5` or `0`, for Red"),
            (format!("{start};1;x"), "line 7: score \"x\": expected a whole number or nothing"),
            ("nonsense".to_owned(), "line 8: found 1 fields, expected `FEN;result;score`"),
            ("9/9;1".to_owned(), "line 9: board field: found 2 ranks, expected 10"),
        ]
        .into_iter()
        .rev()
        {
            let number: usize = expected[5..6].parse().expect("the line number");
            let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
            write!(file, "{}{line}\n{line}\n", "\n".repeat(number - 1)).expect("written");
            let error = read_all(&[file.path().to_path_buf()]).expect_err("a fault").to_string();
            assert!(error.ends_with(expected), "{error}");
        }
        let error = read_all(&[PathBuf::from("no-such-file")]).expect_err("no file").to_string();
        assert!(error.starts_with("no-such-file: "), "{error}");
    }
}
