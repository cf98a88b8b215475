//! Games from files of any kind, from folders of them and from standard input, one by one. What is in a file is the
//! business of `records`.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SendError, SyncSender, sync_channel};

use chuhe_records::games::{self, DamagedRecord, Format, RawGame};
use chuhe_records::{Omitted, Record};
use serde_json::Value;
use walkdir::WalkDir;

/// What a game is called and where it comes from, with the game if it can be understood.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its id in the file, or else the name of the file with the number of its line or game.
    pub(crate) id: Value,
    /// The rule set that its line or its tag asks for.
    pub(crate) rules: Option<String>,
    /// The game, or what is wrong with it and how much of it can be used.
    pub(crate) record: Result<Record, DamagedRecord>,
    /// Moves of variations that are no part of it.
    pub(crate) omitted: Option<Omitted>,
}

/// A game that has been cut out of its file but perhaps not read yet, so that another thread can do that.
#[derive(Debug)]
pub(crate) struct Item {
    /// Which of the sources it comes from.
    pub(crate) source: usize,
    /// The name of the file with the number of its line or game.
    pub(crate) place: String,
    game: RawGame,
}

impl Item {
    /// The number of its line or game.
    pub(crate) fn number(&self) -> u64 {
        self.game.number()
    }

    /// Reads the game.
    pub(crate) fn read(self) -> Entry {
        let games::Entry { id, ruleset, record, omitted } = self.game.read();
        Entry { id: id.unwrap_or(Value::String(self.place)), rules: ruleset, record, omitted }
    }
}

/// Says which source cannot be read or breaks off, and why.
#[derive(Debug)]
pub(crate) struct Unreadable(pub(crate) String);

/// What comes of reading sources.
#[derive(Debug)]
pub(crate) enum Event {
    /// A game.
    Game(Item),
    /// A source cannot be read, or not to its end.
    Unreadable(Unreadable),
    /// A source holds no games: what it is called.
    Empty(String),
}

/// Where games come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Source {
    /// The file; standard input if there is none.
    path: Option<PathBuf>,
    /// What it is called within the folder that was named; the name of a file that was named itself.
    name: PathBuf,
    /// What it holds, if that is not to be found out.
    format: Option<Format>,
}

impl Source {
    /// Standard input.
    fn input() -> Source {
        Source { path: None, name: PathBuf::from("stdin"), format: None }
    }

    /// Standard input, each line of which is a position or a game, whatever the first looks like.
    pub(crate) fn lines() -> Source {
        Source { format: Some(Format::Lines), ..Source::input() }
    }

    fn file(path: PathBuf, name: PathBuf) -> Source {
        Source { path: Some(path), name, format: None }
    }

    /// The sources that the command line names: standard input when it names none, or by `-`.
    pub(crate) fn all(paths: &[PathBuf]) -> Vec<Source> {
        if paths.is_empty() {
            return vec![Source::input()];
        }
        paths
            .iter()
            .map(|path| match path.file_name() {
                _ if path == Path::new("-") => Source::input(),
                name => Source::file(path.clone(), name.map_or_else(|| path.clone(), PathBuf::from)),
            })
            .collect()
    }

