//! One side of a comparison: where content words stand, seeds and grams with their places.

use super::Rules;
use super::key_list::KeyList;
use super::token::{content_words, mix, word};
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
    /// Places of the content words, and the words.
    pub(super) content_words: Vec<u32>,
    words: Vec<u32>,
    /// Content words that begin a new stretch after a border, as indices of `content_words`.
    pub(super) borders: Vec<u32>,
    /// Hash of a pair, index of its first content word, distance to its second.
    pub(super) seeds: KeyList,
    /// Hash of a winnowed gram and its place.
    pub(super) grams: KeyList,
}

impl SeedIndex {
    /// Prepares the tokens of a document.
    pub fn new(tokens: &[u32], rules: &Rules) -> Self {
        let mut index = Self::default();
        index.fill(tokens, rules);
        index
    }

    /// The same in the room of another document: making it costs less than keeping it.
    pub fn fill(&mut self, tokens: &[u32], rules: &Rules) {
        content_words(tokens, &mut self.content_words, &mut self.words, &mut self.borders);
        self.content_words.truncate(MAX_CONTENT_WORDS);
        self.words.truncate(MAX_CONTENT_WORDS);
        self.borders.retain(|at| (*at as usize) < MAX_CONTENT_WORDS);
        let stretches = self.stretches();
        let Self { words, seeds, grams, .. } = self;
        seeds.fill(|keys| find_seeds(words, &stretches, rules, keys));
        grams.fill(|keys| find_grams(tokens, rules, keys));
    }

    /// Content words between borders.
    fn stretches(&self) -> Vec<Range<usize>> {
        let cuts = self.borders.iter().map(|at| *at as usize);
        let starts = std::iter::once(0).chain(cuts.clone());
        starts.zip(cuts.chain([self.content_words.len()])).map(|(start, end)| start..end).collect()
    }
}

/// Appends the seeds of stretches of content words, in the order of their places.
fn find_seeds(words: &[u32], stretches: &[Range<usize>], rules: &Rules, keys: &mut Vec<u64>) {
    let reach = rules.reach.clamp(1, (1 << PARTNER_BITS) - 1);
    // seeds whose hash has any of so many highest bits set are left out
    let mut level = 0;
    while (words.len() * reach) >> level > MAX_SEEDS {
        level += 1;
    }
    keys.reserve((words.len() * reach) >> level);
    for stretch in stretches {
        let words = &words[stretch.start..stretch.end];
        for (i, first) in words.iter().enumerate() {
            for (distance, second) in (1..=reach).zip(&words[i + 1..]) {
                let hash = pair(*first, *second);
                if first != second && is_kept(hash, level) {
                    let place = (stretch.start + i) << PARTNER_BITS | distance;
                    keys.push(u64::from(hash) << 32 | place as u64);
                }
            }
        }
    }
}

/// Appends the winnowed grams, in the order of their places.
fn find_grams(tokens: &[u32], rules: &Rules, keys: &mut Vec<u64>) {
    let window = rules.run.saturating_sub(rules.gram) + 1;
    let mut at = 0;
    let mut hashes = Vec::new();
    for stretch in tokens.split(|id| word(*id) == 0) {
        hashes.clear();
        gram_hashes(stretch, rules.gram.max(1), &mut hashes);
        winnow(&hashes, window, |i| keys.push(u64::from(hashes[i]) << 32 | (at + i) as u64));
        at += stretch.len() + 1;
    }
}

/// Whether a document that keeps one seed of 2^`level` keeps that of this hash.
fn is_kept(hash: u32, level: u32) -> bool {
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
/// robust kind would not. A window is searched when its least hash leaves it: windows are small.
fn winnow(hashes: &[u32], window: usize, mut choose: impl FnMut(usize)) {
    // of equal hashes the last is the least
    let rank = |at: usize| u64::from(hashes[at]) << 32 | u64::from(u32::MAX - at as u32);
    let place = |rank: u64| (u32::MAX - rank as u32) as usize;
    let mut least: Option<u64> = None;
    for end in window..=hashes.len() {
        let (start, newest) = (end - window, rank(end - 1));
        let found = match least {
            Some(least) if newest < least => newest,
            Some(least) if place(least) >= start => continue,
            _ => (start..end).map(rank).fold(u64::MAX, u64::min),
        };
        least = Some(found);
        choose(place(found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
