//! Fingerprints of 64 or 128 bits, and the same code for both: as rows of bits, as votes of features, and as they are written down.

use bytemuck::Pod;
use std::fmt::{Debug, LowerHex};
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// The bits of a fingerprint: `u64` or `u128`.
pub trait FingerprintBits:
    Pod
    + Debug
    + Default
    + Ord
    + Hash
    + LowerHex
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// How many bits there are.
    const WIDTH: u32;
    /// Words of 64 bits.
    const WORDS: usize = Self::WIDTH as usize / 64;
    /// Bytes in a raw file.
    const BYTES: usize = Self::WIDTH as usize / 8;
    /// Hexadecimal digits of the longest.
    const DIGITS: usize = Self::WIDTH as usize / 4;
    /// None is set.
    const ZERO: Self;

    /// How many are set.
    fn ones(self) -> u32;

    /// How many are not set before the first that is, from the highest on.
    fn leading_zeros(self) -> u32;

    /// How many are not set after the last that is.
    fn trailing_zeros(self) -> u32;

    /// The lowest 64.
    fn low(self) -> u64;

    /// As the lowest 64; the rest is not set.
    fn from_low(low: u64) -> Self;

    /// From its words, the lowest first; there are [`WORDS`](Self::WORDS) of them.
    fn from_words(words: &[u64]) -> Self;

    /// The bits that a feature votes with. The lowest 64 are the feature itself, so the lowest 64 of a wider fingerprint are the
    /// narrow fingerprint.
    fn spread(feature: u64) -> Self;

    /// The features as rows of this width: themselves, or spread into the buffer.
    fn spread_all<'a>(features: &'a [u64], buffer: &'a mut Vec<Self>) -> &'a [Self];

    /// The number whose bytes are little-endian on this machine, and the way back.
    #[must_use]
    fn to_le(self) -> Self;

    /// Appends the bytes, the lowest first.
    fn put_le_bytes(self, out: &mut Vec<u8>) {
        out.extend_from_slice(bytemuck::bytes_of(&self.to_le()));
    }

    /// From decimal digits alone; `None` if it has more bits. A negative number stands for the bits of a signed one.
    fn from_decimal(digits: &str, negative: bool) -> Option<Self>;

    /// Appends its decimal digits.
    fn put_decimal(self, out: &mut Vec<u8>);

    /// From hexadecimal digits, at most [`DIGITS`](Self::DIGITS) of them; `None` if there is anything else.
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

    /// The high and the low half of a fingerprint of any width: they sort as it does.
    #[inline]
    fn halves(self) -> [u64; 2] {
        [if Self::WIDTH > 64 { (self >> 64).low() } else { 0 }, self.low()]
    }

    /// The fingerprint of two halves.
    #[inline]
    fn from_halves([high, low]: [u64; 2]) -> Self {
        Self::from_words(&[low, high][..Self::WORDS])
    }

    /// In how many bits two differ: the Hamming distance.
    #[inline]
    fn distance(self, other: Self) -> u32 {
        (self ^ other).ones()
    }

    /// The lowest `count` are set; any number up to all of them.
    #[inline]
    fn lowest(count: u32) -> Self {
        if count == 0 { Self::ZERO } else { !Self::ZERO >> (Self::WIDTH - count) }
    }
}

macro_rules! fingerprint_bits {
    ($type:ty, $signed:ty, $spread:expr, $spread_all:expr) => {
        impl FingerprintBits for $type {
            const WIDTH: u32 = <$type>::BITS;
            const ZERO: Self = 0;

            #[inline]
            fn ones(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn leading_zeros(self) -> u32 {
                self.leading_zeros()
            }

            #[inline]
            fn trailing_zeros(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_low(low: u64) -> Self {
                low.into()
            }

            #[inline]
            fn from_words(words: &[u64]) -> Self {
                words.iter().rev().fold(0, |value: u128, &word| value << 64 | word as u128) as $type
            }

            #[inline]
            fn spread(feature: u64) -> Self {
                $spread(feature)
            }

            #[inline]
            fn spread_all<'a>(features: &'a [u64], buffer: &'a mut Vec<Self>) -> &'a [Self] {
                $spread_all(features, buffer)
            }

            #[inline]
            fn to_le(self) -> Self {
                <$type>::to_le(self)
            }

            fn from_decimal(digits: &str, negative: bool) -> Option<Self> {
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

fingerprint_bits!(u64, i64, std::convert::identity, spread_narrow);
fingerprint_bits!(u128, i128, spread_wide, spread_all_wide);

#[inline]
fn spread_narrow<'a>(features: &'a [u64], _: &'a mut Vec<u64>) -> &'a [u64] {
    features
}

#[inline]
fn spread_wide(feature: u64) -> u128 {
    u128::from(second_half(feature)) << 64 | u128::from(feature)
}

#[inline]
fn spread_all_wide<'a>(features: &'a [u64], buffer: &'a mut Vec<u128>) -> &'a [u128] {
    buffer.clear();
    buffer.extend(features.iter().map(|feature| spread_wide(*feature)));
    buffer
}

/// A bijection with constants of its own: what comes out shows no trace of the feature, though it follows from it. A feature has been
/// through a keyed permutation already, so two rounds are enough here.
#[inline]
fn second_half(feature: u64) -> u64 {
    let mut x = (feature ^ 0x5be0_cd19_137e_2179).wrapping_mul(0x9fb2_1c65_1e98_df25);
    x = (x ^ (x >> 32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 29)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 32)
}

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
    use crate::feature_hash::FeatureHasher;

    #[test]
    fn both_widths_count_alike() {
        assert_eq!(0b1011u64.distance(0b0110), 3);
        assert_eq!(0b1011u128.distance(0b0110), 3);
        assert_eq!(u64::lowest(0), 0);
        assert_eq!(u64::lowest(64), u64::MAX);
        assert_eq!(u128::lowest(65).ones(), 65);
        assert_eq!(u128::from_low(7).low(), 7);
        assert_eq!(FingerprintBits::leading_zeros(1u128), 127);
    }

    #[test]
    fn halves_are_independent() {
        // each of the 64 × 64 pairs of bits agrees in half of all features: 4000 fair coins, six standard deviations are 190
        let fp = FeatureHasher::default();
        let mut agree = vec![0u32; 64 * 64];
        for i in 0..4000u64 {
            let row = u128::spread(fp.permute(i));
            let (low, high) = (row as u64, (row >> 64) as u64);
            for shift in 0..64u32 {
                let same = !(low ^ high.rotate_left(shift));
                for bit in 0..64 {
                    agree[(shift * 64 + bit) as usize] += (same >> bit & 1) as u32;
                }
            }
        }
        assert!(agree.iter().all(|n| n.abs_diff(2000) < 190));
    }

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
