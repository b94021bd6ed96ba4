//! Keys and where they come from, divided by their first bits: what belongs to a part of a filter comes together.

use super::Key;
use std::ops::Range;

/// Keys that are divided at once, at most: they are written here and there and read again, which takes little beside having every part of the
/// filter close to the processor once.
pub const MAX_PROBED: usize = if cfg!(test) { 300 } else { 1 << 23 };
/// Bits that choose a word of a part: half a megabyte, which stays close to the processor.
const PART_WORD_BITS: u32 = if cfg!(test) { 3 } else { 16 };
/// Keys for each part, at least: as many as it has lines of the cache. Fewer are not divided.
const MIN_FOR_PART: usize = if cfg!(test) { 4 } else { 1 << 13 };
/// Keys that are looked up together where they are not divided.
const UNDIVIDED: usize = if cfg!(test) { 50 } else { 1 << 12 };

/// Where keys are divided.
#[derive(Debug, Default)]
pub(super) struct DividedKeys {
    /// Keys above their places, part by part.
    entries: Vec<u64>,
    /// Where each part goes on.
    ends: Vec<usize>,
}

/// The place of an entry: below the key.
#[inline]
pub(super) fn place_of(entry: u64) -> usize {
    entry as u32 as usize
}

impl DividedKeys {
    /// Calls `each` with some words, as many as `word_bits` number, and entries whose keys begin with the number of one of them.
    pub(super) fn each_part<F: Copy>(
        &mut self,
        fingerprints: &[F],
        key: impl Fn(F) -> Key,
        word_bits: u32,
        mut each: impl FnMut(Range<usize>, &mut [u64]),
    ) {
        let part_bits = word_bits.saturating_sub(PART_WORD_BITS);
        let (parts, count) = (1usize << part_bits, fingerprints.len());
        let entry = |(fingerprint, place): (&F, u64)| u64::from(key(*fingerprint)) << 32 | place;
        let some = (0..).step_by(UNDIVIDED).zip(fingerprints.chunks(UNDIVIDED));
        if parts == 1 || count < parts * MIN_FOR_PART {
            self.reserve(UNDIVIDED);
            for (first, some) in some {
                let entries = &mut self.entries[..some.len()];
                entries.iter_mut().zip(some.iter().zip(first..)).for_each(|(slot, one)| *slot = entry(one));
                each(0..1 << word_bits, entries);
            }
            return;
        }
        let words = |part: usize| part << PART_WORD_BITS..(part + 1) << PART_WORD_BITS;
        // more than a part has on average; one that is nearly full before is looked at at once
        let room = count / parts * 5 / 4 + UNDIVIDED;
        self.reserve(parts * room);
        self.ends.clear();
        self.ends.extend((0..parts).map(|part| part * room));
        let (entries, ends) = (&mut self.entries[..parts * room], &mut self.ends[..parts]);
        for (first, some) in some {
            // nothing else in the loop that divides
            for entry in some.iter().zip(first..).map(entry) {
                let end = &mut ends[(entry >> (u64::BITS - part_bits)) as usize];
                entries[*end] = entry;
                *end += 1;
            }
            for (part, end) in ends.iter_mut().enumerate().filter(|(part, end)| **end + UNDIVIDED > (part + 1) * room) {
                each(words(part), &mut entries[part * room..*end]);
                *end = part * room;
            }
        }
        for (part, end) in ends.iter().enumerate() {
            each(words(part), &mut entries[part * room..*end]);
        }
    }

    fn reserve(&mut self, entries: usize) {
        if self.entries.len() < entries {
            self.entries.resize(entries, 0);
        }
    }
}
