//! Positions with the results of their games, read from text and held as features.
//!
//! One position a line: `FEN;result;score`. The result is that of the game for Red: `1`, `0.5` or `0`. The score is
//! that of a search in internal units from Red's side; it may be missing. Empty lines and lines that begin with `#` are
//! passed over. Positions should be quiet: the evaluation is asked about no others.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use chuhe_eval::layout::COUNT;
use chuhe_eval::{EVAL_LIMIT, PHASE_MAX, features, phase};
use chuhe_movegen::{Board, FenError};
use rayon::prelude::*;

/// Lines parsed in parallel at a time.
const BLOCK: usize = 1 << 16;

/// Why data cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
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
pub(crate) enum LineFault {
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

/// How a game ended for Red.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// Black won.
    Loss,
    /// Nobody won.
    Draw,
    /// Red won.
    Win,
}

impl Outcome {
    /// Points for Red.
    pub(crate) fn points(self) -> f64 {
        match self {
            Outcome::Loss => 0.0,
            Outcome::Draw => 0.5,
            Outcome::Win => 1.0,
        }
    }
}

/// A line of data.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The position.
    pub(crate) board: Board,
    /// The result of the game.
    pub(crate) outcome: Outcome,
    /// Score of a search, Red's view.
    pub(crate) score: Option<i32>,
}

impl std::str::FromStr for Record {
    type Err = LineFault;

    fn from_str(line: &str) -> Result<Record, LineFault> {
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
        Ok(Record { board: Board::from_fen(fen)?, outcome, score })
    }
}

impl Record {
    /// Whether the evaluation can learn from it: search never evaluates a position in check, and mate scores are not of
    /// this scale.
    fn is_usable(&self) -> bool {
        !self.board.in_check() && self.score.is_none_or(|score| score.unsigned_abs() < EVAL_LIMIT as u32)
    }
}

/// Reads files line by line and passes on what `convert` makes of the usable records; returns how many were passed over.
///
/// The order is that of the files and lines, whatever the number of threads.
pub(crate) fn read<T: Send>(
    paths: &[PathBuf],
    convert: impl Fn(&Record) -> T + Sync,
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
    convert: &(impl Fn(&Record) -> T + Sync),
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
            Some(match line.parse::<Record>() {
                Ok(record) => Ok(record.is_usable().then(|| convert(&record))),
                Err(fault) => Err(DataError::Line { path: path.to_path_buf(), line: first + offset, fault }),
            })
        })
        .collect();
    converted.into_iter().flatten().collect()
}

/// A weight and how often it counts, packed: 13 bits of index, 3 bits of count from −4 to 3.
#[derive(Clone, Copy, Debug)]
struct PackedFeature(u16);

impl PackedFeature {
    const COUNTS: std::ops::RangeInclusive<i32> = -4..=3;

    fn new(index: usize, count: i32) -> PackedFeature {
        const { assert!(COUNT <= 1 << 13) };
        debug_assert!(PackedFeature::COUNTS.contains(&count));
        PackedFeature((index as u16) << 3 | (count + 4) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0 >> 3)
    }

    fn count(self) -> f32 {
        f32::from(self.0 & 7) - 4.0
    }
}

/// The features of one position. Equal ones are merged: what both sides have cancels out.
pub(crate) struct Traced {
    features: Vec<PackedFeature>,
    phase: f32,
    outcome: Outcome,
    score: Option<i32>,
}

impl Traced {
    /// Traces a record.
    pub(crate) fn of(record: &Record) -> Traced {
        let mut all: Vec<(usize, i32)> = Vec::with_capacity(160);
        features(&record.board, &mut |index, count| all.push((index, count)));
        all.sort_unstable_by_key(|&(index, _)| index);
        let mut packed = Vec::with_capacity(all.len());
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            let mut count: i32 = group.iter().map(|&(_, count)| count).sum();
            while count != 0 {
                let part = count.clamp(*PackedFeature::COUNTS.start(), *PackedFeature::COUNTS.end());
                packed.push(PackedFeature::new(group[0].0, part));
                count -= part;
            }
        }
        let phase = phase(&record.board) as f32 / PHASE_MAX as f32;
        Traced { features: packed, phase, outcome: record.outcome, score: record.score }
    }
}

