//! Books, and several of them in order.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

use arrayvec::ArrayVec;
use chuhe_movegen::{Board, MAX_MOVES, Move};
use rand::{Rng, RngExt};

use crate::records::Records;
use crate::{BookError, eleeye, native, obk};

/// The book that is part of the program; `chuhe book build` makes it from `data/openings.txt`.
static EMBEDDED: &[u8] = include_bytes!("../data/chuhe.book");

/// The formats that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Our own.
    Chuhe,
    /// `BOOK.DAT` of ElephantEye.
    ElephantEye,
    /// SQLite books of 兵河五四.
    Obk,
}

impl Format {
    /// Tells the format by the content; `None` when nothing fits.
    pub fn detect(bytes: &[u8]) -> Option<Format> {
        if bytes.starts_with(native::MAGIC) {
            Some(Format::Chuhe)
        } else if bytes.starts_with(obk::MAGIC) {
            Some(Format::Obk)
        } else if eleeye::looks_like(bytes) {
            Some(Format::ElephantEye)
        } else {
            None
        }
    }

    /// The key under which books of this format store a position.
    fn key(self, board: &Board) -> u64 {
        match self {
            Format::Chuhe => native::key(board),
            Format::ElephantEye => u64::from(eleeye::key(board)),
            Format::Obk => obk::key(board) as u64,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Chuhe => "Chuhe",
            Format::ElephantEye => "ElephantEye",
            Format::Obk => "OBK",
        })
    }
}

/// A move that a book knows in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The move; always legal in the position that was asked about.
    pub mv: Move,
    /// How much it is preferred, against the other moves of the same position. In our own format the number of master
    /// games; in the others whatever their authors count. 0 means "known, but not to be played while there is
    /// another".
    pub weight: u32,
}

/// The moves that a book knows in one position, the heaviest first.
pub type Entries = ArrayVec<Entry, MAX_MOVES>;

/// Chooses one of several moves, each as often as its weight says; evenly when all weights are 0.
///
/// Serves callers that strike out moves of [`Book::probe`] first, such as those banned by `banmoves`.
pub fn pick<R: Rng + ?Sized>(entries: &[Entry], rng: &mut R) -> Option<Move> {
    let total: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    if total == 0 {
        return if entries.is_empty() { None } else { Some(entries[rng.random_range(0..entries.len())].mv) };
    }
    let mut ticket = rng.random_range(0..total);
    for entry in entries {
        match ticket.checked_sub(u64::from(entry.weight)) {
            Some(rest) => ticket = rest,
            None => return Some(entry.mv),
        }
    }
    None
}

/// An opening book in memory.
#[derive(Clone, Debug)]
pub struct Book {
    format: Format,
    records: Records,
}

impl Book {
    /// The book that is part of the program. It is checked in place: nothing is copied or allocated.
    ///
    /// # Panics
    /// Never in a program that was built from an unharmed tree; a test loads the book.
    pub fn embedded() -> Book {
        let records = native::read(Cow::Borrowed(EMBEDDED)).expect("the embedded book is valid");
        Book { format: Format::Chuhe, records }
    }

    /// Reads a book of any of the formats, told apart by their content.
    ///
    /// # Errors
    /// [`BookError`] says what was found, where, and what was expected. Memory used is bounded by a small multiple of
    /// `bytes.len()`, whatever the content claims.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let format = Format::detect(bytes).ok_or(BookError::UnknownFormat { len: bytes.len() })?;
        let records = match format {
            Format::Chuhe => native::read(Cow::Owned(bytes.to_vec()))?,
            Format::ElephantEye => eleeye::read(bytes)?,
            Format::Obk => obk::read(bytes)?,
        };
        Ok(Book { format, records })
    }

    /// The format that was read.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Number of records: moves of all positions together.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether the book knows nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The legal moves stored for this position, the heaviest first; if there are none, those of its left–right mirror
    /// image, mirrored back.
    pub fn probe(&self, board: &Board) -> Entries {
        let entries = self.lookup(board, self.format.key(board), |mv| mv);
        if !entries.is_empty() {
            return entries;
        }
        let mirrored = self.format.key(&board.mirror_files());
        self.lookup(board, mirrored, Move::mirror_file)
    }

    fn lookup(&self, board: &Board, key: u64, turn: impl Fn(Move) -> Move) -> Entries {
        let mut entries = Entries::new();
        for (mv, weight) in self.records.find(key) {
            let mv = turn(mv);
            // Keys of 32 and 64 bits collide and files may be forged: the board has the last word. Distinct legal
            // moves always fit the list.
            if board.play(mv).is_err() || entries.iter().any(|entry| entry.mv == mv) {
                continue;
            }
            if entries.try_push(Entry { mv, weight }).is_err() {
                break;
            }
        }
        entries.sort_by_key(|entry| Reverse(entry.weight));
        entries
    }

    /// Chooses a move for this position, each as often as its weight says (see [`pick`]).
    pub fn choose<R: Rng + ?Sized>(&self, board: &Board, rng: &mut R) -> Option<Move> {
        pick(&self.probe(board), rng)
    }
}

/// Several books in order of preference: the first that knows a position answers.
#[derive(Clone, Debug, Default)]
pub struct Books {
    books: Vec<Book>,
}

impl Books {
    /// No books.
    pub fn new() -> Books {
        Books::default()
    }

    /// The embedded book alone.
    pub fn embedded() -> Books {
        Books { books: vec![Book::embedded()] }
    }

    /// Adds a book behind the others.
    pub fn push(&mut self, book: Book) {
        self.books.push(book);
    }

    /// The books in order.
    pub fn iter(&self) -> impl Iterator<Item = &Book> {
        self.books.iter()
    }

    /// Whether there is no book.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// What the first book that knows this position or its mirror image says, the heaviest move first.
    pub fn probe(&self, board: &Board) -> Entries {
        self.books.iter().map(|book| book.probe(board)).find(|entries| !entries.is_empty()).unwrap_or_default()
    }

    /// Chooses a move from what [`Books::probe`] gives (see [`pick`]).
    pub fn choose<R: Rng + ?Sized>(&self, board: &Board, rng: &mut R) -> Option<Move> {
        pick(&self.probe(board), rng)
    }
}

impl FromIterator<Book> for Books {
    fn from_iter<I: IntoIterator<Item = Book>>(books: I) -> Books {
        Books { books: books.into_iter().collect() }
    }
}
