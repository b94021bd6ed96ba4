//! What an index of fingerprints answers.

use crate::answers::Seen;
use serde::Serialize;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimhashQuery {
    /// The greatest distance: bits in which two fingerprints differ, at most [`MAX_DISTANCE`](lookalike_hamming::MAX_DISTANCE).
    pub k: u32,
    /// Documents to give; all are counted.
    pub limit: usize,
}

impl Default for SimhashQuery {
    fn default() -> Self {
        Self { k: 3, limit: 20 }
    }
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SimhashAnswer {
    /// What was asked for: a file, an id or a URL.
    pub query: String,
    /// Its content id: the first half of its BLAKE3 hash.
    pub content: String,
    /// Whether the index has this very document.
    pub known: bool,
    /// Its fingerprint, in hexadecimal digits.
    pub fingerprint: String,
    /// The greatest distance that was asked for.
    pub k: u32,
    /// Documents within that distance, all of them.
    pub found: u64,
    /// The nearest of them, nearest first; the very document that was asked for comes before its equals.
    pub matches: Vec<SimhashMatch>,
    /// Matches beyond the limit.
    pub more: u64,
}

/// A document of the index whose fingerprint is near the one asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SimhashMatch {
    /// Bits in which the fingerprints differ.
    pub distance: u32,
    /// Where it was seen, the most recent first.
    pub seen: Vec<Seen>,
    /// Its content id.
    pub content: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its fingerprint, in hexadecimal digits.
    pub fingerprint: String,
}
