//! Games from files of any kind and from standard input, one by one. What is in a file is the business of `records`.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use chuhe_records::Record;
use chuhe_records::games::{self, Format, RawGame};
use serde_json::Value;

/// What a game is called and where it comes from, with the game if it can be understood.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its id in the file, or else the name of the file with the number of its line or game.
    pub(crate) id: Value,
    /// The rule set that its line or its tag asks for.
    pub(crate) rules: Option<String>,
    /// The game, or what is wrong with it.
    pub(crate) record: Result<Record, String>,
}

/// A game that has been cut out of its file but perhaps not read yet, so that another thread can do that.
#[derive(Debug)]
pub(crate) struct Item {
    /// What it is called if it has no name of its own.
    place: String,
    game: RawGame,
}

impl Item {
    /// Reads the game.
    pub(crate) fn read(self) -> Entry {
        let games::Entry { id, ruleset, record, .. } = self.game.read();
        Entry {
            id: id.unwrap_or(Value::String(self.place)),
            rules: ruleset,
            record: record.map_err(|error| error.to_string()),
        }
    }
}

/// Says which source cannot be read or breaks off, and why.
#[derive(Debug)]
pub(crate) struct Unreadable(pub(crate) String);

/// Where games come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Standard input.
    Input,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// The sources that the command line names: standard input when it names none, or by `-`.
    pub(crate) fn all(paths: &[PathBuf]) -> Vec<Source> {
        if paths.is_empty() {
            return vec![Source::Input];
        }
        paths
            .iter()
            .map(|path| if path == Path::new("-") { Source::Input } else { Source::File(path.clone()) })
            .collect()
    }

    /// What it is called.
    fn name(&self) -> String {
        match self {
            Source::Input => "stdin".to_owned(),
            Source::File(path) => path.display().to_string(),
        }
    }

    /// Opens it.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn open(&self) -> Result<Games, Unreadable> {
        let unreadable = |error: io::Error| self.unreadable(&error);
        let input: Box<dyn Read + Send> = match self {
            Source::Input => Box::new(io::stdin()),
            Source::File(path) => Box::new(File::open(path).map_err(unreadable)?),
        };
        let extension = match self {
            Source::Input => None,
            Source::File(path) => path.extension().and_then(|extension| extension.to_str()),
        };
        let input: Input = Box::new(BufReader::new(input));
        let suggested = extension.and_then(Format::of_extension);
        let games = games::Games::new(input, suggested).map_err(|error| self.unreadable(&error))?;
        Ok(Games { source: self.clone(), games })
    }

    /// Finds out beforehand whether it can be opened. Nothing is read: a pipe gives its bytes but once.
    ///
    /// # Errors
    /// A file that is not there or cannot be opened, and a folder.
    pub(crate) fn check(&self) -> Result<(), Unreadable> {
        let Source::File(path) = self else { return Ok(()) };
        let unreadable = |error| self.unreadable(&error);
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(self.unreadable(&io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if metadata.is_file() {
            File::open(path).map_err(unreadable)?;
        }
        Ok(())
    }

    fn unreadable(&self, error: &dyn Display) -> Unreadable {
        Unreadable(format!("cannot read {}: {error}", self.name()))
    }
}

type Input = Box<dyn BufRead + Send>;

/// The games of a source.
pub(crate) struct Games {
    source: Source,
    games: games::Games<Input>,
}

impl Iterator for Games {
    type Item = Result<Item, Unreadable>;

    fn next(&mut self) -> Option<Result<Item, Unreadable>> {
        Some(match self.games.next()? {
            Ok(game) => Ok(Item { place: format!("{}:{}", self.source.name(), game.number()), game }),
            Err(error) => Err(self.source.unreadable(&error)),
        })
    }
}
