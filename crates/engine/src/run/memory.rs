//! Memory that documents take while they are worked on: admitted by weight, so that neither threads nor large documents add up to more
//! than their share.

use crate::Error;
use crate::run::text_extractor::TextExtractor;
use lookalike_corpus::{Body, Document};
pub use lookalike_process::{MemoryBudget, Permit};
use std::borrow::Cow;
use std::sync::Arc;

/// Documents of so many bytes are always worked on: what they take is within what every run takes.
pub const MIN_DOCUMENT: u64 = 256 << 10;

/// Documents of at most this many bytes are worked on without a look at what they take.
const SMALL_DOCUMENT: u64 = 16 << 10;

/// The memory that documents take while they are read.
pub struct ReadCost<'a> {
    /// Bytes of memory that a byte of a document usually takes: batches are admitted by it, before anything is known of their documents.
    pub most: u64,
    /// Bytes of memory that a document takes at most.
    pub of: &'a (dyn Fn(&Document<'_>) -> u64 + Sync),
}

impl ReadCost<'_> {
    /// Waits until there is memory for what a document takes beside its part of a batch. Fails where it takes more than there is.
    pub fn admit(
        &self,
        document: &Document<'_>,
        memory: u64,
        beside: &Arc<MemoryBudget>,
    ) -> Result<Option<Permit>, Error> {
        let bytes = document.body.len();
        if bytes <= SMALL_DOCUMENT {
            return Ok(None);
        }
        let needed = (self.of)(document);
        if needed > memory && bytes > MIN_DOCUMENT {
            return Err(Error::DocumentMemory { id: document.id.to_string(), bytes, needed, allowed: memory });
        }
        let more = needed.saturating_sub(bytes.saturating_mul(self.most));
        Ok((more > 0).then(|| beside.take(more)))
    }
}

/// What a document takes as it is read, whatever is made of it.
pub fn read_bytes(document: &Document<'_>) -> u64 {
    let bytes = document.body.len();
    let body = match &document.body {
        // beside the line that it was written in
        Body::Text(Cow::Owned(_)) => 2 * bytes,
        Body::Features(items) => 2 * bytes + (items.len() * size_of::<Cow<'_, str>>()) as u64,
        _ => bytes,
    };
    // what cannot be read again is copied on its way to a spill file
    body + if document.place.is_readable() { 0 } else { bytes }
}

/// The same with the text that a reader sees.
pub fn text_bytes(extractor: &TextExtractor, document: &Document<'_>) -> u64 {
    read_bytes(document) + extractor.memory(&document.id, &document.body)
}