    /// The same, with the game files in folders and all folders below them in place of these: those with an extension of a
    /// format, in the order of their names. Hidden files are passed over, and so is `except`, where results go. What cannot
    /// be read is told to `tell`.
    pub(crate) fn all_in_folders(
        paths: &[PathBuf],
        except: Option<&Path>,
        mut tell: impl FnMut(&Unreadable),
    ) -> Vec<Source> {
        let except = except.and_then(|path| fs::canonicalize(path).ok());
        let mut sources = Vec::new();
        for source in Source::all(paths) {
            let folder = match &source.path {
                Some(path) if path.is_dir() => path,
                _ => {
                    sources.push(source);
                    continue;
                }
            };
            let is_wanted = |entry: &walkdir::DirEntry| {
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                let is_except = || except.is_some() && fs::canonicalize(entry.path()).ok() == except;
                entry.depth() == 0 || !(is_hidden || entry.file_type().is_dir() && is_except())
            };
            for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_wanted) {
                match entry {
                    Ok(entry) if entry.path().is_file() && format_of_name(entry.path()).is_some() => {
                        let name = entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned();
                        sources.push(Source::file(entry.into_path(), name));
                    }
                    Ok(_) => {}
                    Err(error) => tell(&Unreadable(format!("cannot read {error}"))),
                }
            }
        }
        sources
    }

    /// What it is called within the folder that was named; the name of a file that was named itself, `stdin` for standard
    /// input.
    pub(crate) fn name(&self) -> &Path {
        &self.name
    }

    /// The files among sources by their true places, so that none is overwritten.
    pub(crate) fn files(sources: &[Source]) -> HashSet<PathBuf> {
        sources.iter().filter_map(|source| fs::canonicalize(source.path.as_ref()?).ok()).collect()
    }

    /// What it is called in messages.
    fn title(&self) -> String {
        match &self.path {
            None => "stdin".to_owned(),
            Some(path) => readable(path),
        }
    }

    /// Opens it.
    fn open(&self) -> Result<games::Games<Input>, Unreadable> {
        let input: Box<dyn Read + Send> = match &self.path {
            None => Box::new(io::stdin()),
            Some(path) => Box::new(File::open(path).map_err(|error| self.unreadable(&error))?),
        };
        let input: Input = Box::new(BufReader::new(input));
        if let Some(format) = self.format {
            return games::Games::with_format(input, format).map_err(|error| self.unreadable(&error));
        }
        let suggested = self.path.as_deref().and_then(format_of_name);
        games::Games::new(input, suggested).map_err(|error| self.unreadable(&error))
    }

    /// Finds out beforehand whether it can be opened. Nothing is read: a pipe gives its bytes but once.
    ///
    /// # Errors
    /// A file that is not there or cannot be opened, and a folder.
    pub(crate) fn check(&self) -> Result<(), Unreadable> {
        let Some(path) = &self.path else { return Ok(()) };
        let metadata = fs::metadata(path).map_err(|error| self.unreadable(&error))?;
        if metadata.is_dir() {
            return Err(self.unreadable(&io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if metadata.is_file() {
            File::open(path).map_err(|error| self.unreadable(&error))?;
        }
        Ok(())
    }

    fn unreadable(&self, error: &dyn Display) -> Unreadable {
        Unreadable(format!("cannot read {}: {error}", self.title()))
    }
}

/// A path for people. One that is not in UTF-8, as those of old Chinese systems, is read as GB18030 (GBK); what that is not
/// either is written as escapes, so that no two paths look the same.
pub(crate) fn readable(path: &Path) -> String {
    if let Some(text) = path.to_str() {
        return text.to_owned();
    }
    let bytes = path.as_os_str().as_encoded_bytes();
    match encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(text) => text.into_owned(),
        None => bytes.escape_ascii().to_string(),
    }
}

type Input = Box<dyn BufRead + Send>;

/// What the name of a file suggests that it holds.
fn format_of_name(path: &Path) -> Option<Format> {
    Format::of_extension(path.extension()?.to_str()?)
}

/// Games that are dealt with at the same time.
pub(crate) const BATCH: usize = 256;

/// The games of sources in their order, cut out by a thread of its own while others are being dealt with.
pub(crate) struct Stream(Receiver<Event>);

impl Stream {
    /// Begins to read the sources.
    pub(crate) fn start(sources: Vec<Source>) -> Stream {
        let (sender, receiver) = sync_channel(2 * BATCH);
        // Not joined: should the output be closed, nobody waits for standard input.
        std::thread::spawn(move || send_all(&sources, &sender));
        Stream(receiver)
    }

    /// Waits for an event and takes what else is there: whoever sends games one by one gets each answer at once.
    pub(crate) fn next_batch(&self) -> Option<Vec<Event>> {
        let first = self.0.recv().ok()?;
        Some(std::iter::once(first).chain(self.0.try_iter().take(BATCH - 1)).collect())
    }
}

/// Reads all sources until nobody wants more.
fn send_all(sources: &[Source], sender: &SyncSender<Event>) -> Result<(), SendError<Event>> {
    for (index, source) in sources.iter().enumerate() {
        let title = source.title();
        let mut games = match source.open() {
            Ok(games) => games.peekable(),
            Err(unreadable) => {
                sender.send(Event::Unreadable(unreadable))?;
                continue;
            }
        };
        if games.peek().is_none() {
            sender.send(Event::Empty(title))?;
            continue;
        }
        for game in games {
            sender.send(match game {
                Ok(game) => Event::Game(Item { source: index, place: format!("{title}:{}", game.number()), game }),
                Err(error) => Event::Unreadable(source.unreadable(&error)),
            })?;
        }
    }
    Ok(())
}
