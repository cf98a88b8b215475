//! A file that only grows, and never keeps half of what was added.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

use super::JournalError;
use super::event::Span;

/// A file to which whole records are added, open for one run only.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl LogFile {
    /// A new file, or an empty one that is there already.
    ///
    /// # Errors
    /// When the file is not empty, is in use, or cannot be written.
    pub fn create(path: &Path) -> Result<LogFile, JournalError> {
        let log = LogFile::open(path)?;
        if log.length > 0 {
            return Err(JournalError::Exists { path: path.to_owned() });
        }
        Ok(log)
    }

    /// A file as it is, or a new one.
    ///
    /// # Errors
    /// When the file is in use or cannot be written.
    pub fn open(path: &Path) -> Result<LogFile, JournalError> {
        // No append mode: where it is set, some systems do not let a file be cut.
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(JournalError::io("write", path))?;
        match FileExt::try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => {
                return Err(JournalError::Io { doing: "lock", path: path.to_owned(), source });
            }
        }
        let length = file.metadata().map_err(JournalError::io("read", path))?.len();
        Ok(LogFile { path: path.to_owned(), file, length })
    }

    /// Its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Everything in it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn contents(&mut self) -> Result<Vec<u8>, JournalError> {
        self.read(Span { offset: 0, length: self.length })
    }

    /// A part of it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&mut self, span: Span) -> Result<Vec<u8>, JournalError> {
        let mut bytes = Vec::new();
        self.file
            .seek(SeekFrom::Start(span.offset))
            .and_then(|_| (&self.file).take(span.length).read_to_end(&mut bytes))
            .map_err(JournalError::io("read", &self.path))?;
        Ok(bytes)
    }

    /// Cuts off what is beyond a length.
    ///
    /// # Errors
    /// When it cannot be cut.
    pub fn cut(&mut self, length: u64) -> Result<(), JournalError> {
        if length < self.length {
            self.file.set_len(length).and_then(|()| self.sync()).map_err(JournalError::io("cut", &self.path))?;
            self.length = length;
        }
        Ok(())
    }

    /// Adds a record, which is on the disk when this returns.
    ///
    /// # Errors
    /// When it cannot be written; the file is then as it was before, if the system lets it be cut.
    pub fn append(&mut self, record: &[u8]) -> Result<Span, JournalError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(record))
            .and_then(|()| self.sync());
        match written {
            Ok(()) => {
                let span = Span { offset: self.length, length: record.len() as u64 };
                self.length = span.end();
                Ok(span)
            }
            Err(source) => {
                // Whoever reads the file next cuts it too.
                let _ = self.file.set_len(self.length);
                Err(JournalError::Io { doing: "write", path: self.path.clone(), source })
            }
        }
    }

    fn sync(&self) -> io::Result<()> {
        match self.file.sync_data() {
            // What is no file on a disk cannot be synchronised and need not be.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut log = LogFile::create(&path).unwrap();
        assert_eq!(log.append(b"one\n").unwrap(), Span { offset: 0, length: 4 });
        assert_eq!(log.append(b"two\n").unwrap(), Span { offset: 4, length: 4 });
        assert!(matches!(LogFile::open(&path), Err(JournalError::InUse { .. })));
        drop(log);
        assert!(matches!(LogFile::create(&path), Err(JournalError::Exists { .. })));
        let mut log = LogFile::open(&path).unwrap();
        log.cut(5).unwrap();
        log.append(b"!").unwrap();
        assert_eq!(log.contents().unwrap(), b"one\nt!");
        assert_eq!(log.read(Span { offset: 4, length: 2 }).unwrap(), b"t!");
    }

    /// `/dev/full` takes nothing.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let mut log = LogFile::create(Path::new("/dev/full")).unwrap();
        let error = log.append(b"a line\n").unwrap_err().to_string();
        assert!(error.starts_with("cannot write /dev/full: No space left"), "{error}");
        assert_eq!(log.length(), 0);
    }
}
