//! A folder with files for each game, and the journal that tells which games are done.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::form::{Form, Piece};
use super::journal::{BegunGame, DoneGame, Entry, Journal};
use super::pool::{DoneGames, Finished};
use super::results::Results;
use super::work::{Task, Written};
use crate::failure::{CommandResult, Failure, say};
use crate::games::{Source, readable};

/// The name of a file while it is being written.
const BEGUN: &str = ".part";

/// What a run does with every game; only a run that does the same can go on with its results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    engine: String,
    limits: String,
    multipv: usize,
    rules: String,
    books: Vec<String>,
    formats: Vec<String>,
    notation: Option<String>,
    lang: String,
}

impl Run {
    /// `engine` is all that the engine's results depend on but the limits.
    pub(super) fn new(engine: String, task: &Task, books: &[PathBuf]) -> Run {
        Run {
            engine,
            limits: task.setup.limits.to_string(),
            multipv: task.setup.multi_pv,
            rules: task.rules.name().to_owned(),
            books: books.iter().map(|path| readable(path)).collect(),
            formats: task.forms.iter().map(|form| form.extension().to_owned()).collect(),
            notation: task.notation.map(|notation| format!("{notation:?}")),
            lang: task.language.code().to_owned(),
        }
    }

    /// What this run does otherwise than an earlier one.
    pub(super) fn difference(&self, earlier: &Run) -> Option<String> {
        let fields = |run: &Run| {
            [
                ("engine", run.engine.clone()),
                ("limits", run.limits.clone()),
                ("multipv", run.multipv.to_string()),
                ("rules", run.rules.clone()),
                ("book", run.books.join(", ")),
                ("format", run.formats.join(",")),
                ("notation", run.notation.clone().unwrap_or_default()),
                ("lang", run.lang.clone()),
            ]
        };
        fields(self)
            .into_iter()
            .zip(fields(earlier))
            .find(|(now, then)| now != then)
            .map(|((name, now), (_, then))| format!("{name} was {then:?} and is {now:?}"))
    }
}

/// A folder that is being filled.
pub(super) struct Folder {
    path: PathBuf,
    forms: Vec<Form>,
    journal: Journal,
    done: DoneGames,
    /// What is wrong with the records of games that are done.
    damages: HashMap<String, String>,
    /// For each source the name of the files of its games, without a number: no two are the same.
    stems: Vec<String>,
    /// Whose files have which names, without their extensions and in lower case: some systems do not tell the cases apart.
    names: HashMap<String, String>,
}

impl Folder {
    /// Makes the folder unless it is there, and finds out what an earlier run has left.
    pub(super) fn open(
        path: &Path,
        sources: &[Source],
        run: &Run,
        forms: &[Form],
        resume: bool,
    ) -> Result<Folder, Failure> {
        make(path)?;
        let (journal, earlier) = Journal::open(path, run, resume)?;
        // What a run that was killed was writing.
        let _ = fs::remove_file(path.join(BEGUN));
        let mut folder = Folder {
            path: path.to_owned(),
            forms: forms.to_vec(),
            journal,
            done: DoneGames::new(),
            damages: HashMap::new(),
            stems: stems(sources),
            names: HashMap::new(),
        };
        for entry in earlier {
            let DoneGame { game, digest, file, error } = match entry {
                Entry::Done(done) => done,
                Entry::Begun(BegunGame { begun, file }) => {
                    folder.names.insert(file.to_lowercase(), begun);
                    continue;
                }
            };
            folder.damages.extend(error.map(|error| (game.clone(), error)));
            // Files that somebody has taken away are made again.
            if folder.forms.iter().all(|form| folder.file(&file, form.extension()).is_file()) {
                folder.done.insert(game.clone(), digest);
            }
            folder.names.insert(file.to_lowercase(), game);
        }
        Ok(folder)
    }

    /// The games that are done.
    pub(super) fn done(&self) -> DoneGames {
        self.done.clone()
    }

    fn file(&self, name: &str, extension: &str) -> PathBuf {
        self.path.join(format!("{name}.{extension}"))
    }

    /// A name for the files of a game that neither another game nor a file of somebody else's has: that of its source, with
    /// its number there.
    fn name(&mut self, game: &Finished) -> String {
        let (source, number) = game.origin;
        let wanted = format!("{}-{number:04}", self.stems[source]);
        let mut name = wanted.clone();
        // An earlier run may have had other sources.
        for copy in 2.. {
            let key = name.to_lowercase();
            let foreign = |form: &Form| Some(self.file(&name, form.extension())).filter(|file| file.exists());
            match self.names.get(&key) {
                Some(owner) if *owner == game.place => break,
                Some(_) => {}
                None => match self.forms.iter().find_map(foreign) {
                    Some(file) => say(&format!("note: {} is there already, and stays", file.display())),
                    None => {
                        self.names.insert(key, game.place.clone());
                        break;
                    }
                },
            }
            name = format!("{wanted}_{copy}");
        }
        name
    }
}

/// The names of sources within the folders that were named, without their extensions; with a number where two would be the
/// same.
fn stems(sources: &[Source]) -> Vec<String> {
    let mut taken = HashSet::new();
    let free = |source: &Source| {
        let wanted = readable(&source.name().with_extension(""));
        let copies = (2..).map(|copy| format!("{wanted}_{copy}"));
        let stem = std::iter::once(wanted.clone()).chain(copies).find(|stem| taken.insert(stem.to_lowercase()));
        stem.unwrap_or(wanted)
    };
    sources.iter().map(free).collect()
}

fn make(folder: &Path) -> CommandResult {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Usage(format!("cannot make the folder {}: {error}", folder.display())))
}

impl Results for Folder {
    /// Writes the files of a game, each whole or not at all, and then into the journal that they are there.
    fn write(&mut self, game: &Finished, written: Written) -> CommandResult {
        let name = self.name(game);
        self.journal.add_game(&Entry::Begun(BegunGame { begun: game.place.clone(), file: name.clone() }))?;
        for (form, piece) in self.forms.iter().zip(written.pieces) {
            let Piece::Text(text) = piece else { continue };
            let file = self.file(&name, form.extension());
            file.parent().map_or(Ok(()), make)?;
            let begun = self.path.join(BEGUN);
            fs::write(&begun, form.header() + &text)
                .and_then(|()| fs::rename(&begun, &file))
                .map_err(|error: io::Error| Failure::Usage(format!("cannot write {}: {error}", file.display())))?;
        }
        let (place, digest) = (game.place.clone(), game.digest.clone());
        self.journal.add_game(&Entry::Done(DoneGame { game: place, digest, file: name, error: written.damage }))
    }

    fn are_out_of_sight(&self) -> bool {
        true
    }

    fn damage_before(&self, game: &Finished) -> Option<String> {
        self.damages.get(&game.place).cloned()
    }

    fn interrupted(&self, games: u64) -> String {
        format!("interrupted: {} keeps {games} games, --resume goes on", self.path.display())
    }
}
