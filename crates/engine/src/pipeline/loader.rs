//! Reads documents again, for verifying and for showing: only those that are asked for, in the order of their place, each once
//! while it is remembered.

use super::catalogue::{Catalogue, decode_body};
use super::effective::Effective;
use crate::Error;
use crate::front::FrontEnd;
use lookalike_core::sets::Overlap;
use lookalike_corpus::{Body, Corpus, Item, Place};
use lookalike_extract::Canonical;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A document is of the crowd when less than one word in ten stands in no common shingle.
const OWN_WORDS: usize = 10;

/// Reads bodies and feature sets by document.
pub(crate) struct Loader<'a> {
    pub(crate) catalogue: &'a Catalogue,
    corpus: &'a Corpus,
    front: &'a FrontEnd,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(catalogue: &'a Catalogue, corpus: &'a Corpus, front: &'a FrontEnd) -> Self {
        Self { catalogue, corpus, front }
    }

    /// The body of a document and its id, if it is still what it was.
    pub(crate) fn body(&self, document: u32) -> Result<Option<(String, Body<'static>)>, Error> {
        let entry = self.catalogue.entry(document)?;
        let mut body = None;
        match (&self.catalogue.bodies, entry.body) {
            (Some(bodies), Some(place)) => {
                let mut record = Vec::new();
                bodies.read(place, &mut record)?;
                body = decode_body(&record);
            }
            _ if entry.place == Place::Stream => {}
            _ => self.corpus.fetch(&entry.place, &mut |item| {
                if let Item::Document(document) = item {
                    body = Some(document.body.into_owned());
                }
            }),
        }
        Ok(body.filter(|body| body.content_id() == entry.content).map(|body| (entry.id, body)))
    }

    /// The text of a document with the way back to its bytes.
    pub(crate) fn canonical(&self, document: u32) -> Result<Option<Canonical>, Error> {
        Ok(self.body(document)?.and_then(|(id, body)| self.front.visible.canonical(&id, &body).ok()))
    }

    fn set(&self, document: u32) -> Result<Option<Vec<u64>>, Error> {
        Ok(self.body(document)?.and_then(|(id, body)| self.front.set(&id, &body).ok()))
    }

    /// The features of a document that count: without the common ones, unless it is of the crowd.
    fn effective_set(&self, document: u32, effective: &Effective) -> Result<Option<Vec<u64>>, Error> {
        let Some((id, body)) = self.body(document)? else { return Ok(None) };
        let mut set = self.front.set(&id, &body).ok();
        if let Some(set) = set.as_mut().filter(|_| !effective.in_crowd(document)) {
            effective.common().subtract_from(set);
        }
        Ok(set)
    }

    /// Whether a document is common text nearly throughout.
    pub(crate) fn is_crowd(&self, document: u32, common: &[u64]) -> Result<bool, Error> {
        let few = |(own, all): (usize, usize)| own * OWN_WORDS < all;
        Ok(self.body(document)?.is_some_and(|(id, body)| self.front.own_words(&id, &body, common).is_ok_and(few)))
    }

    /// Whole feature sets, common features included.
    pub(crate) fn whole_sets(&self, documents: &[u32]) -> Result<Vec<Option<Vec<u64>>>, Error> {
        documents.par_iter().map(|document| self.set(*document)).collect()
    }
}

/// Remembers feature sets without their common features, within a budget.
pub(crate) struct Sets<'a> {
    loader: &'a Loader<'a>,
    effective: &'a Effective,
    budget: usize,
    held: usize,
    known: FxHashMap<u32, Option<Arc<[u64]>>>,
    /// Documents that could not be read again as they were.
    lost: FxHashSet<u32>,
}

impl<'a> Sets<'a> {
    pub(crate) fn new(loader: &'a Loader<'a>, effective: &'a Effective, budget: usize) -> Self {
        Self { loader, effective, budget, held: 0, known: FxHashMap::default(), lost: FxHashSet::default() }
    }

    /// About how many bytes the set of a document takes.
    pub(crate) fn cost(&self, document: u32) -> usize {
        self.loader.catalogue.sizes[document as usize] as usize * 8 + 64
    }

    /// Whether what is counted of a document's sketch is what its set will hold.
    pub(crate) fn sample_tells(&self, document: u32) -> bool {
        self.effective.sample_tells(document)
    }

    /// Half of the budget is for the documents at hand.
    pub(crate) fn room(&self) -> usize {
        self.budget / 2
    }

    /// Makes sure of the sets of these documents.
    pub(crate) fn load(&mut self, documents: &[u32]) -> Result<(), Error> {
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
            .map(|d| Ok((*d, self.loader.effective_set(*d, self.effective)?)))
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
    pub(crate) fn overlap(&self, a: u32, b: u32) -> Option<Overlap> {
        let set = |d: u32| self.known.get(&d).and_then(Option::as_ref);
        Some(Overlap::of(set(a)?, set(b)?))
    }

    /// Documents that changed or vanished since they were sketched, in order.
    pub(crate) fn lost(&self) -> Vec<u32> {
        let mut lost: Vec<u32> = self.lost.iter().copied().collect();
        lost.sort_unstable();
        lost
    }
}
