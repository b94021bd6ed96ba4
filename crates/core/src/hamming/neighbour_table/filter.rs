//! Which keys may be near a query's: two Bloom filters, each of one word for a key, that most fingerprints do not pass.
//!
//! The first bits of a key choose the word, the next ones three bits in it. What has the same first bits lies together, so the words of a part
//! of all keys stay close to the processor while the keys of that part are looked up, and every look is one word.

use super::super::near::flips;
use super::Key;
use super::blocks::each_block;
use super::divided::MAX_PROBED;
use crate::hamming::ball;
use std::ops::{Deref, DerefMut, Range};

/// Bits of a key that choose bits in a word.
const REST_BITS: u32 = 11;
/// Bits of a word for each key that is entered.
const BITS_EACH: u32 = 3;
/// Keys that are entered in a word on average, at most.
const MAX_LOAD: f64 = 16.0;
/// Bits that choose a word, at most: what is entered more often than this has room for passes.
const MAX_WORD_BITS: u32 = 28;
/// Filters: what passes the first is asked of the second, which has other bits for it.
const FILTERS: usize = 2;
/// Where a key is too short for all bits that are looked at, those of the place below it are: they must never be set.
const _: () = assert!((MAX_PROBED as u64) >> (64 - MAX_WORD_BITS - REST_BITS) == 0);
/// Bytes of a word.
const WORD: usize = 8;

/// How large the filters are.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterShape {
    key_bits: u32,
    word_bits: u32,
    radius: u32,
}

impl FilterShape {
    pub(super) fn new(queries: u64, key_bits: u32, radius: u32) -> Self {
        let of = |word_bits| Self { key_bits, word_bits, radius };
        // one bit at least: a part is named by the highest ones
        let most = key_bits.clamp(1, MAX_WORD_BITS);
        (1..most).map(of).find(|shape| shape.load(queries) <= MAX_LOAD).unwrap_or_else(|| of(most))
    }

    /// Keys entered in a word on average.
    fn load(self, queries: u64) -> f64 {
        queries as f64 * ball((self.word_bits + self.rest_bits()).into(), self.radius.into())
            / 2f64.powi(self.word_bits.cast_signed())
    }

    fn rest_bits(self) -> u32 {
        REST_BITS.min(self.key_bits.saturating_sub(self.word_bits))
    }

    #[inline]
    fn word(self, key: Key) -> usize {
        (key >> (Key::BITS - self.word_bits)) as usize
    }

    #[inline]
    fn rest(self, key: Key) -> usize {
        (key << self.word_bits >> (Key::BITS - REST_BITS)) as usize
    }

    pub(super) fn bytes(self) -> usize {
        (FILTERS * WORD) << self.word_bits
    }

    /// The share that passes of what is near nothing, if keys are spread evenly.
    pub(super) fn passing(self, queries: u64) -> f64 {
        let known = self.word_bits + self.rest_bits();
        let set = 1.0 - (-f64::from(BITS_EACH) * self.load(queries) / (WORD * 8) as f64).exp();
        let near = queries as f64 * ball(known.into(), self.radius.into()) / 2f64.powi(known.cast_signed());
        (set.powi((BITS_EACH * FILTERS as u32).cast_signed()) + near).min(1.0)
    }
}

/// Bits in a word, by the rest of a key.
type Masks = [u64; 1 << REST_BITS];

/// The filters of one table.
#[derive(Debug)]
pub(super) struct Filter<W> {
    shape: FilterShape,
    masks: [Box<Masks>; FILTERS],
    /// All of the first filter, then all of the second.
    words: W,
}

impl<W> Filter<W> {
    pub(super) fn new(shape: FilterShape, words: W) -> Self {
        Self { shape, masks: [0, 1].map(masks), words }
    }

    /// Bits of a key that choose a word.
    pub(super) fn word_bits(&self) -> u32 {
        self.shape.word_bits
    }
}

