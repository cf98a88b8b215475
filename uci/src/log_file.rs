//! A transcript of the session in a file, for finding out what a GUI really sends.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The file behind the option `Debug Log File`; closed until that is set.
#[derive(Debug, Default)]
pub(crate) struct LogFile(Mutex<Option<File>>);

impl LogFile {
    /// Appends to this file from now on.
    pub(crate) fn open(&self, path: &Path) -> io::Result<()> {
        let file = File::options().create(true).append(true).open(path)?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(file);
        Ok(())
    }

    /// Writes no more.
    pub(crate) fn close(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Writes a line behind a mark that tells its direction. A full disk must not disturb the game.
    pub(crate) fn write(&self, mark: &str, line: &[u8]) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = file.as_mut() {
            let _ = file.write_all(&[mark.as_bytes(), line, b"\n"].concat());
        }
    }
}
