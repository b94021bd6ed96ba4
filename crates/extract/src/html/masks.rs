//! Bytes looked at many at once: a bit for each.

use memchr::memchr3;
use wide::u8x16;

/// Bytes in a block.
pub(super) const BLOCK: usize = 64;
/// Bytes in one instruction.
pub(super) const LANE: usize = 16;

/// Some bytes of a document, from anywhere on.
pub(super) struct Block([u8x16; BLOCK / LANE]);

impl Block {
    /// None if there are not so many left.
    #[inline]
    pub(super) fn at(bytes: &[u8], at: usize) -> Option<Self> {
        let block: &[u8; BLOCK] = bytes.get(at..)?.first_chunk()?;
        let lanes = block.as_chunks::<LANE>().0;
        Some(Self([u8x16::new(lanes[0]), u8x16::new(lanes[1]), u8x16::new(lanes[2]), u8x16::new(lanes[3])]))
    }

    /// Which bytes are this one.
    #[inline]
    pub(super) fn equal(&self, byte: u8) -> u64 {
        self.mask(|lane| lane.simd_eq(u8x16::splat(byte)))
    }

    /// Which bytes are this one or greater.
    #[inline]
    pub(super) fn from(&self, byte: u8) -> u64 {
        self.mask(|lane| lane.max(u8x16::splat(byte)).simd_eq(lane))
    }

    #[inline]
    fn mask(&self, test: impl Fn(u8x16) -> u8x16) -> u64 {
        let bits = |at: usize| u64::from(test(self.0[at]).to_bitmask()) << (LANE * at);
        bits(0) | bits(1) | bits(2) | bits(3)
    }
}

/// Where text ends: the next `<`, `&` or NUL. Mostly it is near.
#[inline]
pub(super) fn next_special(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    if let Some(first) = rest.first_chunk() {
        let lane = u8x16::new(*first);
        let is = |byte: u8| lane.simd_eq(u8x16::splat(byte));
        let found = (is(b'<') | is(b'&') | is(0)).to_bitmask();
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
    }
    memchr3(b'<', b'&', 0, rest).map(|found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn masks_are_what_they_say(bytes in prop::collection::vec(any::<u8>(), 0..150), at in 0..100_usize, byte: u8) {
            let Some(block) = Block::at(&bytes, at) else {
                prop_assert!(at + BLOCK > bytes.len());
                return Ok(());
            };
            let (equal, from) = (block.equal(byte), block.from(byte));
            for (bit, found) in bytes[at..at + BLOCK].iter().enumerate() {
                prop_assert_eq!((equal >> bit & 1 == 1, from >> bit & 1 == 1), (*found == byte, *found >= byte));
            }
        }

        #[test]
        fn text_ends_at_the_first_of_them(bytes in prop::collection::vec(prop::sample::select(b"abcdefg hijk<&\0".to_vec()), 0..60), at in 0..60_usize) {
            let at = at.min(bytes.len());
            let naive = bytes[at..].iter().position(|byte| matches!(byte, b'<' | b'&' | 0)).map(|found| at + found);
            prop_assert_eq!(next_special(&bytes, at), naive);
        }
    }
}
