//! Counts of what winnowing selects, document by document.

use crate::lens::passages::family::Method;
use crate::report::passages::ZeroMod;
use lookalike_core::winnow::{KgramFingerprint, Select, select};

/// Counts of one family.
#[derive(Clone, Copy, Debug, Default)]
pub struct WinnowCounts {
    pub hashes: u64,
    pub fingerprints: u64,
    pub longest_gap: u64,
    pub zero_mod: ZeroMod,
}

/// Counts of all families.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally(pub [WinnowCounts; 3]);

/// The p that selects as many of random hashes as winnowing does: (w + 1) / 2.
pub fn p(method: &Method) -> u64 {
    (method.winnowing.w() as u64).div_ceil(2).max(1)
}

impl Tally {
    /// Counts what was selected of one document.
    pub fn of(method: &Method, tokens: &[u32], found: &[KgramFingerprint], hashes: u64) -> Self {
        let mut grams = Vec::with_capacity(hashes as usize);
        method.for_each_gram(tokens, |gram| grams.push(gram));
        let mut zeros = Vec::new();
        select(grams.iter().map(|gram| gram.hash), 1, Select::ZeroMod(p(method)), |at| zeros.push(at));
        let at = |fingerprint: &KgramFingerprint| grams.partition_point(|gram| gram.position < fingerprint.position);
        let chosen: Vec<usize> = found.iter().map(at).collect();
        let mut tally = Self::default();
        tally.0[method.family as usize] = WinnowCounts {
            hashes,
            fingerprints: found.len() as u64,
            longest_gap: longest_gap(&chosen, grams.len()),
            zero_mod: ZeroMod {
                p: p(method),
                fingerprints: zeros.len() as u64,
                longest_gap: longest_gap(&zeros, grams.len()),
            },
        };
        tally
    }

    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.hashes += theirs.hashes;
            mine.fingerprints += theirs.fingerprints;
            mine.longest_gap = mine.longest_gap.max(theirs.longest_gap);
            mine.zero_mod.fingerprints += theirs.zero_mod.fingerprints;
            mine.zero_mod.longest_gap = mine.zero_mod.longest_gap.max(theirs.zero_mod.longest_gap);
        }
    }
}

/// Hashes in a row of which none was selected, at most.
fn longest_gap(selected: &[usize], hashes: usize) -> u64 {
    let mut longest = 0;
    let mut next = 0;
    for at in selected.iter().copied().chain([hashes]) {
        longest = longest.max(at - next);
        next = at + 1;
    }
    longest as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_reach_from_end_to_end() {
        assert_eq!(longest_gap(&[3, 5], 10), 4);
        assert_eq!(longest_gap(&[], 8), 8);
        assert_eq!(longest_gap(&[0, 1, 2], 3), 0);
        assert_eq!(longest_gap(&[], 0), 0);
    }
}
