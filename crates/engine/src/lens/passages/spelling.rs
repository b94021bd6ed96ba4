//! How tokens are spelt.

/// How a token is spelt, in two bytes: what kind of word it is, and a hash. Tokens that count as equal may be spelt differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Spelling(u16);

impl Spelling {
    pub fn of(text: &[u8]) -> Self {
        let kind = match text.first() {
            Some(first) if first.is_ascii_alphabetic() || matches!(first, b'_' | b'$' | b'@') => 1,
            Some(first) if first.is_ascii_digit() || matches!(first, b'"' | b'\'' | b'`') || *first >= 0x80 => 2,
            _ => 0,
        };
        Self((xxhash_rust::xxh3::xxh3_64(text) as u16) << 2 | kind)
    }

    /// A token that is another if it is spelt differently; 0 stays 0.
    pub fn join(self, token: u32) -> u32 {
        if token == 0 { 0 } else { (token ^ u32::from(self.0).wrapping_mul(0x9e37_79b1)).max(1) }
    }

    /// 1 for a name or keyword, 2 for a number or string, 0 for anything else.
    pub fn kind(self) -> u16 {
        self.0 & 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_tell_names_from_values() {
        let kinds =
            ["total", "_x", "$a", "12", "\"a\"", "+", "(", "größe", "Öl"].map(|s| Spelling::of(s.as_bytes()).kind());
        assert_eq!(kinds, [1, 1, 1, 2, 2, 0, 0, 1, 2]);
        assert_ne!(Spelling::of(b"total"), Spelling::of(b"sum"));
        assert_eq!(Spelling::of(b"total"), Spelling::of(b"total"));
    }
}
