//! What `chuhe-train` does: games of the engine against itself, their formats, the fitting of evaluations and training of
//! networks on them, and suites of openings to test with.

pub mod data;
pub mod datagen;
pub mod hce;
mod pool;
pub use pool::{Threads, wait_while_locked};
pub mod progress;
pub mod rescore;
pub mod suite;
pub mod training;
pub mod wdl;
