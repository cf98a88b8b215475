//! What must hold whatever bytes come in. Each module has one `check`, which panics when something does not hold.
//!
//! The fuzz targets call these functions with what libFuzzer makes up, and the test `fuzz_corpus` of the product with
//! the inputs in `corpus`, so that the ordinary test run covers every input that has ever been of interest.

#![forbid(unsafe_code)]

pub mod book;
pub mod fen;
pub mod formats;
mod legality;
pub mod lines;
pub mod network;
pub mod pgn;
pub mod protocol;
pub mod session;
