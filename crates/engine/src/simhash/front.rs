//! A body becomes a fingerprint: the place where text meets simhash.

use super::Options;
use crate::Error;
use crate::visible::Visible;
use lookalike_core::simhash::{FeatureBits, Scratch as Votes, Simhasher};
use lookalike_corpus::Body;

/// Makes fingerprints and feature sets by one recipe.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    hasher: Simhasher,
    visible: Visible,
}

/// Buffers of one worker, used for document after document.
#[derive(Debug, Default)]
pub(crate) struct Scratch<F: FeatureBits> {
    text: String,
    votes: Votes<F>,
}

impl Front {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let recipe = &options.recipe;
        let hasher = Simhasher::new(recipe, &options.key, options.idf.clone()).map_err(Error::Options)?;
        Ok(Self { hasher, visible: Visible::new(&recipe.front) })
    }

    /// The fingerprint of a document, or why it has none.
    pub(crate) fn fingerprint<F: FeatureBits>(
        &self,
        id: &str,
        body: &Body<'_>,
        scratch: &mut Scratch<F>,
    ) -> Result<F, String> {
        let text = self.visible.text(id, body, &mut scratch.text)?;
        self.hasher.fingerprint(text, &mut scratch.votes).ok_or_else(|| self.empty(body))
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
        let nothing = match body {
            Body::Bytes(bytes) => bytes.is_empty(),
            Body::Text(text) => text.is_empty(),
            Body::Features(_) => false,
        };
        if nothing {
            "empty".into()
        } else if self.hasher.recipe().stop.is_empty() {
            "empty: no words in it".into()
        } else {
            "empty: no words in it but stop words".into()
        }
    }
}
