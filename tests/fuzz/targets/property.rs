//! [`campaign::fuzz::property`] for libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| campaign::fuzz::property(data));
