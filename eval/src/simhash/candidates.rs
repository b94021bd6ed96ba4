//! Ways of choosing and weighing features, held against each other.

use anyhow::Result;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::simhash::{Idf, IdfBuilder, Scratch, SimhashRecipe, Simhasher};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is tried: n-grams, weight, and whether stop words are left out and a table of the set itself is used.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) ngrams: &'static str,
    pub(super) weight: &'static str,
    pub(super) stop: bool,
    pub(super) idf: bool,
    pub(super) bits: u32,
}

const fn plain(ngrams: &'static str) -> Candidate {
    Candidate { ngrams, weight: "tf", stop: false, idf: false, bits: 64 }
}

/// All that are tried.
pub(super) const CANDIDATES: [Candidate; 24] = [
    plain("1"),
    plain("2"),
    plain("3"),
    plain("4"),
    plain("5"),
    plain("1-2"),
    plain("1-3"),
    plain("2-3"),
    plain("2-4"),
    plain("3-5"),
    Candidate { weight: "log", ..plain("1") },
    Candidate { weight: "log", ..plain("1-2") },
    Candidate { weight: "log", ..plain("2-3") },
    Candidate { weight: "binary", ..plain("1") },
    Candidate { weight: "binary", ..plain("1-2") },
    Candidate { weight: "binary", ..plain("1-3") },
    Candidate { weight: "binary", ..plain("2-3") },
    Candidate { stop: true, ..plain("1") },
    Candidate { stop: true, ..plain("1-2") },
    Candidate { stop: true, ..plain("2-3") },
    Candidate { idf: true, ..plain("1") },
    Candidate { idf: true, ..plain("2-3") },
    Candidate { idf: true, weight: "binary", ..plain("1") },
    Candidate { bits: 128, ..plain("2-3") },
];

/// Features that a table of the set lists at most.
const LISTED: usize = 1_000_000;

impl Candidate {
    pub(super) fn name(self) -> String {
        let mut name = format!("n={} {}", self.ngrams, self.weight);
        for (flag, word) in [(self.stop, " stop=en"), (self.idf, " idf"), (self.bits == 128, " f=128")] {
            name += if flag { word } else { "" };
        }
        name
    }

    /// Whether it is what `simhash fingerprint` does unless told otherwise.
    pub(super) fn is_default(self) -> bool {
        let recipe = self.recipe().ok();
        !self.idf && recipe == Some(SimhashRecipe::default())
    }

    fn recipe(self) -> Result<SimhashRecipe> {
        let mut recipe = SimhashRecipe { bits: self.bits, ..SimhashRecipe::default() };
        recipe.ngrams = self.ngrams.parse()?;
        recipe.weight = self.weight.parse()?;
        if self.stop {
            recipe.stop = "en".parse()?;
        }
        Ok(recipe)
    }

    /// The fingerprints of texts; those of 64 bits in the lower half. Nothing for a text without words.
    pub(super) fn fingerprints(self, texts: &[String], key: &str) -> Result<Vec<Option<u128>>> {
        let mut recipe = self.recipe()?;
        recipe.key = (!key.is_empty()).then(|| FeatureHasher::key_name(key));
        let idf = if self.idf { Some(Arc::new(table(&recipe, key, texts)?)) } else { None };
        recipe.idf = idf.as_ref().map(|idf| idf.name().to_owned());
        let hasher = Simhasher::new(&recipe, key, idf)?;
        Ok(if self.bits == 128 { all::<u128>(&hasher, texts, |f| f) } else { all::<u64>(&hasher, texts, u128::from) })
    }
}

fn all<F: FingerprintBits>(hasher: &Simhasher, texts: &[String], widen: fn(F) -> u128) -> Vec<Option<u128>> {
    let fingerprint = |scratch: &mut Scratch<F>, text: &String| hasher.fingerprint(text, scratch).map(widen);
    texts.par_iter().map_init(Scratch::default, fingerprint).collect()
}

/// Document frequencies of the set itself.
fn table(recipe: &SimhashRecipe, key: &str, texts: &[String]) -> Result<Idf> {
    let hasher = Simhasher::new(recipe, key, None)?;
    let mut counts: FxHashMap<u64, u64> = FxHashMap::default();
    let mut scratch = Scratch::<u64>::default();
    for text in texts {
        for feature in hasher.features(text, &mut scratch) {
            *counts.entry(*feature).or_default() += 1;
        }
    }
    let mut builder = IdfBuilder::new(LISTED);
    #[expect(clippy::iter_over_hash_type, reason = "the table does not depend on the order")]
    for (feature, documents) in counts {
        builder.add(feature, documents);
    }
    let (listed, unlisted) = builder.finish(texts.len() as u64);
    Ok(Idf::new(&listed, unlisted)?)
}

/// In how many bits two fingerprints differ.
pub(super) fn distance(a: u128, b: u128) -> usize {
    a.distance(b) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_different_and_one_is_the_default() {
        let mut names = CANDIDATES.map(Candidate::name);
        names.sort();
        assert!(names.windows(2).all(|two| two[0] != two[1]));
        assert_eq!(CANDIDATES.iter().filter(|candidate| candidate.is_default()).count(), 1);
    }

    #[test]
    fn every_candidate_makes_fingerprints() {
        let texts = ["one two three four five six", "", "one two three four five seven"].map(str::to_owned);
        for candidate in CANDIDATES {
            let fingerprints = candidate.fingerprints(&texts, "").expect("fingerprints");
            assert!(
                fingerprints[0].is_some() && fingerprints[1].is_none() && fingerprints[2].is_some(),
                "{}",
                candidate.name()
            );
        }
    }
}
