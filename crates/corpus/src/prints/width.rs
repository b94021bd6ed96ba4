//! Fingerprints of 64 or 128 bits, as they are written down.

use bytemuck::Pod;
use lookalike_core::bits::Bits;

/// A fingerprint: `u64` or `u128`.
pub trait Print: Bits + Pod {
    /// Words of 64 bits.
    const WORDS: usize = Self::WIDTH as usize / 64;
    /// Bytes in a raw file.
    const BYTES: usize = Self::WIDTH as usize / 8;
    /// Hexadecimal digits of the longest.
    const DIGITS: usize = Self::WIDTH as usize / 4;

    /// From its words, the lowest first; there are [`WORDS`](Print::WORDS) of them.
    fn from_words(words: &[u64]) -> Self;

    /// What little-endian bytes that were taken for our own stand for, and the way back.
    #[must_use]
    fn little(self) -> Self;

    /// From decimal digits alone; `None` if it has more bits.
    fn from_decimal(digits: &str, negative: bool) -> Option<Self>;

    /// Appends its decimal digits.
    fn put_decimal(self, out: &mut Vec<u8>);

    /// From hexadecimal digits, at most [`DIGITS`](Print::DIGITS) of them; `None` if there is anything else.
    #[inline]
    fn from_hex(digits: &[u8]) -> Option<Self> {
        let (mut value, mut bad) = (Self::ZERO, 0);
        for &digit in digits {
            let digit = HEX[digit as usize];
            bad |= digit;
            value = value << 4 | Self::from_low((digit & 15) as u64);
        }
        (bad < 16).then_some(value)
    }
}

macro_rules! print {
    ($type:ty, $signed:ty) => {
        impl Print for $type {
            #[inline]
            fn from_words(words: &[u64]) -> $type {
                words.iter().rev().fold(0, |value: u128, &word| value << 64 | word as u128) as $type
            }

            #[inline]
            fn little(self) -> $type {
                self.to_le()
            }

            fn from_decimal(digits: &str, negative: bool) -> Option<$type> {
                let value: $type = digits.parse().ok()?;
                if negative {
                    // The smallest signed number has no positive twin.
                    return (value <= <$signed>::MIN.unsigned_abs()).then(|| value.wrapping_neg());
                }
                Some(value)
            }

            fn put_decimal(self, out: &mut Vec<u8>) {
                use std::io::Write;
                // Writing to a Vec cannot fail.
                let _ = write!(out, "{self}");
            }
        }
    };
}

print!(u64, i64);
print!(u128, i128);

/// The value of each hexadecimal digit; 255 for all else.
const HEX: [u8; 256] = {
    let mut table = [255; 256];
    let mut value = 0;
    while value < 16 {
        let digit = b"0123456789abcdef"[value as usize];
        table[digit as usize] = value;
        table[digit.to_ascii_uppercase() as usize] = value;
        value += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_whole_or_not_at_all() {
        assert_eq!(u64::from_hex(b"00fF"), Some(255));
        assert_eq!(u64::from_hex(b"fffffffffffffffe"), Some(u64::MAX - 1));
        assert_eq!(u64::from_hex(b"12g4"), None);
        assert_eq!(u128::from_hex(&[b'f'; 32]), Some(u128::MAX));
        assert_eq!(u64::from_decimal("18446744073709551615", false), Some(u64::MAX));
        assert_eq!(u64::from_decimal("18446744073709551616", false), None);
        assert_eq!(u64::from_decimal("1", true), Some(u64::MAX));
        assert_eq!(u64::from_decimal("9223372036854775808", true), Some(1 << 63));
        assert_eq!(u64::from_decimal("9223372036854775809", true), None);
        assert_eq!(u128::from_decimal("1", true), Some(u128::MAX));
        assert_eq!(u128::from_words(&[1, 2]), 2 << 64 | 1);
        assert_eq!(u64::from_words(&[7]), 7);
    }
}
