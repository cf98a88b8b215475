//! Fuzzing of positions as text.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chuhe_fuzz::fen::check(data));
