//! Opening books: which moves are known to be good in a position, and how often each should be chosen.
//!
//! Three formats are read, told apart by content and never by name:
//!
//! | format | what it is | module documentation |
//! |---|---|---|
//! | [`Format::Chuhe`] | our own sorted records, built from opening lines by [`build`] or from games by [`GameCounts`] | [`native`] |
//! | [`Format::ElephantEye`] | `BOOK.DAT` of ElephantEye and 象棋小巫师 | [`eleeye`] |
//! | [`Format::Obk`] | the SQLite books of 兵河五四 and its relatives (with the feature `obk`) | [`obk`] |
//!
//! Whatever the file, a book is held as one sorted array of records in memory and answers with legal moves only: a
//! collision of keys or a forged file can make it silent or weak, never wrong. A position and its left–right mirror
//! image are one entry; the position with colours exchanged is a different one, since Red and Black have different
//! repertoires.
//!
//! Chance is the caller's: [`Book::choose`] takes any generator of the `rand` crate.
//!
//! ```
//! use chuhe_book::Books;
//! use chuhe_movegen::Board;
//!
//! let books = Books::embedded();
//! let entries = books.probe(&Board::startpos());
//! assert!(entries.iter().any(|entry| entry.mv.to_string() == "h2e2"));
//! ```

#![forbid(unsafe_code)]

mod book;
pub mod eleeye;
mod error;
mod games;
mod keys;
mod lines;
pub mod native;
pub mod obk;
mod records;

pub use book::{Book, Books, Entries, Entry, Format, pick};
pub use error::{BookError, Fault};
pub use games::GameCounts;
pub use lines::{LineFault, LinesError, OpeningLine, build, is_lines, parse_lines};

/// Bytes of a file with a book, or with the lines of one, that are worth reading: far more than any book has.
pub const MAX_FILE_SIZE: u64 = 1 << 30;
