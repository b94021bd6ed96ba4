//! A text becomes a fingerprint: words, features, weights, votes.

use super::occurrences::Occurrences;
use super::{Counter, Idf, SimhashRecipe, StopWords, Weight};
use crate::bits::FingerprintBits;
use crate::error::Error;
use crate::feature_hash::FeatureHasher;
use crate::sets;
use crate::shingle::{Batches, Shingler};
use std::sync::Arc;

/// Makes fingerprints by one recipe.
#[derive(Clone, Debug)]
pub struct Simhasher {
    recipe: SimhashRecipe,
    fp: FeatureHasher,
    stop: StopWords,
    idf: Option<Arc<Idf>>,
}

/// Buffers that are used for text after text.
#[derive(Clone, Debug, Default)]
pub struct Scratch<F: FingerprintBits> {
    walker: Batches,
    words: Vec<u64>,
    features: Vec<u64>,
    occurrences: Occurrences,
    weights: Vec<u16>,
    rows: Vec<F>,
    counter: Counter<F>,
    /// Words of the last text, stop words included.
    read: usize,
}

impl<F: FingerprintBits> Scratch<F> {
    /// How many words the last text had, stop words included.
    pub fn words_read(&self) -> usize {
        self.read
    }
}

impl Simhasher {
    /// Bytes of memory for each feature of a document that must be remembered, at most.
    pub const MAX_FEATURE_BYTES: u64 = Occurrences::MAX_BYTES;

    /// Fails if the key or the table is not the one that the recipe names.
    pub fn new(recipe: &SimhashRecipe, key: &str, idf: Option<Arc<Idf>>) -> Result<Self, Error> {
        let fp = recipe.feature_hasher(key).ok_or_else(|| Error::WrongKey { recipe: recipe.to_string() })?;
        if recipe.idf.as_deref() != idf.as_ref().map(|idf| idf.name()) {
            return Err(Error::WrongIdf { recipe: recipe.to_string() });
        }
        Ok(Self { stop: StopWords::new(&recipe.stop, &fp), recipe: recipe.clone(), fp, idf })
    }

    /// What it goes by.
    pub fn recipe(&self) -> &SimhashRecipe {
        &self.recipe
    }

    /// The fingerprint of a text; none if nothing in it counts.
    pub fn fingerprint<F: FingerprintBits>(&self, text: &str, scratch: &mut Scratch<F>) -> Option<F> {
        let Scratch { walker, words, features, occurrences, weights, rows, counter, read } = scratch;
        features.clear();
        if self.recipe.weight != Weight::Tf {
            // a word and what stands between it and the next are some six bytes
            occurrences.reset(text.len() / 6 * self.recipe.ngrams.sizes().count());
        }
        *read = self.for_each_batch(text, walker, words, features, |features| {
            self.recipe.weight.retain_votes(features, occurrences);
            weigh(self.idf.as_deref(), features, weights, rows, counter);
            features.clear();
        });
        counter.finish()
    }

    /// The features of a text as a set (sorted, no repeats), for counting how many documents have each.
    pub fn features<'a, F: FingerprintBits>(&self, text: &str, scratch: &'a mut Scratch<F>) -> &'a [u64] {
        let Scratch { walker, words, features, read, .. } = scratch;
        features.clear();
        *read = self.for_each_batch(text, walker, words, features, |_| ());
        sets::into_set(features);
        features
    }

    /// Appends features to a buffer and calls `each` with it after every few hundred words; how many words there are.
    #[inline]
    fn for_each_batch(
        &self,
        text: &str,
        walker: &mut Batches,
        kept: &mut Vec<u64>,
        features: &mut Vec<u64>,
        mut each: impl FnMut(&mut Vec<u64>),
    ) -> usize {
        let mut read = 0;
        let mut shinglers: Vec<Shingler> = self.recipe.ngrams.sizes().map(|n| Shingler::new(n, self.fp)).collect();
        walker.for_each(text, &self.fp, |words| {
            read += words.len();
            let words = if self.stop.is_empty() {
                words
            } else {
                kept.clear();
                kept.extend(words.iter().filter(|word| !self.stop.contains(**word)));
                kept.as_slice()
            };
            for shingler in &mut shinglers {
                shingler.extend(words, features);
            }
            each(features);
        });
        // a text too short for any phrase is one feature
        features.extend(shinglers[0].finish());
        each(features);
        read
    }
}

/// Adds features to the votes, each with the weight of the table if there is one.
#[inline]
fn weigh<F: FingerprintBits>(
    idf: Option<&Idf>,
    features: &[u64],
    weights: &mut Vec<u16>,
    rows: &mut Vec<F>,
    counter: &mut Counter<F>,
) {
    let rows = F::spread_all(features, rows);
    match idf {
        None => counter.add(rows),
        Some(idf) => {
            weights.clear();
            weights.extend(features.iter().map(|feature| u16::from(idf.weight(*feature))));
            counter.add_weighted(rows, weights);
        }
    }
}
