//! The journal of a folder: one line for the run, then one for each game before its files are written, so that they are known
//! to be ours whatever happens, and one when they are.

use std::path::{Path, PathBuf};

use chuhe_files::{Durability, Log, LogError, whole_lines};
use serde::{Deserialize, Serialize};

use super::task::Task;

/// The name of the file.
const NAME: &str = "journal.jsonl";
/// Raised when the form of the journal or of what is written about a game changes.
const VERSION: u32 = 3;
/// How every journal begins.
const BEGINNING: &[u8] = br#"{"chuhe_analysis":"#;
/// Bytes that are read at most: a million games.
const MAX_SIZE: u64 = 512 << 20;

/// Why a folder's journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It is in use, or cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A line is none of a journal.
    #[error("{}:{line}: not an entry of this journal", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// There is one already.
    #[error("{} holds the results of another run", folder.display())]
    Exists {
        /// The folder.
        folder: PathBuf,
    },
    /// It was written by a version with other results.
    #[error("{} was written by another version of chuhe", path.display())]
    Version {
        /// The journal.
        path: PathBuf,
    },
    /// Its run did something else.
    #[error("{} was started with other settings: {difference}", folder.display())]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// What is different.
        difference: String,
    },
}

/// What becomes of the results of an earlier run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Earlier {
    /// They stay, and so do files of others; the new run is refused if there is a journal.
    Keep,
    /// The new run goes on with them, if it does the same. Files of others stay.
    GoOn,
    /// The new run begins anew, and replaces whatever is in the way of its files.
    Replace,
}

/// What a run does with every game; only a run that does the same can go on with its results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunSettings {
    engine: String,
    limits: String,
    multipv: usize,
    rules: String,
    books: Vec<String>,
    formats: Vec<String>,
    notation: Option<String>,
    lang: String,
}

impl RunSettings {
    /// `engine` is all that the engine's results depend on but the limits, `books` what the books are called that were named.
    #[must_use]
    pub fn new(engine: String, task: &Task, books: Vec<String>) -> RunSettings {
        RunSettings {
            engine,
            limits: task.setup.limits.to_string(),
            multipv: task.setup.multi_pv,
            rules: task.rules.name().to_owned(),
            books,
            formats: task.forms.iter().map(|form| form.extension().to_owned()).collect(),
            notation: task.notation.map(|notation| format!("{notation:?}")),
            lang: task.language.code().to_owned(),
        }
    }

    /// What this run does otherwise than an earlier one.
    fn difference(&self, earlier: &RunSettings) -> Option<String> {
        let fields = |run: &RunSettings| {
            [
                ("engine", run.engine.clone()),
                ("limits", run.limits.clone()),
                ("multipv", run.multipv.to_string()),
                ("rules", run.rules.clone()),
                ("book", run.books.join(", ")),
                ("format", run.formats.join(",")),
                ("notation", run.notation.clone().unwrap_or_default()),
                ("lang", run.lang.clone()),
            ]
        };
        fields(self)
            .into_iter()
            .zip(fields(earlier))
            .find(|(now, then)| now != then)
            .map(|((name, now), (_, then))| format!("{name} was {then:?} and is {now:?}"))
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    chuhe_analysis: u32,
    #[serde(flatten)]
    run: RunSettings,
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    /// A game is done.
    Done(DoneGame),
    /// Its files are about to be written.
    Begun(BegunGame),
}

/// A journal that is being written.
#[derive(Debug)]
pub(super) struct Journal {
    log: Log,
}

impl Journal {
    /// Begins a journal in a folder, or goes on with the one that is there; gives the games that it tells of.
    ///
    /// # Errors
    /// [`JournalError`]; what is there stays as it is then.
    pub(super) fn open(
        folder: &Path,
        run: &RunSettings,
        earlier: Earlier,
    ) -> Result<(Journal, Vec<Entry>), JournalError> {
        let path = folder.join(NAME);
        let mut log = match earlier {
            Earlier::Replace => Log::replace(&path, Durability::Disk)?,
            Earlier::Keep | Earlier::GoOn => Log::open(&path, Durability::Disk)?,
        };
        let bytes = log.contents(MAX_SIZE)?;
        let foreign = |line| JournalError::Line { path: path.clone(), line };
        // Another kind of file must not be taken for a journal that was just begun, and be cut.
        if !BEGINNING.iter().zip(&bytes).all(|(a, b)| a == b) {
            return Err(foreign(1));
        }
        let whole = whole_lines(&bytes);
        let mut lines = whole.split_inclusive(|&byte| byte == b'\n');
        let entries = match lines.next() {
            None => Vec::new(),
            Some(first) => {
                let Version { chuhe_analysis } = serde_json::from_slice(first).map_err(|_| foreign(1))?;
                if earlier == Earlier::Keep {
                    return Err(JournalError::Exists { folder: folder.to_owned() });
                }
                if chuhe_analysis != VERSION {
                    return Err(JournalError::Version { path });
                }
                let header: Header = serde_json::from_slice(first).map_err(|_| foreign(1))?;
                if let Some(difference) = run.difference(&header.run) {
                    return Err(JournalError::OtherRun { folder: folder.to_owned(), difference });
                }
                let entry = |(number, line)| serde_json::from_slice(line).map_err(|_| foreign(number));
                (2..).zip(lines).map(entry).collect::<Result<_, JournalError>>()?
            }
        };
        log.cut(whole.len() as u64)?;
        let mut journal = Journal { log };
        if whole.is_empty() {
            journal.add(&Header { chuhe_analysis: VERSION, run: run.clone() })?;
        }
        Ok((journal, entries))
    }

