//! Arbitrary bytes read as Markdown.

use lookalike_extract::Format;
use crate::{check, check_str};

pub(crate) fn fuzz(bytes: &[u8]) {
    check(bytes, Some(Format::Markdown));
    check_str(&String::from_utf8_lossy(bytes), Some(Format::Markdown));
}
