//! The hand-written evaluation: its start weights, its tuning, and its source file.

pub mod dataset;
pub mod seed;
pub mod source;
pub mod tune;