/// Three bits for each rest, others in each filter.
fn masks(filter: u64) -> Box<Masks> {
    let mut masks: Box<Masks> = Box::new([0; 1 << REST_BITS]);
    for (mask, rest) in masks.iter_mut().zip(1u64..) {
        let mut dice = (rest << 1 | filter).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        dice = (dice ^ (dice >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        dice ^= dice >> 32;
        while mask.count_ones() < BITS_EACH {
            *mask |= 1 << (dice & 63);
            dice = dice.rotate_right(6).wrapping_add(1);
        }
    }
    masks
}

impl<W: Deref<Target = [u8]>> Filter<W> {
    fn filter(&self, number: usize, words: Range<usize>) -> &[[u8; WORD]] {
        let (words_of_all, _) = self.words.as_chunks();
        &words_of_all[number << self.shape.word_bits..][words]
    }

    /// Keeps those entries, at the front, whose keys may be near a query's. All their words are among these. How many those are.
    pub(super) fn keep(&self, words: Range<usize>, entries: &mut [u64]) -> usize {
        // one shift for both: what is below a short key is the highest bits of a place, which are never set
        let (mut left, shift) = (entries.len(), u64::BITS - self.shape.word_bits - REST_BITS);
        for (number, masks) in self.masks.iter().enumerate() {
            let part = self.filter(number, words.clone());
            if left >= part.len() / WORD {
                // fetched in its order, ahead of being looked at here and there
                std::hint::black_box(part.iter().step_by(super::LINE / WORD).fold(0, |all, word| all | word[0]));
            }
            // words are as many as some bits of a key number, and never none; but now the compiler knows that these bits are a place among them
            let Some(last) = part.len().checked_sub(1) else { return 0 };
            let mut kept = 0;
            for at in 0..left {
                let entry = entries[at];
                let bits = entry >> shift;
                let word = u64::from_le_bytes(part[(bits >> REST_BITS) as usize & last]);
                let mask = masks[bits as usize & (masks.len() - 1)];
                entries[kept] = entry;
                kept += usize::from(word & mask == mask);
            }
            left = kept;
        }
        left
    }
}

impl<W: Deref<Target = [u8]> + DerefMut> Filter<W> {
    /// Enters all keys that are near one of these, which are sorted.
    pub(super) fn fill(&mut self, keys: &[(Key, u32)]) {
        let shape = self.shape;
        let (word_bits, rest_bits, radius) = (shape.word_bits, shape.rest_bits(), shape.radius);
        for number in 0..FILTERS {
            // what a key sets in its own word for all that differ from it only there, in so many bits
            let balls: Vec<Masks> = (0..=radius)
                .map(|left| {
                    let flips: Vec<u64> = flips(rest_bits, left).map(|flip| flip << (REST_BITS - rest_bits)).collect();
                    std::array::from_fn(|rest| {
                        flips.iter().fold(0, |all, flip| all | self.masks[number][rest ^ *flip as usize])
                    })
                })
                .collect();
            let (words, _) = self.words.as_chunks_mut::<WORD>();
            let words = &mut words[number << word_bits..][..1 << word_bits];
            each_block(keys, word_bits, radius, WORD, |flip, keys| {
                let ball = &balls[(radius - flip.count_ones()) as usize];
                for (key, _) in keys {
                    let word = &mut words[shape.word(*key) ^ flip as usize];
                    *word = (u64::from_le_bytes(*word) | ball[shape.rest(*key)]).to_le_bytes();
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_near_passes(seeds: Vec<u32>, flips: Vec<(u32, u32, u32)>, bits in 1u32..=32, radius in 0u32..3, words in 1u32..9) {
            let top = |key: u32| key & u32::MAX << (32 - bits);
            let mut queries: Vec<(Key, u32)> = seeds.iter().map(|key| (top(*key), 1)).collect();
            queries.sort_unstable();
            let shape = FilterShape { key_bits: bits, word_bits: words.min(bits), radius };
            let mut filter = Filter::new(shape, vec![0; shape.bytes()]);
            filter.fill(&queries);
            let near = |(dice, a, b): &(u32, u32, u32)| {
                let query = queries.get(*dice as usize % queries.len().max(1)).map_or(*dice, |query| query.0);
                top(query ^ 1 << (a % 32) ^ 1 << (b % 32))
            };
            let entries: Vec<u64> = flips.iter().map(near).zip(0u64..).map(|(key, place)| u64::from(key) << 32 | place).collect();
            let mut kept = entries.clone();
            let count = filter.keep(0..1 << shape.word_bits, &mut kept);
            let mut kept = kept[..count].iter().peekable();
            for entry in entries {
                let key = super::super::key_of(entry);
                let is_near = queries.iter().any(|(query, _)| (query ^ key).count_ones() <= radius);
                let passed = kept.next_if_eq(&&entry).is_some();
                prop_assert!(passed || !is_near);
            }
            prop_assert!(kept.next().is_none());
        }
    }
}
