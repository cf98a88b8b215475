//! Engine processes as players.
//!
//! [`EngineSpec`] is what the organiser says about an engine. [`detect()`] starts it once before any game, and finds out
//! what was left open: its protocol, how it counts ranks and writes a FEN. [`Client`] is a running engine that plays.
//!
//! | module | does |
//! |---|---|
//! | `spec` | the description and its written forms |
//! | `process`, `inbox`, `errors`, `platform` | a process, its pipes and what has arrived from it |
//! | `session` | requests and answers, whatever the protocol: deadlines, stray answers, use of time |
//! | `universal` | UCCI and UCI |
//! | `xboard` | CECP |
//! | `detect` | finds out what an engine is |
//! | `study` | what it tells of a position outside of any game |
//!
//! An answer is timed from just before its request is written until the line with it is read. Whatever an engine does
//! becomes a [`Fault`] with the last lines of the dialogue; nothing here waits for ever. Starting an engine again after
//! a fault is for the caller.

mod client;
mod detect;
mod errors;
mod inbox;
mod platform;
mod position;
mod process;
mod session;
mod spec;
mod study;
mod universal;
mod xboard;

pub use client::{Client, Usage};
pub use detect::{Detected, detect};
pub use process::Launch;
pub use spec::{EngineSpec, FenLetters, History, Protocol, SpecError, TimeUnit};
pub use study::{Study, StudyLine};

#[cfg(doc)]
use crate::player::Fault;
