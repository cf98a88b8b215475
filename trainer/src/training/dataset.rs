//! Positions in memory: most to learn from, a few to test on.

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::data::Record;
use crate::data::filter::{Filter, Selection};
use crate::data::game::{GameFault, GameFileError, Reader};

/// One game in this many is held out, with all its positions: positions of one game are too much alike for the others
/// to be a test.
const HELD_OUT_EVERY: usize = 100;
/// Bytes read from a file at a time.
const BUFFER: usize = 1 << 20;

/// Records, and where they come from.
#[derive(Debug, Default)]
pub struct Dataset {
    /// To learn from.
    pub training: Vec<Record>,
    /// To test on.
    pub held_out: Vec<Record>,
    /// Where they come from.
    pub summary: DataSummary,
}

/// What a network was trained on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSummary {
    /// Games.
    pub games: usize,
    /// Positions learnt from.
    pub training: usize,
    /// Positions held out.
    pub held_out: usize,
    /// The files, in the order in which they were read.
    pub files: Vec<DataFile>,
}

/// A file of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Its name, without the folder.
    pub name: String,
    /// XXH3 (64 bits) of its content, in hexadecimal.
    pub hash: String,
    /// Its games.
    pub games: usize,
    /// Positions of its games.
    pub positions: usize,
    /// Positions kept.
    pub kept: usize,
}

impl DataSummary {
    /// Whether both describe the same positions in the same order, whatever the files are called.
    pub fn is_same(&self, other: &DataSummary) -> bool {
        let content = |summary: &DataSummary| {
            let files = summary.files.iter().map(|file| (file.hash.clone(), file.kept));
            (summary.training, summary.held_out, files.collect::<Vec<_>>())
        };
        content(self) == content(other)
    }
}

impl Dataset {
    /// Adds the positions of the next game.
    pub fn push_game(&mut self, records: &[Record]) {
        let held_out = self.summary.games % HELD_OUT_EVERY == HELD_OUT_EVERY - 1;
        let list = if held_out { &mut self.held_out } else { &mut self.training };
        list.extend_from_slice(records);
        self.summary.games += 1;
        self.summary.training = self.training.len();
        self.summary.held_out = self.held_out.len();
    }
}

/// Why games cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file cannot be opened, or is not what it should be.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: GameFileError,
    },
    /// A file holds the same as one before it, which would count its games twice.
    #[error("{}: the same games as in {}", path.display(), before.display())]
    Repeated {
        /// The file.
        path: PathBuf,
        /// The one before it.
        before: PathBuf,
    },
    /// A game does not follow the rules.
    #[error("{}: game {index}: {fault}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Index of the game in the file, from 0.
        index: usize,
        /// What is wrong.
        fault: GameFault,
    },
}

impl LoadError {
    /// Whether the fault lies in the data, not in the system or the arguments.
    pub fn is_data_fault(&self) -> bool {
        match self {
            LoadError::File { source, .. } => source.is_data_fault(),
            LoadError::Game { .. } => true,
            LoadError::Repeated { .. } => false,
        }
    }
}

impl Dataset {
    /// Reads game files and keeps the positions that the filter lets pass and that have not been there too often
    /// ([`Selection`]), 32 bytes each. A file whose last game is torn, as that of a generator at work may be, is read up
    /// to there.
    ///
    /// # Errors
    /// [`LoadError`] names the file, the game and the fault.
    pub fn load(paths: &[PathBuf], filter: Filter) -> Result<Dataset, LoadError> {
        let mut data = Dataset::default();
        let mut selection = Selection { filter, ..Selection::default() };
        for path in paths {
            data.load_file(path, &mut selection)?;
            let Some((last, others)) = data.summary.files.split_last() else { continue };
            if let Some(before) = others.iter().position(|file| file.hash == last.hash) {
                return Err(LoadError::Repeated { path: path.clone(), before: paths[before].clone() });
            }
            selection.repeats.next_file();
        }
        Ok(data)
    }

    fn load_file(&mut self, path: &Path, selection: &mut Selection) -> Result<(), LoadError> {
        let failed = |source: GameFileError| LoadError::File { path: path.into(), source };
        let file = File::open(path).map_err(|source| failed(source.into()))?;
        let mut input = Hashed { inner: file, hash: XxHash3_64::new() };
        let mut summary = DataFile {
            name: path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            hash: String::new(),
            games: 0,
            positions: 0,
            kept: 0,
        };
        let mut records = Vec::new();
        for game in Reader::new(BufReader::with_capacity(BUFFER, &mut input)).map_err(failed)? {
            let game = match game {
                Ok(game) => game,
                Err(error) if error.is_torn() => break,
                Err(error) => return Err(failed(error)),
            };
            records.clear();
            let index = summary.games;
            selection.select(&game, &mut records).map_err(|fault| LoadError::Game {
                path: path.into(),
                index,
                fault,
            })?;
            summary.games += 1;
            summary.positions += game.plies.len();
            summary.kept += records.len();
            self.push_game(&records);
        }
        summary.hash = format!("{:016x}", input.hash.finish());
        self.summary.files.push(summary);
        Ok(())
    }
}

/// Hashes what is read.
struct Hashed<R> {
    inner: R,
    hash: XxHash3_64,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hash.write(&buffer[..read]);
        Ok(read)
    }
}
