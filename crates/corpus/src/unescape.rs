//! JSON strings without their escapes, in one pass and one allocation.
//!
//! The parser does this too, but into a buffer that it grows line by line and copies once more at the end; texts are nearly all of a corpus.

use crate::escape::{BLOCK, of_one_letter, room, unicode};
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use crate::unescape_wide;
use std::borrow::Cow;
use wide::u8x16;

/// The content of a JSON string, quotes included; borrowed if nothing in it is escaped, none if it is not one.
pub(crate) fn unescape(raw: &str) -> Option<Cow<'_, str>> {
    read_string(raw).filter(|(_, length)| *length == raw.len()).map(|(text, _)| text)
}

/// The string that a text begins with, and how many bytes it takes there, quotes included; none if there is none, or an escape names
/// half a character.
pub(crate) fn read_string(raw: &str) -> Option<(Cow<'_, str>, usize)> {
    read_string_into(raw, None)
}

/// The same; a text with escapes may be made in a buffer that is used for text after text.
pub(crate) fn read_string_into<'a>(
    raw: &'a str,
    #[cfg_attr(
        not(all(target_arch = "x86_64", feature = "simd")),
        expect(unused_variables, reason = "its texts are made as they come")
    )]
    buffer: Option<&'a mut Vec<u8>>,
) -> Option<(Cow<'a, str>, usize)> {
    #[cfg(all(target_arch = "x86_64", feature = "simd"))]
    if let Some(simd) = pulp::x86::V4::try_new() {
        return unescape_wide::read_string(simd, raw, buffer);
    }
    read_by_escapes(raw)
}

/// The same, one escape after the other.
fn read_by_escapes(raw: &str) -> Option<(Cow<'_, str>, usize)> {
    let bytes = raw.as_bytes();
    if bytes.first() != Some(&b'"') {
        return None;
    }
    let mut text = String::new();
    // what was copied ends here
    let mut start = 1;
    for base in (1..bytes.len()).step_by(BLOCK) {
        let from = |place: usize| u64::MAX.checked_shl(place.saturating_sub(base) as u32).unwrap_or(0);
        // an escape may have reached into this block
        let mut bits = specials(&bytes[base..]) & from(start);
        while bits != 0 {
            let special = base + bits.trailing_zeros() as usize;
            match bytes[special] {
                b'"' if start == 1 => return Some((Cow::Borrowed(&raw[1..special]), special + 1)),
                b'"' => {
                    text.push_str(&raw[start..special]);
                    return Some((Cow::Owned(text), special + 1));
                }
                b'\\' => {
                    if start == 1 {
                        text.reserve(room(bytes.len()));
                    }
                    text.push_str(&raw[start..special]);
                    // nearly all are of one letter
                    if let Some(letter) = bytes.get(special + 1).and_then(|kind| of_one_letter(*kind)) {
                        text.push(letter);
                        start = special + 2;
                    } else {
                        let mut rest = raw[special + 1..].strip_prefix('u')?;
                        text.push(unicode(&mut rest)?);
                        start = raw.len() - rest.len();
                    }
                }
                _ => return None,
            }
            bits &= from(start);
        }
    }
    None
}

/// Which of the first bytes are quotes, backslashes or control characters.
#[inline]
fn specials(bytes: &[u8]) -> u64 {
    if let Some(block) = bytes.first_chunk::<BLOCK>() {
        let special = |bytes: &[u8; 16]| {
            let v = u8x16::new(*bytes);
            let marks = v.simd_eq(u8x16::splat(b'"')) | v.simd_eq(u8x16::splat(b'\\'));
            u64::from((marks | v.min(u8x16::splat(0x1f)).simd_eq(v)).to_bitmask())
        };
        let lanes = block.as_chunks::<16>().0.iter().enumerate();
        return lanes.fold(0, |bits, (lane, bytes)| bits | special(bytes) << (16 * lane));
    }
    let special = |b: &u8| *b == b'"' || *b == b'\\' || *b < 0x20;
    bytes.iter().enumerate().fold(0, |bits, (at, b)| bits | u64::from(special(b)) << at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The naive twin is the parser itself.
    fn check(raw: &str) {
        assert_eq!(unescape(raw).map(Cow::into_owned), serde_json::from_str::<String>(raw).ok(), "{raw}");
        assert_eq!(read_by_escapes(raw), read_string(raw), "{raw}");
        let mut buffer = b"what was there before".to_vec();
        assert_eq!(read_string_into(raw, Some(&mut buffer)), read_string(raw), "{raw}");
    }

    #[test]
    fn every_escape() {
        for raw in [
            r#""""#,
            r#""plain""#,
            r#""\n\t\r\b\f\"\\\/""#,
            r#""a\u00e9\u4e2d\ud83d\ude00z""#,
            r#""\ud83d""#,
            r#""\ud83dx""#,
            r#""\ud83d\n""#,
            r#""\ud83d\u0041""#,
            r#""\ude00""#,
            r#""end\\""#,
            r#""end\""#,
            r#""a"b""#,
            r#"""#,
            "",
            "x",
            "\"a\tb\"",
        ] {
            check(raw);
        }
    }

    proptest! {
        #[test]
        fn equals_the_parser(text: String) { check(&serde_json::to_string(&text).unwrap()); }

        #[test]
        fn ends_where_the_string_ends(text: String, long in "[a-z\\\\\"é\n]{0,200}", more: String) {
            for text in [text, long] {
                let raw = serde_json::to_string(&text).unwrap();
                let line = format!("{raw}{more}");
                prop_assert_eq!(read_by_escapes(&line), read_string(&line));
                prop_assert_eq!(read_string(&line), Some((Cow::Owned(text), raw.len())));
            }
        }

        #[test]
        fn equals_the_parser_across_blocks(
            pieces in prop::collection::vec("[a-z é]{0,40}|\\\\[nt\"\\\\]|(\\\\\\\\){1,70}|\\\\u00e9|\\\\ud83d\\\\ude00|\\\\x|\t", 0..12), more: String,
        ) {
            let raw = format!("\"{}\"", pieces.concat());
            check(&raw);
            let line = format!("{raw}{more}");
            prop_assert_eq!(read_by_escapes(&line), read_string(&line));
        }

        #[test]
        fn equals_the_parser_on_soup(text in "([a-c é]|\\\\[nt\"/bfr\\\\]|\\\\u(00e9|d83d|de00|4E2d)){0,20}") {
            check(&format!("\"{text}\""));
        }
    }
}
