//! The feature sets of documents, read again for verifying: only those that are asked for, each once while it is remembered.

use crate::Error;
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::set_loader::SetLoader;
use lookalike_core::sets::Overlap;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Remembers feature sets without their frequent features, within a budget.
pub struct Sets<'a> {
    loader: &'a SetLoader<'a>,
    counted: &'a CountedFeatures,
    budget: usize,
    held: usize,
    known: FxHashMap<u32, Option<Arc<[u64]>>>,
    /// Documents that could not be read again as they were.
    lost: FxHashSet<u32>,
}

impl<'a> Sets<'a> {
    pub fn new(loader: &'a SetLoader<'a>, counted: &'a CountedFeatures, budget: usize) -> Self {
        Self { loader, counted, budget, held: 0, known: FxHashMap::default(), lost: FxHashSet::default() }
    }

    /// About how many bytes the set of a document takes.
    pub fn cost(&self, document: u32) -> usize {
        self.loader.catalogue.sizes[document as usize] as usize * 8 + 64
    }

    /// Whether what is counted of a document's sketch is what its set will hold.
    pub fn sample_tells(&self, document: u32) -> bool {
        self.counted.sample_tells(document)
    }

    /// Half of the budget is for the documents at hand.
    pub fn room(&self) -> usize {
        self.budget / 2
    }

    /// The features of a document that count: without the frequent ones, unless it is boilerplate.
    fn counted_set(&self, document: u32) -> Result<Option<Vec<u64>>, Error> {
        let Some((id, body)) = self.loader.body(document)? else { return Ok(None) };
        let mut set = self.loader.sketcher.set(&id, &body).ok();
        if let Some(set) = set.as_mut().filter(|_| !self.counted.is_boilerplate(document)) {
            self.counted.frequent().subtract_from(set);
        }
        Ok(set)
    }

    /// Makes sure of the sets of these documents.
    pub fn load(&mut self, documents: &[u32]) -> Result<(), Error> {
        let mut missing: Vec<u32> = documents.iter().copied().filter(|d| !self.known.contains_key(d)).collect();
        missing.sort_unstable();
        missing.dedup();
        let more: usize = missing.iter().map(|d| self.cost(*d)).sum();
        if self.held + more > self.budget {
            let keep: FxHashSet<u32> = documents.iter().copied().collect();
            self.known.retain(|document, _| keep.contains(document));
            self.held = keep.iter().filter(|d| self.known.contains_key(d)).map(|d| self.cost(*d)).sum();
        }
        let loaded: Vec<(u32, Option<Vec<u64>>)> =
            missing.par_iter().map(|d| Ok((*d, self.counted_set(*d)?))).collect::<Result<_, Error>>()?;
        for (document, set) in loaded {
            self.held += self.cost(document);
            let set = set.map(Arc::from);
            if set.is_none() {
                self.lost.insert(document);
            }
            self.known.insert(document, set);
        }
        Ok(())
    }

    /// The exact overlap of two loaded documents; none if one is lost.
    pub fn overlap(&self, a: u32, b: u32) -> Option<Overlap> {
        let set = |d: u32| self.known.get(&d).and_then(Option::as_ref);
        Some(Overlap::of(set(a)?, set(b)?))
    }

    /// Documents that changed or vanished since they were sketched, in order.
    pub fn lost(&self) -> Vec<u32> {
        let mut lost: Vec<u32> = self.lost.iter().copied().collect();
        lost.sort_unstable();
        lost
    }
}
