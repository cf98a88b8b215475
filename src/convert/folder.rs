//! A folder with a file for each source.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::failure::{CommandResult, Failure};
use crate::games::{Source, readable};

/// A folder that is being filled.
pub(super) struct Folder {
    path: PathBuf,
    extension: &'static str,
    is_one_game_a_file: bool,
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
    file: Option<(PathBuf, BufWriter<File>)>,
    /// Its first game, where each gets a file: the name depends on whether others follow.
    first: Option<Vec<u8>>,
}

impl Folder {
    /// Makes the folder unless it is there.
    pub(super) fn create(
        path: &Path,
        sources: &[Source],
        extension: &'static str,
        is_one_game_a_file: bool,
    ) -> Result<Folder, Failure> {
        make(path)?;
        let stems = sources.iter().map(|source| source.name().with_extension("")).collect();
        let inputs = Source::files(sources);
        Ok(Folder {
            path: path.to_owned(),
            extension,
            is_one_game_a_file,
            stems,
            inputs,
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
            let (path, file) = match &mut current.file {
                Some(file) => file,
                file => {
                    let (path, new) = self.open(source, None)?;
                    file.insert((path, BufWriter::new(new)))
                }
            };
            file.write_all(bytes).map_err(|error| cannot_write(path, &error))?;
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
        if let Some((path, mut file)) = file {
            file.flush().map_err(|error| cannot_write(&path, &error))?;
        }
        first.map_or(Ok(()), |game| self.write_file(source, None, &game))
    }

    fn write_file(&mut self, source: usize, number: Option<u64>, game: &[u8]) -> CommandResult {
        let (path, mut file) = self.open(source, number)?;
        file.write_all(game).map_err(|error| cannot_write(&path, &error))
    }

    fn open(&mut self, source: usize, number: Option<u64>) -> Result<(PathBuf, File), Failure> {
        let path = self.free_path(source, number);
        if let Some(folder) = path.parent() {
            make(folder)?;
        }
        let file = File::create(&path).map_err(|error| cannot_write(&path, &error))?;
        Ok((path, file))
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

fn make(folder: &Path) -> CommandResult {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Usage(format!("cannot make the folder {}: {error}", folder.display())))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("cannot write {}: {error}", path.display()))
}
