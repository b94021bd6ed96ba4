//! The first phase: every document is read once and cut into chunks.
//!
//! In the catalogue, the sketch of a document is the list of its chunks, its size its bytes, its tie-break the beginning of the hash over
//! its chunks.

use crate::Error;
use crate::lens::chunks::cache::{CachedChunks, ChunkCache, decode_kept};
use crate::lens::chunks::chunk_list;
use crate::report::Skip;
use crate::run::Session;
use crate::run::catalogue::Entry;
use crate::run::catalogue::encode_body;
use crate::run::duplicates::ContentKey;
use crate::run::duplicates::DuplicateGroups;
use crate::run::filing::Filing;
use crate::run::memory::{ReadCost, read_bytes};
use crate::run::reading::{Outcome, read_all};
use crate::run::scan::ReadDocuments;
use lookalike_core::chunk::Chunker;
use lookalike_corpus::Corpus;
use lookalike_corpus::Document;
use lookalike_corpus::KnownFile;
use lookalike_corpus::Place;
use lookalike_store::ExternalSort;

/// Bytes that are kept in memory of each document: places, size, component.
const MEMORY_PER_DOCUMENT: u64 = 64;

/// A document on its way to the catalogue.
pub struct ChunkedDocument {
    pub entry: Entry,
    pub list: Vec<u8>,
    pub chunks: u32,
    pub body: Option<Vec<u8>>,
}

/// Collects what is read.
pub struct ChunkCollector {
    filing: Filing,
    identities: ExternalSort<ContentKey>,
    chunks: u64,
    empty: u64,
}

impl ChunkCollector {
    pub fn new(session: &Session<'_>) -> Result<Self, Error> {
        let identities = ExternalSort::new(&session.space, "the identities", session.share(8));
        Ok(Self { filing: Filing::new(session)?, identities, chunks: 0, empty: 0 })
    }

    pub fn take(&mut self, outcome: Outcome<ChunkedDocument>) -> Result<(), Error> {
        match outcome {
            Outcome::Skipped(skip) => {
                self.empty += u64::from(skip.kind == EMPTY);
                self.filing.skip(skip);
                Ok(())
            }
            Outcome::Document(ChunkedDocument { entry, list, chunks, body }) => {
                let (identity, size) = (chunk_list::identity(&list), entry.bytes as u32);
                self.chunks += u64::from(chunks);
                let document = self.filing.add(entry, (size, (identity >> 96) as u32), &list, body.as_deref())?;
                Ok(self.identities.push(ContentKey::new(identity, document))?)
            }
        }
    }

    /// Documents without a byte that were counted elsewhere.
    pub fn take_empty(&mut self, empty: u64) {
        self.empty = self.empty.saturating_add(empty);
    }

    pub fn finish(self, session: &Session<'_>) -> Result<ReadDocuments<ChunkCounts>, Error> {
        let catalogue = self.filing.finish(session, MEMORY_PER_DOCUMENT)?;
        let duplicates = DuplicateGroups::find(&catalogue, &session.order, &self.identities.finish()?)?;
        let features = ChunkCounts { chunks: self.chunks, empty: self.empty };
        Ok(ReadDocuments { catalogue, duplicates, features })
    }
}

/// What reading counts beside the catalogue.
#[derive(Clone, Copy)]
pub struct ChunkCounts {
    /// Chunks of all documents, repeats included.
    pub chunks: u64,
    /// Documents without a byte.
    pub empty: u64,
}

/// Reads and chunks a corpus. `keep_bodies` says that documents may be read again, so that those of streams are spooled.
pub fn chunk_corpus(
    session: &Session<'_>,
    corpus: &Corpus,
    chunker: &Chunker,
    cache: Option<&ChunkCache>,
    keep_bodies: bool,
    collector: &mut ChunkCollector,
) -> Result<(), Error> {
    // the body, and on its way to a spill file its copy; of the chunks some 20 bytes in a thousand
    let cost = ReadCost { most: 3, of: &|document| read_bytes(document) * 51 / 50 };
    read_all(
        session,
        corpus,
        &cost,
        || |document: Document<'_>| chunk_document(chunker, cache, keep_bodies, document),
        |outcome| collector.take(outcome),
    )
}

/// The kind of a skip: nothing in it.
const EMPTY: &str = "empty";

fn chunk_document(
    chunker: &Chunker,
    cache: Option<&ChunkCache>,
    keep_bodies: bool,
    Document { id, body, place, known, .. }: Document<'_>,
) -> Outcome<ChunkedDocument> {
    let id = id.into_owned();
    if let Some(KnownFile { stamp, kept: Some(kept) }) = &known
        && let Some(CachedChunks { content, chunks, list }) = decode_kept(kept)
    {
        let entry = Entry { id, bytes: stamp.bytes, content, lexical: 0, place, body: None };
        return Outcome::Document(ChunkedDocument { entry, list, chunks, body: None });
    }
    let Some(data) = body.as_bytes() else {
        return Outcome::Skipped(Skip::because(id, "no bytes: features cannot be cut into chunks".into()));
    };
    if data.is_empty() {
        return Outcome::Skipped(Skip::because(id, EMPTY.into()));
    }
    let mut list = Vec::with_capacity(data.len() / chunker.parameters().mean as usize * 20 + 20);
    let chunks = chunk_list::encode_bytes(chunker, data, &mut list);
    let (bytes, content) = (body.len(), body.content_id());
    if let (Some(cache), Some(KnownFile { stamp, .. }), Place::File(path)) = (cache, &known, &place) {
        let found = CachedChunks { content, chunks, list };
        // a file that cannot be kept is read again the next time
        let _ = cache.keep(path, stamp, &found);
        list = found.list;
    }
    let body = (keep_bodies && !place.is_readable()).then(|| encode_body(&body));
    let entry = Entry { id, bytes, content, lexical: 0, place, body: None };
    Outcome::Document(ChunkedDocument { entry, list, chunks, body })
}
