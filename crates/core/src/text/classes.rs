//! Sixty-four bytes at a time: which of them are of words, which may join words, which are not ASCII.

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use pulp::x86::V4;
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
use std::arch::x86_64::__m512i;
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

/// Instructions by which a block is looked at.
pub(super) trait Instructions: Copy {
    /// The masks of a block, and the block in lower case.
    fn classify(self, block: &[u8; BLOCK], lower: &mut [u8; BLOCK]) -> Masks;

    /// Writes the places of the bits of a mask, each more by `base`; what stands behind them may be written over.
    fn places(self, base: u32, bits: u64, out: &mut [u32; PLACES]);
}

/// Room for the places of a block, and for what is written behind them.
pub(super) const PLACES: usize = BLOCK + 16;

/// Those of sixteen bytes, which every processor has.
#[derive(Clone, Copy)]
pub(super) struct Narrow;

impl Instructions for Narrow {
    #[inline]
    fn classify(self, block: &[u8; BLOCK], lower: &mut [u8; BLOCK]) -> Masks {
        classify(block, lower)
    }

    /// Eight at a time: a wrong guess of their number costs more than a few idle writes.
    #[inline]
    fn places(self, base: u32, mut bits: u64, out: &mut [u32; PLACES]) {
        let eights = (bits.count_ones() as usize).div_ceil(8);
        for eight in out.as_chunks_mut::<8>().0.iter_mut().take(eights) {
            for place in eight {
                *place = base + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
        }
    }
}

#[inline]
fn classify(block: &[u8; BLOCK], lower: &mut [u8; BLOCK]) -> Masks {
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

/// Those of sixty-four bytes, which have masks for their answers.
#[cfg(all(target_arch = "x86_64", feature = "simd"))]
#[derive(Clone, Copy)]
pub(super) struct Wide(pub(super) V4);

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
#[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
impl Wide {
    #[inline(always)]
    fn all(self, byte: u8) -> __m512i {
        self.0.avx512f._mm512_set1_epi8(byte.cast_signed())
    }

    #[inline(always)]
    fn within(self, v: __m512i, first: u8, many: u8) -> u64 {
        let bw = self.0.avx512bw;
        bw._mm512_cmple_epu8_mask(bw._mm512_sub_epi8(v, self.all(first)), self.all(many - 1))
    }

    #[inline(always)]
    fn is(self, v: __m512i, byte: u8) -> u64 {
        self.0.avx512bw._mm512_cmpeq_epi8_mask(v, self.all(byte))
    }
}

#[cfg(all(target_arch = "x86_64", feature = "simd"))]
#[expect(clippy::inline_always, reason = "it must become a part of what is compiled for these instructions")]
impl Instructions for Wide {
    #[inline(always)]
    fn classify(self, block: &[u8; BLOCK], lower: &mut [u8; BLOCK]) -> Masks {
        let (f, bw) = (self.0.avx512f, self.0.avx512bw);
        let v: __m512i = pulp::cast(*block);
        let folded = f._mm512_or_si512(v, self.all(0x20));
        let letter = self.within(folded, b'a', 26);
        *lower = pulp::cast(bw._mm512_mask_blend_epi8(letter, v, folded));
        // comma and full stop differ in one bit
        let comma_or_stop = self.is(f._mm512_and_si512(v, self.all(!2)), b',');
        Masks {
            body: letter | self.within(v, b'0', 10) | self.is(v, b'_'),
            mid: self.within(v, b':', 2) | comma_or_stop | self.is(v, b'\''),
            wide: bw._mm512_movepi8_mask(v),
        }
    }

    #[inline(always)]
    fn places(self, base: u32, mut bits: u64, out: &mut [u32; PLACES]) {
        const NEXT: [u32; LANES] = [LANES as u32; LANES];
        const FIRST: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        const LANES: usize = 16;
        let f = self.0.avx512f;
        let mut places = f._mm512_add_epi32(pulp::cast(FIRST), f._mm512_set1_epi32(base.cast_signed()));
        let mut at = 0;
        for _ in 0..BLOCK / LANES {
            let some = bits as u16;
            let out: &mut [u32; LANES] = out[at..].first_chunk_mut().expect("no more places than bits");
            *out = pulp::cast(f._mm512_maskz_compress_epi32(some, places));
            at += some.count_ones() as usize;
            places = f._mm512_add_epi32(places, pulp::cast(NEXT));
            bits >>= LANES;
        }
    }
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
        assert_eq!(Narrow.classify(block, &mut fast), naive(block, &mut slow), "{block:?}");
        assert_eq!(fast, slow);
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if let Some(simd) = V4::try_new() {
            fast = [0; BLOCK];
            let masks = Wide(simd).classify(block, &mut fast);
            assert_eq!((masks, fast), (naive(block, &mut slow), slow), "{block:?}");
        }
    }

    fn check_places(base: u32, bits: u64) {
        let places: Vec<u32> = (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| base + bit).collect();
        let mut out = [0; PLACES];
        Narrow.places(base, bits, &mut out);
        assert_eq!(out[..places.len()], places[..]);
        #[cfg(all(target_arch = "x86_64", feature = "simd"))]
        if let Some(simd) = V4::try_new() {
            out = [0; PLACES];
            Wide(simd).places(base, bits, &mut out);
            assert_eq!(out[..places.len()], places[..]);
        }
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

        #[test]
        fn places_are_those_of_the_bits(base in 0u32..1 << 20, bits: u64, fewer: u64) {
            check_places(base, bits);
            check_places(base, bits & fewer);
            check_places(base, u64::MAX);
        }
    }
}
