//! Which bytes of a file are paired already: one bit each.

use std::ops::Range;

/// Bits of a word.
const BITS: usize = 64;

/// The bytes of a file that are paired.
pub(super) struct PairedBytes {
    /// One word more than there are bytes for, so that each word has a next.
    words: Vec<u64>,
    length: usize,
}

impl PairedBytes {
    /// What is asked for at a time. The question how much is free would else cost more than the answer is worth.
    pub(super) const STEP: usize = BITS;

    pub(super) fn new(length: usize) -> Self {
        Self { words: vec![0; length / BITS + 2], length }
    }

    pub(super) fn pair(&mut self, from: usize, length: usize) {
        let mut at = from;
        while at < from + length {
            let bits = (BITS - at % BITS).min(from + length - at);
            self.words[at / BITS] |= (u64::MAX >> (BITS - bits)) << (at % BITS);
            at += bits;
        }
    }

    /// How many bytes from here on are free, but no more than [`PairedBytes::STEP`].
    pub(super) fn free_ahead(&self, at: usize) -> usize {
        let (word, bit) = (at / BITS, at % BITS);
        // shifted twice, since a shift by all bits is none
        let next = (self.words[word] >> bit) | (self.words[word + 1] << 1 << (BITS - 1 - bit));
        (next.trailing_zeros() as usize).min(self.length - at)
    }

    /// How many bytes before here are free, but no more than [`PairedBytes::STEP`].
    pub(super) fn free_behind(&self, at: usize) -> usize {
        let (word, bit) = (at / BITS, at % BITS);
        let before = if word == 0 { 0 } else { self.words[word - 1] >> bit };
        let last = (self.words[word] << 1 << (BITS - 1 - bit)) | before;
        (last.leading_zeros() as usize).min(at)
    }

    /// Whether so many bytes (no more than [`PairedBytes::STEP`]) from here on are free.
    pub(super) fn is_free(&self, at: usize, length: usize) -> bool {
        self.free_ahead(at) >= length
    }

    /// All that is free, in order, stretch by stretch.
    pub(super) fn free_stretches(&self) -> Vec<Range<usize>> {
        let mut stretches: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at < self.length {
            let free = self.free_ahead(at);
            match stretches.last_mut() {
                Some(last) if last.end == at => last.end += free,
                _ if free > 0 => stretches.push(at..at + free),
                _ => {}
            }
            at += free;
            // paired bytes from here on
            while at < self.length && free < BITS && self.free_ahead(at) == 0 {
                at += if at % BITS == 0 && self.words[at / BITS] == u64::MAX { BITS } else { 1 };
            }
        }
        stretches
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_as_one_flag_for_each_byte(
            length in 0..400usize,
            pairs in prop::collection::vec((0.0..1.0f64, 0..150usize), 0..6),
        ) {
            let mut paired = PairedBytes::new(length);
            let mut flags = vec![false; length];
            for (from, most) in pairs {
                let from = (from * length as f64) as usize;
                let most = most.min(length - from);
                paired.pair(from, most);
                flags[from..from + most].fill(true);
            }
            for at in 0..=length {
                let ahead = flags[at..].iter().take(PairedBytes::STEP).take_while(|flag| !**flag).count();
                prop_assert_eq!(paired.free_ahead(at), ahead);
                let behind = flags[..at].iter().rev().take(PairedBytes::STEP).take_while(|flag| !**flag).count();
                prop_assert_eq!(paired.free_behind(at), behind);
            }
            let stretches = paired.free_stretches();
            prop_assert!(stretches.windows(2).all(|pair| pair[0].end < pair[1].start));
            let mut free = vec![true; length];
            for stretch in stretches {
                prop_assert!(!stretch.is_empty());
                free[stretch].fill(false);
            }
            prop_assert_eq!(free, flags);
        }
    }
}