    /// Adds a line about a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn add_game(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.add(entry)
    }

    fn add(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        // Strings and numbers: there is nothing here that could fail to be written.
        let mut text = serde_json::to_vec(line).unwrap_or_default();
        text.push(b'\n');
        self.log.append(&text)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::Limits;
    use crate::write::Setup;

    fn settings(engine: &str) -> RunSettings {
        let setup = Setup { engine: engine.into(), limits: Limits::default(), multi_pv: 1 };
        RunSettings::new(engine.into(), &Task::new(setup), Vec::new())
    }

    fn done(number: u32) -> Entry {
        let (game, digest, file) = (format!("a.pgn:{number}"), "d".to_owned(), format!("a-{number:04}"));
        Entry::Done(DoneGame { game, digest, file, error: None })
    }

    fn open(folder: &Path, earlier: Earlier) -> Result<Vec<Entry>, JournalError> {
        Journal::open(folder, &settings("A"), earlier).map(|(_, entries)| entries)
    }

    /// A folder with a journal of three games, and its path.
    fn begun() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, entries) = Journal::open(folder.path(), &settings("A"), Earlier::Keep).unwrap();
        assert!(entries.is_empty());
        (1..=3).for_each(|number| journal.add_game(&done(number)).unwrap());
        let path = folder.path().join(NAME);
        (folder, path)
    }

    #[test]
    fn a_run_goes_on_behind_whatever_is_whole() {
        let (folder, path) = begun();
        let bytes = fs::read(&path).unwrap();
        for length in (0..bytes.len()).step_by(3) {
            for zeros in [0, 700] {
                let mut torn = bytes[..length].to_vec();
                // Zeros alone are not known to be ours.
                torn.resize(length + if length < BEGINNING.len() { 0 } else { zeros }, 0);
                fs::write(&path, torn).unwrap();
                let entries = open(folder.path(), Earlier::GoOn).unwrap_or_else(|error| panic!("{length}: {error}"));
                let lines = bytes[..length].iter().filter(|&&byte| byte == b'\n').count();
                assert_eq!(entries, (1..lines as u32).map(done).collect::<Vec<_>>(), "{length}");
                assert_eq!(open(folder.path(), Earlier::GoOn).unwrap(), entries, "it is whole again");
            }
        }
    }

    #[test]
    fn what_is_no_journal_of_this_run_is_refused_and_left_as_it_is() {
        let (folder, path) = begun();
        let text = fs::read_to_string(&path).unwrap();
        let version = format!("{{\"chuhe_analysis\":{VERSION}");
        for (content, earlier, message) in [
            (text.clone(), Earlier::Keep, "holds the results of another run".to_owned()),
            (
                text.replace("\"engine\":\"A\"", "\"engine\":\"B\""),
                Earlier::GoOn,
                "engine was \"B\" and is \"A\"".into(),
            ),
            (text.replace(&version, "{\"chuhe_analysis\":2"), Earlier::GoOn, "another version".into()),
            (
                text.replace("\"digest\"", "\"digets\""),
                Earlier::GoOn,
                format!("{NAME}:2: not an entry of this journal"),
            ),
            ("mine".into(), Earlier::GoOn, format!("{NAME}:1: not an entry of this journal")),
            ("mine\n".into(), Earlier::Keep, format!("{NAME}:1: not an entry of this journal")),
        ] {
            fs::write(&path, &content).unwrap();
            let error = open(folder.path(), earlier).unwrap_err().to_string();
            assert!(error.contains(&message), "{error}, expected {message}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn one_run_at_a_time_writes_into_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (_journal, _) = Journal::open(folder.path(), &settings("A"), Earlier::Keep).unwrap();
        for earlier in [Earlier::GoOn, Earlier::Replace] {
            let refused = open(folder.path(), earlier).unwrap_err();
            assert!(matches!(refused, JournalError::Log(LogError::InUse { .. })), "{refused}");
        }
    }

    #[test]
    fn a_journal_is_begun_anew_when_that_is_asked_for() {
        let (folder, path) = begun();
        assert!(open(folder.path(), Earlier::Replace).unwrap().is_empty());
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
    }
}
