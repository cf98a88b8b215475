//! The files of a run: what exists is gone on with, kept or replaced, as it was asked for.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use chuhe_files::{Durability, Existing, Log, WholeFile, WriteError};

use crate::config::{Config, Setup};
use crate::journal::{Entry, Fingerprint, Journal, JournalError, Resumed, resume};
use crate::openings::{MAX_FILE_SIZE, OpeningSource};
use crate::tournament::Files;

/// Why a run cannot have its files.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// There is nothing to go on with.
    #[error("a tournament can be continued only with its journal")]
    NoJournal,
    /// One file for two purposes.
    #[error("{} is used for two files", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
    },
    /// The journal or the file of games cannot be used.
    #[error(transparent)]
    Log(#[from] JournalError),
    /// The report cannot be written.
    #[error(transparent)]
    Report(#[from] WriteError),
    /// The file of openings cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Openings {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// What becomes of what exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// Continue the tournament of the journal, or begin it if neither journal nor file of games has anything in it.
    pub go_on: bool,
    /// Replace files that are there: all if the tournament is begun, the report if it goes on.
    pub overwrite: bool,
}

/// The files of a run, open for it alone.
#[derive(Debug)]
pub struct Opened {
    /// Journal and games.
    pub files: Files,
    /// What the journal holds already.
    pub entries: Vec<Entry>,
    /// What becomes of a report that is there when the run ends. A tournament that goes on replaces its own.
    pub report: Existing,
}

/// Opens the files of a run.
///
/// # Errors
/// [`FilesError`]; what exists stays as it is then.
pub fn open(config: &Config, policy: Policy) -> Result<Opened, FilesError> {
    let Config { pgn, journal, html, .. } = config;
    let Policy { go_on, overwrite } = policy;
    if go_on && journal.is_none() {
        return Err(FilesError::NoJournal);
    }
    let mut places: Vec<(PathBuf, &PathBuf)> =
        [pgn, journal, html].into_iter().flatten().map(|path| (place(path), path)).collect();
    places.sort();
    if let Some(twice) = places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(FilesError::Twice { path: twice[0].1.clone() });
    }
    // Before any is made, so that none is left behind when another is in the way.
    let has_content = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() > 0);
    for path in [pgn, journal].into_iter().flatten() {
        check_writable(path)?;
        if !go_on && !overwrite && has_content(path) {
            return Err(JournalError::Exists { path: path.clone() }.into());
        }
    }
    let report = Existing::replaced_if(overwrite || go_on && journal.as_ref().is_some_and(has_content));
    if let Some(path) = html {
        // It is dropped again: what counts is that it could be written.
        WholeFile::create(path, report)?;
    }
    if go_on && let Some(journal) = journal {
        let Resumed { journal, pgn, contents } = resume_patiently(journal, pgn.as_deref(), &setup(config)?)?;
        return Ok(Opened { files: Files { journal: Some(journal), pgn }, entries: contents.entries, report });
    }
    let setup = journal.is_some().then(|| setup(config)).transpose()?;
    if overwrite {
        // Before one is replaced, so that none is lost when another is in use.
        for path in [pgn, journal].into_iter().flatten().filter(|path| path.exists()) {
            Log::open(path, Durability::Disk).map_err(JournalError::from)?;
        }
    }
    let mut files = Files::default();
    if let Some(path) = pgn {
        let open = if overwrite { Log::replace } else { Log::create };
        files.pgn = Some(open(path, Durability::Disk).map_err(JournalError::from)?);
    }
    if let (Some(path), Some(setup)) = (journal, setup) {
        let open = if overwrite { Journal::replace } else { Journal::create };
        files.journal = Some(open(path, &setup)?);
    }
    Ok(Opened { files, entries: Vec::new(), report })
}

/// How long another program may hold the journal.
const PATIENCE: Duration = Duration::from_secs(1);

/// Goes on with a journal; a command of the organiser holds it for a moment only, unlike another run.
fn resume_patiently(journal: &Path, pgn: Option<&Path>, setup: &Setup) -> Result<Resumed, JournalError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match resume(journal, pgn, setup) {
            Err(JournalError::InUse { .. }) if Instant::now() < deadline => sleep(Duration::from_millis(20)),
            result => return result,
        }
    }
}

