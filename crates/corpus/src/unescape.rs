//! JSON strings without their escapes, in one allocation.
//!
//! The parser does this too, but into a buffer that it grows line by line and copies once more at the end; texts are nearly all of a corpus.

use memchr::memchr;
use std::borrow::Cow;

/// The content of a JSON string whose syntax has been checked; borrowed if nothing in it is escaped, none if an escape names half a
/// character.
pub(crate) fn unescape(raw: &str) -> Option<Cow<'_, str>> {
    let plain = raw.strip_prefix('"')?.strip_suffix('"')?;
    let Some(mut escape) = memchr(b'\\', plain.as_bytes()) else { return Some(Cow::Borrowed(plain)) };
    // an escape never gets longer
    let mut text = String::with_capacity(plain.len());
    let mut rest = plain;
    loop {
        text.push_str(&rest[..escape]);
        let mut after = &rest[escape + 1..];
        let kind = after.bytes().next()?;
        after = after.get(1..)?;
        text.push(match kind {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'"' | b'\\' | b'/' => char::from(kind),
            b'u' => unicode(&mut after)?,
            _ => return None,
        });
        rest = after;
        let Some(next) = next_escape(rest) else {
            text.push_str(rest);
            return Some(Cow::Owned(text));
        };
        escape = next;
    }
}

/// Escapes often follow each other closely, as ends of lines do: a few bytes are looked at before the search is set up.
#[inline]
fn next_escape(rest: &str) -> Option<usize> {
    const NEAR: usize = 8;
    let bytes = rest.as_bytes();
    let near = &bytes[..bytes.len().min(NEAR)];
    near.iter().position(|b| *b == b'\\').or_else(|| Some(near.len() + memchr(b'\\', &bytes[near.len()..])?))
}

/// The character of `\uXXXX`, or of two of them that make one.
fn unicode(rest: &mut &str) -> Option<char> {
    let first = four_digits(rest)?;
    let code = match first {
        0xd800..0xdc00 => {
            *rest = rest.strip_prefix("\\u")?;
            let second = four_digits(rest)?;
            if !(0xdc00..0xe000).contains(&second) {
                return None;
            }
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        }
        _ => first,
    };
    char::from_u32(code)
}

fn four_digits(rest: &mut &str) -> Option<u32> {
    let (digits, after) = rest.split_at_checked(4)?;
    *rest = after;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The naive twin is the parser itself.
    fn check(raw: &str) {
        assert_eq!(unescape(raw).map(Cow::into_owned), serde_json::from_str::<String>(raw).ok(), "{raw}");
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
        ] {
            check(raw);
        }
    }

    proptest! {
        #[test]
        fn equals_the_parser(text: String) { check(&serde_json::to_string(&text).unwrap()); }

        #[test]
        fn equals_the_parser_on_soup(text in "([a-c é]|\\\\[nt\"/bfr\\\\]|\\\\u(00e9|d83d|de00|4E2d)){0,20}") {
            check(&format!("\"{text}\""));
        }
    }
}
