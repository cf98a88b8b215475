//! Game records: what a game file holds, the names of moves, and the files themselves. No other crate knows a format of
//! game files.
//!
//! A [`Record`] is what is common to all formats: tags, a start position, a [`GameTree`] of moves with variations and
//! comments, and a result. It is plain data; whether its moves are legal shows [`Record::to_game`].
//!
//! [`games`] reads files of every kind and finds out which kind that is; all moves of its records are legal. Each format
//! that is written has a module: [`pgn`], [`json`], [`xqf`], [`dhtmlxq`] and [`mod@line`]; [`export`] writes any of them.
//!
//! ```
//! use chuhe_records::{GameResult, Record};
//!
//! let mut record = Record::default();
//! record.tags.set("Red", "Hu Ronghua");
//! let id = record.tree.push("h2e2".parse()?);
//! record.tree.set_comment(id, "the central cannon");
//! record.result = GameResult::Draw;
//! assert_eq!(record.to_game()?.plies().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod ccbridge;
mod damage;
pub mod dhtmlxq;
mod draft;
pub mod export;
mod fen;
pub mod games;
pub mod json;
pub mod line;
mod lines;
pub mod notation;
mod page;
pub mod pgn;
mod placement;
mod plain;
mod programs;
mod record;
mod tags;
mod text;
mod tree;
pub mod xqf;

pub use damage::{Damage, Flaw, Omitted};
pub use notation::{ChineseStyle, MoveError, Notation};
pub use record::{GameResult, IllegalPly, Record, UnknownResult};
pub use tags::Tags;
pub use text::TextEncoding;
pub use tree::{GameTree, Line, MAX_DEPTH, NodeId};
