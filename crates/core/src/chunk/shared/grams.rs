//! Which grams two files share, and where: a gram is [`GRAM_BYTES`] bytes in a row.
//!
//! So many grams are kept that the memory has a bound: of large files the least of each window (winnowing, Schleimer et al. 2003). Two files that share a run
//! of a gram and a window share a gram that is kept.

use super::paired::PairedBytes;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Shorter runs are chance, unless they lie beside a longer one.
pub(super) const GRAM_BYTES: usize = 24;
/// Places of the other file that are tried for one gram.
const MAX_TRIES: usize = 8;
/// About as many grams of a file are kept.
const TARGET_GRAMS: usize = 4 << 20;
/// A place has 32 bits. What lies beyond is left to chunks.
const MAX_PLACE: usize = u32::MAX as usize;

/// The grams that two files share, in what is free of both.
pub(super) struct GramIndex {
    /// Those of the second file: the hash in the upper half, the place in the lower, sorted.
    entries: Vec<u64>,
    /// Of grams with many places: how many of them, from the first on, are paired.
    spent: FxHashMap<u32, usize>,
}

/// A gram of the first file that the second has too.
pub(super) struct SharedGram {
    /// Where it is in the first file.
    at: u32,
    /// The first of its entries.
    entry: u32,
}

impl SharedGram {
    pub(super) fn at(&self) -> usize {
        self.at as usize
    }
}

impl GramIndex {
    /// The grams, and those that the first file shares, in its order.
    pub(super) fn new(a: (&[u8], &PairedBytes), b: (&[u8], &PairedBytes)) -> (Self, Vec<SharedGram>) {
        let (free_a, free_b) = (a.1.free_stretches(), b.1.free_stretches());
        let free: usize = free_b.iter().map(Range::len).sum();
        let window = free / TARGET_GRAMS + 1;
        let (mut of_a, mut entries) = (entries(a.0, free_a, window), entries(b.0, free_b, window));
        // most grams are in one file only, and need not be sorted
        let (in_a, in_b) = (HashFilter::of(&of_a), HashFilter::of(&entries));
        of_a.retain(|gram| in_b.may_have(*gram));
        entries.retain(|gram| in_a.may_have(*gram));
        of_a.sort_unstable();
        entries.sort_unstable();
        let mut shared = Vec::new();
        let mut next = 0;
        for gram in of_a {
            while entries.get(next).is_some_and(|entry| entry >> 32 < gram >> 32) {
                next += 1;
            }
            if entries.get(next).is_some_and(|entry| entry >> 32 == gram >> 32) {
                shared.push(SharedGram { at: place(gram) as u32, entry: next as u32 });
            }
        }
        shared.sort_unstable_by_key(|shared| shared.at);
        (Self { entries, spent: FxHashMap::default() }, shared)
    }

    /// Some free places of a gram in the second file: those that follow a place, and the first of all.
    pub(super) fn places(&mut self, gram: &SharedGram, after: usize, paired: &PairedBytes) -> Vec<usize> {
        let entries = &self.entries[gram.entry as usize..];
        let is_same = |entry: &u64| entry >> 32 == entries[0] >> 32;
        let is_free = |entry: &&u64| paired.is_free(place(**entry), GRAM_BYTES);
        let few = entries.iter().take(MAX_TRIES + 1).take_while(|entry| is_same(entry)).count();
        let free = |entries: &[u64]| entries.iter().filter(is_free).map(|entry| place(*entry)).collect();
        if few <= MAX_TRIES {
            return free(&entries[..few]);
        }
        let same = &entries[..entries.partition_point(is_same)];
        // what is paired stays paired: no entry is passed over twice
        let spent = self.spent.entry(gram.entry).or_default();
        *spent += same[*spent..].iter().take_while(|entry| !is_free(entry)).count();
        let left = &same[*spent..];
        let following = left.partition_point(|entry| place(*entry) < after);
        let mut places: Vec<usize> = free(&left[following..(following + MAX_TRIES / 2).min(left.len())]);
        places.extend::<Vec<usize>>(free(&left[..left.len().min(MAX_TRIES / 2)]));
        places
    }
}

/// Which hashes some grams may have: a bit for each beginning of a hash.
struct HashFilter {
    bits: Vec<u64>,
    shift: u32,
}

impl HashFilter {
    /// Bits for each gram, at least: of grams that are not there, one in so many passes.
    const BITS_PER_GRAM: usize = 8;

