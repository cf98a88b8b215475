//! Decisions of the organiser for a tournament that is being played: left in a file beside the journal, which the run
//! looks at between games.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use fs4::FileExt;

use crate::journal::{JournalError, OrganiserAct};

/// The file of decisions that belongs to a journal.
#[derive(Clone, Debug)]
pub struct Inbox {
    path: PathBuf,
}

impl Inbox {
    /// That of the given journal.
    #[must_use]
    pub fn of(journal: &Path) -> Inbox {
        let mut name = OsString::from(journal);
        name.push(".acts");
        Inbox { path: name.into() }
    }

    fn error(&self, source: io::Error) -> JournalError {
        JournalError::Io { doing: "write", path: self.path.clone(), source }
    }

    /// Leaves a decision.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn leave(&self, act: &OrganiserAct) -> Result<(), JournalError> {
        let write = || {
            let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
            FileExt::lock(&file)?;
            let mut line = serde_json::to_vec(act)?;
            line.push(b'\n');
            file.write_all(&line)?;
            file.sync_data()
        };
        write().map_err(|error| self.error(error))
    }

    /// Hands over what was left, oldest first. What is handed over twice, because a run ended in between, is no harm:
    /// a decision that was carried out cannot be carried out again, or changes nothing.
    ///
    /// # Errors
    /// Those of `take`, with which it stops; and when the file cannot be read.
    pub fn take<E: From<JournalError>>(
        &self,
        mut take: impl FnMut(Result<OrganiserAct, String>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.path.metadata().is_ok_and(|file| file.len() > 0) {
            return Ok(());
        }
        let (file, text) = self.open().map_err(|error| self.error(error))?;
        for line in text.lines() {
            take(serde_json::from_str(line).map_err(|error| format!("{}: {error}", self.path.display())))?;
        }
        // The file stays: somebody may be waiting to write to it.
        file.set_len(0).map_err(|error| self.error(error))?;
        Ok(())
    }

    fn open(&self) -> io::Result<(File, String)> {
        let mut file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        FileExt::lock(&file)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        Ok((file, text))
    }
}
