//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It stays, and the new one is not written.
    Keep,
    /// It stays until the new one is whole, which then takes its place.
    Replace,
}

/// Why a file is not written. Each names the file.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The name is taken, by a file or by anything else, and nothing may be replaced.
    #[error("{} already exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The name belongs to a folder or a device, or leads to one. These are never replaced.
    #[error("cannot write {}: not a regular file", path.display())]
    Special {
        /// The name.
        path: PathBuf,
    },
    /// A folder cannot be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system refuses.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// How the names of unfinished files begin and end; letters that nobody can foresee are between. A program that is
/// killed leaves such a file behind.
const PREFIX: &str = ".chuhe-";
const SUFFIX: &str = ".unfinished";

/// Whether a file of this name is one that a killed program has left behind.
#[must_use]
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// A file that is being written, and has its name only when it is [finished](WholeFile::finish); dropped before that it
/// leaves nothing behind.
///
/// Until then it is a hidden file in the same folder. Its name cannot be foreseen, and it is never one that exists, so
/// that no file and no symbolic link that somebody has put there is written to. A link at the final name is replaced as
/// a file would be; what it leads to is not touched.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    existing: Existing,
    file: BufWriter<File>,
    unfinished: TempPath,
}

impl WholeFile {
    /// Begins a file. Its folder must exist.
    ///
    /// # Errors
    /// The name is taken and may not be replaced, or the folder cannot be written to.
    pub fn create(path: &Path, existing: Existing) -> Result<WholeFile, WriteError> {
        check(path, existing)?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let (file, unfinished) = Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .rand_bytes(12)
            .make_in(folder, |path| File::create_new(path))
            .map_err(io_error(path))?
            .into_parts();
        // Tells that somebody is at work on it, see `make_folder`.
        let _ = file.try_lock();
        Ok(WholeFile { path: path.to_owned(), existing, file: BufWriter::new(file), unfinished })
    }

    /// Gives the file its name, once all of it is on the disk.
    ///
    /// # Errors
    /// It cannot be written, or the name has been taken in the meantime and may not be replaced.
    pub fn finish(self) -> Result<(), WriteError> {
        let WholeFile { path, existing, file, unfinished } = self;
        let file = file.into_inner().map_err(|error| io_error(&path)(error.into_error()))?;
        file.sync_all().map_err(io_error(&path))?;
        drop(file);
        check(&path, existing)?;
        let named = match existing {
            Existing::Replace => unfinished.persist(&path),
            Existing::Keep => unfinished.persist_noclobber(&path).or_else(|refused| match refused.error.kind() {
                io::ErrorKind::AlreadyExists => Err(refused),
                // Some file systems can neither link nor rename on condition. All that is left is to look just before.
                _ if fs::symlink_metadata(&path).is_ok() => Err(refused),
                _ => refused.path.persist(&path),
            }),
        };
        named.map_err(|refused| match refused.error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.clone() },
            _ => io_error(&path)(refused.error),
        })
    }

    /// The error of this file that a failed write is.
    #[must_use]
    pub fn error(&self, source: io::Error) -> WriteError {
        io_error(&self.path)(source)
    }

    /// The name that it is to have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file.
///
/// # Errors
/// As of [`WholeFile::create`] and [`WholeFile::finish`]; what was there before is there still.
pub fn write(path: &Path, bytes: &[u8], existing: Existing) -> Result<(), WriteError> {
    let mut file = WholeFile::create(path, existing)?;
    file.write_all(bytes).map_err(|error| file.error(error))?;
    file.finish()
}

impl Existing {
    /// Replaces what exists if the user has said so.
    #[must_use]
    pub const fn replaced_if(overwrite: bool) -> Existing {
        if overwrite { Existing::Replace } else { Existing::Keep }
    }

    /// Finds out whether a file could have this name, before work is spent on it.
    ///
    /// # Errors
    /// The name is taken and may not be replaced.
    pub fn check(self, path: &Path) -> Result<(), WriteError> {
        check(path, self)
    }
}

fn check(path: &Path, existing: Existing) -> Result<(), WriteError> {
    let is_taken = fs::symlink_metadata(path).is_ok();
    match existing {
        Existing::Keep if is_taken => Err(WriteError::Exists { path: path.to_owned() }),
        // Through links: who names `/dev/stdout` does not want that link replaced.
        Existing::Replace if is_taken && fs::metadata(path).is_ok_and(|target| !target.is_file()) => {
            Err(WriteError::Special { path: path.to_owned() })
        }
        Existing::Keep | Existing::Replace => Ok(()),
    }
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    move |source| WriteError::Io { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn an_existing_file_is_kept_unless_it_is_to_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        write(&path, b"one", Existing::Keep).unwrap();
        let refused = write(&path, b"two", Existing::Keep).unwrap_err().to_string();
        assert!(refused.ends_with("a.pgn already exists"), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, b"two", Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.pgn"]);
    }

    #[test]
    fn a_name_that_is_taken_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        let file = WholeFile::create(&path, Existing::Keep).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(matches!(file.finish(), Err(WriteError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["a.pgn"]);
    }

    #[test]
    fn nothing_has_the_name_before_the_file_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        let mut file = WholeFile::create(&path, Existing::Keep).unwrap();
        file.write_all(b"half").unwrap();
        file.flush().unwrap();
        assert!(!path.exists());
        let unfinished = names(folder.path());
        assert!(matches!(&unfinished[..], [name] if is_unfinished(name)), "{unfinished:?}");
        drop(file);
        assert!(names(folder.path()).is_empty());
        let two = [(); 2].map(|()| WholeFile::create(&path, Existing::Keep).unwrap());
        let both = names(folder.path());
        assert_ne!(both[0], both[1]);
        drop(two);
    }

    #[test]
    fn files_of_others_are_left_alone_whatever_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.pgn.part", ".part", "a.pgn.tmp", ".a.pgn"] {
            fs::write(folder.path().join(name), "theirs").unwrap();
        }
        write(&folder.path().join("a.pgn"), b"ours", Existing::Replace).unwrap();
        for name in ["a.pgn.part", ".part", "a.pgn.tmp", ".a.pgn"] {
            assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"theirs");
        }
        assert_eq!(names(folder.path()).len(), 5);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, link) = (folder.path().join("victim"), folder.path().join("a.pgn"));
        fs::write(&victim, "theirs").unwrap();
        let dangling = folder.path().join("b.pgn");
        std::os::unix::fs::symlink("victim", &link).unwrap();
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        for link in [&link, &dangling] {
            assert!(matches!(write(link, b"ours", Existing::Keep), Err(WriteError::Exists { .. })));
            write(link, b"ours", Existing::Replace).unwrap();
            assert!(fs::symlink_metadata(link).unwrap().is_file());
            assert_eq!(fs::read(link).unwrap(), b"ours");
        }
        assert_eq!(fs::read(&victim).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["a.pgn", "b.pgn", "victim"]);
    }

    #[cfg(unix)]
    #[test]
    fn folders_and_devices_are_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &link).unwrap();
        for path in [folder.path(), Path::new("/dev/null"), &link] {
            assert!(matches!(write(path, b"ours", Existing::Replace), Err(WriteError::Special { .. })), "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_may_be_read_by_whom_any_new_file_may() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (ours, usual) = (folder.path().join("a"), folder.path().join("b"));
        write(&ours, b"", Existing::Keep).unwrap();
        fs::write(&usual, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&usual));
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_by_the_name_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no").join("a.pgn");
        let error = write(&path, b"", Existing::Keep).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
        assert!(!error.contains("unfinished"), "{error}");
    }
}
