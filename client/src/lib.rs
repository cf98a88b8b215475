//! Engine processes as players: the other end of the pipe.
//!
//! [`EngineSpec`] is what somebody says about an engine. [`detect()`] starts it once before any game, and finds out
//! what was left open: its protocol, how it counts ranks and writes a FEN. [`Client`] is a running engine that plays
//! ([`Player`]) or studies positions ([`Client::study`]).
//!
//! | module | does |
//! |---|---|
//! | [`player`] | what can be asked of a player, what it answers, what it does wrong |
//! | [`time_control`] | how long a side may think, and how this is written |
//! | [`name`] | what may be called a name, and shown |
//! | `spec` | the description of an engine and its written forms |
//! | `process`, `line_queue`, `errors`, `platform` | a process, its pipes and what has arrived from it |
//! | `session` | requests and answers, whatever the protocol: deadlines, stray answers, use of time |
//! | `universal` | UCCI and UCI |
//! | `xboard` | CECP |
//! | `detect` | finds out what an engine is |
//! | `study` | what it tells of a position outside of any game |
//!
//! An answer is timed from just before its request is written until the line with it is read. Whatever an engine does
//! becomes a [`Fault`] with the last lines of the dialogue; nothing here waits for ever. Starting an engine again after
//! a fault is for the caller, and so are the rules: legality of moves, clocks and results are a referee's business.

#![forbid(unsafe_code)]

pub mod name;
pub mod player;
pub mod time_control;

mod client;
mod detect;
mod errors;
mod line_queue;
mod platform;
mod position;
mod process;
mod session;
mod spec;
mod study;
mod universal;
mod xboard;

pub use client::{Client, TimeUsed};
pub use detect::{Detected, detect};
pub use player::{Fault, Player};
pub use process::Launch;
pub use spec::{EngineSpec, FenLetters, HistoryFrom, Protocol, SpecError, TimeUnit};
pub use study::{Study, StudyLine};