/// One position of a [`Dataset`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Where its features begin in the pool.
    start: usize,
    /// How many they are.
    len: u16,
    /// Share of the middlegame, 0 to 1.
    phase: f32,
    /// The result of the game.
    pub(crate) outcome: Outcome,
    /// Score of a search, Red's view.
    pub(crate) score: Option<i32>,
}

/// All positions, about 200 bytes each.
#[derive(Default, Debug)]
pub(crate) struct Dataset {
    features: Vec<PackedFeature>,
    samples: Vec<Sample>,
}

impl Dataset {
    /// Reads files; returns the positions and how many were passed over.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<(Dataset, usize), DataError> {
        let mut data = Dataset::default();
        let skipped = read(paths, Traced::of, |traced| data.push(&traced))?;
        Ok((data, skipped))
    }

    /// Adds a position.
    pub(crate) fn push(&mut self, traced: &Traced) {
        self.samples.push(Sample {
            start: self.features.len(),
            len: traced.features.len() as u16,
            phase: traced.phase,
            outcome: traced.outcome,
            score: traced.score,
        });
        self.features.extend_from_slice(&traced.features);
    }

    /// All positions.
    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// (Index, middlegame coefficient, endgame coefficient) of every feature: the evaluation is their sum of products
    /// with the weights.
    pub(crate) fn terms(&self, sample: &Sample) -> impl Iterator<Item = (usize, f32, f32)> + '_ {
        let phase = sample.phase;
        self.features[sample.start..sample.start + usize::from(sample.len)].iter().map(move |feature| {
            let count = feature.count();
            (feature.index(), count * phase, count * (1.0 - phase))
        })
    }

    /// The evaluation of a position with these weights, Red's view.
    pub(crate) fn evaluate(&self, sample: &Sample, weights: &[[f32; 2]]) -> f32 {
        self.terms(sample).map(|(index, mg, eg)| weights[index][0] * mg + weights[index][1] * eg).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn traces_reproduce_the_evaluation() {
        let weights: Vec<[f32; 2]> = chuhe_eval::WEIGHTS.iter().map(|pair| pair.map(f32::from)).collect();
        for fen in [
            Board::START_FEN,
            "2bak4/4a4/4b4/9/2P1p4/4R4/6n2/4B4/4A4/2BAK4 b - - 0 1",
            "r2ak2r1/4a4/4bc3/p1p1p3p/9/2P3c2/P3P3P/1C2C1N2/4A4/R1BAK1B1R w - - 0 1",
        ] {
            let record: Record = format!("{fen};0.5").parse().expect("a record");
            let mut data = Dataset::default();
            data.push(&Traced::of(&record));
            let exact = chuhe_eval::Breakdown::of(&record.board).red_view as f32;
            assert!((data.evaluate(&data.samples()[0], &weights) - exact).abs() <= 1.0, "{fen}");
        }
    }

    #[test]
    fn lines_are_read_in_order_and_faults_named() {
        let start = Board::START_FEN;
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        writeln!(file, "# comment\n{start};1;35\n\n{start};0\n{start};0.5;-30000").expect("written");
        let paths = [file.path().to_path_buf()];
        let (data, skipped) = Dataset::read(&paths).expect("valid data");
        assert_eq!(skipped, 1, "a mate score");
        let read: Vec<_> = data.samples().iter().map(|sample| (sample.outcome, sample.score)).collect();
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
            let error = Dataset::read(&[file.path().to_path_buf()]).expect_err("a fault").to_string();
            assert!(error.ends_with(expected), "{error}");
        }
        let error = Dataset::read(&[PathBuf::from("no-such-file")]).expect_err("no file").to_string();
        assert!(error.starts_with("no-such-file: "), "{error}");
    }
}
