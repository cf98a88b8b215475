//! Games from files of any kind and from standard input, one by one.
//!
//! The kind of a file shows in its first line: JSON lines, lines of moves, or else a game file, which is the business of
//! `records`.

mod line;
mod lines;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use chuhe_records::{Record, pgn};
use serde_json::Value;

use crate::failure::Failure;
use lines::{Line, Lines};

/// What a game is called and where it comes from, with the game if it can be understood.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its id in the file, or else the name of the file with the number of its line or game.
    pub(crate) id: Value,
    /// The rule set that its line asks for.
    pub(crate) rules: Option<String>,
    /// The game, or what is wrong with it.
    pub(crate) record: Result<Record, String>,
}

/// A game that has been cut out of its file but perhaps not read yet, so that another thread can do that.
#[derive(Debug)]
pub(crate) struct Item {
    /// What it is called if it has no name of its own.
    place: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// A line of JSON.
    Json(Line),
    /// A line with a position and moves.
    Moves(Line),
    /// A game of a game file.
    Record(Box<Result<Record, pgn::DamagedGame>>),
}

impl Item {
    /// Reads the game.
    pub(crate) fn read(self) -> Entry {
        let place = Value::String(self.place);
        match self.content {
            Content::Record(record) => {
                Entry { id: place, rules: None, record: (*record).map_err(|error| error.to_string()) }
            }
            Content::Json(Line::Text(text)) => line::json(place, &text),
            Content::Moves(Line::Text(text)) => Entry { id: place, rules: None, record: line::moves(&text) },
            Content::Json(Line::TooLong) | Content::Moves(Line::TooLong) => {
                let limit = lines::MAX_LINE >> 20;
                Entry { id: place, rules: None, record: Err(format!("the line has more than {limit} MiB")) }
            }
        }
    }
}

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
    pub(crate) fn open(&self) -> Result<Games, Failure> {
        let unreadable = |error| self.unreadable(&error);
        let input: Box<dyn Read + Send> = match self {
            Source::Input => Box::new(io::stdin()),
            Source::File(path) => Box::new(File::open(path).map_err(unreadable)?),
        };
        Games::new(self.clone(), Box::new(BufReader::new(input))).map_err(unreadable)
    }

    /// Finds out beforehand whether it can be opened. Nothing is read: a pipe gives its bytes but once.
    ///
    /// # Errors
    /// A file that is not there or cannot be opened, and a folder.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let Source::File(path) = self else { return Ok(()) };
        let unreadable = |error| self.unreadable(&error);
        let metadata = fs::metadata(path).map_err(unreadable)?;
        if metadata.is_dir() {
            return Err(self.unreadable(&io::ErrorKind::IsADirectory.into()));
        }
        if metadata.is_file() {
            File::open(path).map_err(unreadable)?;
        }
        Ok(())
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        Failure::Usage(format!("cannot read {}: {error}", self.name()))
    }
}

type Input = Box<dyn BufRead + Send>;

/// The games of a source.
pub(crate) struct Games {
    source: Source,
    kind: Kind,
    is_over: bool,
}

enum Kind {
    Json(Lines<Input>),
    Moves(Lines<Input>),
    Pgn(Box<pgn::Reader<Input>>),
}

impl Games {
    fn new(source: Source, mut input: Input) -> io::Result<Games> {
        let (start, first_line) = lines::first_line(&mut input)?;
        let rest: Input = Box::new(Cursor::new(start).chain(input));
        let extension = match &source {
            Source::File(path) => {
                path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase)
            }
            Source::Input => None,
        };
        let kind = match extension.as_deref() {
            Some("pgn") => Kind::Pgn(Box::new(pgn::Reader::new(rest))),
            Some("json" | "jsonl" | "ndjson") => Kind::Json(Lines::new(rest)),
            _ if line::looks_like_json(&first_line) => Kind::Json(Lines::new(rest)),
            _ if line::looks_like_moves(&first_line) => Kind::Moves(Lines::new(rest)),
            _ => Kind::Pgn(Box::new(pgn::Reader::new(rest))),
        };
        Ok(Games { source, kind, is_over: false })
    }

    fn next_content(&mut self) -> Option<io::Result<(u64, Content)>> {
        match &mut self.kind {
            Kind::Json(lines) => Some(lines.next()?.map(|(number, line)| (number, Content::Json(line)))),
            Kind::Moves(lines) => Some(lines.next()?.map(|(number, line)| (number, Content::Moves(line)))),
            Kind::Pgn(reader) => {
                let record = match reader.next()? {
                    Ok(record) => Ok(record),
                    Err(pgn::PgnError::Game(damaged)) => Err(damaged),
                    Err(pgn::PgnError::Read { source, .. }) => return Some(Err(source)),
                };
                Some(Ok((reader.games(), Content::Record(Box::new(record)))))
            }
        }
    }
}

impl Iterator for Games {
    type Item = Result<Item, Failure>;

    fn next(&mut self) -> Option<Result<Item, Failure>> {
        if self.is_over {
            return None;
        }
        let content = self.next_content();
        self.is_over = !matches!(content, Some(Ok(_)));
        Some(match content? {
            Ok((number, content)) => Ok(Item { place: format!("{}:{number}", self.source.name()), content }),
            Err(error) => Err(self.source.unreadable(&error)),
        })
    }
}
