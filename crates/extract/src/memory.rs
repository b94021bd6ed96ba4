//! How much memory reading a document takes, estimated from its bytes before it is read.
//!
//! The estimate is an upper bound that was measured: every number here is held against the command by a test that reads documents made
//! to be expensive. Of what is packed nothing is known before it is unpacked: the readers of such documents run under a limit.

use crate::encoding::{self, Body};
use crate::format::Format;

/// Bytes of a node of a Markdown document while it is parsed, and of an open delimiter (`*`, `_`, `[`, …) that waits for its partner.
const NODE: u64 = 48;
const DELIMITER: u64 = 40;
/// Bytes of a definition of a link or a footnote: an entry of a hash map with its keys and texts.
const DEFINITION: u64 = 128;
/// Bytes of a header of an e-mail, of a part, and of one of the values of a header.
const HEADER: u64 = 136;
const PART: u64 = 192;
const VALUE: u64 = 64;
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
        Format::Markdown => markdown(bytes) + 2 * SPAN * count(bytes, is_special),
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

/// Bytes of memory that reading an office document takes at most, where its bytes tell: of an e-mail. All others are packed.
pub fn office_memory(bytes: &[u8], format: Format) -> Option<u64> {
    if format != Format::Email {
        return None;
    }
    let (mut lines, mut headers, mut parts, mut values) = (0, 0, 0, 0);
    let mut begin = true;
    let mut before = 0;
    for &byte in bytes {
        lines += u64::from(byte == b'\n');
        // a line has one header at most
        headers += u64::from(byte == b':' && begin);
        parts += u64::from(byte == b'-' && before == b'-');
        values += u64::from(matches!(byte, b',' | b';' | b'<'));
        begin = byte == b'\n' || begin && byte != b':';
        before = if byte == b'-' && before == b'-' { 0 } else { byte };
    }
    let nodes = headers.min(lines + 1) * HEADER + parts * PART + values * VALUE;
    Some(4 * bytes.len() as u64 + nodes)
}

/// Bytes of memory of the tree of a Markdown document: its parser makes a node for each character that may be markup, for the text behind
/// it, and for each block, item and line.
fn markdown(bytes: &[u8]) -> u64 {
    let mut sum = 0;
    let mut before = b'\n';
    for (at, &byte) in bytes.iter().enumerate() {
        let next = || bytes.get(at + 1).copied().unwrap_or(b'\n');
        let text = || if is_special(next()) { 0 } else { NODE };
        let is_mark = || before.is_ascii_digit() && next().is_ascii_whitespace();
        sum += match byte {
            b'*' | b'_' | b'[' | b'~' | b'`' | b'!' | b'<' => NODE + DELIMITER + text(),
            b']' | b'|' | b'&' | b'\\' | b'>' | b'#' => NODE + text(),
            b'\n' | b'\r' => 2 * NODE,
            b'-' | b'+' if next().is_ascii_whitespace() => 2 * NODE,
            b'.' if is_mark() => 2 * NODE,
            b')' => NODE + if is_mark() { NODE } else { 0 },
            b':' if before == b']' => DEFINITION,
            _ => 0,
        };
        before = byte;
    }
    sum
}

/// Whether a character may begin or end markup inside a line.
fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'*' | b'_' | b'&' | b'\\' | b'[' | b']' | b'<' | b'>' | b'!' | b'`' | b'|' | b'~' | b'#' | b'\n' | b'\r'
    )
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
        let latin =
            visible_memory("Gr\u{f6}\u{df}e".repeat(9).chars().map(|c| c as u8).collect::<Vec<u8>>().as_slice(), None);
        assert!(latin.is_some_and(|bytes| bytes >= 7 * 9), "{latin:?}");
    }

    #[test]
    fn markup_takes_more_than_text() {
        let weight = |text: &str, format| visible_memory(text.as_bytes(), Some(format)).unwrap() / text.len() as u64;
        let prose =
            "Some words of a paragraph, with one *emphasis* and a [link](http://a.org) in two lines.\n".repeat(100);
        let marks = "*a ".repeat(3000);
        assert!(weight(&prose, Format::Markdown) < 10, "{}", weight(&prose, Format::Markdown));
        assert!(weight(&marks, Format::Markdown) > 40);
        assert!(weight(&marks, Format::Html) < 4);
    }

    #[test]
    fn office_documents_are_not_weighed() {
        assert_eq!(visible_memory(b"%PDF-1.7", None), None);
        assert_eq!(canonical_memory(b"words", Some(Format::Email)), None);
    }

    #[test]
    fn parts_and_headers_of_mails_are_counted() {
        let weight = |text: &str| office_memory(text.as_bytes(), Format::Email).unwrap() / text.len() as u64;
        assert!(weight(&"Some words of a body, in a line.\r\n".repeat(90)) < 8);
        assert!(weight(&"A1: b\r\n".repeat(90)) >= 19);
        assert!(weight(&"--x\r\n\r\na\r\n".repeat(90)) >= 17);
        assert_eq!(office_memory(b"%PDF-1.7", Format::Pdf), None);
    }

    #[test]
    fn counts() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        assert_eq!(count(&bytes, |byte| byte == 7), 4);
        assert_eq!(count(&bytes, |_| true), 1000);
    }
}
