//! Fingerprints as rows of bits: 64 or 128 of them, and the same code for both.

use std::fmt::{Debug, LowerHex};
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// An unsigned number that is looked at as a row of bits.
pub trait Bits:
    Copy
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

macro_rules! bits {
    ($type:ty) => {
        impl Bits for $type {
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
        }
    };
}

bits!(u64);
bits!(u128);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_widths_count_alike() {
        assert_eq!(0b1011u64.distance(0b0110), 3);
        assert_eq!(0b1011u128.distance(0b0110), 3);
        assert_eq!(u64::lowest(0), 0);
        assert_eq!(u64::lowest(64), u64::MAX);
        assert_eq!(u128::lowest(65).ones(), 65);
        assert_eq!(u128::from_low(7).low(), 7);
        assert_eq!(Bits::leading_zeros(1u128), 127);
    }
}
