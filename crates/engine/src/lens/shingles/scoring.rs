//! From documents to scored pairs: every pair of at least the least resemblance, counted on the whole documents. For who asks what another
//! threshold would do.

use crate::Error;
use crate::lens::shingles::clustering::{ScoredPair, links_of};
use crate::lens::shingles::engine::ShinglesEngine;
use crate::lens::shingles::options::ShinglesOptions;
use crate::lens::shingles::ranking::Ranking;
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::filter::Filter;
use crate::run::link::{Evidence, Link};
use crate::run::scan::{LensEngine, Linked, ReadDocuments};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_corpus::Corpus;
use lookalike_store::Records;

/// Documents and every pair of them that was compared.
pub struct ScoredDocuments {
    pub documents: Documents,
    /// Documents that changed or vanished since they were read.
    pub lost: Vec<u32>,
    pub filter: Filter,
    pub hasher: FeatureHasher,
    ranking: Ranking,
    pairs: Option<Records<ScoredPair>>,
}

/// Reads a corpus and compares every pair of its documents that may reach the threshold.
pub fn score_documents(
    options: &ShinglesOptions,
    session: &Session<'_>,
    corpus: Corpus,
) -> Result<ScoredDocuments, Error> {
    let options = ShinglesOptions { all_pairs: true, estimate: false, ..options.clone() };
    let engine = ShinglesEngine::new(&options, session, Vec::new())?;
    let ReadDocuments { catalogue, duplicates, features } = engine.read(session, &corpus)?;
    let documents = Documents::new(session, corpus, engine.extractor(), (catalogue, duplicates))?;
    let candidates = engine.candidates(session, &documents, features)?;
    let (unit, total) = engine.work(&documents, &candidates);
    let Linked { lost, analysis, .. } =
        session.phase("compare", unit, total, |counts| engine.link(session, &documents, candidates, counts))?;
    let (ranking, pairs) = analysis.into_pairs();
    Ok(ScoredDocuments { documents, lost, filter: engine.filter(), hasher: engine.hasher(), ranking, pairs })
}

impl ScoredDocuments {
    /// Calls `each` with every pair of at least the threshold, once, with what was counted.
    pub fn for_each(&self, each: &mut dyn FnMut(u32, u32, Overlap) -> Result<(), Error>) -> Result<(), Error> {
        let mut last = None;
        for scored in self.pairs.iter().flat_map(Records::iter) {
            let scored = scored?;
            let (a, b) = (scored.pair.a, scored.pair.b);
            // a pair that was found in two ways follows itself
            if last.replace((a, b)) == Some((a, b)) {
                continue;
            }
            let (a, b) = (self.ranking.document(a), self.ranking.document(b));
            if let Evidence::Exact(overlap) = scored.evidence()
                && overlap.resemblance() >= self.filter.policy.threshold
            {
                each(a, b, overlap)?;
            }
        }
        Ok(())
    }

    /// The links that a higher threshold would make, with the filter that makes them.
    pub fn links_at(&self, threshold: f64) -> Result<(Filter, Vec<Link>), Error> {
        let mut filter = self.filter;
        filter.policy.threshold = threshold.max(filter.policy.threshold);
        let links = |pairs| links_of(&filter, &self.ranking, pairs);
        Ok((filter, self.pairs.as_ref().map_or_else(|| Ok(Vec::new()), links)?))
    }
}
