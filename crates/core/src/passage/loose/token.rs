//! What the matcher reads from a token, and the grams by which a corpus is searched for pairs that share a passage.

use super::Rules;

/// Set in the id of a word that is too common to seed a match: it counts only within runs of equal words.
pub const FUNCTION_WORD: u32 = 1;
/// Set in the id of a word that ends a sentence.
pub const SENTENCE_END: u32 = 2;
/// The rest of an id names the word; 0 there is a border, which nothing matches and no passage crosses.
pub const FLAG_BITS: u32 = 2;

#[inline]
pub(super) fn word(id: u32) -> u32 {
    id >> FLAG_BITS
}

#[inline]
pub(super) fn is_function_word(id: u32) -> bool {
    id & FUNCTION_WORD != 0
}

#[inline]
pub(super) fn ends_sentence(id: u32) -> bool {
    id & SENTENCE_END != 0
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

/// Appends the hash of each `rules.key` content words in a row, in whatever order they stand, and the place of the first of them.
/// No gram crosses a border. Winnowed with windows of `rules.guarantee - rules.key + 1`, equal runs of `rules.guarantee` content words
/// share a fingerprint for certain.
pub fn grams(tokens: &[u32], rules: &Rules, out: &mut Vec<(u64, u32)>) {
    let mut row: Vec<(u64, u32)> = Vec::new();
    for (at, id) in tokens.iter().enumerate() {
        if word(*id) == 0 {
            gather(&row, rules.key, out);
            row.clear();
        } else if !is_function_word(*id) {
            row.push((mix(u64::from(word(*id))), at as u32));
        }
    }
    gather(&row, rules.key, out);
}

/// Sums do not care for order.
fn gather(row: &[(u64, u32)], key: usize, out: &mut Vec<(u64, u32)>) {
    let mut sum = 0u64;
    for (at, (hash, _)) in row.iter().enumerate() {
        sum = sum.wrapping_add(*hash);
        if at >= key {
            sum = sum.wrapping_sub(row[at - key].0);
        }
        if key > 0 && at + 1 >= key {
            out.push((mix(sum), row[at + 1 - key].1));
        }
    }
}
