//! What the matcher reads from a token.

/// Set in the id of a word that is too common to seed a match: it counts only within runs of equal words.
pub const LIGHT: u32 = 1;
/// Set in the id of a word that ends a sentence.
pub const ENDS: u32 = 2;
/// The rest of an id names the word; 0 there is a border, which nothing matches and no passage crosses.
pub const FLAG_BITS: u32 = 2;

#[inline]
pub(super) fn word(id: u32) -> u32 {
    id >> FLAG_BITS
}

#[inline]
pub(super) fn is_light(id: u32) -> bool {
    id & LIGHT != 0
}

#[inline]
pub(super) fn ends_sentence(id: u32) -> bool {
    id & ENDS != 0
}

/// Whether two tokens are the same word.
#[inline]
pub(super) fn equal(a: u32, b: u32) -> bool {
    word(a) == word(b) && word(a) != 0
}

/// A bijection of the 64-bit numbers that spreads small differences. Frozen: what it makes is kept in indexes.
#[inline]
pub(super) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}