    fn of(grams: &[u64]) -> Self {
        let bits = (grams.len() * Self::BITS_PER_GRAM).next_power_of_two().clamp(1 << 6, 1 << 32);
        let mut filter = Self { bits: vec![0; bits / 64], shift: u64::BITS - bits.trailing_zeros() };
        for gram in grams {
            let bit = gram >> filter.shift;
            filter.bits[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        filter
    }

    fn may_have(&self, gram: u64) -> bool {
        let bit = gram >> self.shift;
        self.bits[(bit / 64) as usize] >> (bit % 64) & 1 != 0
    }
}

/// Hash and place of the grams that are kept.
fn entries(data: &[u8], stretches: Vec<Range<usize>>, window: usize) -> Vec<u64> {
    let mut entries = Vec::with_capacity(stretches.iter().map(Range::len).sum::<usize>() / window);
    for stretch in stretches {
        select(data, stretch, window, |entry| entries.push(entry));
    }
    entries
}

fn place(entry: u64) -> usize {
    (entry & u64::from(u32::MAX)) as usize
}

/// Calls `each` with the grams that are kept of a stretch: of each window the least, of a shorter stretch the least of all.
fn select(data: &[u8], stretch: Range<usize>, window: usize, mut each: impl FnMut(u64)) {
    let stretch = stretch.start.min(MAX_PLACE)..stretch.end.min(MAX_PLACE);
    let grams = data[stretch.clone()].windows(GRAM_BYTES).zip(stretch.start as u64..);
    let mut grams = grams.map(|(gram, at)| u64::from(hash(gram.first_chunk().expect("a whole gram"))) << 32 | at);
    if window == 1 {
        return grams.for_each(each);
    }
    let mut kept = u64::MAX;
    let mut keep = |least: u64, at: usize| {
        // in a run of one byte all are equal: the one that is kept serves as long as it is in the window
        let least = opposite(least);
        if least >> 32 != kept >> 32 || place(kept) + window <= at {
            each(least);
            kept = least;
        }
    };
    // The least of a window is that of the end of one block or that of the beginning of the next: two comparisons a gram, whatever the window.
    let mut block = Vec::with_capacity(window);
    let mut ends = Vec::new();
    loop {
        block.clear();
        block.extend(grams.by_ref().take(window).map(opposite));
        let mut beginning = u64::MAX;
        for (number, gram) in block.iter().enumerate() {
            beginning = beginning.min(*gram);
            if let Some(end) = ends.get(number + 1) {
                keep(beginning.min(*end), place(opposite(*gram)));
            }
        }
        if block.len() < window {
            if ends.is_empty() && !block.is_empty() {
                keep(beginning, 0);
            }
            return;
        }
        keep(beginning, place(opposite(block[window - 1])));
        let mut end = u64::MAX;
        for gram in block.iter_mut().rev() {
            end = end.min(*gram);
            *gram = end;
        }
        std::mem::swap(&mut block, &mut ends);
    }
}

/// An entry with its place counted from the far end, so that the last of equal grams is the least; and back.
fn opposite(entry: u64) -> u64 {
    entry ^ u64::from(u32::MAX)
}

/// A number for a gram. Never stored, and never believed without a look at the bytes.
fn hash(gram: &[u8; GRAM_BYTES]) -> u32 {
    const ODD: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
    let words = gram.as_chunks::<8>().0;
    let sum = words
        .iter()
        .zip(ODD)
        .fold(0u64, |sum, (word, odd)| (sum ^ u64::from_le_bytes(*word)).wrapping_mul(odd).rotate_left(32));
    (sum.wrapping_mul(ODD[0]) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::samples;
    use proptest::prelude::*;

    fn selected(data: &[u8], window: usize) -> Vec<usize> {
        let mut places = Vec::new();
        select(data, 0..data.len(), window, |entry| places.push(place(entry)));
        places
    }

    proptest! {
        #[test]
        fn every_window_keeps_its_least(seed: u64, length in 0..400usize, letters in 1..=4u8, window in 1..40usize) {
            let data = samples::noise(seed, length, letters);
            let hashes: Vec<u32> = data.windows(GRAM_BYTES).map(|gram| hash(gram.first_chunk().unwrap())).collect();
            let places = selected(&data, window);
            prop_assert!(places.is_sorted());
            for from in 0..(hashes.len() + 1).saturating_sub(window).max(hashes.len().min(1)) {
                let until = (from + window).min(hashes.len());
                let least = hashes[from..until].iter().min();
                prop_assert!(places.iter().any(|at| (from..until).contains(at) && Some(&hashes[*at]) == least));
            }
        }
    }

    #[test]
    fn of_one_gram_one_is_kept_in_a_window() {
        let places = selected(&[7; 1000], 20);
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] == 20), "{places:?}");
        assert_eq!(selected(&[7; 1000], 1).len(), 1001 - GRAM_BYTES);
    }

    #[test]
    fn few_are_kept_of_noise() {
        let kept = selected(&samples::noise(1, 100_000, 255), 20).len();
        assert!((9_000..10_000).contains(&kept), "two in a window and one more, found {kept}");
    }
}
