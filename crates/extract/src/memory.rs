//! How much memory reading a document takes, estimated from its bytes before it is read.
//!
//! The estimate is an upper bound that was measured: every number here is held against the command by a test that reads documents made
//! to be expensive. Office documents are not weighed: their readers run under a limit.

use crate::encoding::{self, Body};
use crate::format::Format;

/// Bytes of a node of a Markdown document while it is parsed, and of an open delimiter (`*`, `_`, `[`, …) that waits for its partner.
const NODE: u64 = 48;
const DELIMITER: u64 = 40;
/// Bytes of a definition of a link or a footnote: an entry of a hash map with its keys and texts.
const DEFINITION: u64 = 400;
/// Bytes of a stretch of text that is mapped to its place in the source.
const SPAN: u64 = 24;
/// The text of an HTML page is written to a buffer that doubles.
const BUFFER: u64 = 2;

/// Bytes of memory that [`visible`](crate::visible) takes at most, beside the document itself and with the text that it makes. Without a
/// `format` the document is looked at. None for office documents.
pub fn visible_memory(bytes: &[u8], format: Option<Format>) -> Option<u64> {
    let Decoded { format, bytes: text, copied } = decoded(bytes, format)?;
    Some(match format {
        Format::Html => copied + BUFFER * (text + text / 4),
        Format::Markdown => copied + text + markdown(bytes),
        _ => copied,
    })
}

/// Bytes of memory that [`canonical_and_decoded`](crate::canonical_and_decoded) takes at most: a copy of the text, and the places of its
/// stretches. None for office documents.
pub fn canonical_memory(bytes: &[u8], format: Option<Format>) -> Option<u64> {
    let Decoded { format, bytes: text, copied } = decoded(bytes, format)?;
    // where the encoding changes the length of a character, a stretch begins and ends
    let decoding = if copied > 0 { 2 * SPAN * text.min(2 * count(bytes, |byte| !byte.is_ascii())) } else { 0 };
    let extracted = match format {
        Format::Html => text / 4 + 4 * SPAN * count(bytes, |byte| matches!(byte, b'<' | b'&' | b'\r' | 0)),
        Format::Markdown => {
            markdown(bytes) + 2 * SPAN * (count(bytes, is_special) + 2 * count(bytes, |byte| byte == b'\n'))
        }
        _ => 2 * SPAN * count(bytes, |byte| matches!(byte, b'\r' | 0)),
    };
    Some(copied + decoding + text + extracted)
}

/// A document in UTF-8.
struct Decoded {
    format: Format,
    /// Its bytes in UTF-8, at most.
    bytes: u64,
    /// Bytes of the copy, if one is made.
    copied: u64,
}

fn decoded(bytes: &[u8], format: Option<Format>) -> Option<Decoded> {
    let format = format.unwrap_or_else(|| Format::sniff(bytes));
    if format.is_office() {
        return None;
    }
    let length = bytes.len() as u64;
    Some(match encoding::detect(bytes, Some(format)) {
        Ok((Body::Utf8(text), _)) => Decoded { format, bytes: text.len() as u64, copied: 0 },
        // two bytes of UTF-16 become three at most, and so does a byte of a legacy encoding that is not ASCII
        Ok((Body::Encoded(..), _)) => {
            let decoded = length + length / 2 + 2 * count(bytes, |byte| !byte.is_ascii());
            let decoded = decoded.min(3 * length);
            Decoded { format, bytes: decoded, copied: decoded }
        }
        // it is not read
        Err(_) => Decoded { format, bytes: 0, copied: 0 },
    })
}

/// Bytes of memory of the tree of a Markdown document: its parser makes a node for each character that may be markup, and one for the text
/// between two of them.
fn markdown(bytes: &[u8]) -> u64 {
    let (mut specials, mut closings, mut definitions, mut lines) = (0, 0, 0, 0);
    let mut before = b'\n';
    for &byte in bytes {
        specials += u64::from(is_special(byte));
        closings += u64::from(byte == b')' || byte == b']');
        lines += u64::from(byte == b'\n' || byte == b'\r');
        definitions += u64::from(byte == b':' && before == b']');
        before = byte;
    }
    specials * (2 * NODE + DELIMITER) + closings * 2 * NODE + lines * 4 * NODE + definitions * DEFINITION
}

/// Whether a character may begin or end markup inside a line.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'&' | b'\\' | b'[' | b']' | b'<' | b'>' | b'!' | b'`' | b'|' | b'~' | b'#')
}

fn count(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> u64 {
    // sums of small pieces fit in a byte each, which the compiler turns into wide instructions
    let piece = |piece: &[u8]| piece.iter().map(|&byte| u8::from(is_counted(byte))).sum::<u8>();
    bytes.chunks(u8::MAX as usize).map(|bytes| u64::from(piece(bytes))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_takes_nothing_unless_it_is_decoded() {
        assert_eq!(visible_memory(b"plain words", None), Some(0));
        let latin = visible_memory("Gr\u{f6}\u{df}e".repeat(9).chars().map(|c| c as u8).collect::<Vec<u8>>().as_slice(), None);
        assert!(latin.is_some_and(|bytes| bytes >= 7 * 9), "{latin:?}");
    }

    #[test]
    fn markup_takes_more_than_text() {
        let weight = |text: &str, format| visible_memory(text.as_bytes(), Some(format)).unwrap() / text.len() as u64;
        let prose = "Some words of a paragraph, with one *emphasis* and a [link](http://a.org) in two lines.\n".repeat(100);
        let marks = "*a ".repeat(3000);
        assert!(weight(&prose, Format::Markdown) < 20, "{}", weight(&prose, Format::Markdown));
        assert!(weight(&marks, Format::Markdown) > 40);
        assert!(weight(&marks, Format::Html) < 4);
    }

    #[test]
    fn office_documents_are_not_weighed() {
        assert_eq!(visible_memory(b"%PDF-1.7", None), None);
        assert_eq!(canonical_memory(b"words", Some(Format::Email)), None);
    }

    #[test]
    fn counts() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        assert_eq!(count(&bytes, |byte| byte == 7), 4);
        assert_eq!(count(&bytes, |_| true), 1000);
    }
}
