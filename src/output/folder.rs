//! A folder that a command fills.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use chuhe_files::{Existing, WholeFile, make_folder};

use crate::failure::{CommandResult, Failure};
use crate::games::Source;
use crate::paths::readable;

/// A folder that is being filled.
pub(crate) struct OutputFolder {
    path: PathBuf,
    existing: Existing,
    /// The true places of files that are read.
    inputs: HashSet<PathBuf>,
    /// Files of this run, in lower case: some systems do not tell the cases apart.
    taken: HashSet<String>,
    /// Folders that have been made.
    folders: HashSet<PathBuf>,
}

impl OutputFolder {
    /// Makes the folder unless it is there.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn create(path: &Path, sources: &[Source], existing: Existing) -> Result<OutputFolder, Failure> {
        make_folder(path)?;
        let (taken, folders) = (HashSet::new(), HashSet::from([path.to_owned()]));
        Ok(OutputFolder { path: path.to_owned(), existing, inputs: Source::files(sources), taken, folders })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How many files have been begun.
    pub(crate) fn files(&self) -> usize {
        self.taken.len()
    }

    /// Begins a file of this name, which may lie in a folder below, and this extension. Where a file of this run has that
    /// name, or one that is read, a number is added.
    ///
    /// # Errors
    /// A file that is there may not be replaced, or the file cannot be written.
    pub(crate) fn begin(&mut self, stem: &Path, extension: &str) -> Result<WholeFile, Failure> {
        let path = self.free_path(stem, extension);
        // Before anything is made.
        self.existing.check(&path)?;
        if let Some(folder) = path.parent()
            && self.folders.insert(folder.to_owned())
        {
            make_folder(folder)?;
        }
        Ok(WholeFile::create(&path, self.existing)?)
    }

    /// Writes a whole file, see [`OutputFolder::begin`].
    ///
    /// # Errors
    /// As of [`OutputFolder::begin`].
    pub(crate) fn write(&mut self, stem: &Path, extension: &str, bytes: &[u8]) -> CommandResult {
        let mut file = self.begin(stem, extension)?;
        file.write_all(bytes).map_err(|error| file.error(error))?;
        Ok(file.finish()?)
    }

    /// A path that is neither that of a file of this run nor of one that is read: with a number behind the name if need be.
    fn free_path(&mut self, stem: &Path, extension: &str) -> PathBuf {
        let stem = self.path.join(stem).into_os_string();
        let mut copy: u64 = 1;
        loop {
            let mut name: OsString = stem.clone();
            if copy > 1 {
                name.push(format!("_{copy}"));
            }
            name.push(format!(".{extension}"));
            let path = PathBuf::from(name);
            let is_input = fs::canonicalize(&path).is_ok_and(|path| self.inputs.contains(&path));
            if !is_input && self.taken.insert(readable(&path).to_lowercase()) {
                return path;
            }
            copy += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_run_are_told_apart_and_inputs_are_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut output = OutputFolder::create(folder.path(), &[], Existing::Replace).expect("made");
        output.inputs.insert(fs::canonicalize(folder.path()).expect("it is there").join("b.pgn"));
        fs::write(folder.path().join("b.pgn"), "read").expect("written");
        for stem in ["a", "A", "b", "sub/a"] {
            output.write(Path::new(stem), "pgn", stem.as_bytes()).expect("written");
        }
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        assert_eq!(["a.pgn", "A_2.pgn", "b_2.pgn", "sub/a.pgn"].map(read), ["a", "A", "b", "sub/a"]);
        assert_eq!(read("b.pgn"), "read");
    }

    #[test]
    fn what_exists_is_kept_and_told() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.pgn"), "mine").expect("written");
        let mut output = OutputFolder::create(folder.path(), &[], Existing::Keep).expect("made");
        let Err(Failure::File(message)) = output.write(Path::new("a"), "pgn", b"ours") else { panic!("overwritten") };
        assert!(message.ends_with("a.pgn already exists (--overwrite replaces it)"), "{message}");
        assert_eq!(fs::read_to_string(folder.path().join("a.pgn")).expect("it is there"), "mine");
    }
}
