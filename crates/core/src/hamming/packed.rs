//! Numbers of so many bits each, one after the other.

use crate::bits::FingerprintBits;
use std::convert::Infallible;
use std::ops::Range;

/// Bytes that lie somewhere: in memory, or in a file that may turn out to be damaged.
pub trait Bytes {
    /// What can go wrong.
    type Error;

    /// Some of them.
    fn bytes(&self, range: Range<u64>) -> Result<&[u8], Self::Error>;
}

impl Bytes for Vec<u8> {
    type Error = Infallible;

    #[inline]
    fn bytes(&self, range: Range<u64>) -> Result<&[u8], Infallible> {
        Ok(&self[range.start as usize..range.end as usize])
    }
}

/// Zeros after the last number, so that any of them can be read with what follows it.
const PADDING: u64 = 24;

/// A list of numbers of `width` bits.
#[derive(Clone, Debug)]
pub struct Packed<B> {
    bytes: B,
    width: u32,
    len: u64,
}

impl<B: Bytes> Packed<B> {
    /// As [`Packer`] made them.
    pub fn new(bytes: B, width: u32, len: u64) -> Self {
        Self { bytes, width, len }
    }

    /// How many numbers.
    #[inline]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One of them.
    #[inline]
    pub fn get<F: FingerprintBits>(&self, at: u64) -> Result<F, B::Error> {
        Ok(self.run(at..at + 1)?.get(0))
    }

    /// Several that follow on each other: looked for once, and read at will.
    #[inline]
    pub fn run(&self, range: Range<u64>) -> Result<PackedRun<'_>, B::Error> {
        debug_assert!(range.start <= range.end && range.end <= self.len);
        let bit = range.start * u64::from(self.width);
        let end = (range.end * u64::from(self.width)).div_ceil(8);
        let bytes = self.bytes.bytes(bit / 8..end + PADDING)?;
        Ok(PackedRun { bytes, first: (bit % 8) as u32, width: self.width })
    }
}

/// Some numbers of a list.
#[derive(Clone, Copy, Debug)]
pub struct PackedRun<'a> {
    bytes: &'a [u8],
    first: u32,
    width: u32,
}

impl PackedRun<'_> {
    /// The number at a place within the run.
    #[inline]
    pub fn get<F: FingerprintBits>(&self, at: usize) -> F {
        let bit = at * self.width as usize + self.first as usize;
        let (byte, shift) = (bit / 8, (bit % 8) as u32);
        if self.width <= 57 {
            return F::from_low(self.word(byte) >> shift) & F::lowest(self.width);
        }
        let low = F::from_low(self.long(byte, shift));
        let value =
            if F::WIDTH > 64 && self.width > 64 { low | (F::from_low(self.long(byte + 8, shift)) << 64) } else { low };
        value & F::lowest(self.width)
    }

    /// Which of the first `n`, at most 64, are as wished: a bit for each, the first the lowest. No branch depends on what they are.
    #[inline]
    pub fn which<F: FingerprintBits>(&self, n: usize, wished: impl Fn(F) -> bool) -> u64 {
        let mut which = 0;
        if self.width > 57 {
            for at in 0..n {
                which |= u64::from(wished(self.get(at))) << at;
            }
            return which;
        }
        let (mask, mut bit) = (F::lowest(self.width), self.first as usize);
        for at in 0..n {
            which |= u64::from(wished(F::from_low(self.word(bit / 8) >> (bit % 8)) & mask)) << at;
            bit += self.width as usize;
        }
        which
    }

    #[inline]
    fn word(&self, byte: usize) -> u64 {
        u64::from_le_bytes(self.bytes[byte..byte + 8].try_into().expect("eight bytes"))
    }

    /// 64 bits that may lie in nine bytes.
    #[inline]
    fn long(&self, byte: usize, shift: u32) -> u64 {
        self.word(byte) >> shift | (u64::from(self.bytes[byte + 8]) << 1) << (63 - shift)
    }

    /// Touches the bytes, so that the machine fetches them while other work goes on.
    #[inline]
    pub fn touch(&self) -> u8 {
        // a line of the cache has 64 bytes
        self.bytes.iter().step_by(64).fold(self.bytes[self.bytes.len() - 1], |all, byte| all | byte)
    }
}

/// Bytes that a list takes.
pub fn packed_bytes(width: u32, len: u64) -> u64 {
    (len * u64::from(width)).div_ceil(8) + PADDING
}

/// How many bits a number needs.
pub fn width_of(largest: u64) -> u32 {
    64 - largest.leading_zeros()
}

/// Writes numbers of `width` bits.
#[derive(Clone, Debug)]
pub struct Packer {
    width: u32,
    /// Bits that do not fill a byte yet, from the lowest on.
    open: u64,
    filled: u32,
    bytes: Vec<u8>,
    len: u64,
}

impl Packer {
    /// An empty list.
    pub fn new(width: u32) -> Self {
        Self { width, open: 0, filled: 0, bytes: Vec::new(), len: 0 }
    }

    /// Appends a number.
    #[inline]
    pub fn push<F: FingerprintBits>(&mut self, number: F) {
        let mut left = self.width;
        let mut number = number;
        while left > 0 {
            let now = left.min(32);
            self.open |= (number.low() & (u64::MAX >> (64 - now))) << self.filled;
            self.filled += now;
            if self.filled >= 32 {
                self.bytes.extend_from_slice(&(self.open as u32).to_le_bytes());
                self.open >>= 32;
                self.filled -= 32;
            }
            left -= now;
            if left > 0 {
                number = number >> now;
            }
        }
        self.len += 1;
    }

    /// Numbers so far.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that are finished and not yet taken.
    pub fn ready(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// The last bytes, with what a reader needs after them.
    pub fn finish(mut self) -> Vec<u8> {
        let rest = self.filled.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.open.to_le_bytes()[..rest]);
        self.bytes.resize(self.bytes.len() + PADDING as usize, 0);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<F: FingerprintBits>(width: u32, numbers: &[F]) {
        let mut packer = Packer::new(width);
        for number in numbers {
            packer.push(*number & F::lowest(width));
        }
        let bytes = packer.finish();
        assert_eq!(bytes.len() as u64, packed_bytes(width, numbers.len() as u64));
        let packed = Packed::new(bytes, width, numbers.len() as u64);
        for (at, number) in numbers.iter().enumerate() {
            let Ok(got) = packed.get::<F>(at as u64);
            assert_eq!(got, *number & F::lowest(width), "number {at} of width {width}");
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<u64>, long: Vec<u128>, width in 0u32..=64, wide in 0u32..=128) {
            check(width, &numbers);
            check(wide, &long);
        }
    }
}
