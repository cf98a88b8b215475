//! A file that only grows, and never keeps half of what was added.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What survives what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Durability {
    /// A record is on the disk when [`Log::append`] returns, and survives a power failure.
    Disk,
    /// A record is with the system when [`Log::append`] returns, and survives the end of the program.
    System,
}

/// Why a log cannot be used. Each names the file.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The system refuses.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is a file of that name, and it is not empty.
    #[error("{} already exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another run has it open.
    #[error("{} is in use by another run", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
}

impl LogError {
    fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LogError {
        move |source| LogError::Io { doing, path: path.to_owned(), source }
    }
}

/// A file to which whole records are added, open for one run only.
///
/// A run that is killed leaves its last record whole, in part or not at all. After a power failure what had not reached
/// the disk may also read as zeros, from the beginning of a sector to the end of the file. Whoever opens the file again
/// knows what a record is, and [cuts](Log::cut) off what is none: see [`whole_lines`] for records that are lines, and
/// [`Log::zeros`] for others.
///
/// Where a file system has no locks, nobody is kept out.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    length: u64,
    durability: Durability,
}

impl Log {
    /// A new file, or an empty one that is there already.
    ///
    /// # Errors
    /// The file is not empty, is in use, or cannot be written.
    pub fn create(path: &Path, durability: Durability) -> Result<Log, LogError> {
        let log = Log::open(path, durability)?;
        if log.length > 0 { Err(LogError::Exists { path: path.to_owned() }) } else { Ok(log) }
    }

    /// A file as it is, or a new one.
    ///
    /// # Errors
    /// The file is in use or cannot be written.
    pub fn open(path: &Path, durability: Durability) -> Result<Log, LogError> {
        // No append mode: where it is set, some systems do not let a file be cut.
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(LogError::io("write", path))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(LogError::InUse { path: path.to_owned() });
        }
        let length = file.metadata().map_err(LogError::io("read", path))?.len();
        Ok(Log { path: path.to_owned(), file, length, durability })
    }

    /// A new file in the place of another, which must not be in use. A symbolic link is replaced, and what it leads to is
    /// not touched.
    ///
    /// # Errors
    /// The file is in use, is no regular file, or cannot be replaced.
    pub fn replace(path: &Path, durability: Durability) -> Result<Log, LogError> {
        if fs::metadata(path).is_ok_and(|file| file.is_file()) {
            // Held until the name is free, so that no run loses a file that it has just begun.
            let _old = Log::open(path, durability)?;
            fs::remove_file(path).map_err(LogError::io("replace", path))?;
        }
        Log::create(path, durability)
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

    /// Everything in it, if that is not more than `limit` bytes.
    ///
    /// # Errors
    /// It is larger, or cannot be read.
    pub fn contents(&mut self, limit: u64) -> Result<Vec<u8>, LogError> {
        if self.length > limit {
            let too_large = io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {limit} bytes"));
            return Err(LogError::io("read", &self.path)(too_large));
        }
        self.read(0..self.length)
    }

    /// A part of it; less where the file is at its end.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&mut self, span: Range<u64>) -> Result<Vec<u8>, LogError> {
        let mut bytes = Vec::new();
        self.file
            .seek(SeekFrom::Start(span.start))
            .and_then(|_| (&self.file).take(span.end.saturating_sub(span.start)).read_to_end(&mut bytes))
            .map_err(LogError::io("read", &self.path))?;
        Ok(bytes)
    }

    /// Reads it from its beginning.
    ///
    /// # Errors
    /// The system's.
    pub fn reader(&mut self) -> Result<impl Read + '_, LogError> {
        self.file.seek(SeekFrom::Start(0)).map_err(LogError::io("read", &self.path))?;
        Ok(BufReader::with_capacity(1 << 20, (&self.file).take(self.length)))
    }

    /// Where the zeros begin that a power failure may have left at the end: at the beginning of the first sector from
    /// which on there is nothing else. `None` where the last sector holds more than zeros.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn zeros(&mut self) -> Result<Option<u64>, LogError> {
        let (mut start, mut end) = (None, self.length);
        while end > 0 {
            let sector = (end - 1) / SECTOR * SECTOR;
            if self.read(sector..end)?.iter().any(|&byte| byte != 0) {
                break;
            }
            start = Some(sector);
            end = sector;
        }
        Ok(start)
    }

    /// Cuts off what is beyond a length.
    ///
    /// # Errors
    /// It cannot be cut.
    pub fn cut(&mut self, length: u64) -> Result<(), LogError> {
        if length < self.length {
            self.file.set_len(length).and_then(|()| self.sync()).map_err(LogError::io("cut", &self.path))?;
            self.length = length;
        }
        Ok(())
    }

    /// Adds a record, and says where it stands. It is written by one call, so that of a program that is killed no two
    /// records are ever mixed.
    ///
    /// # Errors
    /// It cannot be written; the file is then as it was before, if the system lets it be cut.
    pub fn append(&mut self, record: &[u8]) -> Result<Range<u64>, LogError> {
        let written = self
            .file
            .seek(SeekFrom::Start(self.length))
            .and_then(|_| self.file.write_all(record))
            .and_then(|()| self.sync());
        match written {
            Ok(()) => {
                let start = self.length;
                self.length += record.len() as u64;
                Ok(start..self.length)
            }
            Err(source) => {
                // Whoever reads the file next cuts it too.
                let _ = self.file.set_len(self.length);
                Err(LogError::io("write", &self.path)(source))
            }
        }
    }

    fn sync(&self) -> io::Result<()> {
        match (self.durability, self.file.sync_data()) {
            (Durability::System, _) => Ok(()),
            // What is no file on a disk cannot be synchronised and need not be.
            (Durability::Disk, Err(error)) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            (Durability::Disk, result) => result,
        }
    }
}

