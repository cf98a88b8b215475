//! Decisions of the organiser for a tournament that is being played: left in a file beside the journal, at which the
//! run looks several times a second.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::journal::{JournalError, OrganiserAct};

/// The file of decisions that belongs to a journal.
#[derive(Clone, Debug)]
pub struct ActsFile {
    path: PathBuf,
}

impl ActsFile {
    /// That of the given journal.
    #[must_use]
    pub fn of(journal: &Path) -> ActsFile {
        let mut name = OsString::from(journal);
        name.push(".acts");
        ActsFile { path: name.into() }
    }

    fn error(&self, doing: &'static str, source: io::Error) -> JournalError {
        JournalError::Io { doing, path: self.path.clone(), source }
    }

    /// Leaves a decision.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn leave(&self, act: &OrganiserAct) -> Result<(), JournalError> {
        let write = || {
            let mut file = OpenOptions::new().create(true).read(true).append(true).open(&self.path)?;
            file.lock()?;
            let mut line = serde_json::to_vec(act)?;
            line.push(b'\n');
            if !ends_with_a_line(&mut file)? {
                // Somebody was interrupted here, whose half line shall not spoil this one.
                line.insert(0, b'\n');
            }
            file.write_all(&line)?;
            file.sync_data()
        };
        write().map_err(|error| self.error("write", error))
    }

    /// What was left, if anything was. Nobody can leave more until it is [done](Left::done) or dropped.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn look(&self) -> Result<Option<Left>, JournalError> {
        if !self.path.metadata().is_ok_and(|file| file.len() > 0) {
            return Ok(None);
        }
        let (file, bytes) = self.open().map_err(|error| self.error("read", error))?;
        let decision = |line| serde_json::from_slice(line).map_err(|error| format!("{}: {error}", self.path.display()));
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        Ok(Some(Left { acts: lines.map(decision).collect(), file, acts_file: self.clone() }))
    }

    fn open(&self) -> io::Result<(File, Vec<u8>)> {
        let mut file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        file.lock()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok((file, bytes))
    }
}

/// Decisions that were left.
#[derive(Debug)]
pub struct Left {
    acts: Vec<Result<OrganiserAct, String>>,
    file: File,
    acts_file: ActsFile,
}

impl Left {
    /// The decisions, oldest first; what is none, with what is wrong.
    pub fn acts(&self) -> &[Result<OrganiserAct, String>] {
        &self.acts
    }

    /// They have been written into the journal. When a run ends before this they are found again;
    /// [`Tournament::has_carried_out`](super::Tournament::has_carried_out) knows them.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn done(self) -> Result<(), JournalError> {
        // The file stays: somebody may be waiting to write to it.
        self.file.set_len(0).map_err(|error| self.acts_file.error("write", error))
    }
}

/// Whether a file is empty or its last line is whole.
fn ends_with_a_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
