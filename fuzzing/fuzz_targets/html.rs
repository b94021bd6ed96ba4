//! Arbitrary bytes read as HTML.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_extract::Format;
use lookalike_fuzz::{check, check_str};

fuzz_target!(|bytes: &[u8]| {
    check(bytes, Some(Format::Html));
    check_str(&String::from_utf8_lossy(bytes), Some(Format::Html));
});
