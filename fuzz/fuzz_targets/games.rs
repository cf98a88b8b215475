//! Fuzzing of packed game files and training records.

#![no_main]

#[path = "../src/games.rs"]
mod games;

libfuzzer_sys::fuzz_target!(|data: &[u8]| games::check(data));
