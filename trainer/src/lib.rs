//! What `chuhe-train` does: games of the engine against itself, their formats, and the fitting of evaluations to them.

pub mod data;
pub mod hce;
pub mod selfplay;
pub mod wdl;
