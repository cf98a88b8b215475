//! Pictures and words: boards as SVG and as text, a page to step through games, rulings explained, and the reports of a
//! tournament and of analyzed games.
//!
//! Everything is a pure function from plain values to text. A page is one file that needs no network and no fonts beyond
//! those of the reader's machine: even the characters on the pieces are drawn with strokes of our own. What others wrote
//! (names, reasons, comments) is isolated, loses the characters that do not show themselves, and can never become part of the
//! page's markup; a content security policy allows no script and no style but ours, by their hashes.
//!
//! | module | makes |
//! |---|---|
//! | [`board`] | a position as an SVG picture or as text |
//! | [`page`] | the viewer: games to step through by key, mouse or finger |
//! | [`ruling`] | why a repetition is lost or drawn, in English or Chinese, as text and as a page to sign |
//! | [`analysis`] | analyzed games on one page: chances, marks, best lines, how well each side played |
//! | [`tournament`] | standings, cross table, Elo, SPRT and games of a tournament on one page |
//!
//! ```
//! use chuhe_movegen::Board;
//! use chuhe_report::board::{BoardStyle, Marks, svg};
//!
//! let start = Board::startpos();
//! let mv = "h2e2".parse()?;
//! let picture = svg(&start.play(mv)?, &Marks { last_move: Some(mv), ..Marks::default() }, &BoardStyle::default());
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod analysis;
pub mod board;
mod foreign;
mod language;
pub mod page;
pub mod ruling;
pub mod table;
pub mod tournament;

pub use language::Language;
pub use table::{Column, ColumnKind, Fact, Heading, Table};
