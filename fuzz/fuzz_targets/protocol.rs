//! Fuzzing of lines of the protocols.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| chuhe_fuzz::protocol::check(data));
