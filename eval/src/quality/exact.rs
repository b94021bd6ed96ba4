//! Every pair of generated documents that shares a shingle, with its exact numbers: the reference for what a scan finds.

use crate::generate::Corpus;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_core::shingle;
use rayon::prelude::*;

/// Words in a shingle, as lookalike's default.
pub(super) const W: usize = 10;

/// The feature set of each document.
pub(super) fn sets(corpus: &Corpus, documents: u32) -> Vec<Vec<u64>> {
    let fp = FeatureHasher::default();
    (0..documents).into_par_iter().map(|index| shingle::set_of_text(&corpus.text(u64::from(index)), W, &fp)).collect()
}

/// All pairs that share a feature, sorted. No candidates and no samples: features are sorted, and neighbours with the same are counted.
pub(super) fn pairs(sets: &[Vec<u64>]) -> Vec<((u32, u32), Overlap)> {
    let holders = |(set, document): (&Vec<u64>, u32)| set.iter().map(move |&f| (f, document)).collect::<Vec<_>>();
    let mut postings: Vec<(u64, u32)> = sets.iter().zip(0..).flat_map(holders).collect();
    postings.par_sort_unstable();
    let mut shared = Vec::new();
    for same in postings.chunk_by(|a, b| a.0 == b.0) {
        for (at, b) in same.iter().enumerate() {
            shared.extend(same[..at].iter().map(|a| (a.1, b.1)));
        }
    }
    shared.par_sort_unstable();
    let size = |document: u32| sets[document as usize].len() as u32;
    let pair = |same: &[(u32, u32)]| {
        let (a, b) = same[0];
        (same[0], Overlap { a: size(a), b: size(b), shared: same.len() as u32 })
    };
    shared.chunk_by(|a, b| a == b).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_brute_force() {
        let corpus = Corpus::new(2, 60, 0.5);
        let sets = sets(&corpus, 200);
        let mut expected = Vec::new();
        for b in 0..200 {
            for a in 0..b {
                expected.push(((a, b), Overlap::of(&sets[a as usize], &sets[b as usize])));
            }
        }
        expected.retain(|(_, overlap)| overlap.shared > 0);
        expected.sort_unstable_by_key(|(pair, _)| *pair);
        assert!(expected.len() > 50);
        assert_eq!(pairs(&sets), expected);
    }
}
