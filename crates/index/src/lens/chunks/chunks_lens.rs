//! The chunks lens in an index.

use crate::lens::chunks::query_chunks::QueryChunks;
use crate::lens::chunks::search::answer;
use crate::lens::index_lens::{DocumentFacts, IndexLens, IndexedDocument, IndexedDocuments, QueryDocument};
use crate::search::{QueryOptions, SearchResult};
use crate::segment::layout::{DocumentRecord, FEATURE, pack, stored_chunk};
use crate::segment::snapshot::Snapshot;
use lookalike_core::chunk::{ChunkRecipe, Chunker};
use lookalike_core::sets::into_set;
use lookalike_corpus::Corpus;
use lookalike_engine::lens::chunks::chunk_list::{self, ChunkLists};
use lookalike_engine::lens::chunks::reading::{ChunkCollector, chunk_corpus};
use lookalike_engine::report::Skip;
use lookalike_engine::run::Session;
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::{Error, Unit};

/// Chunks of the documents of one segment at most, about, as a power of two.
const MAX_SEGMENT_CHUNKS: u32 = 31;

/// The chunks lens of an index.
pub(crate) struct ChunksLens {
    recipe: ChunkRecipe,
    /// None where a key would be needed.
    chunker: Option<Chunker>,
}

impl ChunksLens {
    pub(crate) fn new(recipe: &ChunkRecipe, key: Option<&str>) -> Self {
        let chunker = key.map(|key| Chunker::new(recipe.parameters, key));
        Self { recipe: recipe.clone(), chunker }
    }

    fn chunker(&self) -> Result<&Chunker, Error> {
        self.chunker.as_ref().ok_or_else(|| Error::WrongKey { recipe: self.recipe.to_string() })
    }
}

impl IndexLens for ChunksLens {
    fn read<'a>(&'a self, session: &Session<'_>, corpus: &Corpus) -> Result<Box<dyn IndexedDocuments + 'a>, Error> {
        let chunker = self.chunker()?;
        let read = session.phase("chunk", Unit::Bytes, corpus.total_bytes(), |_| {
            let mut collector = ChunkCollector::new(session)?;
            // lists of chunks are all that is kept: nothing is read again
            chunk_corpus(session, corpus, chunker, None, false, &mut collector)?;
            collector.finish(session)
        })?;
        Ok(Box::new(ChunkedDocuments { catalogue: read.catalogue }))
    }

    /// Sizes are in bytes, and no chunk but the last of a document is shorter than the first threshold.
    fn max_segment_size(&self) -> u64 {
        u64::from(self.recipe.parameters.tmin) << MAX_SEGMENT_CHUNKS
    }

    fn search(
        &self,
        snapshot: &Snapshot,
        query: QueryDocument<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        let query = match query {
            QueryDocument::Body { id, body } => QueryChunks::of_body(self.chunker()?, id, body)?,
            QueryDocument::Stored { id, document } => QueryChunks::of_document(snapshot, id, document)?,
        };
        answer(snapshot, query, options)
    }
}

/// Documents by their chunks.
struct ChunkedDocuments {
    catalogue: Catalogue,
}

impl IndexedDocuments for ChunkedDocuments {
    fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    fn document(&self, document: u32, facts: DocumentFacts) -> Result<IndexedDocument, Error> {
        let mut chunks = Vec::new();
        ChunkLists::of_catalogue(&self.catalogue).of(document, &mut chunks)?;
        let mut payload = Vec::new();
        for chunk in &chunks {
            chunk_list::put(chunk, &mut payload);
        }
        let record = DocumentRecord::new(facts.content, 0, facts.bytes, chunks.len() as u32);
        let mut features: Vec<u64> = chunks.iter().map(|chunk| stored_chunk(chunk.hash)).collect();
        into_set(&mut features);
        let mut packed = Vec::with_capacity(features.len() * FEATURE);
        pack(&features, &mut packed);
        Ok(IndexedDocument { record, level: 0, packed, payload })
    }

    fn take_skipped(&mut self) -> Result<Vec<Skip>, Error> {
        Ok(std::mem::take(&mut self.catalogue.skipped))
    }
}
