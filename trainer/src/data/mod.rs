//! Games and positions to learn from, and their formats.

mod outcome;
pub(crate) mod packed;
pub mod record;
pub mod text;

pub use outcome::Outcome;
pub use record::{Record, RecordError};
