//! Arbitrary bytes read as HTML.

use lookalike_extract::Format;
use crate::{check, check_str};

pub(crate) fn fuzz(bytes: &[u8]) {
    check(bytes, Some(Format::Html));
    check_str(&String::from_utf8_lossy(bytes), Some(Format::Html));
}