/// A file's place, by which `a`, `./a` and a link to it are known as one.
fn place(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// The setup for the journal, with a fingerprint of the openings' file, which may change under the same name.
fn setup(config: &Config) -> Result<Setup, FilesError> {
    let mut setup = config.setup();
    if let OpeningSource::File(path) = config.openings.options().source {
        let bytes = chuhe_files::read(&path, MAX_FILE_SIZE)
            .map_err(|source| FilesError::Openings { path: path.clone(), source })?;
        setup.openings.fingerprint = Some(Fingerprint::of(&bytes));
    }
    Ok(setup)
}

/// Whether a file can be written; it is left as it is.
fn check_writable(path: &Path) -> Result<(), JournalError> {
    // A link is there even if what it leads to is not.
    let is_new = path.symlink_metadata().is_err();
    OpenOptions::new().append(true).create(true).open(path).map_err(|source| JournalError::Io {
        doing: "write",
        path: path.to_owned(),
        source,
    })?;
    if is_new {
        let _ = fs::remove_file(path);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigFile;

    fn config(folder: &Path, files: &[(&str, &str)]) -> Config {
        let files: String =
            files.iter().map(|(key, name)| format!("{key} = '{}'\n", folder.join(name).display())).collect();
        let engines = "[[engine]]\nname = 'A'\ncmd = 'a'\n[[engine]]\nname = 'B'\ncmd = 'b'\n";
        let file = ConfigFile::parse(&format!("{files}{engines}"), Path::new("test.toml")).unwrap();
        Config::new(file, 1).unwrap()
    }

    const ALL: [(&str, &str); 3] = [("pgn", "m.pgn"), ("journal", "m.jsonl"), ("html", "m.html")];
    const NEW: Policy = Policy { go_on: false, overwrite: false };
    const GO_ON: Policy = Policy { go_on: true, overwrite: false };
    const OVERWRITE: Policy = Policy { go_on: false, overwrite: true };

    #[test]
    fn whatever_exists_is_in_the_way_and_nothing_is_left_behind() {
        for (key, name) in ALL {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(name), "mine").unwrap();
            let error = open(&config(folder.path(), &ALL), NEW).unwrap_err().to_string();
            assert!(error.contains(name), "{key}: {error}");
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "mine");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{key}");
            let opened = open(&config(folder.path(), &ALL), OVERWRITE).unwrap();
            assert!(opened.entries.is_empty() && opened.report == Existing::Replace);
            assert_eq!(fs::metadata(folder.path().join("m.pgn")).unwrap().len(), 0);
        }
    }

    #[test]
    fn a_tournament_that_goes_on_replaces_its_report_and_one_that_begins_does_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(open(&config(folder.path(), &ALL), GO_ON).unwrap().report, Existing::Keep);
        fs::write(folder.path().join("m.html"), "ours").unwrap();
        assert_eq!(open(&config(folder.path(), &ALL), GO_ON).unwrap().report, Existing::Replace);
        fs::remove_file(folder.path().join("m.jsonl")).unwrap();
        assert!(matches!(open(&config(folder.path(), &ALL), GO_ON), Err(FilesError::Report(_))));
    }

    #[test]
    fn one_file_is_not_used_for_two_purposes_or_by_two_runs() {
        let folder = tempfile::tempdir().unwrap();
        let twice = config(folder.path(), &[("pgn", "m"), ("journal", "./m")]);
        assert!(matches!(open(&twice, NEW), Err(FilesError::Twice { .. })));
        assert!(matches!(open(&config(folder.path(), &ALL[..1]), GO_ON), Err(FilesError::NoJournal)));
        let _first = open(&config(folder.path(), &ALL), NEW).unwrap();
        let error = open(&config(folder.path(), &ALL), OVERWRITE).unwrap_err().to_string();
        assert!(error.contains("in use by another run"), "{error}");
    }
}
