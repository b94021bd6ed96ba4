//! Which encoding a document is in: what it shows, then what it says, then a guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::memchr2;

use crate::binary;
use crate::error::ExtractError;
use crate::format::Format;
use crate::prescan;

/// How many bytes the guess is made on, from the first that is not ASCII. More would take longer and decide nothing.
const MAX_GUESS_BYTES: usize = 64 * 1024;

/// How many bytes the search for UTF-16 looks at.
const UTF16_HEAD: usize = 8 * 1024;

/// What the sequences of ISO-2022-JP begin with.
const ESCAPE: u8 = 0x1B;

/// A document whose encoding is known.
pub(crate) enum Body<'a> {
    /// It can be read as it is.
    Utf8(&'a str),
    /// It must be decoded.
    Encoded(&'static Encoding, &'a [u8]),
}

/// Finds the encoding of `bytes`. Also says how many bytes of byte order mark come before the body.
pub(crate) fn detect(bytes: &[u8], format: Option<Format>) -> Result<(Body<'_>, usize), ExtractError> {
    if matches!(bytes, [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..]) {
        return Err(ExtractError::UnsupportedEncoding { name: "UTF-32" });
    }
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let body = &bytes[mark..];
        if encoding != UTF_8 {
            return Ok((Body::Encoded(encoding, body), mark));
        }
        if binary::has_nuls(body) {
            return Err(NULS);
        }
        refuse_controls(body)?;
        return Ok((utf8(body).unwrap_or(Body::Encoded(UTF_8, body)), mark));
    }
    if let Some(reason) = binary::magic(bytes) {
        return Err(ExtractError::Binary { reason });
    }
    // nearly all text has neither, which is seen at once
    let has_nul_or_escape = memchr2(0, ESCAPE, bytes).is_some();
    if has_nul_or_escape && binary::has_nuls(bytes) {
        let encoding = utf16(bytes).ok_or(NULS)?;
        return Ok((Body::Encoded(encoding, bytes), 0));
    }
    refuse_controls(bytes)?;
    if !has_nul_or_escape && let Some(body) = utf8(bytes) {
        return Ok((body, 0));
    }
    Ok((without_mark(bytes, format), 0))
}

const NULS: ExtractError = ExtractError::Binary { reason: "NUL bytes" };

fn refuse_controls(bytes: &[u8]) -> Result<(), ExtractError> {
    if binary::has_controls(bytes) {
        return Err(ExtractError::Binary { reason: "control characters" });
    }
    Ok(())
}

fn utf8(bytes: &[u8]) -> Option<Body<'_>> {
    simdutf8::basic::from_utf8(bytes).ok().map(Body::Utf8)
}

fn without_mark(bytes: &[u8], format: Option<Format>) -> Body<'_> {
    let valid = utf8(bytes);
    // ISO-2022-JP is made of ASCII and escapes, so with an escape valid UTF-8 may be something else.
    if let Some(body) = valid
        && (!bytes.contains(&ESCAPE) || !bytes.is_ascii())
    {
        return body;
    }
    let says = match format.unwrap_or_else(|| Format::sniff(bytes)) {
        Format::Html => prescan::declared(bytes),
        _ => None,
    };
    let encoding = says.unwrap_or_else(|| if is_mostly_utf8(bytes) { UTF_8 } else { guess(bytes) });
    if encoding == UTF_8
        && let Some(body) = utf8(bytes)
    {
        return body;
    }
    Body::Encoded(encoding, bytes)
}

