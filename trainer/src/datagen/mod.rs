//! Games of the engine against itself, from random openings: what networks learn from.
//!
//! The rules of generation follow those of Viridithas and Stormphrax: whole iterations within a soft limit of nodes,
//! openings of random moves that a search finds level, games broken off when the scores of both sides agree on the
//! result, and some games never broken off. Games end by the real rules of repetition.
//!
//! Each game depends on the seed and its own number alone: neither on the number of threads nor on what was played
//! before it.

mod adjudicate;
mod opening;
mod play;
mod run;
mod settings;

pub(crate) use opening::random_moves;
pub use run::generate;
pub(crate) use settings::{GENERATOR, HARD_FACTOR, network_name, new_engine};
pub use settings::{Settings, fingerprint};
