//! Reads documents again, for verifying and for showing: only those that are asked for, in the order of their place, each once
//! while it is remembered.

use crate::Error;
use crate::run::catalogue::{Catalogue, decode_body};
use crate::run::memory::Permit;
use crate::run::text_extractor::TextExtractor;
use lookalike_corpus::{Body, Corpus, Item};
use lookalike_extract::Canonical;

/// Reads bodies and feature sets by document.
pub struct Loader<'a> {
    pub catalogue: &'a Catalogue,
    corpus: &'a Corpus,
    extractor: TextExtractor,
}

impl<'a> Loader<'a> {
    pub fn new(catalogue: &'a Catalogue, corpus: &'a Corpus, extractor: TextExtractor) -> Self {
        Self { catalogue, corpus, extractor }
    }

    /// Waits until there is memory to work on a document that is read again.
    pub fn admit(&self, document: u32) -> Result<Permit, Error> {
        Ok(self.catalogue.memory.take(self.catalogue.entry(document)?.bytes.saturating_mul(2)))
    }

    /// The body of a document and its id, if it is still what it was.
    pub fn body(&self, document: u32) -> Result<Option<(String, Body<'static>)>, Error> {
        let entry = self.catalogue.entry(document)?;
        let mut body = None;
        match (&self.catalogue.bodies, entry.body) {
            (Some(bodies), Some(place)) => {
                let mut record = Vec::new();
                bodies.read(place, &mut record)?;
                body = decode_body(&record);
            }
            _ if !entry.place.is_readable() => {}
            _ => self.corpus.fetch(&entry.place, &mut |item| {
                if let Item::Document(document) = item {
                    body = Some(document.body.into_owned());
                }
            }),
        }
        Ok(body.filter(|body| body.content_id() == entry.content).map(|body| (entry.id, body)))
    }

    /// The text of a document with the way back to its bytes.
    pub fn canonical(&self, document: u32) -> Result<Option<Canonical>, Error> {
        Ok(self.body(document)?.and_then(|(id, body)| self.extractor.canonical(&id, &body).ok()))
    }
}
