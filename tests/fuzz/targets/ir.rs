//! [`campaign::fuzz::ir_text`] for libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| campaign::fuzz::ir_text(data));
