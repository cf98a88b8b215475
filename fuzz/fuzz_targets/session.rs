//! Fuzzing of whole conversations.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chuhe_fuzz::session::check(data));
