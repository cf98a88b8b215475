//! Fuzzing of games on lines.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chuhe_fuzz::lines::check(data));
