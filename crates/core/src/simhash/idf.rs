//! Inverse document frequency: a feature that few documents have weighs more than one that many have.
//!
//! With D documents, a feature that df of them have weighs 1 + ⌊2 · log2(D / df)⌋: half a bit of information to a unit, and never 0, so
//! that a corpus of equal documents has fingerprints too. Integers only: ⌊2 · log2(x)⌋ is the logarithm of x².
//!
//! The table is bounded. Features of one document only are most of all there are; they are not listed, and what is not listed weighs
//! the most. If the rest is too many, the rarest go too: all features with a frequency below the least that keeps the table within its
//! bound, whichever order they come in. What is not listed then weighs as much as the commonest of what was left out, so weights
//! never rise with frequency.

use crate::error::Error;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A listed feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeatureWeight {
    /// Which.
    pub feature: u64,
    /// What it weighs.
    pub weight: u8,
}

/// Weights of features by how many documents of some corpus have them.
#[derive(Clone, Debug)]
pub struct Idf {
    weights: FxHashMap<u64, u8>,
    unlisted: u8,
    name: String,
}

impl Idf {
    /// A table of features in ascending order, and what all others weigh. Fails if that is no table.
    pub fn new(listed: &[FeatureWeight], unlisted: u8) -> Result<Self, Error> {
        if !listed.is_sorted_by(|a, b| a.feature < b.feature) {
            return Err(Error::IdfOrder);
        }
        if listed.iter().any(|known| known.weight == 0 || known.weight >= unlisted) {
            return Err(Error::IdfWeights);
        }
        let mut hasher = blake3::Hasher::new_derive_key("lookalike 2026 name of an idf table v1");
        hasher.update(&[unlisted]);
        for known in listed {
            hasher.update(&known.feature.to_le_bytes()).update(&[known.weight]);
        }
        let name = hasher.finalize().to_hex()[..8].to_owned();
        Ok(Self { weights: listed.iter().map(|known| (known.feature, known.weight)).collect(), unlisted, name })
    }

    /// The weights of a table, or all equal, but that these features (in ascending order) weigh nothing: what so many documents have that it
    /// tells them apart from nobody.
    pub fn without(base: Option<&Self>, ignored: &[u64]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("lookalike 2026 name of an idf table without features v1");
        hasher.update(base.map_or("", Self::name).as_bytes());
        let (mut weights, unlisted) =
            base.map_or_else(|| (FxHashMap::default(), 1), |b| (b.weights.clone(), b.unlisted));
        for feature in ignored {
            hasher.update(&feature.to_le_bytes());
            weights.insert(*feature, 0);
        }
        Self { weights, unlisted, name: hasher.finalize().to_hex()[..8].to_owned() }
    }

    /// Eight digits that tell it from other tables: part of the recipe.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a feature weighs.
    #[inline]
    pub fn weight(&self, feature: u64) -> u8 {
        self.weights.get(&feature).copied().unwrap_or(self.unlisted)
    }

    /// How many features are listed.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether all features weigh the same.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }
}

/// Makes a table of document frequencies.
#[derive(Clone, Debug)]
pub struct IdfBuilder {
    limit: usize,
    counted: Vec<(u64, u64)>,
    /// How many features have each frequency, those included that were left out.
    frequencies: BTreeMap<u64, u64>,
    /// Features of lower frequency will not be listed, whatever comes.
    least: u64,
}

impl IdfBuilder {
    /// A table of at most `limit` features.
    pub fn new(limit: usize) -> Self {
        Self { limit, counted: Vec::new(), frequencies: BTreeMap::new(), least: 2 }
    }

    /// Takes a feature, once, with the number of documents that have it.
    pub fn add(&mut self, feature: u64, documents: u64) {
        if documents < self.least {
            return;
        }
        *self.frequencies.entry(documents).or_default() += 1;
        self.counted.push((feature, documents));
        if self.counted.len() > self.limit.saturating_mul(2) {
            self.forget();
        }
    }

    /// Forgets what cannot be listed any more: more features can only raise the least frequency.
    fn forget(&mut self) {
        let mut room = self.limit as u64;
        let too_common = self.frequencies.iter().rev().find(|(_, features)| {
            let fits = room >= **features;
            room = room.saturating_sub(**features);
            !fits
        });
        self.least = too_common.map_or(self.least, |(documents, _)| documents + 1);
        self.counted.retain(|(_, documents)| *documents >= self.least);
    }

