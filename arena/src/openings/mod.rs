//! Where games begin: lists of positions and lines, PGN files, opening books, random moves.
//!
//! [`Openings`] answers [`opening`](Openings::opening) by number and remembers nothing: a tournament that is continued
//! gets the same openings for the same numbers. Everything that can be wrong with a file shows when it is loaded, before
//! any game begins.
//!
//! A list has one opening a line; blank lines and lines that begin with `#` are passed over. A line is one of
//! - moves from the initial array, in ICCS, a `|` among them ignored: `h2e2 h9g7 | h0g2`;
//! - a FEN, with moves if wanted: `4k4/9/… w - - 0 1 moves e0e1`;
//! - EPD: the first four fields of a FEN and operations, of which `id "name";` is used;
//! - any of these with a name in columns between tabs; columns that are numbers do not count. Moves stand in the last
//!   column, a FEN in any.

mod chance;
mod list;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use chuhe_book::{Book, BookError};
use chuhe_movegen::{Board, FenError, Move};
use chuhe_records::pgn::{PgnError, Reader};
use chuhe_records::{MoveError, Record};
use chuhe_rules::Game;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::played::Opening;

/// Bytes of a file of openings that are read at most.
pub const MAX_FILE_SIZE: u64 = 1 << 30;
/// Plies taken from a book or made up at random unless told otherwise.
pub const DEFAULT_PLIES: usize = 8;
/// Plies taken from games in PGN unless told otherwise.
pub const DEFAULT_PGN_PLIES: usize = 16;
/// No more plies are made up at random: balanced positions get rare.
pub const MAX_RANDOM_PLIES: usize = 40;

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum OpeningSource {
    /// The initial array, always.
    StartPosition,
    /// The book that is part of the program.
    #[default]
    EmbeddedBook,
    /// Random moves from the start position.
    Random,
    /// A list of lines or positions, a PGN file or a book, whichever the file turns out to be.
    File(PathBuf),
}

impl OpeningSource {
    /// Reads what users write: `startpos`, `book`, `random`, or else the name of a file.
    #[must_use]
    pub fn from_name(name: &str) -> OpeningSource {
        match name {
            "startpos" => OpeningSource::StartPosition,
            "book" => OpeningSource::EmbeddedBook,
            "random" => OpeningSource::Random,
            path => OpeningSource::File(path.into()),
        }
    }
}

/// In which order the openings of a file are handed out. Books and random moves give others for every number anyway.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OpeningOrder {
    /// As in the file.
    Sequential,
    /// Shuffled once by the seed.
    #[default]
    Shuffled,
}

/// Which openings to play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OpeningOptions {
    /// Where they come from.
    pub source: OpeningSource,
    /// How long they are at most. `None`: lists as they are, [`DEFAULT_PGN_PLIES`] of a PGN game, [`DEFAULT_PLIES`] from
    /// a book or at random.
    pub plies: Option<usize>,
    /// In which order.
    pub order: OpeningOrder,
    /// Decides the order, the moves from a book and the random moves.
    pub seed: u64,
    /// Number of openings are passed over at the beginning.
    pub start: u64,
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is of no known kind.
    #[error("{}: neither a list of openings in UTF-8 nor PGN nor a book", .path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The file holds no opening.
    #[error("{}: no openings, expected at least one", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A line of a list is wrong.
    #[error("{}, line {line}: {fault}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: OpeningFault,
    },
    /// A PGN file is wrong.
    #[error("{}, {source}", .path.display())]
    Pgn {
        /// The file.
        path: PathBuf,
        /// Which game, where and why.
        source: PgnError,
    },
    /// A book is wrong.
    #[error("{}: {source}", .path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: BookError,
    },
    /// More random moves than can be balanced.
    #[error("{found} random plies, expected at most {MAX_RANDOM_PLIES}")]
    TooManyPlies {
        /// The number asked for.
        found: usize,
    },
}

/// What is wrong with an opening in a list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningFault {
    /// The position.
    #[error("{0}")]
    Fen(#[from] FenError),
    /// A move.
    #[error("ply {ply}: found `{word}`, {source}")]
    Move {
        /// Which move, from 1.
        ply: usize,
        /// The word, shortened.
        word: String,
        /// What was expected.
        source: MoveError,
    },
    /// The game is over before it begins.
    #[error("the side to move has no legal move, expected a position that can be played")]
    Over,
}

/// An opening in a file. Its moves are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    name: String,
    start: Board,
    moves: Vec<Move>,
}

impl Line {
    fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for &mv in &self.moves {
            game.play(mv).expect("the moves were played when the line was read");
        }
        game
    }
}

#[derive(Clone, Debug)]
enum Source {
    Lines(Vec<Line>),
    Book { book: Book, plies: usize },
    Random { plies: usize },
}

/// Openings by number. The same options always give the same openings.
#[derive(Clone, Debug)]
pub struct Openings {
    source: Source,
    seed: u64,
    start: u64,
}

