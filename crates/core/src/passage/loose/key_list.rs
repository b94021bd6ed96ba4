//! Hashes with their places, and which of them two documents share.

use crate::sets::advance;
use std::borrow::Cow;

/// From how many keys on they are sorted, once: what is held against few others must not be read from end to end for each of them.
const MIN_SORTED: usize = if cfg!(test) { 1 << 7 } else { 1 << 15 };
/// Bits of the filter for each key, at least.
const FILTER_BITS_PER_KEY: usize = 8;

/// Keys of one document: the upper half is a hash, the lower half a place.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyList {
    /// In the order of places; if they are many, in that of hashes.
    keys: Vec<u64>,
    is_sorted: bool,
    /// A bit for the lowest bits of each hash, as many as `mask` has. Of two documents that share little, most keys go no further.
    seen: Vec<u64>,
    mask: usize,
}

impl KeyList {
    /// Takes new keys, which `fill` appends in the order of their places.
    pub(super) fn fill(&mut self, fill: impl FnOnce(&mut Vec<u64>)) {
        self.keys.clear();
        fill(&mut self.keys);
        let bits = (self.keys.len() * FILTER_BITS_PER_KEY).next_power_of_two().max(64);
        self.mask = bits - 1;
        self.seen.clear();
        self.seen.resize(bits / 64, 0);
        for key in &self.keys {
            let bit = (key >> 32) as usize & self.mask;
            self.seen[bit / 64] |= 1 << (bit % 64);
        }
        self.is_sorted = self.keys.len() >= MIN_SORTED;
        if self.is_sorted {
            sort(&mut self.keys);
        }
    }

    /// Whether there may be a key with the hash of this one.
    #[inline]
    fn may_have(&self, key: u64) -> bool {
        let bit = (key >> 32) as usize & self.mask;
        self.seen.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 != 0)
    }

    /// The keys whose hashes another list may have, sorted; those of a long list are all told.
    fn candidates(&self, other: &Self) -> Cow<'_, [u64]> {
        if self.is_sorted {
            return Cow::Borrowed(&self.keys);
        }
        // whether a key goes on is hard to guess: each is written, and the next one over it
        let mut found = vec![0; self.keys.len()];
        let mut count = 0;
        for key in &self.keys {
            found[count] = *key;
            count += usize::from(other.may_have(*key));
        }
        found.truncate(count);
        sort(&mut found);
        Cow::Owned(found)
    }

    /// Calls `each` with the keys of both lists that have the same hash, in the order of hashes.
    pub(super) fn for_each_shared(&self, other: &Self, each: impl FnMut(&[u64], &[u64])) {
        for_each_shared(&self.candidates(other), &other.candidates(self), each);
    }
}

/// Calls `each` with the keys of both lists that have the same upper half. Lists are sorted.
fn for_each_shared(a: &[u64], b: &[u64], mut each: impl FnMut(&[u64], &[u64])) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i] >> 32, b[j] >> 32);
        if x == y {
            let end = |keys: &[u64], from: usize| {
                from + keys[from..].iter().position(|key| key >> 32 != x).unwrap_or(keys.len() - from)
            };
            let (end_a, end_b) = (end(a, i), end(b, j));
            each(&a[i..end_a], &b[j..end_b]);
            (i, j) = (end_a, end_b);
        } else {
            i = advance(a, i, b.len(), |key| key >> 32 < y);
            j = advance(b, j, a.len(), |key| key >> 32 < x);
        }
    }
}

/// Sorts keys by their upper halves, by radix: comparing would take most of the time of preparing a long document.
///
/// Their lower halves must be in order already, as places are when they are found.
fn sort(keys: &mut Vec<u64>) {
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
    use crate::passage::loose::matches::product;
    use proptest::prelude::*;

    /// Keys in the order of their places.
    fn keys(hashes: &[u32]) -> Vec<u64> {
        hashes.iter().enumerate().map(|(at, hash)| u64::from(*hash) << 32 | at as u64).collect()
    }

    fn list(hashes: &[u32]) -> KeyList {
        let mut list = KeyList::default();
        list.fill(|keys| keys.push(7 << 32));
        list.fill(|into| into.extend(keys(hashes)));
        list
    }

    proptest! {
        #[test]
        fn equals_comparing(hashes in prop::collection::vec(any::<u32>(), 0..5000), few: bool) {
            let hash = |hash: &u32| if few { hash % 7 } else { *hash };
            let mut keys = keys(&hashes.iter().map(hash).collect::<Vec<_>>());
            let mut naive = keys.clone();
            naive.sort_unstable();
            sort(&mut keys);
            prop_assert_eq!(keys, naive);
        }

        #[test]
        fn shared_keys_equal_a_look_at_each(
            a in prop::collection::vec(0u32..400, 0..300), b in prop::collection::vec(0u32..400, 0..300), few in 1usize..400,
        ) {
            // short lists and long ones, which are handled in other ways
            let b = &b[..few.min(b.len())];
            let mut found = Vec::new();
            let mut last = None;
            list(&a).for_each_shared(&list(b), |x, y| {
                assert!(last < Some(x[0] >> 32) && x.is_sorted() && y.is_sorted());
                last = Some(x[0] >> 32);
                found.extend(product(x, y));
            });
            let mut naive: Vec<_> = product(&keys(&a), &keys(b)).filter(|(x, y)| x >> 32 == y >> 32).collect();
            naive.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, naive);
        }
    }
}
