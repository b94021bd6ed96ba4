//! The feature sets of documents, read again for verifying: only those that are asked for, each once while it is remembered.

use crate::Error;
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::sketcher::Sketcher;
use crate::run::catalogue::Catalogue;
use crate::run::loader::Loader;
use lookalike_core::sets::Overlap;
use lookalike_corpus::{Body, Corpus};
use lookalike_extract::Canonical;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A document is boilerplate when less than one word in so many stands in no frequent shingle.
const OWN_WORDS: usize = 10;

/// Reads documents and their feature sets.
pub struct SetLoader<'a> {
    pub catalogue: &'a Catalogue,
    pub sketcher: &'a Sketcher,
    loader: Loader<'a>,
}

impl<'a> SetLoader<'a> {
    pub fn new(catalogue: &'a Catalogue, corpus: &'a Corpus, sketcher: &'a Sketcher) -> Self {
        Self { catalogue, sketcher, loader: Loader::new(catalogue, corpus, sketcher.extractor) }
    }

    /// The body of a document and its id, if it is still what it was.
    pub fn body(&self, document: u32) -> Result<Option<(String, Body<'static>)>, Error> {
        self.loader.body(document)
    }

    /// The text of a document with the way back to its bytes.
    pub fn canonical(&self, document: u32) -> Result<Option<Canonical>, Error> {
        self.loader.canonical(document)
    }

    fn set(&self, document: u32) -> Result<Option<Vec<u64>>, Error> {
        Ok(self.body(document)?.and_then(|(id, body)| self.sketcher.set(&id, &body).ok()))
    }

    /// The features of a document that count: without the common ones, unless it is boilerplate.
    fn counted_set(&self, document: u32, counted: &CountedFeatures) -> Result<Option<Vec<u64>>, Error> {
        let Some((id, body)) = self.body(document)? else { return Ok(None) };
        let mut set = self.sketcher.set(&id, &body).ok();
        if let Some(set) = set.as_mut().filter(|_| !counted.is_boilerplate(document)) {
            counted.common().subtract_from(set);
        }
        Ok(set)
    }

    /// Whether a document is common text nearly throughout.
    pub fn is_boilerplate(&self, document: u32, common: &[u64]) -> Result<bool, Error> {
        let few = |(own, all): (usize, usize)| own * OWN_WORDS < all;
        Ok(self.body(document)?.is_some_and(|(id, body)| self.sketcher.own_words(&id, &body, common).is_ok_and(few)))
    }

    /// Whole feature sets, common features included.
    pub fn whole_sets(&self, documents: &[u32]) -> Result<Vec<Option<Vec<u64>>>, Error> {
        documents.par_iter().map(|document| self.set(*document)).collect()
    }
}

/// Remembers feature sets without their common features, within a budget.
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
        let loaded: Vec<(u32, Option<Vec<u64>>)> = missing
            .par_iter()
            .map(|d| Ok((*d, self.loader.counted_set(*d, self.counted)?)))
            .collect::<Result<_, Error>>()?;
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
