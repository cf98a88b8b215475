//! Fuzzing of game files in PGN.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chuhe_fuzz::pgn::check(data));
