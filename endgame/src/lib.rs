//! What is known exactly: tables of endgames with few pieces.
//!
//! A *class* is what both sides have ([`Class`]). For each position of a class and each side to move a *table* tells
//! the [`Value`]: won or lost by force, drawn under every rule of repetition, or left to these rules; and where it has
//! them the half-moves to mate. Stalemate loses, as mate does. [`Tables`] are embedded in the program, or opened from a
//! folder, and probed.
//!
//! ```
//! use chuhe_endgame::{Tables, Value};
//! use chuhe_movegen::Board;
//!
//! let tables = Tables::embedded();
//! // A rook does not win against two advisors and two elephants (单车对士象全: 例和).
//! let board: Board = "2bak1b2/4a4/9/9/9/9/9/9/4R4/3K5 w".parse()?;
//! assert_eq!(tables.probe(&board).map(|probe| probe.value), Some(Value::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables are made by retrograde analysis ([`build_in_folder`]) and checked by another way than they are made
//! ([`verify`]). `docs/endgames.md` explains what the values mean and how that is proved.

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "build"), allow(dead_code, reason = "some parts serve the builder alone"))]

mod answer;
#[cfg(feature = "build")]
mod build;
mod file;
mod guards;
#[cfg(feature = "build")]
mod idle;
mod layout;
mod listing;
mod material;
#[cfg(feature = "build")]
mod repetition;
#[cfg(feature = "build")]
mod scene;
mod sets;
#[cfg(feature = "build")]
mod solve;
#[cfg(feature = "build")]
mod table;
mod tables;
mod value;
#[cfg(feature = "build")]
mod verify;

pub use answer::Answer;
#[cfg(feature = "build")]
pub use build::{BuildError, Watcher, build_in_folder, build_in_memory, pack_set, plan, work};
pub use file::{Counts, FileError, TableInfo};
pub use layout::ClassTooBig;
pub use listing::{Listed, list};
pub use material::{Army, Class, ParseClassError};
pub use sets::ClassSet;
#[cfg(feature = "build")]
pub use table::MissingClass;
pub use tables::{ByRules, Probe, Tables};
#[cfg(feature = "files")]
pub use tables::{FILE_EXTENSION, OpenError};
pub use value::{RuleWins, Value};
#[cfg(feature = "build")]
pub use verify::{Extent, Fault, Report, verify};
