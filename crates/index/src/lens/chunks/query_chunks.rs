//! The chunks of the document that is asked for, each different one once.

use crate::segment::layout::stored_chunk;
use crate::segment::snapshot::Snapshot;
use lookalike_core::chunk::Chunker;
use lookalike_corpus::Body;
use lookalike_engine::Error;
use lookalike_engine::lens::chunks::chunk_list::{self, Listed};
use rustc_hash::FxHashMap;

/// What is known of the document that is asked for.
pub(super) struct QueryChunks<'a> {
    pub(super) id: &'a str,
    pub(super) content: u128,
    pub(super) bytes: u64,
    /// Its chunks, repeats included.
    pub(super) all: u64,
    /// The different ones, sorted.
    pub(super) chunks: Vec<QueryChunk>,
    /// The place of each among them.
    places: FxHashMap<Listed, u32>,
}

/// A chunk of the query.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueryChunk {
    pub(super) chunk: Listed,
    /// How often the query has it.
    pub(super) times: u32,
    /// Postings of it, some perhaps of others, or of documents that have gone.
    pub(super) postings: usize,
    /// So many documents have it that it leads to none.
    pub(super) is_frequent: bool,
    /// It leads to documents.
    pub(super) is_followed: bool,
}

impl QueryChunk {
    pub(super) fn feature(&self) -> u64 {
        stored_chunk(self.chunk.hash)
    }

    /// The bytes of the query that it is.
    pub(super) fn bytes(&self) -> u64 {
        u64::from(self.chunk.length) * u64::from(self.times)
    }
}

/// What a document shares with a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SharedBytes {
    pub(super) bytes: u64,
    /// A chunk that leads to documents is among them.
    pub(super) is_followed: bool,
}

impl<'a> QueryChunks<'a> {
    /// Of a document that was read.
    pub(super) fn of_body(chunker: &Chunker, id: &'a str, body: &Body<'_>) -> Result<Self, Error> {
        let refuse = |reason: &str| Err(Error::Document { id: id.to_owned(), reason: reason.to_owned() });
        let Some(data) = body.as_bytes() else { return refuse("no bytes: features cannot be cut into chunks") };
        if data.is_empty() {
            return refuse("empty");
        }
        let mut list = Vec::new();
        chunker.chunks(data, |chunk| list.push(Listed { hash: chunk.hash, length: chunk.length as u32 }));
        Ok(Self::new(id, body.content_id(), data.len() as u64, list))
    }

    /// Of a document of the index.
    pub(super) fn of_document(snapshot: &Snapshot, id: &'a str, document: u32) -> Result<Self, Error> {
        let record = snapshot.segments.record(document)?;
        let mut list = Vec::new();
        stored_chunks(snapshot, document, &mut list)?;
        Ok(Self::new(id, record.content(), record.bytes, list))
    }

    fn new(id: &'a str, content: u128, bytes: u64, mut list: Vec<Listed>) -> Self {
        list.sort_unstable();
        let chunks: Vec<QueryChunk> = list
            .chunk_by(|a, b| a == b)
            .map(|same| QueryChunk {
                chunk: same[0],
                times: same.len() as u32,
                postings: 0,
                is_frequent: false,
                is_followed: false,
            })
            .collect();
        let places = chunks.iter().zip(0..).map(|(chunk, at)| (chunk.chunk, at)).collect();
        Self { id, content, bytes, all: list.len() as u64, chunks, places }
    }

    /// What a document with these chunks shares, each chunk as often as both have it.
    pub(super) fn shared(&self, list: &[Listed]) -> SharedBytes {
        let mut left: Vec<u32> = self.chunks.iter().map(|chunk| chunk.times).collect();
        let mut shared = SharedBytes::default();
        for chunk in list {
            let Some(at) = self.places.get(chunk).map(|at| *at as usize).filter(|at| left[*at] > 0) else { continue };
            left[at] -= 1;
            shared.bytes += u64::from(chunk.length);
            shared.is_followed |= self.chunks[at].is_followed;
        }
        shared
    }
}

/// The chunks that a segment keeps of a document.
pub(super) fn stored_chunks(snapshot: &Snapshot, document: u32, list: &mut Vec<Listed>) -> Result<(), Error> {
    let (view, local) = snapshot.segments.local(document)?;
    let whole = chunk_list::decode(view.payload(local)?, list);
    // a file may have been forged
    let bytes: u64 = list.iter().map(|chunk| u64::from(chunk.length)).sum();
    whole
        .filter(|()| bytes == view.record(local).map_or(0, |record| record.bytes))
        .ok_or_else(|| view.corrupt("chunks that do not make the document").into())
}
