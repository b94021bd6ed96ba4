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

/// Replaces three lists: the places of the content words, the words, and which of them begin a new stretch after a border.
pub(super) fn content_words(tokens: &[u32], places: &mut Vec<u32>, words: &mut Vec<u32>, borders: &mut Vec<u32>) {
    places.resize(tokens.len(), 0);
    words.resize(tokens.len(), 0);
    borders.clear();
    let (mut count, mut at) = (0, 0);
    for stretch in tokens.split(|id| word(*id) == 0) {
        let before = count;
        // whether a word counts is hard to guess: each is written, and the next one over it
        for id in stretch {
            (places[count], words[count]) = (at, word(*id));
            count += usize::from(!is_function_word(*id));
            at += 1;
        }
        at += 1;
        if before > 0 && count > before {
            borders.push(before as u32);
        }
    }
    places.truncate(count);
    words.truncate(count);
}

/// Calls `each` with the hash of each `rules.key` content words in a row, in whatever order they stand, and the place of the first of
/// them. No gram crosses a border. Winnowed with windows of `rules.guarantee - rules.key + 1`, equal runs of `rules.guarantee` content
/// words share a fingerprint for certain.
pub fn for_each_gram(tokens: &[u32], rules: &Rules, mut each: impl FnMut(u64, u32)) {
    let (mut places, mut words, mut borders) = Default::default();
    content_words(tokens, &mut places, &mut words, &mut borders);
    if rules.key == 0 {
        return;
    }
    let mut start = 0;
    for end in borders.into_iter().map(|at| at as usize).chain([words.len()]) {
        // sums do not care for order
        let mut sum = 0u64;
        for at in start..end {
            sum = sum.wrapping_add(mix(u64::from(words[at])));
            if at >= start + rules.key {
                sum = sum.wrapping_sub(mix(u64::from(words[at - rules.key])));
            }
            if at + 1 >= start + rules.key {
                each(mix(sum), places[at + 1 - rules.key]);
            }
        }
        start = end;
    }
}
