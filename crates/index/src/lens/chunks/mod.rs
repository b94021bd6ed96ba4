//! Chunks in an index: do we have this file, or a version of it?
//!
//! A document's payload is the list of its chunks, hash and length of each, so bytes in common are counted, never estimated, and the
//! original need not be there. Postings keep 48 bits of each hash, to lead to documents.

pub(crate) mod chunks_lens;
mod frequency;
mod query_chunks;
mod search;
#[cfg(test)]
mod tests;
