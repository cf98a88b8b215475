//! Games and positions to learn from, and their formats.

pub mod filter;
pub mod game;
pub mod labelled;
mod outcome;
pub mod packed;
pub mod record;
pub mod statistics;
pub mod text;

pub use outcome::GameOutcome;
pub use record::{Record, RecordError};
