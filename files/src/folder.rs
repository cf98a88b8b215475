//! Folders for results.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::whole::{WriteError, is_unfinished};

/// Makes a folder for [whole files](crate::WholeFile), with those above it, unless it is there, and tidies it up: the
/// unfinished files of programs that were killed are removed.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(path: &Path) -> Result<(), WriteError> {
    fs::create_dir_all(path).map_err(|source| WriteError::Folder { path: path.to_owned(), source })?;
    // What cannot be tidied up does no harm.
    let _ = tidy_up(path);
    Ok(())
}

fn tidy_up(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = is_unfinished(&entry.file_name().to_string_lossy()) && entry.file_type()?.is_file();
        // Whoever is still writing it holds a lock.
        if is_ours && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Existing, WholeFile};

    #[test]
    fn what_killed_programs_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        make_folder(&inner).unwrap();
        for name in [".chuhe-a1B2.unfinished", "game.pgn.part", ".chuhe-a.pgn"] {
            fs::write(inner.join(name), "half").unwrap();
        }
        let file = WholeFile::create(&inner.join("a.pgn"), Existing::Keep).unwrap();
        make_folder(&inner).unwrap();
        assert!(!inner.join(".chuhe-a1B2.unfinished").exists());
        assert!(inner.join("game.pgn.part").exists() && inner.join(".chuhe-a.pgn").exists());
        file.finish().unwrap();
        assert!(inner.join("a.pgn").exists(), "a file that is being written is not touched");
    }

    #[test]
    fn a_file_in_the_way_of_a_folder_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "").unwrap();
        let error = make_folder(&path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot make the folder {}: ", path.display())), "{error}");
    }
}
