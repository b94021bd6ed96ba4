//! All pairs that reach a resemblance, exactly: a plain prefix-filter join (`AllPairs`) on one thread.
//!
//! Nothing of lookalike's pipeline is in it, so it can say what lookalike misses. It is also a contender: what a
//! hundred lines without sketches cost.

use lookalike_core::sets::Overlap;
use rustc_hash::FxHashMap;

/// The feature sets of a corpus, one after the other.
#[derive(Default)]
pub(crate) struct Sets {
    features: Vec<u64>,
    ends: Vec<usize>,
}

impl Sets {
    /// Adds the set of the next document: sorted, without repeats.
    pub(crate) fn push(&mut self, set: &[u64]) {
        self.features.extend_from_slice(set);
        self.ends.push(self.features.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, document: u32) -> &[u64] {
        let document = document as usize;
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        &self.features[start..self.ends[document]]
    }
}

/// Calls `found` with each pair (a < b) whose resemblance is at least `threshold`.
pub(crate) fn join(sets: &Sets, threshold: f64, mut found: impl FnMut(u32, u32)) {
    let mut frequency: FxHashMap<u64, u32> = FxHashMap::default();
    for feature in &sets.features {
        *frequency.entry(*feature).or_default() += 1;
    }
    let mut by_size: Vec<u32> = (0..sets.len() as u32).filter(|&d| !sets.get(d).is_empty()).collect();
    by_size.sort_by_key(|&document| sets.get(document).len());

    // a list's documents come in the order of their sizes, so those too small for the rest of the join are at its start
    let mut lists: FxHashMap<u64, List> = FxHashMap::default();
    let mut seen_by = vec![u32::MAX; sets.len()];
    let mut prefix: Vec<(u32, u64)> = Vec::new();
    for document in by_size {
        let set = sets.get(document);
        let least = at_least(threshold * set.len() as f64);
        // a partner shares at least `least` features, so it has one of any |set| - least + 1 of them: take the rarest
        prefix.clear();
        prefix.extend(set.iter().map(|feature| (frequency[feature], *feature)));
        let length = set.len() - least + 1;
        if length < prefix.len() {
            prefix.select_nth_unstable(length - 1);
            prefix.truncate(length);
        }
        for &(count, feature) in &prefix {
            if count == 1 {
                continue;
            }
            let list = lists.entry(feature).or_default();
            while list.documents.get(list.start).is_some_and(|&small| sets.get(small).len() < least) {
                list.start += 1;
            }
            for &other in &list.documents[list.start..] {
                // each pair is looked at once, however many features led to it
                if std::mem::replace(&mut seen_by[other as usize], document) == document {
                    continue;
                }
                if Overlap::of(set, sets.get(other)).resemblance() >= threshold {
                    found(document.min(other), document.max(other));
                }
            }
            list.documents.push(document);
        }
    }
}

#[derive(Default)]
struct List {
    documents: Vec<u32>,
    start: usize,
}

/// The smallest whole number not below `x`, which may be off by an error of rounding.
fn at_least(x: f64) -> usize {
    ((x - 1e-9).ceil() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::mutate::{Change, Random, mutate};
    use lookalike_core::{feature_hash::FeatureHasher, shingle};

    #[test]
    fn the_join_is_brute_force() {
        let fp = FeatureHasher::default();
        let mut random = Random(3);
        let vocabulary: Vec<String> = (0..50).map(|i| format!("v{i}")).collect();
        let mut texts = vec![String::new(), "two words".to_owned(), "two words".to_owned()];
        for _ in 0..300 {
            let text = if texts.len() % 4 == 3 {
                let words = 1 + random.below(120);
                (0..words).map(|_| vocabulary[random.below(50)].as_str()).collect::<Vec<_>>().join(" ")
            } else {
                let share = [0.0, 0.02, 0.05, 0.1][random.below(4)];
                mutate(&texts[random.below(texts.len())].clone(), Change::Words(share), &vocabulary, &mut random)
            };
            texts.push(text);
        }
        let mut sets = Sets::default();
        for text in &texts {
            sets.push(&shingle::set_of_text(text, 5, &fp));
        }
        for threshold in [0.3, 0.5, 0.7, 1.0] {
            let mut joined = Vec::new();
            join(&sets, threshold, |a, b| joined.push((a, b)));
            joined.sort_unstable();
            let all = (0..sets.len() as u32).flat_map(|a| (a + 1..sets.len() as u32).map(move |b| (a, b)));
            let brute: Vec<_> =
                all.filter(|&(a, b)| Overlap::of(sets.get(a), sets.get(b)).resemblance() >= threshold).collect();
            assert!(brute.len() > 50, "the sample has {} pairs", brute.len());
            assert_eq!(joined, brute, "at {threshold}");
        }
    }
}
