//! Fuzzing of game files of every format.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chuhe_fuzz::formats::check(data));
