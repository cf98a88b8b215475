//! Where games come from.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use chuhe_records::games::{Format, Games};
use walkdir::WalkDir;

use super::tally::{Note, Tally, Unreadable};
use crate::paths::readable;

/// The games that the command line names.
#[derive(clap::Args)]
pub(crate) struct InputArgs {
    /// Game files and folders; standard input if none are given, or for `-`
    #[arg(value_name = "IN")]
    inputs: Vec<PathBuf>,
}

impl InputArgs {
    /// What the command line names.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.inputs
    }

    /// The sources that can be opened: files as they are named, and the game files in folders and all folders below them,
    /// those with an extension of a format, in the order of their names. Hidden files are passed over, and so is `except`,
    /// where results go. What cannot be read is told, and counted by the tally.
    pub(crate) fn sources(&self, except: Option<&Path>, tally: &mut Tally) -> Vec<Source> {
        let mut unreadable = |unreadable| tally.note(&Note::Unreadable(unreadable));
        let mut sources = all_in_folders(&self.inputs, except, &mut unreadable);
        sources.retain(|source| source.check().map_err(&mut unreadable).is_ok());
        sources
    }
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

    /// The name of its results: what it is called within the folder that was named, the name of a file that was named
    /// itself, or `stdin`; without the extension.
    pub(crate) fn stem(&self) -> PathBuf {
        self.name.with_extension("")
    }

    /// The files among sources by their true places, so that none is overwritten.
    pub(crate) fn files(sources: &[Source]) -> HashSet<PathBuf> {
        sources.iter().filter_map(|source| fs::canonicalize(source.path.as_ref()?).ok()).collect()
    }

    /// What it is called in messages.
    pub(super) fn title(&self) -> String {
        match &self.path {
            None => "stdin".to_owned(),
            Some(path) => readable(path),
        }
    }

    /// Opens it.
    pub(super) fn open(&self) -> Result<Games<Input>, Unreadable> {
        let input: Box<dyn Read + Send> = match &self.path {
            None => Box::new(io::stdin()),
            Some(path) => Box::new(File::open(path).map_err(|error| self.unreadable(&error))?),
        };
        let input: Input = Box::new(BufReader::new(input));
        if let Some(format) = self.format {
            return Games::with_format(input, format).map_err(|error| self.unreadable(&error));
        }
        let suggested = self.path.as_deref().and_then(format_of_name);
        Games::new(input, suggested).map_err(|error| self.unreadable(&error))
    }

    /// Finds out beforehand whether it can be opened. Nothing is read: a pipe gives its bytes but once.
    fn check(&self) -> Result<(), Unreadable> {
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

    pub(super) fn unreadable(&self, error: &dyn Display) -> Unreadable {
        Unreadable(format!("cannot read {}: {error}", self.title()))
    }
}

/// The sources that the command line names: standard input when it names none, or by `-`.
fn named(paths: &[PathBuf]) -> Vec<Source> {
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

/// The same, with the game files in folders in place of these.
fn all_in_folders(paths: &[PathBuf], except: Option<&Path>, tell: &mut impl FnMut(Unreadable)) -> Vec<Source> {
    let except = except.and_then(|path| fs::canonicalize(path).ok());
    let mut sources = Vec::new();
    for source in named(paths) {
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
                Err(error) => tell(Unreadable(format!("cannot read {error}"))),
            }
        }
    }
    sources
}

pub(super) type Input = Box<dyn BufRead + Send>;

/// What the name of a file suggests that it holds.
fn format_of_name(path: &Path) -> Option<Format> {
    Format::of_extension(path.extension()?.to_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_read_with_all_below_but_what_is_hidden_and_where_results_go() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["b.pgn", "sub/a.XQF", ".hidden.pgn", ".git/c.pgn", "out/d.pgn", "picture.png"] {
            fs::create_dir_all(path(name).parent().expect("a folder")).expect("made");
            fs::write(path(name), "").expect("written");
        }
        let args = InputArgs { inputs: vec![path("b.pgn"), folder.path().to_owned(), path("picture.png"), path("no")] };
        let mut tally = Tally::default();
        let sources = args.sources(Some(&path("out")), &mut tally);
        let stems: Vec<PathBuf> = sources.iter().map(Source::stem).collect();
        assert_eq!(stems, ["b", "b", "sub/a", "picture"].map(PathBuf::from));
        assert!(tally.result(None).is_err(), "there is no file `no`");
        assert_eq!(Source::files(&sources).len(), 3);
    }
}
