//! Positions with the results of their games, from game files and from text.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use chuhe_eval::EVAL_LIMIT;
use chuhe_movegen::{Board, Color};
use rayon::prelude::*;

use crate::data::GameOutcome;
use crate::data::filter::{Filter, Repeats};
use crate::data::game::{self, GameFault, GameFileError, Position, Reader};
use crate::data::text::LineFault;

/// Positions converted in parallel at a time.
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
    /// A game file is not what it should be.
    #[error("{}: {error}", path.display())]
    GameFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: GameFileError,
    },
    /// A game is against the rules.
    #[error("{}, game {number}: {fault}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Number of the game.
        number: u32,
        /// What is wrong.
        fault: GameFault,
    },
    /// Nothing to learn from.
    #[error("{0}")]
    TooLittle(&'static str),
}

impl DataError {
    /// Whether the fault lies in the data, not in the system or the arguments.
    pub fn is_data_fault(&self) -> bool {
        match self {
            DataError::Unreadable { .. } => false,
            DataError::GameFile { error, .. } => error.is_data_fault(),
            DataError::Line { .. } | DataError::Game { .. } | DataError::TooLittle(_) => true,
        }
    }
}

/// A position and what became of it.
#[derive(Clone, Debug)]
pub struct LabelledPosition {
    /// The position.
    pub board: Board,
    /// The result of the game, for Red.
    pub outcome: GameOutcome,
    /// Score of a search in internal units, Red's view.
    pub score: Option<i32>,
}

impl From<&Position> for LabelledPosition {
    fn from(position: &Position) -> LabelledPosition {
        let side = position.board.side_to_move();
        let score = i32::from(position.score);
        LabelledPosition {
            board: position.board.clone(),
            outcome: position.outcome.seen_by(side),
            score: Some(if side == Color::Red { score } else { -score }),
        }
    }
}

impl LabelledPosition {
    /// Whether the evaluation can learn from it: search never evaluates a position in check, and mate scores are not of
    /// this scale.
    fn is_usable(&self) -> bool {
        !self.board.in_check() && self.score.is_none_or(|score| score.unsigned_abs() < EVAL_LIMIT as u32)
    }
}

/// Reads files, each a game file or text, and passes on what `convert` makes of the usable positions; returns how many
/// were passed over. Of games the default [`Filter`] chooses, and [`Repeats`].
///
/// The order is that of the files and of the positions in them, whatever the number of threads.
///
/// # Errors
/// [`DataError`]; a game file whose last game is torn is none.
pub fn read<T: Send>(
    paths: &[PathBuf],
    convert: impl Fn(&LabelledPosition) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<usize, DataError> {
    let mut skipped = 0;
    let mut repeats = Repeats::new();
    for path in paths {
        let unreadable = |source| DataError::Unreadable { path: path.clone(), source };
        let mut input = BufReader::with_capacity(1 << 20, File::open(path).map_err(unreadable)?);
        skipped += if input.fill_buf().map_err(unreadable)?.starts_with(&game::MAGIC) {
            let skipped = read_games(path, input, &mut repeats, &convert, &mut take)?;
            repeats.next_file();
            skipped
        } else {
            read_lines(path, input, &convert, &mut take)?
        };
    }
    Ok(skipped)
}

fn read_games<T: Send>(
    path: &Path,
    input: impl BufRead,
    repeats: &mut Repeats,
    convert: &(impl Fn(&LabelledPosition) -> T + Sync),
    take: &mut impl FnMut(T),
) -> Result<usize, DataError> {
    let file_error = |error| DataError::GameFile { path: path.to_path_buf(), error };
    let filter = Filter::default();
    let mut block = Vec::with_capacity(BLOCK);
    let mut skipped = 0;
    let mut flush = |block: &mut Vec<LabelledPosition>| {
        let converted: Vec<T> = block.par_iter().map(convert).collect();
        block.clear();
        converted.into_iter().for_each(&mut *take);
    };
    for game in Reader::new(input).map_err(file_error)? {
        let game = match game {
            Err(error) if error.is_torn() => break,
            game => game.map_err(file_error)?,
        };
        for position in game.positions() {
            let fault = |fault| DataError::Game { path: path.to_path_buf(), number: game.number, fault };
            let position = position.map_err(fault)?;
            if filter.keeps(&position) && repeats.admit(position.board.key()) {
                block.push(LabelledPosition::from(&position));
            } else {
                skipped += 1;
            }
        }
        if block.len() >= BLOCK {
            flush(&mut block);
        }
    }
    flush(&mut block);
    Ok(skipped)
}

fn read_lines<T: Send>(
    path: &Path,
    input: impl BufRead,
    convert: &(impl Fn(&LabelledPosition) -> T + Sync),
    take: &mut impl FnMut(T),
) -> Result<usize, DataError> {
    let mut skipped = 0;
    let mut lines = input.lines();
    let mut first = 1;
    loop {
        let block: Vec<String> = lines
            .by_ref()
            .take(BLOCK)
            .collect::<Result<_, _>>()
            .map_err(|source| DataError::Unreadable { path: path.to_path_buf(), source })?;
        if block.is_empty() {
            return Ok(skipped);
        }
        for converted in convert_lines(path, first, &block, convert)? {
            match converted {
                Some(value) => take(value),
                None => skipped += 1,
            }
        }
        first += block.len();
    }
}

/// Converts the lines of a block, comments left out; `None` for unusable positions.
fn convert_lines<T: Send>(
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
                Ok(position) => Ok(position.is_usable().then(|| convert(&position))),
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
    fn positions_of_games_are_labelled_for_red() {
        use crate::data::game::tests::{file_of, random_game};
        let games = [random_game(1), random_game(2)];
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        let bytes = file_of(&games);
        // A torn last game is no fault.
        file.write_all(&bytes[..bytes.len() - 1]).expect("written");
        let (positions, skipped) = read_all(&[file.path().to_path_buf()]).expect("valid data");
        assert_eq!(positions.len() + skipped, games[0].plies.len());
        let scored: std::collections::HashSet<(u64, i32)> = games[0]
            .positions()
            .map(|position| position.expect("legal moves"))
            .zip(&games[0].plies)
            .map(|(position, ply)| (position.board.key(), ply.red_score().into()))
            .collect();
        assert!(!positions.is_empty());
        for position in positions {
            assert_eq!(position.outcome, games[0].outcome);
            assert!(scored.contains(&(position.board.key(), position.score.expect("a score"))));
        }
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
        assert_eq!(read, [(GameOutcome::Win, Some(35)), (GameOutcome::Loss, None)]);

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
