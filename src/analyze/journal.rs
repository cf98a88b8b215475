//! The journal of a folder: one line for the run, then one for each game before its files are written, so that they are known
//! to be ours whatever happens, and one when they are.
//!
//! It is only ever added to, so that whatever ends a run leaves a journal from which another can go on.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::Run;
use crate::failure::Failure;

/// The name of the file.
const NAME: &str = "journal.jsonl";
/// Raised when the form of the journal or of what is written about a game changes.
const VERSION: u32 = 3;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    chuhe_analysis: u32,
    #[serde(flatten)]
    run: Run,
}

/// What the first line begins with, whatever the version.
#[derive(Deserialize)]
struct Version {
    chuhe_analysis: u32,
}

/// A line about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct DoneGame {
    /// The name of its file, with its number there or that of its line.
    pub(super) game: String,
    /// What tells whether it is still the same game.
    pub(super) digest: String,
    /// The name of its files within the folder, without their extensions.
    pub(super) file: String,
    /// What is wrong with its record, if it is not whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

/// A line about a game whose files are about to be written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct BegunGame {
    /// As in [`DoneGame::game`].
    pub(super) begun: String,
    /// As in [`DoneGame::file`].
    pub(super) file: String,
}

/// A line behind the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    /// A game is done.
    Done(DoneGame),
    /// Its files are about to be written.
    Begun(BegunGame),
}

/// A journal that is being written.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal in a folder, or goes on with the one that is there; gives the games that it tells of.
    ///
    /// # Errors
    /// There is one, and nobody has asked to go on with it; it is of a run that did something else; another run is still
    /// writing it; it cannot be read or written.
    pub(super) fn open(folder: &Path, run: &Run, resume: bool) -> Result<(Journal, Vec<Entry>), Failure> {
        let path = folder.join(NAME);
        let unusable = |error: io::Error| Failure::Usage(format!("cannot use {}: {error}", path.display()));
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(unusable)?;
        // A system without locks is trusted.
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(Failure::Usage(format!("another run is writing into {}", folder.display())));
        }
        let mut journal = Journal { path: path.clone(), file };
        let mut text = String::new();
        journal.file.read_to_string(&mut text).map_err(unusable)?;
        // A line without its end was being written when the run was killed.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        journal.file.set_len(whole as u64).and_then(|()| journal.file.seek(SeekFrom::End(0))).map_err(unusable)?;
        let mut lines = text[..whole].lines();
        let Some(first) = lines.next() else {
            journal.add(&Header { chuhe_analysis: VERSION, run: run.clone() })?;
            return Ok((journal, Vec::new()));
        };
        let foreign = |line: usize| Failure::Usage(format!("{}:{line}: not a line of our journal", path.display()));
        let Version { chuhe_analysis } = serde_json::from_str(first).map_err(|_| foreign(1))?;
        if !resume {
            return Err(Failure::Usage(format!(
                "{} holds the results of another run: go on with it by --resume, or name another folder",
                folder.display()
            )));
        }
        if chuhe_analysis != VERSION {
            return Err(Failure::Usage(format!("{} was written by another version of chuhe", path.display())));
        }
        let header: Header = serde_json::from_str(first).map_err(|_| foreign(1))?;
        if let Some(difference) = run.difference(&header.run) {
            return Err(Failure::Usage(format!("--resume: {} was begun otherwise; {difference}", folder.display())));
        }
        let games = lines
            .enumerate()
            .map(|(index, line)| serde_json::from_str(line).map_err(|_| foreign(index + 2)))
            .collect::<Result<_, Failure>>()?;
        Ok((journal, games))
    }

    /// Adds a line about a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn add_game(&mut self, entry: &Entry) -> Result<(), Failure> {
        self.add(entry)
    }

    fn add(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_vec(line).unwrap_or_default();
        text.push(b'\n');
        self.file
            .write_all(&text)
            .map_err(|error| Failure::Usage(format!("cannot write {}: {error}", self.path.display())))
    }
}
