//! Reads documents again, and their feature sets.

use crate::Error;
use crate::lens::shingles::sketcher::{OwnWords, Sketcher};
use crate::run::catalogue::Catalogue;
use crate::run::loader::Loader;
use crate::run::memory::Permit;
use lookalike_corpus::{Body, Corpus};
use lookalike_extract::Canonical;
use rayon::prelude::*;

/// A document is boilerplate when less than one word in so many stands in no frequent shingle.
const MIN_OWN_SHARE: usize = 10;
/// But never when so many shingles' worth of its own words stand together: that is a text of its own, below a menu that is longer than it.
/// Frequent text was found to be no content; it must not decide again. What people change in copies of one page are words here and there; two
/// changes less than two shingles apart leave no frequent shingle between them.
const MIN_OWN_TEXT: usize = 4;

/// Reads documents and their feature sets.
pub struct SetLoader<'a> {
    pub catalogue: &'a Catalogue,
    pub sketcher: &'a Sketcher,
    loader: Loader<'a>,
}

impl<'a> SetLoader<'a> {
    pub fn new(catalogue: &'a Catalogue, corpus: &'a Corpus, sketcher: &'a Sketcher) -> Self {
        Self { catalogue, sketcher, loader: Loader::new(catalogue, corpus, sketcher.extractor.clone()) }
    }

    /// The body of a document and its id, if it is still what it was.
    pub fn body(&self, document: u32) -> Result<Option<(String, Body<'static>)>, Error> {
        self.loader.body(document)
    }

    /// The text of a document with the way back to its bytes.
    pub fn canonical(&self, document: u32) -> Result<Option<Canonical>, Error> {
        self.loader.canonical(document)
    }

    /// Waits until there is memory to work on a document.
    pub fn admit(&self, document: u32) -> Result<Permit, Error> {
        self.loader.admit(document)
    }

    fn set(&self, document: u32) -> Result<Option<Vec<u64>>, Error> {
        let _permit = self.admit(document)?;
        Ok(self.body(document)?.and_then(|(id, body)| self.sketcher.set(&id, &body).ok()))
    }

    /// Whether a document is frequent text nearly throughout.
    pub fn is_boilerplate(&self, document: u32, frequent: &[u64]) -> Result<bool, Error> {
        let _permit = self.admit(document)?;
        let few = |words: OwnWords| {
            words.own * MIN_OWN_SHARE < words.all && words.longest < MIN_OWN_TEXT * self.sketcher.recipe.w.max(1)
        };
        Ok(self.body(document)?.is_some_and(|(id, body)| self.sketcher.own_words(&id, &body, frequent).is_ok_and(few)))
    }

    /// Whole feature sets, frequent features included.
    pub fn whole_sets(&self, documents: &[u32]) -> Result<Vec<Option<Vec<u64>>>, Error> {
        documents.par_iter().map(|document| self.set(*document)).collect()
    }
}
