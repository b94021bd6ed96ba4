//! The pairs of files that share chunks, kept for lists, pages and saved runs.

use crate::Error;
use crate::lens::chunks::reading::ChunkCounts;
use crate::lens::chunks::saved;
use crate::lens::chunks::shown::ShownChunker;
use crate::lens::chunks::solve::{Least, SharedPair};
use crate::report::Report;
use crate::report::cluster::PairRow;
use crate::run::differences::Differences;
use crate::run::documents::Documents;
use crate::run::filter::Filter;
use crate::run::link::Evidence;
use crate::run::scan::{ComparedPairs, PairValues, list_pairs};
use crate::run::view::ComparedPair;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_store::Records;
use std::path::Path;

pub struct SharedPairs {
    pub filter: Filter,
    /// By document: its bytes that are no template.
    pub sizes: Vec<u32>,
    /// Documents in the order of representatives.
    pub ranked: Vec<u32>,
    /// By rank, if all were wanted.
    pub pairs: Option<Records<SharedPair>>,
    pub explored: f64,
    /// A larger duplicate group is listed by its canonical document only.
    pub max_group: usize,
    pub max_df: f64,
    pub chunks: u64,
    pub empty: u64,
    /// Cuts what is shown.
    pub shown: ShownChunker,
}

impl SharedPairs {
    fn overlap(&self, pair: SharedPair) -> Overlap {
        Overlap { a: self.sizes[pair.a as usize], b: self.sizes[pair.b as usize], shared: pair.shared }
    }

    /// The pairs by document.
    fn iter(&self) -> impl Iterator<Item = Result<SharedPair, Error>> {
        self.pairs.iter().flat_map(Records::iter).map(|pair| {
            let pair = pair?;
            let document = |rank: u32| self.ranked[rank as usize];
            Ok(SharedPair { a: document(pair.a), b: document(pair.b), ..pair })
        })
    }
}

impl ComparedPairs for SharedPairs {
    fn explored(&self) -> f64 {
        self.explored
    }

    fn size(&self, document: u32) -> u32 {
        self.sizes[document as usize]
    }

    fn rank_sizes(&self) -> Option<&[u32]> {
        Some(&self.sizes)
    }

    fn for_each(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error> {
        for pair in self.iter() {
            let pair = pair?;
            let Overlap { a, b, shared } = self.overlap(pair);
            let features = [a, b, shared];
            each(ComparedPair { a: pair.a, b: pair.b, features, sample: features, is_exhaustive: true })?;
        }
        Ok(())
    }

    fn for_each_row(
        &self,
        documents: &Documents,
        each: &mut dyn FnMut(PairRow) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let values = |o: Overlap| PairValues { evidence: Evidence::Exact(o), shared_bytes: Some(u64::from(o.shared)) };
        let same = |document: u32| {
            let size = documents.catalogue.sizes[document as usize];
            values(Overlap { a: size, b: size, shared: size })
        };
        let least = Least { share: self.filter.policy.threshold, bytes: self.filter.policy.min_shared };
        let mut accepted = self.iter().filter_map(|pair| match pair {
            Err(error) => Some(Err(error)),
            Ok(pair) => {
                let o = self.overlap(pair);
                least.met(u64::from(o.shared), o.a.min(o.b)).then(|| Ok((pair.a, pair.b, values(o))))
            }
        });
        list_pairs(documents, &self.filter, self.max_group, same, &mut accepted, each)
    }

    fn chunks(&self, data: &[u8]) -> Vec<(usize, Option<u128>)> {
        self.shown.cut(data)
    }

    fn differences(&self, documents: &Documents, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        documents.differences(a, b, &FeatureHasher::default())
    }

    fn save(&self, report: &Report, documents: &Documents, path: &Path) -> Result<(), Error> {
        let counts = ChunkCounts { chunks: self.chunks, empty: self.empty };
        saved::save((self.max_df, self.max_group as u32), counts, report, documents, path)
    }
}
