//! Texts as JSON strings: most of a page, and hardly any of their bytes needs an escape.

/// Bytes that are looked at together.
const STEP: usize = size_of::<u64>();

/// Writes a text as a JSON string: byte for byte what `serde_json` writes.
pub(super) fn write_json_string(text: &str, out: &mut Vec<u8>) {
    out.reserve(text.len() + text.len() / 32 + 2);
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = next_special(bytes, from) {
        out.extend_from_slice(&bytes[from..at]);
        match bytes[at] {
            b'"' => out.extend(b"\\\""),
            b'\\' => out.extend(b"\\\\"),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            b'\t' => out.extend(b"\\t"),
            0x08 => out.extend(b"\\b"),
            0x0c => out.extend(b"\\f"),
            control => out.extend(format!("\\u{control:04x}").into_bytes()),
        }
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}

/// The next byte from a place on that is not written as it is.
fn next_special(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = &bytes[from..];
    let (words, tail) = rest.as_chunks::<STEP>();
    if let Some((at, special)) =
        words.iter().map(|word| specials(u64::from_le_bytes(*word))).enumerate().find(|s| s.1 != 0)
    {
        return Some(from + at * STEP + special.trailing_zeros() as usize / 8);
    }
    let behind = bytes.len() - tail.len();
    tail.iter().position(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\')).map(|at| behind + at)
}

/// The highest bit of each byte that is below a space, a quotation mark or a backslash. Above the first such byte there may be more than there
/// are: a borrow.
fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGHEST: u64 = ONES << 7;
    let below = |x: u64, byte: u8| x.wrapping_sub(ONES * u64::from(byte)) & !x & HIGHEST;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    below(word, b' ') | equal(b'"') | equal(b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str) {
        let mut written = Vec::new();
        write_json_string(text, &mut written);
        assert_eq!(String::from_utf8(written).unwrap(), serde_json::to_string(text).unwrap());
    }

    proptest! {
        #[test]
        fn as_serde_writes_it(text: String, few in "[a-c\"\\\\\n\u{7f}\u{80}ß😀]{0,60}", bytes in prop::collection::vec(0u8..128, 0..60)) {
            check(&text);
            check(&few);
            check(&String::from_utf8(bytes).unwrap());
        }
    }

    #[test]
    fn every_character_at_every_place() {
        for character in (0..0x180).filter_map(char::from_u32) {
            for before in 0..9 {
                check(&format!("{}{character}ab", "x".repeat(before)));
            }
        }
    }
}
