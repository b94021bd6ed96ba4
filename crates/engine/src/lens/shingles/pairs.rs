//! The pairs that were compared by their shingles, kept for lists, pages and saved runs.

use crate::Error;
use crate::lens::shingles::clustering::ScoredPair;
use crate::lens::shingles::ranking::Ranking;
use crate::lens::shingles::saved;
use crate::report::Report;
use crate::report::cluster::PairRow;
use crate::run::assemble::SAME;
use crate::run::differences::Differences;
use crate::run::documents::Documents;
use crate::run::filter::{Filter, as_overlap};
use crate::run::scan::{ComparedPairs, PairValues, list_pairs};
use crate::run::view::ComparedPair;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_store::Records;
use std::path::Path;

pub struct VerifiedPairs {
    pub filter: Filter,
    /// By document: the features that count.
    pub sizes: Vec<u32>,
    pub ranking: Ranking,
    /// By rank, if all were wanted.
    pub pairs: Option<Records<ScoredPair>>,
    pub hasher: FeatureHasher,
    pub explored: f64,
    /// A larger duplicate group is listed by its canonical document only.
    pub max_group: usize,
    /// How the run is kept.
    pub saver: Saver,
}

/// How a run is kept.
pub enum Saver {
    /// By its sketches and scored pairs.
    Shingles,
    /// As another lens does it.
    Other(Box<SaveRun>),
}

/// Keeps a run in a new folder.
pub type SaveRun = dyn Fn(&Report, &Documents, &Path) -> Result<(), Error> + Send + Sync;

impl ComparedPairs for VerifiedPairs {
    fn explored(&self) -> f64 {
        self.explored
    }

    fn size(&self, document: u32) -> u32 {
        self.sizes[document as usize]
    }

    fn for_each(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error> {
        for scored in self.pairs.iter().flat_map(Records::iter) {
            let scored = scored?;
            let sample = scored.pair.sample();
            let exact = scored.evidence().overlap().unwrap_or_else(|| as_overlap(sample));
            each(ComparedPair {
                a: self.ranking.document(scored.pair.a),
                b: self.ranking.document(scored.pair.b),
                features: [exact.a, exact.b, exact.shared],
                sample: [sample.a, sample.b, sample.shared],
                is_exhaustive: sample.is_exhaustive,
            })?;
        }
        Ok(())
    }

    fn for_each_row(
        &self,
        documents: &Documents,
        each: &mut dyn FnMut(PairRow) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let same = |_| PairValues { evidence: SAME, shared_bytes: None };
        let mut last = None;
        let mut accepted = self.pairs.iter().flat_map(Records::iter).filter_map(|scored| {
            let scored = match scored {
                Ok(scored) => scored,
                Err(error) => return Some(Err(error.into())),
            };
            let (a, b) = (scored.pair.a, scored.pair.b);
            // a pair that was found in two ways is listed once
            let repeated = last.replace((a, b)) == Some((a, b));
            let evidence = scored.evidence();
            let linked = evidence.overlap().is_some_and(|o| self.filter.links(o));
            (!repeated && linked && self.filter.candidate(scored.pair.sample())).then(|| {
                let values = PairValues { evidence, shared_bytes: None };
                Ok((self.ranking.document(a), self.ranking.document(b), values))
            })
        });
        list_pairs(documents, &self.filter, self.max_group, same, &mut accepted, each)
    }

    fn differences(&self, documents: &Documents, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        documents.differences(a, b, &self.hasher)
    }

    fn save(&self, report: &Report, documents: &Documents, path: &Path) -> Result<(), Error> {
        match &self.saver {
            Saver::Shingles => saved::save((&self.ranking, self.pairs.as_ref()), report, documents, path),
            Saver::Other(save) => save(report, documents, path),
        }
    }
}
