//! Character references: `&amp;`, `&eacute`, `&#8217;`, `&#x1F600;`.

use encoding_rs::WINDOWS_1252;
use htmlize::unescape;

/// The longest named reference, `&CounterClockwiseContourIntegral;`.
const MAX_NAME_BYTES: usize = 33;

/// The text of a reference.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// Nearly all.
    One(char),
    /// Some names stand for a letter and a combining mark.
    More(String),
}

/// A character reference and its length in the source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) text: Expansion,
    pub(super) len: usize,
}

impl Reference {
    fn one(text: char, len: usize) -> Self {
        Self { text: Expansion::One(text), len }
    }
}

/// Reads the reference that begins `source` (at its `&`); `None` if there is none, and the `&` is text.
pub(super) fn reference(source: &str) -> Option<Reference> {
    let bytes = source.as_bytes();
    match bytes.get(1)? {
        b'#' => numeric(bytes),
        byte if byte.is_ascii_alphanumeric() => common(bytes).or_else(|| named(source)),
        _ => None,
    }
}

/// The ones that are more frequent than all others together, without a search or an allocation.
#[inline]
fn common(bytes: &[u8]) -> Option<Reference> {
    let (text, length) = match bytes {
        [_, b'n', b'b', b's', b'p', b';', ..] => ('\u{A0}', 6),
        [_, b'g', b't', b';', ..] => ('>', 4),
        [_, b'l', b't', b';', ..] => ('<', 4),
        [_, b'q', b'u', b'o', b't', b';', ..] => ('"', 6),
        [_, b'a', b'm', b'p', b';', ..] => ('&', 5),
        _ => return None,
    };
    Some(Reference::one(text, length))
}

/// A name, with its semicolon or, where that is legal, without. The table and the search are htmlize's; it answers
/// with text, from which we find how much of the source it took.
fn named(source: &str) -> Option<Reference> {
    let bytes = source.as_bytes();
    let letters = bytes[1..].iter().take(MAX_NAME_BYTES - 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let mut end = 1 + letters;
    if bytes.get(end) == Some(&b';') {
        end += 1;
    }
    let candidate = &source[..end];
    let answer = unescape(candidate);
    if answer == candidate {
        return None;
    }
    // A name without semicolon stands for one character, and what follows it was left as it is: `&notit;` is `¬it;`.
    // A name with semicolon took all of the candidate, and the second character of its text, if any, never equals the
    // candidate's end, because that is the semicolon.
    let first = answer.chars().next()?;
    let left = &answer[first.len_utf8()..];
    if candidate.ends_with(left) {
        return Some(Reference::one(first, candidate.len() - left.len()));
    }
    Some(Reference { len: candidate.len(), text: Expansion::More(answer.into_owned()) })
}

/// A number. Ours rather than htmlize's because any number of digits may stand here, and the look-ahead must not be
/// long.
fn numeric(bytes: &[u8]) -> Option<Reference> {
    let (radix, start) = if matches!(bytes.get(2)?, b'x' | b'X') { (16, 3) } else { (10, 2) };
    let mut code = 0_u32;
    let mut end = start;
    while let Some(digit) = bytes.get(end).and_then(|&byte| (byte as char).to_digit(radix)) {
        // Saturated numbers are as far outside Unicode as the true ones.
        code = code.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end == start {
        return None;
    }
    if bytes.get(end) == Some(&b';') {
        end += 1;
    }
    let text = match code {
        0 => char::REPLACEMENT_CHARACTER,
        // Documents that give these numbers mean windows-1252, says the standard, and so is its table.
        0x80..=0x9F => WINDOWS_1252.decode_without_bom_handling(&[code as u8]).0.chars().next()?,
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some(Reference::one(text, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str) -> Option<(String, &str)> {
        reference(source).map(|Reference { text, len }| {
            let text = match text {
                Expansion::One(one) => one.to_string(),
                Expansion::More(more) => more,
            };
            (text, &source[len..])
        })
    }

    fn is(source: &str, text: &str, rest: &str) {
        assert_eq!(read(source), Some((text.to_owned(), rest)), "{source}");
    }

    #[test]
    fn named() {
        for (common, text) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{A0}")] {
            assert_eq!(super::common(common.as_bytes()), super::named(common));
            is(common, text, "");
        }
        is("&amp;lt;", "&", "lt;");
        is("&amp", "&", "");
        is("&eacute;t&eacute;", "é", "t&eacute;");
        is("&eacutet", "é", "t");
        is("&AMP;", "&", "");
        is("&notit;", "¬", "it;");
        is("&notin;", "∉", "");
        is("&notin", "¬", "in");
        is("&NotEqualTilde;x", "\u{2242}\u{338}", "x");
        is("&fjlig;", "fj", "");
        is("&nGg;", "\u{22D9}\u{338}", "");
        is("&CounterClockwiseContourIntegral;;", "∳", ";");
        is("&ampäöü", "&", "äöü");
    }

    #[test]
    fn numeric() {
        is("&#65;", "A", "");
        is("&#65z", "A", "z");
        is("&#x41;", "A", "");
        is("&#X1f600;!", "😀", "!");
        is("&#150;", "–", "");
        is("&#x80;", "€", "");
        is("&#x81;", "\u{81}", "");
        is("&#0;", "\u{FFFD}", "");
        is("&#xD800;", "\u{FFFD}", "");
        is("&#x110000;", "\u{FFFD}", "");
        is("&#99999999999999999999;", "\u{FFFD}", "");
        is(&format!("&#{}65;", "0".repeat(1000)), "A", "");
        is("&#13;", "\r", "");
    }

    #[test]
    fn none() {
        for source in [
            "&",
            "& ",
            "&;",
            "&#",
            "&#;",
            "&#x",
            "&#x;",
            "&#xg",
            "&foo;",
            "&eacut;",
            "&é",
            "&zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz;",
        ] {
            assert_eq!(read(source), None, "{source}");
        }
    }
}
