//! A folder with a file for each source.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::target::Target;
use crate::failure::{CommandResult, Failure};
use crate::games::{Source, readable};

/// What is behind the name of a file while it is being written.
const BEGUN: &str = ".part";

/// A folder that is being filled.
pub(super) struct Folder {
    path: PathBuf,
    extension: &'static str,
    is_one_game_a_file: bool,
    /// Whether files that are there are replaced.
    overwrite: bool,
    /// Where each source goes if nothing is in the way: its name without the extension.
    stems: Vec<PathBuf>,
    /// The true places of files that are read.
    inputs: HashSet<PathBuf>,
    /// Files of this run, in lower case: some systems do not tell the cases apart.
    taken: HashSet<String>,
    current: Option<Current>,
}

/// The source that is being written.
struct Current {
    source: usize,
    games: u64,
    /// The file for its games.
    file: Option<Begun>,
    /// Its first game, where each gets a file: the name depends on whether others follow.
    first: Option<Vec<u8>>,
}

/// A file that gets its name when it is whole.
struct Begun {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
}

impl Folder {
    /// Makes the folder unless it is there.
    pub(super) fn create(path: &Path, sources: &[Source], target: &Target, overwrite: bool) -> Result<Folder, Failure> {
        make(path)?;
        Ok(Folder {
            path: path.to_owned(),
            extension: target.extension(),
            is_one_game_a_file: target.is_one_game_a_file(),
            overwrite,
            stems: sources.iter().map(|source| source.name().with_extension("")).collect(),
            inputs: Source::files(sources),
            taken: HashSet::new(),
            current: None,
        })
    }

    /// Writes a game of a source. Those of one source come one after another.
    pub(super) fn write(&mut self, source: usize, bytes: &[u8]) -> CommandResult {
        if self.current.as_ref().is_some_and(|current| current.source != source) {
            self.close()?;
        }
        let current = self.current.take();
        let mut current = current.unwrap_or(Current { source, games: 0, file: None, first: None });
        current.games += 1;
        if !self.is_one_game_a_file {
            let mut file = match current.file.take() {
                Some(file) => file,
                None => self.begin(source, None)?,
            };
            file.write(bytes)?;
            current.file = Some(file);
        } else if current.games == 1 {
            current.first = Some(bytes.to_vec());
        } else {
            if let Some(first) = current.first.take() {
                self.write_file(source, Some(1), &first)?;
            }
            self.write_file(source, Some(current.games), bytes)?;
        }
        self.current = Some(current);
        Ok(())
    }

    /// Closes the last file.
    pub(super) fn finish(mut self) -> CommandResult {
        self.close()
    }

    fn close(&mut self) -> CommandResult {
        let Some(Current { source, file, first, .. }) = self.current.take() else { return Ok(()) };
        file.map_or(Ok(()), Begun::finish)?;
        first.map_or(Ok(()), |game| self.write_file(source, None, &game))
    }

    fn write_file(&mut self, source: usize, number: Option<u64>, game: &[u8]) -> CommandResult {
        let mut file = self.begin(source, number)?;
        file.write(game)?;
        file.finish()
    }

    fn begin(&mut self, source: usize, number: Option<u64>) -> Result<Begun, Failure> {
        let path = self.free_path(source, number);
        if !self.overwrite && fs::symlink_metadata(&path).is_ok() {
            let path = readable(&path);
            return Err(Failure::Usage(format!(
                "{path} is there already: --overwrite replaces files, or name another folder"
            )));
        }
        if let Some(folder) = path.parent() {
            make(folder)?;
        }
        let mut part = path.clone().into_os_string();
        part.push(BEGUN);
        let part = PathBuf::from(part);
        let file = File::create(&part).map_err(|error| cannot_write(&path, &error))?;
        Ok(Begun { path, part, file: BufWriter::new(file) })
    }

    /// A path that is neither that of a file of this run nor of one that is read: with a number behind the name if need be.
    fn free_path(&mut self, source: usize, number: Option<u64>) -> PathBuf {
        let mut stem = self.path.join(&self.stems[source]).into_os_string();
        if let Some(number) = number {
            stem.push(format!("-{number:04}"));
        }
        let with_copy = |copy: u64| {
            let mut name: OsString = stem.clone();
            if copy > 1 {
                name.push(format!("_{copy}"));
            }
            name.push(".");
            name.push(self.extension);
            PathBuf::from(name)
        };
        for copy in 1.. {
            let path = with_copy(copy);
            let is_input = fs::canonicalize(&path).is_ok_and(|path| self.inputs.contains(&path));
            if !is_input && self.taken.insert(readable(&path).to_lowercase()) {
                return path;
            }
        }
        unreachable!("there are more numbers than files")
    }
}

impl Begun {
    fn write(&mut self, bytes: &[u8]) -> CommandResult {
        self.file.write_all(bytes).map_err(|error| self.give_up(&error))
    }

    fn finish(mut self) -> CommandResult {
        let result = self.file.flush().and_then(|()| fs::rename(&self.part, &self.path));
        result.map_err(|error| self.give_up(&error))
    }

    /// Leaves nothing behind that looks like a result.
    fn give_up(&self, error: &io::Error) -> Failure {
        let _ = fs::remove_file(&self.part);
        cannot_write(&self.path, error)
    }
}

fn make(folder: &Path) -> CommandResult {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Usage(format!("cannot make the folder {}: {error}", folder.display())))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot write {}: {error}", path.display()))
}
