//! What `chuhe-train` does: games of the engine against itself, their formats, and the
//! fitting of evaluations and training of networks on them.

pub mod data;
pub mod datagen;
pub mod hce;
mod pool;
pub use pool::{Threads, wait_while_locked};
pub mod progress;
pub mod rescore;
pub mod training;
pub mod wdl;
