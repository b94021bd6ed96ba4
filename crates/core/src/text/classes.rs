//! Sixty-four bytes at a time: which of them are of words, which may join words, which are not ASCII.

use wide::u8x16;

/// Bytes looked at together, one bit of a mask each.
pub(super) const BLOCK: usize = 64;

/// Classes of bytes under UAX #29.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Other,
    Letter,
    Digit,
    /// `_` joins letters and digits, but is no word of its own.
    Joiner,
    /// `.` and `'` stand between two letters or between two digits.
    MidBoth,
    /// `:` stands between two letters.
    MidLetter,
    /// `,` and `;` stand between two digits.
    MidDigit,
    /// A byte of something that is not ASCII.
    Wide,
}

const CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Joiner,
            b'.' | b'\'' => Class::MidBoth,
            b':' => Class::MidLetter,
            b',' | b';' => Class::MidDigit,
            0x80.. => Class::Wide,
            _ => Class::Other,
        };
        b += 1;
    }
    table
};

impl Class {
    #[inline]
    pub(super) fn of(byte: u8) -> Self {
        CLASSES[byte as usize]
    }

    #[inline]
    pub(super) fn is_mid(self) -> bool {
        matches!(self, Self::MidBoth | Self::MidLetter | Self::MidDigit)
    }
}

/// A block of bytes as bit masks, the first byte in the lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Masks {
    /// Letters, digits and joiners.
    pub(super) body: u64,
    /// What may stand inside a word, between its parts.
    pub(super) mid: u64,
    pub(super) wide: u64,
}

/// The masks of a block, and the block in lower case; sixteen bytes in each instruction.
#[inline]
pub(super) fn classify(block: &[u8; BLOCK], lower: &mut [u8; BLOCK]) -> Masks {
    let all = u8x16::splat;
    let within = |v: u8x16, first: u8, many: u8| {
        let from_first = v - all(first);
        from_first.min(all(many - 1)).simd_eq(from_first)
    };
    let mut masks = Masks::default();
    for (lane, (bytes, lower)) in block.as_chunks::<16>().0.iter().zip(lower.as_chunks_mut::<16>().0).enumerate() {
        let v = u8x16::new(*bytes);
        let letter = within(v | all(0x20), b'a', 26);
        *lower = (v | letter & all(0x20)).to_array();
        let body = letter | within(v, b'0', 10) | v.simd_eq(all(b'_'));
        // comma and full stop differ in one bit
        let mid = within(v, b':', 2) | (v & all(!2)).simd_eq(all(b',')) | v.simd_eq(all(b'\''));
        let bits = |v: u8x16| u64::from(v.to_bitmask()) << (16 * lane);
        masks.body |= bits(body);
        masks.mid |= bits(mid);
        masks.wide |= bits(v);
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same byte by byte, by the table.
    fn naive(block: &[u8; BLOCK], lower: &mut [u8; BLOCK]) -> Masks {
        let mut masks = Masks::default();
        for (at, (byte, lower)) in block.iter().zip(lower).enumerate() {
            let class = Class::of(*byte);
            masks.body |= u64::from(matches!(class, Class::Letter | Class::Digit | Class::Joiner)) << at;
            masks.mid |= u64::from(class.is_mid()) << at;
            masks.wide |= u64::from(class == Class::Wide) << at;
            *lower = byte.to_ascii_lowercase();
        }
        masks
    }

    fn check(block: &[u8; BLOCK]) {
        let (mut fast, mut slow) = ([0; BLOCK], [0; BLOCK]);
        assert_eq!(classify(block, &mut fast), naive(block, &mut slow), "{block:?}");
        assert_eq!(fast, slow);
    }

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255 {
            for at in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[at] = byte;
                check(&block);
            }
        }
    }

    proptest! {
        #[test]
        fn wide_instructions_agree_with_the_table(block: [u8; 32], more: [u8; 32]) {
            check(&[block, more].concat().try_into().unwrap());
        }
    }
}
