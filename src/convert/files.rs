//! Which file a game goes to: one for each source, or for each game where the format has room for no more.

use std::io::Write as _;
use std::path::PathBuf;

use chuhe_files::WholeFile;
use chuhe_records::export::Export;

use crate::failure::{CommandResult, Failure};
use crate::games::Source;
use crate::output::OutputFolder;

/// A folder that is being filled with games.
pub(super) struct Files {
    folder: OutputFolder,
    extension: &'static str,
    is_one_game_a_file: bool,
    /// Where each source goes if nothing is in the way.
    stems: Vec<PathBuf>,
    current: Option<Current>,
}

/// The source that is being written.
struct Current {
    source: usize,
    games: u64,
    /// The file for its games.
    file: Option<WholeFile>,
    /// Its first game, where each gets a file: the name depends on whether others follow.
    first: Option<Vec<u8>>,
}

impl Files {
    /// Nothing is written yet.
    pub(super) fn new(folder: OutputFolder, sources: &[Source], export: &Export) -> Files {
        Files {
            folder,
            extension: export.extension(),
            is_one_game_a_file: export.is_one_game_a_file(),
            stems: sources.iter().map(Source::stem).collect(),
            current: None,
        }
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
                None => self.folder.begin(&self.stems[source], self.extension)?,
            };
            file.write_all(bytes).map_err(|error| Failure::from(file.error(error)))?;
            current.file = Some(file);
        } else if current.games == 1 {
            current.first = Some(bytes.to_vec());
        } else {
            if let Some(first) = current.first.take() {
                self.write_numbered(source, 1, &first)?;
            }
            self.write_numbered(source, current.games, bytes)?;
        }
        self.current = Some(current);
        Ok(())
    }

    /// Closes the last file, and says how many there are.
    pub(super) fn finish(mut self) -> Result<usize, Failure> {
        self.close()?;
        Ok(self.folder.files())
    }

    fn close(&mut self) -> CommandResult {
        let Some(Current { source, file, first, .. }) = self.current.take() else { return Ok(()) };
        if let Some(file) = file {
            file.finish()?;
        }
        first.map_or(Ok(()), |game| self.folder.write(&self.stems[source], self.extension, &game))
    }

    fn write_numbered(&mut self, source: usize, number: u64, game: &[u8]) -> CommandResult {
        let mut stem = self.stems[source].clone().into_os_string();
        stem.push(format!("-{number:04}"));
        self.folder.write(stem.as_ref(), self.extension, game)
    }
}