    /// The listed features of a corpus of so many documents in ascending order, and what all others weigh.
    pub fn finish(mut self, documents: u64) -> (Vec<FeatureWeight>, u8) {
        self.forget();
        let unlisted = weight(documents, self.least - 1);
        let listed = self
            .counted
            .iter()
            .map(|(feature, df)| FeatureWeight { feature: *feature, weight: weight(documents, *df) });
        let mut listed: Vec<FeatureWeight> = listed.filter(|known| known.weight < unlisted).collect();
        listed.sort_unstable();
        (listed, unlisted)
    }
}

/// 1 + ⌊2 · log2(documents / df)⌋
fn weight(documents: u64, df: u64) -> u8 {
    let (documents, df) = (u128::from(documents.max(df)), u128::from(df.max(1)));
    1 + (documents * documents / (df * df)).ilog2() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weights_by_hand() {
        // 1024 documents: 2 · 10 bits for one of them, 2 for half of them, 0 for all; and 1 each
        assert_eq!([1, 2, 512, 1024].map(|df| weight(1024, df)), [21, 19, 3, 1]);
        // log2(1000 / 3) = 8.38
        assert_eq!(weight(1000, 3), 17);
        assert_eq!(weight(0, 1), 1);
        assert_eq!(weight(u64::MAX, 1), 128);
    }

    #[test]
    fn what_is_rare_is_not_listed_and_weighs_most() {
        let mut builder = IdfBuilder::new(100);
        for (feature, df) in [(9, 8), (7, 1), (5, 2), (3, 4)] {
            builder.add(feature, df);
        }
        let (listed, unlisted) = builder.finish(8);
        let known = |feature, weight| FeatureWeight { feature, weight };
        assert_eq!(listed, [known(3, 3), known(5, 5), known(9, 1)]);
        let idf = Idf::new(&listed, unlisted).unwrap();
        assert_eq!([3, 5, 7, 9, 11].map(|feature| idf.weight(feature)), [3, 5, 7, 1, 7]);
        assert_eq!(idf.name(), "6391c5fe");
        assert!(Idf::new(&[known(3, 3), known(3, 3)], 7).is_err());
        assert!(Idf::new(&[known(3, 7)], 7).is_err());
        assert!(Idf::new(&[known(3, 0)], 7).is_err());
    }

    #[test]
    fn what_is_ignored_weighs_nothing() {
        let idf = Idf::without(None, &[3, 5]);
        assert_eq!([3, 4, 5].map(|feature| idf.weight(feature)), [0, 1, 0]);
        let base =
            Idf::new(&[FeatureWeight { feature: 3, weight: 2 }, FeatureWeight { feature: 4, weight: 6 }], 7).unwrap();
        let both = Idf::without(Some(&base), &[3, 5]);
        assert_eq!([3, 4, 5, 6].map(|feature| both.weight(feature)), [0, 6, 0, 7]);
        let names = [idf.name(), both.name(), Idf::without(None, &[3]).name(), base.name()].map(str::to_owned);
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{names:?}");
    }

    proptest! {
        #[test]
        fn bounded_whatever_the_order(mut counts in prop::collection::vec(1u64..40, 0..300), limit in 1usize..100, turn in 0usize..300) {
            let table = |counts: &[(u64, u64)]| {
                let mut builder = IdfBuilder::new(limit);
                for (feature, df) in counts {
                    builder.add(*feature, *df);
                }
                builder.finish(40)
            };
            counts.sort_unstable();
            let mut numbered: Vec<(u64, u64)> = (0..).zip(counts.iter().copied()).collect();
            let (listed, unlisted) = table(&numbered);
            prop_assert!(listed.len() <= limit);
            let idf = Idf::new(&listed, unlisted).unwrap();
            // never more for a feature that more documents have
            prop_assert!(numbered.windows(2).all(|two| idf.weight(two[0].0) >= idf.weight(two[1].0)));
            // nothing is left out that has room
            if counts.iter().filter(|df| **df > 1).count() <= limit {
                prop_assert!(numbered.iter().all(|(feature, df)| idf.weight(*feature) == weight(40, *df)));
            }
            let middle = turn.min(numbered.len());
            numbered.rotate_left(middle);
            prop_assert_eq!(table(&numbered), (listed, unlisted));
        }
    }
}