/// Whether this is UTF-8 with an accident: cut in the middle of a character, or joined with something else. One bad
/// byte would make every guess something other than UTF-8, and every umlaut two wrong letters. Text in other encodings
/// hardly ever holds a valid sequence, let alone four for every invalid one.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        // Bytes that lead a sequence of two or more.
        valid += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid > 0 && valid >= 4 * invalid
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|&byte| byte >= 0x80 || byte == ESCAPE).unwrap_or(0);
    // Some ASCII before it tells the letters of a word from signs that stand alone.
    let start = first.saturating_sub(64);
    let sample = &bytes[start..bytes.len().min(first + MAX_GUESS_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, start + sample.len() == bytes.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// UTF-16 without a byte order mark shows by the zeros in the upper halves of ASCII: letters in Latin text, spaces and
/// line feeds in any other.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    if !bytes.len().is_multiple_of(2) {
        return None;
    }
    let head = &bytes[..bytes.len().min(UTF16_HEAD)];
    let units = head.len() / 2;
    let zeros_at = |parity: usize| head.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros_at(0), zeros_at(1));
    let encoding = if odd > even { UTF_16LE } else { UTF_16BE };
    let (upper, lower) = (odd.max(even), odd.min(even));
    // What would be text but for the NULs may be strings that end with one, so there the zeros must be many. (The other
    // alphabets in UTF-16 would be full of control characters.)
    let is_strings =
        std::str::from_utf8(head).is_ok() && !head.iter().any(|&byte| byte != 0 && binary::is_control(byte));
    let needed = if is_strings { units.div_ceil(2) } else { units.div_ceil(8) };
    if upper < needed || lower * 4 > upper {
        return None;
    }
    let (text, _, _) = encoding.decode(head);
    // A pair of surrogates may be cut at the end of the head.
    let text = text.strip_suffix(char::REPLACEMENT_CHARACTER).unwrap_or(&text);
    let is_text = |c: char| c != char::REPLACEMENT_CHARACTER && !(c.is_ascii() && binary::is_control(c as u8));
    text.chars().all(is_text).then_some(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(bytes: &[u8]) -> Result<&'static str, String> {
        match detect(bytes, None) {
            Ok((Body::Utf8(_), _)) => Ok("UTF-8"),
            Ok((Body::Encoded(encoding, _), _)) => Ok(encoding.name()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn utf16le(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn marks() {
        assert_eq!(name(b"\xEF\xBB\xBFabc"), Ok("UTF-8"));
        assert_eq!(name(b"\xFF\xFEa\0"), Ok("UTF-16LE"));
        assert_eq!(name(b"\xFE\xFF\0a"), Ok("UTF-16BE"));
        assert_eq!(name(b"\xFF\xFE\0\0a\0\0\0"), Err("unsupported encoding (UTF-32)".to_owned()));
    }

    #[test]
    fn utf16_without_mark() {
        assert_eq!(name(&utf16le("Hallo Welt, schöne Grüße")), Ok("UTF-16LE"));
        let be: Vec<u8> = "Hello".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(name(&be), Ok("UTF-16BE"));
        assert_eq!(name(&utf16le("Привет, мир! Как дела? Хорошо.")), Ok("UTF-16LE"));
    }

    #[test]
    fn binary() {
        assert_eq!(name(b"foo bar\0"), Err("binary (NUL bytes)".to_owned()));
        assert_eq!(name(b"foo\0bar\0baz\0\0\0"), Err("binary (NUL bytes)".to_owned()));
        assert_eq!(name(b"\x01\x02\x03\x04abc"), Err("binary (control characters)".to_owned()));
        assert_eq!(name(b"\x89PNG\r\n\x1A\n"), Err("binary (PNG)".to_owned()));
        assert_eq!(name(&[1, 0, 2, 0, 3, 0, 4, 0]), Err("binary (NUL bytes)".to_owned()));
    }

    #[test]
    fn guesses() {
        assert_eq!(name(b""), Ok("UTF-8"));
        assert_eq!(name("Grüße".as_bytes()), Ok("UTF-8"));
        assert_eq!(name(b"Gr\xFC\xDFe aus M\xFCnchen"), Ok("windows-1252"));
        assert_eq!(name(b"\x1B[31mred\x1B[0m"), Ok("UTF-8"));
        assert_eq!(name(b"\x1B$B$3$s$K$A$O\x1B(B"), Ok("ISO-2022-JP"));
        // A page may say what it is only in its own format.
        let page = b"<html><meta charset=koi8-r>\xF0\xD2\xC9\xD7\xC5\xD4";
        assert_eq!(name(page), Ok("KOI8-R"));
    }

    #[test]
    fn utf8_with_an_accident() {
        let mut text = "Grüße aus dem schönen München und Köln".to_owned().into_bytes();
        text.push(0xC3);
        assert_eq!(name(&text), Ok("UTF-8"));
        text.extend_from_slice(b"\xFCr \xFCb\xFCng");
        assert_eq!(name(&text), Ok("windows-1252"));
    }
}