/// The unit in which disks write, or a part of it.
const SECTOR: u64 = 512;

/// How much of a log of lines is whole. A last line without its end was being written when the run ended; one with zeros
/// in it had not reached the disk when the power failed. For text that never holds a zero, such as JSON.
#[must_use]
pub fn whole_lines(bytes: &[u8]) -> &[u8] {
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let last = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let is_whole = bytes.ends_with(b"\n") && !bytes[last..].contains(&0);
    if is_whole { bytes } else { &bytes[..last] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        (folder, path)
    }

    #[test]
    fn a_log_grows_by_records_and_is_open_once() {
        let (_folder, path) = log();
        let mut log = Log::create(&path, Durability::Disk).unwrap();
        assert_eq!(log.append(b"one\n").unwrap(), 0..4);
        assert_eq!(log.append(b"two\n").unwrap(), 4..8);
        assert!(matches!(Log::open(&path, Durability::Disk), Err(LogError::InUse { .. })));
        assert!(matches!(Log::replace(&path, Durability::Disk), Err(LogError::InUse { .. })));
        drop(log);
        assert!(matches!(Log::create(&path, Durability::Disk), Err(LogError::Exists { .. })));
        let mut log = Log::open(&path, Durability::System).unwrap();
        log.cut(5).unwrap();
        log.append(b"!").unwrap();
        assert_eq!(log.contents(6).unwrap(), b"one\nt!");
        assert_eq!(log.read(4..6).unwrap(), b"t!");
        let mut text = String::new();
        log.reader().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\nt!");
        assert!(log.contents(5).unwrap_err().to_string().ends_with("larger than 5 bytes"));
    }

    #[test]
    fn a_log_is_replaced_only_when_asked_for() {
        let (_folder, path) = log();
        fs::write(&path, "old").unwrap();
        let mut log = Log::replace(&path, Durability::System).unwrap();
        log.append(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn replacing_a_link_leaves_what_it_leads_to() {
        let (folder, path) = log();
        let victim = folder.path().join("victim");
        fs::write(&victim, "theirs").unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        Log::replace(&path, Durability::System).unwrap().append(b"new").unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"theirs");
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    /// `/dev/full` takes nothing.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let mut log = Log::create(Path::new("/dev/full"), Durability::Disk).unwrap();
        let error = log.append(b"a line\n").unwrap_err().to_string();
        assert!(error.starts_with("cannot write /dev/full: No space left"), "{error}");
        assert_eq!(log.length(), 0);
    }

    #[test]
    fn only_the_last_line_can_be_torn() {
        for (bytes, whole) in [
            (&b""[..], 0),
            (b"a", 0),
            (b"a\n", 2),
            (b"a\nb", 2),
            (b"a\nb\n", 4),
            (b"a\n\0\0\0", 2),
            (b"a\n\0\0b\n", 2),
            (b"\0\0\0\0", 0),
            (b"a\0\nb\n", 5),
        ] {
            assert_eq!(whole_lines(bytes).len(), whole, "{:?}", bytes.escape_ascii().to_string());
        }
    }

    #[test]
    fn zeros_are_found_from_the_sector_on_in_which_they_begin() {
        let (_folder, path) = log();
        for (ones, zeros, start) in
            [(0, 0, None), (1, 10, None), (512, 1, Some(512)), (512, 0, None), (500, 2000, Some(512)), (0, 5, Some(0))]
        {
            fs::write(&path, [vec![1; ones], vec![0; zeros]].concat()).unwrap();
            assert_eq!(Log::open(&path, Durability::System).unwrap().zeros().unwrap(), start, "{ones} {zeros}");
        }
    }
}
