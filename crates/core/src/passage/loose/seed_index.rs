//! One side of a comparison, made once and held against many: seeds and grams in the order of their hashes.

use super::Rules;
use super::token::{is_function_word, mix, word};
use std::collections::VecDeque;
use std::ops::Range;

/// Bits of a seed's place that say which of the next words is its partner.
const PARTNER_BITS: u32 = 3;
/// Content words beyond this many, which is several gigabytes of text, are not looked at: their places would not fit.
const MAX_CONTENT_WORDS: usize = 1 << (32 - PARTNER_BITS);
/// Beyond this many seeds a document keeps only those with small hashes: the same ones on both sides.
const MAX_SEEDS: usize = 1 << 24;

/// What the matcher needs of a document beside its tokens.
#[derive(Clone, Debug, Default)]
pub struct SeedIndex {
    /// Places of the content words.
    pub(super) content_words: Vec<u32>,
    /// Content words that begin a new stretch after a border, as indices of `content_words`.
    pub(super) borders: Vec<u32>,
    /// Hash of a pair, index of its first content word, distance to its second; sorted.
    pub(super) seeds: Vec<u64>,
    /// Seeds whose hash has any of the highest `level` bits set are left out.
    pub(super) level: u32,
    /// Hash of a winnowed gram and its place; sorted.
    pub(super) grams: Vec<u64>,
}

impl SeedIndex {
    /// Prepares the tokens of a document.
    pub fn new(tokens: &[u32], rules: &Rules) -> Self {
        let mut prepared = Self::default();
        let mut border = false;
        for (at, id) in tokens.iter().enumerate() {
            if word(*id) == 0 {
                border = true;
            } else if !is_function_word(*id) {
                if border && !prepared.content_words.is_empty() {
                    prepared.borders.push(prepared.content_words.len() as u32);
                }
                border = false;
                prepared.content_words.push(at as u32);
                if prepared.content_words.len() == MAX_CONTENT_WORDS {
                    break;
                }
            }
        }
        prepared.find_seeds(tokens, rules);
        prepared.find_grams(tokens, rules);
        prepared
    }

    fn find_seeds(&mut self, tokens: &[u32], rules: &Rules) {
        let reach = rules.reach.clamp(1, (1 << PARTNER_BITS) - 1);
        while (self.content_words.len() * reach) >> self.level > MAX_SEEDS {
            self.level += 1;
        }
        let words: Vec<u32> = self.content_words.iter().map(|at| word(tokens[*at as usize])).collect();
        self.seeds.reserve((words.len() * reach) >> self.level);
        for stretch in self.stretches() {
            let words = &words[stretch.start..stretch.end];
            for (i, first) in words.iter().enumerate() {
                for (distance, second) in (1..=reach).zip(&words[i + 1..]) {
                    let hash = pair(*first, *second);
                    if first != second && is_kept(hash, self.level) {
                        let place = (stretch.start + i) << PARTNER_BITS | distance;
                        self.seeds.push(u64::from(hash) << 32 | place as u64);
                    }
                }
            }
        }
        sort(&mut self.seeds);
    }

    /// Content words between borders.
    fn stretches(&self) -> Vec<Range<usize>> {
        let cuts = self.borders.iter().map(|at| *at as usize);
        let starts = std::iter::once(0).chain(cuts.clone());
        starts.zip(cuts.chain([self.content_words.len()])).map(|(start, end)| start..end).collect()
    }

    fn find_grams(&mut self, tokens: &[u32], rules: &Rules) {
        let window = rules.run.saturating_sub(rules.gram) + 1;
        let mut at = 0;
        let mut hashes = Vec::new();
        for stretch in tokens.split(|id| word(*id) == 0) {
            hashes.clear();
            gram_hashes(stretch, rules.gram.max(1), &mut hashes);
            winnow(&hashes, window, |i| self.grams.push(u64::from(hashes[i]) << 32 | (at + i) as u64));
            at += stretch.len() + 1;
        }
        sort(&mut self.grams);
    }
}

