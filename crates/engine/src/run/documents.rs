//! The documents of a scan: catalogue, duplicate groups, decisions, and the way back to the originals.

use crate::Error;
use crate::report::Skip;
use crate::report::cluster::Class;
use crate::run::Session;
use crate::run::assemble::DocumentSource;
use crate::run::catalogue::Catalogue;
use crate::run::decisions::Decisions;
use crate::run::differences::{self, Differences, MAX_ALIGNED_BYTES};
use crate::run::duplicates::DuplicateGroups;
use crate::run::loader::Loader;
use crate::run::order::RepresentativeOrder;
use crate::run::text::Text;
use crate::run::text_extractor::TextExtractor;
use crate::run::view::{DocumentView, modified};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_corpus::{Body, Corpus};
use std::sync::Arc;

/// What reading a corpus leaves, whatever the lens.
pub struct Documents {
    pub catalogue: Catalogue,
    pub duplicates: DuplicateGroups,
    pub decisions: Decisions,
    pub corpus: Corpus,
    pub extractor: TextExtractor,
    pub order: Arc<RepresentativeOrder>,
}

impl Documents {
    pub fn new(
        session: &Session<'_>,
        corpus: Corpus,
        extractor: TextExtractor,
        (catalogue, duplicates): (Catalogue, DuplicateGroups),
    ) -> Result<Self, Error> {
        let decisions = Decisions::new(&session.options.decisions, &catalogue)?;
        Ok(Self { catalogue, duplicates, decisions, corpus, extractor, order: Arc::clone(&session.order) })
    }

    /// Reads documents again.
    pub fn loader(&self) -> Loader<'_> {
        Loader::new(&self.catalogue, &self.corpus, self.extractor.clone())
    }

    /// What is known of a document; `size` is its length as the lens counts it.
    pub fn view(&self, document: u32, size: u32) -> Result<DocumentView, Error> {
        let entry = self.catalogue.entry(document)?;
        let canonical = self.duplicates.duplicate_of(document);
        Ok(DocumentView {
            bytes: entry.bytes,
            size,
            length: self.catalogue.sizes[document as usize],
            content: entry.content,
            modified: modified(&entry.place),
            tie_break: self.catalogue.tie_breaks[document as usize],
            // what people told apart from its canonical document is alone
            duplicate_of: canonical.filter(|canonical| !self.decisions.forbid(canonical.0, document)),
            id: entry.id,
        })
    }

    /// The text of a document for showing; none if it is no longer what it was.
    pub fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        Ok(self.shown(document)?.map(|(text, _)| text))
    }

    /// The same with the body that it was read from.
    pub fn shown(&self, document: u32) -> Result<Option<(Text, Body<'static>)>, Error> {
        let body = self.loader().body(document)?;
        Ok(body.and_then(|(id, body)| self.extractor.shown(&id, &body).ok().map(|text| (text, body))))
    }

    /// What differs between two documents, in a few words; none where they cannot be read again or are no text.
    pub fn differences(&self, a: u32, b: u32, hasher: &FeatureHasher) -> Result<Option<Differences>, Error> {
        let loader = self.loader();
        if self.catalogue.entry(a)?.bytes + self.catalogue.entry(b)?.bytes > MAX_ALIGNED_BYTES {
            return Ok(Some(Differences { too_large: true, ..Differences::default() }));
        }
        let (Some((id_a, body_a)), Some((id_b, body_b))) = (loader.body(a)?, loader.body(b)?) else { return Ok(None) };
        if let (Body::Features(a), Body::Features(b)) = (&body_a, &body_b) {
            return Ok(Some(differences::between_items(a, b)));
        }
        Ok(match (self.extractor.canonical(&id_a, &body_a), self.extractor.canonical(&id_b, &body_b)) {
            (Ok(a), Ok(b)) => Some(differences::between(&a.text, &b.text, hasher)),
            _ => None,
        })
    }

    /// What was skipped when it was read, and what was lost since, by id.
    pub fn skipped(&mut self, lost: Vec<u32>) -> Result<Vec<Skip>, Error> {
        let mut skipped = std::mem::take(&mut self.catalogue.skipped);
        for document in lost {
            skipped.push(Skip::changed(self.catalogue.id(document)?));
        }
        Skip::sort(&mut skipped);
        Ok(skipped)
    }
}

impl DocumentSource for Documents {
    fn describe(&self, document: u32) -> Result<(String, u64), Error> {
        let entry = self.catalogue.entry(document)?;
        Ok((entry.id, entry.bytes))
    }

    fn describe_all(&self, documents: &[u32]) -> Result<Vec<(String, u64)>, Error> {
        let mut described = Vec::with_capacity(documents.len());
        self.catalogue.for_each_entry_of(documents, |entry| {
            described.push((entry.id, entry.bytes));
            Ok::<_, Error>(())
        })?;
        Ok(described)
    }

    fn duplicates(&self, document: u32) -> Vec<(u32, Class)> {
        self.duplicates.duplicates_of(document).collect()
    }

    fn forbids(&self) -> bool {
        self.decisions.forbids()
    }

    fn forbid(&self, a: u32, b: u32) -> bool {
        self.decisions.forbid(a, b)
    }

    fn canonical_documents(&self) -> Vec<u32> {
        self.duplicates.canonical_documents()
    }
}
