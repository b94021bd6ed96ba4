//! What both ways of reading JSON strings share: what escapes stand for, how much is looked at, and room for a text.

/// Bytes looked at together.
pub(crate) const BLOCK: usize = 64;

/// A text is hardly shorter than its line; but a line may hold many strings, and most of it something else.
pub(crate) fn room(line: usize) -> usize {
    line.min(1 << 16)
}

/// The character that a letter behind a backslash stands for.
#[inline]
pub(crate) fn of_one_letter(kind: u8) -> Option<char> {
    Some(match kind {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'"' | b'\\' | b'/' => char::from(kind),
        _ => return None,
    })
}

/// The character that the four digits after `\u` name, or those of two such escapes together.
pub(crate) fn unicode(rest: &mut &str) -> Option<char> {
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