impl Openings {
    /// Loads all that is needed.
    ///
    /// # Errors
    /// [`OpeningsError`] names the file, the place, what was found and what was expected.
    pub fn load(options: &OpeningOptions) -> Result<Openings, OpeningsError> {
        let plies = options.plies.unwrap_or(DEFAULT_PLIES);
        let mut source = match &options.source {
            OpeningSource::StartPosition => {
                Source::Lines(vec![Line { name: String::new(), start: Board::startpos(), moves: Vec::new() }])
            }
            OpeningSource::EmbeddedBook => Source::Book { book: Book::embedded(), plies },
            OpeningSource::Random if plies > MAX_RANDOM_PLIES => {
                return Err(OpeningsError::TooManyPlies { found: plies });
            }
            OpeningSource::Random => Source::Random { plies },
            OpeningSource::File(path) => load_file(path, options.plies)?,
        };
        if let (Source::Lines(lines), OpeningOrder::Shuffled) = (&mut source, options.order) {
            lines.shuffle(&mut ChaCha8Rng::seed_from_u64(options.seed));
        }
        Ok(Openings { source, seed: options.seed, start: options.start })
    }

    /// The opening of this number, from 0. When a file has no more, it begins again.
    #[must_use]
    pub fn opening(&self, index: u64) -> Opening {
        let number = self.start.wrapping_add(index);
        // One seed, and a stream of the generator for each number: no opening depends on another.
        let rng = || {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(number);
            rng
        };
        match &self.source {
            Source::Lines(lines) => {
                let line = &lines[(number % lines.len() as u64) as usize];
                Opening { name: line.name.clone(), game: line.game() }
            }
            Source::Book { book, plies } => {
                Opening { name: format!("book {number}"), game: chance::walk(book, *plies, &mut rng()) }
            }
            Source::Random { plies } => {
                Opening { name: format!("random {number}"), game: chance::random(*plies, &mut rng()) }
            }
        }
    }

    /// How many different openings there are; `None` when there is no end of them.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        match &self.source {
            Source::Lines(lines) => Some(lines.len()),
            Source::Book { .. } | Source::Random { .. } => None,
        }
    }
}

fn load_file(path: &Path, plies: Option<usize>) -> Result<Source, OpeningsError> {
    let owned = || path.to_owned();
    let bytes =
        chuhe_files::read(path, MAX_FILE_SIZE).map_err(|source| OpeningsError::Read { path: owned(), source })?;
    let lines = if is_pgn(path, &bytes) {
        read_pgn(&bytes, plies.unwrap_or(DEFAULT_PGN_PLIES))
            .map_err(|source| OpeningsError::Pgn { path: owned(), source })?
    } else if let Some(text) = as_text(&bytes) {
        list::read(text, plies.unwrap_or(usize::MAX)).map_err(|(line, fault)| OpeningsError::Line {
            path: owned(),
            line,
            fault,
        })?
    } else if chuhe_book::Format::detect(&bytes).is_some() {
        let book = Book::from_bytes(&bytes).map_err(|source| OpeningsError::Book { path: owned(), source })?;
        return Ok(Source::Book { book, plies: plies.unwrap_or(DEFAULT_PLIES) });
    } else {
        return Err(OpeningsError::UnknownFormat { path: owned() });
    };
    let lines = without_repetitions(lines);
    if lines.is_empty() { Err(OpeningsError::Empty { path: owned() }) } else { Ok(Source::Lines(lines)) }
}

/// By its name, or because it begins with a tag.
fn is_pgn(path: &Path, bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
        || bytes.trim_ascii_start().starts_with(b"[")
}

fn as_text(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    (!text.contains('\0')).then(|| text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn read_pgn(bytes: &[u8], plies: usize) -> Result<Vec<Line>, PgnError> {
    let mut lines = Vec::new();
    let mut reader = Reader::new(bytes);
    while let Some(record) = reader.next().transpose()? {
        let line = Line {
            name: name_of(&record, reader.games()),
            moves: record.main_line().map(|(mv, _)| mv).take(plies).collect(),
            start: record.start,
        };
        // A short game can be over before it is cut; it is a game, not a faulty opening.
        if line.game().board().has_legal_move() {
            lines.push(line);
        }
    }
    Ok(lines)
}

fn name_of(record: &Record, number: u64) -> String {
    match (record.tags.opening(), record.tags.variation()) {
        (Some(opening), Some(variation)) => format!("{opening} {variation}"),
        (Some(opening), None) => opening.to_owned(),
        _ => format!("game {number}"),
    }
}

/// Cutting makes lines equal: each is kept once, where it came first.
fn without_repetitions(mut lines: Vec<Line>) -> Vec<Line> {
    let mut seen = HashSet::new();
    lines.retain(|line| seen.insert((line.start.to_fen(), line.moves.clone())));
    lines
}
