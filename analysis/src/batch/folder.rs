//! A folder with files for each game, and the journal that tells which games are done.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use chuhe_files::{Existing, WriteError, make_folder, write};

use super::form::{Form, Portion};
use super::journal::{BegunGame, DoneGame, Earlier, Entry, Journal, RunSettings};
use super::pool::{DoneGames, Finished};
use super::results::{BatchError, Results};
use super::task::Written;

/// A folder that is being filled.
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    forms: Vec<Form>,
    earlier: Earlier,
    journal: Journal,
    done: DoneGames,
    /// What is wrong with the records of games that are done.
    damages: HashMap<String, String>,
    /// For each source the name of the files of its games, without a number: no two are the same.
    stems: Vec<String>,
    /// Whose files have which names, without their extensions and in lower case: some systems do not tell the cases apart.
    names: HashMap<String, String>,
    /// Folders that have been made.
    folders: HashSet<PathBuf>,
}

/// A name for the files of a game.
struct Name {
    name: String,
    /// What becomes of files of this name.
    existing: Existing,
    /// Files of others that have a name which would have been better.
    kept: Vec<PathBuf>,
}

impl ResultFolder {
    /// Makes the folder unless it is there, and finds out what an earlier run has left. `sources` are the names of the
    /// sources without extensions, with folders where those are to be made anew.
    ///
    /// # Errors
    /// The folder cannot be made, or its [journal](super::JournalError) cannot be used.
    pub fn open(
        path: &Path,
        sources: &[String],
        run: &RunSettings,
        forms: &[Form],
        earlier: Earlier,
    ) -> Result<ResultFolder, BatchError> {
        make_folder(path)?;
        let (journal, entries) = Journal::open(path, run, earlier)?;
        let mut folder = ResultFolder {
            path: path.to_owned(),
            forms: forms.to_vec(),
            earlier,
            journal,
            done: DoneGames::new(),
            damages: HashMap::new(),
            stems: stems(sources),
            names: HashMap::new(),
            folders: HashSet::new(),
        };
        entries.into_iter().for_each(|entry| folder.remember(entry));
        Ok(folder)
    }

    fn remember(&mut self, entry: Entry) {
        let (owner, file) = match entry {
            Entry::Begun(BegunGame { begun, file }) => (begun, file),
            Entry::Done(DoneGame { game, digest, file, error }) => {
                self.damages.extend(error.map(|error| (game.clone(), error)));
                // Files that somebody has taken away are made again.
                if self.forms.iter().all(|form| self.file(&file, *form).is_file()) {
                    self.done.insert(game.clone(), digest);
                }
                (game, file)
            }
        };
        self.names.insert(file.to_lowercase(), owner);
    }

    /// The games that are done.
    #[must_use]
    pub fn done(&self) -> DoneGames {
        self.done.clone()
    }

    fn file(&self, name: &str, form: Form) -> PathBuf {
        self.path.join(format!("{name}.{}", form.extension()))
    }

    /// A name for the files of a game that neither another game nor a file of somebody else's has: that of its source, with
    /// its number there.
    fn name(&mut self, game: &Finished) -> Name {
        let wanted = format!("{}-{:04}", self.stems[game.source], game.number);
        let mut kept = Vec::new();
        let mut name = wanted.clone();
        // An earlier run may have had other sources.
        for copy in 2.. {
            let key = name.to_lowercase();
            match self.names.get(&key) {
                // Files of this game, by an earlier run.
                Some(owner) if *owner == game.place => return Name { name, existing: Existing::Replace, kept },
                Some(_) => {}
                None => match self.in_the_way(&name) {
                    Some(file) => kept.push(file),
                    None => {
                        self.names.insert(key, game.place.clone());
                        break;
                    }
                },
            }
            name = format!("{wanted}_{copy}");
        }
        Name { name, existing: Existing::replaced_if(self.earlier == Earlier::Replace), kept }
    }

    fn make_folder_of(&mut self, file: &Path) -> Result<(), WriteError> {
        match file.parent() {
            Some(folder) if self.folders.insert(folder.to_owned()) => make_folder(folder),
            _ => Ok(()),
        }
    }

    /// A file of somebody else that has one of these names and is to stay.
    fn in_the_way(&self, name: &str) -> Option<PathBuf> {
        if self.earlier == Earlier::Replace {
            return None;
        }
        // Links too, wherever they lead.
        self.forms.iter().map(|form| self.file(name, *form)).find(|file| fs::symlink_metadata(file).is_ok())
    }
}

/// The names of sources; with a number where two would be the same.
fn stems(sources: &[String]) -> Vec<String> {
    let mut taken = HashSet::new();
    let free = |wanted: &String| {
        let copies = (2..).map(|copy| format!("{wanted}_{copy}"));
        let stem = std::iter::once(wanted.clone()).chain(copies).find(|stem| taken.insert(stem.to_lowercase()));
        stem.unwrap_or_else(|| wanted.clone())
    };
    sources.iter().map(free).collect()
}

impl Results for ResultFolder {
    /// Writes the files of a game, each whole or not at all, and then into the journal that they are there.
    fn write(&mut self, game: &Finished, written: Written) -> Result<Vec<PathBuf>, BatchError> {
        let Name { name, existing, kept } = self.name(game);
        self.journal.add_game(&Entry::Begun(BegunGame { begun: game.place.clone(), file: name.clone() }))?;
        for (form, piece) in self.forms.clone().into_iter().zip(written.pieces) {
            let Portion::Text(text) = piece else { continue };
            let file = self.file(&name, form);
            self.make_folder_of(&file)?;
            write(&file, (form.header() + &text).as_bytes(), existing)?;
        }
        let (place, digest) = (game.place.clone(), game.digest.clone());
        self.journal.add_game(&Entry::Done(DoneGame { game: place, digest, file: name, error: written.damage }))?;
        Ok(kept)
    }

    fn are_out_of_sight(&self) -> bool {
        true
    }

    fn damage_before(&self, game: &Finished) -> Option<String> {
        self.damages.get(&game.place).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_sources_share_a_name_whatever_the_case() {
        let sources = ["cup", "a/cup", "CUP", "cup"].map(str::to_owned);
        assert_eq!(stems(&sources), ["cup", "a/cup", "CUP_2", "cup_3"]);
    }
}
