//! A body becomes a fingerprint: the place where text meets simhash.

use super::Options;
use crate::Error;
use crate::visible::Visible;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::simhash::{Idf, Scratch as Votes, SimhashRecipe, Simhasher};
use lookalike_corpus::Body;
use std::sync::Arc;

/// Makes fingerprints and feature sets by one recipe.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    hasher: Simhasher,
    visible: Visible,
    common: Option<Common>,
}

/// Features that do not count.
#[derive(Clone, Debug)]
struct Common {
    /// Which, in ascending order.
    ignored: Vec<u64>,
    /// Makes fingerprints of what counts.
    hasher: Simhasher,
}

/// A document keeps all its features when less than one in so many is its own: many copies of one page are common text, all of them.
const OWN: usize = 10;

/// Buffers of one worker, used for document after document.
#[derive(Debug, Default)]
pub(crate) struct Scratch<F: FingerprintBits> {
    text: String,
    votes: Votes<F>,
}

impl<F: FingerprintBits> Scratch<F> {
    /// How many words the last document had.
    pub(crate) fn words(&self) -> u32 {
        u32::try_from(self.votes.words_read()).unwrap_or(u32::MAX)
    }
}

impl Front {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let recipe = &options.recipe;
        let hasher = Simhasher::new(recipe, &options.key, options.idf.clone())
            .map_err(|problem| Error::Options(problem.to_string()))?;
        Ok(Self { hasher, visible: Visible::new(&recipe.format), common: None })
    }

    /// The same, but that these features, in ascending order, do not count.
    pub(crate) fn without(options: &Options, ignored: Vec<u64>) -> Result<Self, Error> {
        let idf = Arc::new(Idf::without(options.idf.as_deref(), &ignored));
        let recipe = SimhashRecipe { idf: Some(idf.name().to_owned()), ..options.recipe.clone() };
        let hasher =
            Simhasher::new(&recipe, &options.key, Some(idf)).map_err(|problem| Error::Options(problem.to_string()))?;
        Ok(Self { common: Some(Common { ignored, hasher }), ..Self::new(options)? })
    }

    /// How fingerprints are made.
    pub(crate) fn recipe(&self) -> &SimhashRecipe {
        self.common.as_ref().map_or(&self.hasher, |common| &common.hasher).recipe()
    }

    /// The fingerprint of a document, or why it has none.
    pub(crate) fn fingerprint<F: FingerprintBits>(
        &self,
        id: &str,
        body: &Body<'_>,
        scratch: &mut Scratch<F>,
    ) -> Result<F, String> {
        let text = self.visible.text(id, body, &mut scratch.text)?;
        let mut hasher = &self.hasher;
        if let Some(common) = &self.common {
            let all = hasher.features(text, &mut scratch.votes);
            let own = all.iter().filter(|feature| common.ignored.binary_search(feature).is_err()).count();
            if own * OWN >= all.len() {
                hasher = &common.hasher;
            }
        }
        hasher.fingerprint(text, &mut scratch.votes).ok_or_else(|| self.empty(body))
    }

    /// The features of a document as a set (sorted, no repeats), or why it has none.
    pub(crate) fn features<'a>(
        &self,
        id: &str,
        body: &Body<'_>,
        scratch: &'a mut Scratch<u64>,
    ) -> Result<&'a [u64], String> {
        let text = self.visible.text(id, body, &mut scratch.text)?;
        let features = self.hasher.features(text, &mut scratch.votes);
        if features.is_empty() { Err(self.empty(body)) } else { Ok(features) }
    }

    fn empty(&self, body: &Body<'_>) -> String {
        if body.as_bytes().is_some_and(<[u8]>::is_empty) {
            "empty".into()
        } else if self.hasher.recipe().stop.is_empty() {
            "empty: no words in it".into()
        } else {
            "empty: no words in it but stop words".into()
        }
    }
}
