//! Which pairs are listed where not all can be: one for each two families, so that a family of near-identical submissions does not fill the
//! list. The most similar pair stands for the others, and says for how many.

use crate::lens::passages::pairs::PairRecord;
use lookalike_core::cluster::UnionFind;
use rustc_hash::FxHashMap;

/// Submissions that pairs of this similarity connect are one family.
const FAMILY: f64 = 0.9;
/// Pairs inside a family that are listed: each brings another member.
const MAX_PAIRS_OF_A_FAMILY: usize = 20;

/// Takes pairs, the most similar first.
pub struct Folding {
    limit: usize,
    families: UnionFind,
    /// The listed pair that stands for all between two families, and how many of them are listed. Inside one family both are the same.
    listed_for: FxHashMap<[u32; 2], (usize, usize)>,
    listed: Vec<PairRecord>,
    /// How many others each of them stands for.
    folded: Vec<u64>,
}

impl Folding {
    /// Of a cohort, and so many pairs to list at most.
    pub fn new(submissions: usize, limit: usize) -> Self {
        let families = UnionFind::new(submissions);
        Self { limit, families, listed_for: FxHashMap::default(), listed: Vec::new(), folded: Vec::new() }
    }

    pub fn push(&mut self, pair: PairRecord) {
        let before = [self.families.find(pair.a), self.families.find(pair.b)];
        // those of families come first, since the most similar do
        let is_family = pair.similarity() >= FAMILY;
        if is_family && self.families.union(pair.a, pair.b) {
            self.merge(before);
        }
        let mut key = [self.families.find(pair.a), self.families.find(pair.b)];
        key.sort_unstable();
        let is_new_member = is_family && before[0] != before[1];
        match self.listed_for.get_mut(&key) {
            Some((_, pairs)) if is_new_member && *pairs < MAX_PAIRS_OF_A_FAMILY && self.listed.len() < self.limit => {
                *pairs += 1;
                self.list(pair);
            }
            Some((at, _)) => self.folded[*at] += 1,
            None if self.listed.len() < self.limit => {
                self.listed_for.insert(key, (self.listed.len(), 1));
                self.list(pair);
            }
            None => {}
        }
    }

    fn list(&mut self, pair: PairRecord) {
        self.listed.push(pair);
        self.folded.push(0);
    }

    /// Two families became one: the first pair of either stands for both.
    fn merge(&mut self, families: [u32; 2]) {
        let known = families.map(|family| self.listed_for.remove(&[family; 2]));
        let both = known.into_iter().flatten().reduce(|(at, pairs), (other, more)| {
            let (first, second) = (at.min(other), at.max(other));
            self.folded[first] += std::mem::take(&mut self.folded[second]);
            (first, pairs + more)
        });
        if let Some(both) = both {
            self.listed_for.insert([families[0].min(families[1]); 2], both);
        }
    }

    /// The pairs that are listed, and how many others each stands for.
    pub fn finish(self) -> (Vec<PairRecord>, Vec<u64>) {
        (self.listed, self.folded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;
    use proptest::prelude::*;

    fn record(a: u32, b: u32) -> PairRecord {
        let mut record = PairRecord::zeroed();
        (record.a, record.b) = (a, b);
        record
    }

    fn fold(submissions: usize, limit: usize, pairs: &[(u32, u32, f64)]) -> Vec<(u32, u32, u64)> {
        let mut folding = Folding::new(submissions, limit);
        for (a, b, similarity) in pairs {
            folding.push(record(*a, *b).with_similarity(*similarity));
        }
        let (listed, folded) = folding.finish();
        listed.iter().zip(folded).map(|(pair, folded)| (pair.a, pair.b, folded)).collect()
    }

    #[test]
    fn a_family_does_not_fill_the_list() {
        // fifty near-copies, one that resembles them all, and two that resemble each other
        let mut pairs: Vec<(u32, u32, f64)> = (0..50).flat_map(|a| (a + 1..50).map(move |b| (a, b, 0.95))).collect();
        pairs.extend((0..50).map(|a| (a, 50, 0.6)));
        pairs.push((51, 52, 0.5));
        let listed = fold(53, 30, &pairs);
        assert_eq!(listed.len(), MAX_PAIRS_OF_A_FAMILY + 2);
        assert_eq!(listed[0], (0, 1, 49 * 50 / 2 - 20), "the first stands for those of the family");
        assert_eq!(listed[20..], [(0, 50, 49), (51, 52, 0)]);
    }

    #[test]
    fn families_that_meet_become_one() {
        let listed = fold(4, 10, &[(0, 1, 0.99), (2, 3, 0.98), (0, 2, 0.97), (1, 3, 0.96), (0, 3, 0.5)]);
        assert_eq!(listed, [(0, 1, 2), (2, 3, 0), (0, 2, 0)]);
    }

    proptest! {
        #[test]
        fn each_pair_is_listed_or_stood_for(pairs in prop::collection::vec((0u32..12, 12u32..24, 0.0f64..=1.0), 0..120)) {
            let mut pairs = pairs;
            pairs.sort_by(|x, y| y.2.total_cmp(&x.2));
            let listed = fold(24, 1000, &pairs);
            let stood_for: u64 = listed.iter().map(|(.., folded)| folded + 1).sum();
            prop_assert_eq!(stood_for, pairs.len() as u64);
        }
    }
}
