//! A body becomes a fingerprint: the place where text meets simhash.

use crate::Error;
use crate::lens::simhash::options::keyed;
use crate::run::text_extractor::TextExtractor;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::simhash::Idf;
use lookalike_core::simhash::Scratch as Votes;
use lookalike_core::simhash::SimhashRecipe;
use lookalike_core::simhash::Simhasher;
use lookalike_core::simhash::Weight;
use lookalike_corpus::Body;
use std::sync::Arc;

/// Makes fingerprints and feature sets by one recipe.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    hasher: Simhasher,
    extractor: TextExtractor,
    frequent: Option<IgnoredFeatures>,
}

/// Features that do not count.
#[derive(Clone, Debug)]
struct IgnoredFeatures {
    /// Which, in ascending order.
    ignored: Vec<u64>,
    /// Makes fingerprints of what counts.
    hasher: Simhasher,
}

/// A document keeps all its features when less than one in so many is its own: many copies of one page are frequent text, all of them.
const MIN_OWN_SHARE: usize = 10;

/// Buffers of one worker, used for document after document.
#[derive(Debug, Default)]
pub struct FingerprintScratch<F: FingerprintBits> {
    text: String,
    votes: Votes<F>,
}

impl<F: FingerprintBits> FingerprintScratch<F> {
    /// How many words the last document had.
    pub fn words(&self) -> u32 {
        u32::try_from(self.votes.words_read()).unwrap_or(u32::MAX)
    }
}

impl Fingerprinter {
    pub fn new(recipe: &SimhashRecipe, key: &str, idf: Option<Arc<Idf>>) -> Result<Self, Error> {
        let hasher = Simhasher::new(&keyed(recipe.clone(), key), key, idf)?;
        let extractor = TextExtractor::new(&recipe.text)?;
        let all = Self { hasher, extractor: extractor.clone(), frequent: None };
        Ok(Self { extractor: extractor.with_weight(all.most_memory()), ..all })
    }

    /// The same, but that these features, in ascending order, do not count.
    pub fn without(recipe: &SimhashRecipe, key: &str, idf: Option<&Idf>, ignored: Vec<u64>) -> Result<Self, Error> {
        let counted = Arc::new(Idf::without(idf, &ignored));
        let without = SimhashRecipe { idf: Some(counted.name().to_owned()), ..keyed(recipe.clone(), key) };
        let hasher = Simhasher::new(&without, key, Some(counted))?;
        let all = Self::new(recipe, key, idf.cloned().map(Arc::new))?;
        Ok(Self { frequent: Some(IgnoredFeatures { ignored, hasher }), ..all })
    }

    /// How fingerprints are made.
    pub fn recipe(&self) -> &SimhashRecipe {
        self.frequent.as_ref().map_or(&self.hasher, |frequent| &frequent.hasher).recipe()
    }

    /// The fingerprint of a document, or why it has none.
    pub fn fingerprint<F: FingerprintBits>(
        &self,
        id: &str,
        body: &Body<'_>,
        scratch: &mut FingerprintScratch<F>,
    ) -> Result<F, String> {
        let text = self.extractor.text(id, body, &mut scratch.text)?.text;
        let mut hasher = &self.hasher;
        if let Some(frequent) = &self.frequent {
            let all = hasher.features(text, &mut scratch.votes);
            let own = all.iter().filter(|feature| frequent.ignored.binary_search(feature).is_err()).count();
            if own * MIN_OWN_SHARE >= all.len() {
                hasher = &frequent.hasher;
            }
        }
        hasher.fingerprint(text, &mut scratch.votes).ok_or_else(|| self.empty(body))
    }

    /// The fingerprint of a text in memory, or why it has none.
    pub fn fingerprint_text<F: FingerprintBits>(
        &self,
        id: &str,
        text: &str,
        scratch: &mut FingerprintScratch<F>,
    ) -> Result<F, String> {
        self.fingerprint(id, &Body::Text(text.into()), scratch)
    }

    /// The fingerprint of a file in memory, or why it has none. Its format is told by its id, then by what it looks like.
    pub fn fingerprint_bytes<F: FingerprintBits>(
        &self,
        id: &str,
        bytes: &[u8],
        scratch: &mut FingerprintScratch<F>,
    ) -> Result<F, String> {
        self.fingerprint(id, &Body::Bytes(bytes.into()), scratch)
    }

    /// The features of a document as a set (sorted, no repeats), or why it has none.
    pub fn features<'a>(
        &self,
        id: &str,
        body: &Body<'_>,
        scratch: &'a mut FingerprintScratch<u64>,
    ) -> Result<&'a [u64], String> {
        let text = self.extractor.text(id, body, &mut scratch.text)?.text;
        let features = self.hasher.features(text, &mut scratch.votes);
        if features.is_empty() { Err(self.empty(body)) } else { Ok(features) }
    }

    /// Whether the features of a document are remembered, so that each counts once.
    fn remembers(&self) -> bool {
        self.frequent.is_some() || self.hasher.recipe().weight != Weight::Tf
    }

    /// Bytes of memory for features that are remembered, at most, for each byte of a document.
    pub fn remembered_memory(&self) -> u64 {
        // a word and what follows it have two bytes at least
        self.hasher.recipe().ngrams.sizes().count() as u64 * Simhasher::MAX_FEATURE_BYTES / 2
    }

    /// Bytes of memory that a byte of a document takes at most for its fingerprint.
    pub fn most_memory(&self) -> u64 {
        3 + if self.remembers() { self.remembered_memory() } else { 0 }
    }

    /// Bytes of memory that a document takes at most for its fingerprint, beside its body.
    pub fn memory(&self, id: &str, body: &Body<'_>) -> u64 {
        let features = if self.remembers() { self.remembered_memory() } else { 0 };
        body.len() * features + self.extractor.memory(id, body)
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
