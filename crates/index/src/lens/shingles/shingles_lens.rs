//! The shingles lens in an index.

use crate::clusters::lookup::Lookup;
use crate::lens::index_lens::{DocumentFacts, IndexLens, IndexedDocument, IndexedDocuments, QueryDocument};
use crate::search::{QueryOptions, SearchResult};
use crate::segment::cluster_state::StoredState;
use crate::segment::layout::{DocumentRecord, FEATURE, pack, stored_sketch};
use crate::segment::snapshot::Snapshot;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::sketch::Sampling;
use lookalike_corpus::Corpus;
use lookalike_engine::lens::shingles::sketcher::Sketcher;
use lookalike_engine::lens::shingles::sketching::{SketchCollector, sketch_corpus};
use lookalike_engine::report::Skip;
use lookalike_engine::run::Session;
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::{Error, Unit};

/// The shingles lens of an index.
pub(crate) struct ShinglesLens {
    pub(crate) recipe: ShingleRecipe,
    /// None where a key would be needed.
    sketcher: Option<Sketcher>,
}

impl ShinglesLens {
    pub(crate) fn new(recipe: &ShingleRecipe, key: Option<&str>) -> Result<Self, Error> {
        let sketcher = key.map(|key| Sketcher::new(recipe, key)).transpose()?;
        Ok(Self { recipe: recipe.clone(), sketcher })
    }

    /// What makes sketches of documents.
    pub(crate) fn sketcher(&self) -> Result<&Sketcher, Error> {
        self.sketcher.as_ref().ok_or_else(|| Error::WrongKey { recipe: self.recipe.to_string() })
    }

    pub(crate) fn lookup<'a>(&self, snapshot: &'a Snapshot) -> Lookup<'a, StoredState> {
        Lookup { segments: &snapshot.segments, state: &snapshot.state, sampling: self.recipe.sampling }
    }
}

impl IndexLens for ShinglesLens {
    fn read<'a>(&'a self, session: &Session<'_>, corpus: &Corpus) -> Result<Box<dyn IndexedDocuments + 'a>, Error> {
        let sketcher = self.sketcher()?;
        let (catalogue, _) = session.phase("sketch", Unit::Bytes, corpus.total_bytes(), |_| {
            let mut collector = SketchCollector::new(session, sketcher.min_words)?;
            // sketches are all that is kept: nothing is read again
            sketch_corpus(session, sketcher, corpus, false, &mut collector)?;
            collector.finish(session)
        })?;
        Ok(Box::new(Sketches { catalogue, sampling: self.recipe.sampling }))
    }

    fn cluster_sampling(&self) -> Option<Sampling> {
        Some(self.recipe.sampling)
    }

    fn search(
        &self,
        snapshot: &Snapshot,
        query: QueryDocument<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        match query {
            QueryDocument::Body { id, body } => self.search_body(snapshot, id, body, options),
            QueryDocument::Stored { id, document } => self.search_document(snapshot, id, document, options),
        }
    }
}

/// Documents by their sketches.
struct Sketches {
    catalogue: Catalogue,
    sampling: Sampling,
}

impl IndexedDocuments for Sketches {
    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn document(&self, document: u32, facts: DocumentFacts) -> Result<IndexedDocument, Error> {
        let mut sketch = self.catalogue.sketch(document)?;
        stored_sketch(&mut sketch, self.sampling);
        let mut packed = Vec::with_capacity(sketch.features.len() * FEATURE);
        pack(&sketch.features, &mut packed);
        let size = self.catalogue.sizes[document as usize];
        let record = DocumentRecord::new(facts.content, facts.lexical, facts.bytes, size);
        Ok(IndexedDocument { record, level: sketch.level, packed, payload: Vec::new() })
    }

    fn take_skipped(&mut self) -> Result<Vec<Skip>, Error> {
        Ok(std::mem::take(&mut self.catalogue.skipped))
    }
}
