//! Stretches of N or more words that stand, word for word, at an earlier place of the corpus.
//!
//! An N-gram is *repeated* if the same N words stand in an earlier document, or earlier in its own without overlapping it. Of every document
//! the words of its repeated N-grams go: that is the union of all repeated stretches of N or more words, for each N words of such a stretch
//! are repeated too. Words that go and follow each other are one cut, from the first byte of the first to the last byte of the last; what
//! stands around it stays. Only the first of equal N-grams matters, so nothing is compared in pairs, and the work grows with the corpus
//! alone, however often something is repeated:
//!
//! 1. `fingerprints`: every document is winnowed. Whatever N words two places share, they share a fingerprint among them.
//! 2. `anchors`: fingerprints that occur twice. All repeated N-grams hold one; most text of most corpora does not.
//! 3. `repeats`: the N-grams around anchors, sorted by their hash: each with the first of its equals.
//! 4. `matches`: stretches are held against their first place, word for word, and become cuts.

mod anchors;
mod fingerprints;
mod matches;
mod repeats;
#[cfg(test)]
mod tests;
mod word_cache;
mod word_list;

use crate::Error;
use crate::cut::cuts::Cuts;
use crate::cut::options::SubstringOptions;
use crate::cut::step_files::{StepRecords, discard};
use fingerprints::Fingerprint;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::winnow::Winnowing;
use lookalike_corpus::Corpus;
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::session::Session;
use lookalike_store::Error as StoreError;
use repeats::GramHash;

/// Finds repeated stretches.
pub(crate) struct SubstringFinder<'a> {
    session: &'a Session<'a>,
    hasher: FeatureHasher,
    /// Words of the shortest stretch that goes: the guarantee of winnowing.
    winnowing: Winnowing,
    /// Which bits of the fast hash of an N-gram count: all, but where tests want N-grams to be mistaken for each other.
    hash_bits: u64,
}

impl<'a> SubstringFinder<'a> {
    pub(crate) fn new(session: &'a Session<'a>, options: &SubstringOptions) -> Self {
        // half of the stretch must agree before anything is looked at, and one in thirteen words of usual text is a fingerprint
        let winnowing = Winnowing { k: options.min_tokens.div_ceil(2), t: options.min_tokens };
        Self { session, hasher: FeatureHasher::with_key(&session.options.key), winnowing, hash_bits: u64::MAX }
    }

    /// Reads a corpus.
    pub(crate) fn read(&self, corpus: &Corpus) -> Result<(Catalogue, StepRecords<Fingerprint>), Error> {
        fingerprints::read(self, corpus)
    }

    /// Finds what goes.
    pub(crate) fn find(
        &self,
        documents: &Documents,
        fingerprints: &mut StepRecords<Fingerprint>,
    ) -> Result<Cuts, Error> {
        let session = self.session;
        if let Some(cuts) = Cuts::load(session)? {
            return Ok(cuts);
        }
        let mut anchors = None;
        for hash in [GramHash::Rolled, GramHash::Lexical] {
            let mut repeats = match StepRecords::finished(session, repeats::REPEATS)? {
                Some((repeats, known)) if known == hash => repeats,
                // the quick hash has failed already
                Some((_, GramHash::Lexical)) => continue,
                _ => {
                    let anchors = match &mut anchors {
                        Some(anchors) => anchors,
                        none => none.insert(anchors::find(self, fingerprints)?),
                    };
                    repeats::find(self, documents, anchors, hash)?
                }
            };
            if let Some(cuts) = matches::verify(self, documents, &mut repeats)? {
                discard(session, &[fingerprints::FINGERPRINTS, anchors::ANCHORS, repeats::REPEATS]);
                return Ok(cuts);
            }
        }
        // nobody can make other words with the same lexical hash
        let found = "other words behind the same hash".to_owned();
        Err(StoreError::Damaged { what: "the repeated stretches".into(), offset: 0, found }.into())
    }
}