/// Whether a document that keeps one seed of 2^`level` keeps that of this hash.
pub(super) fn is_kept(hash: u32, level: u32) -> bool {
    u64::from(hash) << level >> 32 == 0
}

/// Where a seed stands: index of its first content word, distance to its second.
pub(super) fn seed_place(seed: u64) -> (u32, u32) {
    let place = seed as u32;
    (place >> PARTNER_BITS, place & ((1 << PARTNER_BITS) - 1))
}

/// Hash of two words in whatever order.
fn pair(a: u32, b: u32) -> u32 {
    (mix(u64::from(a.min(b)) << 32 | u64::from(a.max(b))) >> 32) as u32
}

/// Hashes of all grams of `k` words, in order.
fn gram_hashes(tokens: &[u32], k: usize, hashes: &mut Vec<u32>) {
    const BASE: u64 = 0xd137_9e01_5f4b_2d6b;
    let leaving = (0..k).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let mut rolled = 0u64;
    for (i, id) in tokens.iter().enumerate() {
        rolled = rolled.wrapping_mul(BASE).wrapping_add(u64::from(word(*id)));
        if i >= k {
            rolled = rolled.wrapping_sub(u64::from(word(tokens[i - k])).wrapping_mul(leaving));
        }
        if i + 1 >= k {
            hashes.push((mix(rolled) >> 32) as u32);
        }
    }
}

/// Winnowing: of all grams few, and the same ones in every copy. Calls `choose` for the last of the least hashes of each window, once each. Equal windows choose at equal places, which the
/// robust kind would not.
pub(super) fn winnow(hashes: &[u32], window: usize, mut choose: impl FnMut(usize)) {
    // candidates for the least of a window, with strictly growing hashes
    let mut queue: VecDeque<usize> = VecDeque::new();
    let mut last = usize::MAX;
    for i in 0..hashes.len() {
        while queue.back().is_some_and(|at| hashes[*at] >= hashes[i]) {
            queue.pop_back();
        }
        queue.push_back(i);
        while queue.front().is_some_and(|at| *at + window <= i) {
            queue.pop_front();
        }
        if i + 1 >= window && queue[0] != last {
            last = queue[0];
            choose(last);
        }
    }
}

/// Sorts keys by their upper halves, by radix: comparing would take most of the time of preparing a document.
///
/// Their lower halves must be in order already, as places are when they are found.
pub(super) fn sort(keys: &mut Vec<u64>) {
    const BITS: u32 = 11;
    if keys.len() < 1 << BITS {
        return keys.sort_unstable();
    }
    let mut other = vec![0; keys.len()];
    for shift in [32, 32 + BITS, 32 + 2 * BITS] {
        let digit = |key: u64| (key >> shift) as usize & ((1 << BITS) - 1);
        let mut places = [0usize; 1 << BITS];
        for key in keys.iter() {
            places[digit(*key)] += 1;
        }
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        for key in keys.iter() {
            let place = &mut places[digit(*key)];
            other[*place] = *key;
            *place += 1;
        }
        std::mem::swap(keys, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_comparing(hashes in prop::collection::vec(any::<u32>(), 0..5000), few: bool) {
            let hash = |hash: u32| u64::from(if few { hash % 7 } else { hash }) << 32;
            let mut keys: Vec<u64> = hashes.iter().enumerate().map(|(at, h)| hash(*h) | at as u64).collect();
            let mut naive = keys.clone();
            naive.sort_unstable();
            sort(&mut keys);
            prop_assert_eq!(keys, naive);
        }
    }

    proptest! {
        #[test]
        fn equals_a_look_at_each_window(hashes in prop::collection::vec(0u32..9, 0..60), window in 1usize..9) {
            let mut chosen = Vec::new();
            winnow(&hashes, window, |at| chosen.push(at));
            let last_least = |(from, w): (usize, &[u32])| {
                from + w.iter().enumerate().rev().min_by_key(|(_, hash)| **hash).map_or(0, |(at, _)| at)
            };
            let mut naive: Vec<usize> = hashes.windows(window).enumerate().map(last_least).collect();
            naive.dedup();
            prop_assert_eq!(chosen, naive);
        }
    }
}
