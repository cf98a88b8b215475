//! Fuzzing of opening books.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chuhe_fuzz::book::check(data));
