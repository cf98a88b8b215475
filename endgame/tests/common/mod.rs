//! What several test files need.

#![allow(dead_code, reason = "each test file uses some of it")]

use chuhe_endgame::{Class, Tables, build_in_memory};

/// The classes of these names.
pub(crate) fn classes(names: &str) -> Vec<Class> {
    names.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

/// Tables of these classes and all that they convert into, built now.
pub(crate) fn built(names: &str) -> Tables {
    Tables::from_files(build_in_memory(&classes(names), &()).unwrap()).unwrap()
}
