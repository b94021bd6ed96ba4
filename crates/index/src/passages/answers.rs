//! What an index of passages answers.

use crate::answers::Seen;
use serde::Serialize;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassageQuery {
    /// Guarantee of this question: whatever is shared of so many tokens in a row is found. At least that of the index, which is taken if
    /// none is given. A larger one looks up fewer fingerprints.
    pub t: Option<u32>,
    /// Least similarity of a source; none for the default, which also takes long passages.
    pub min: Option<f64>,
    /// Sources to give.
    pub limit: usize,
}

impl Default for PassageQuery {
    fn default() -> Self {
        Self { t: None, min: None, limit: 20 }
    }
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassageAnswer {
    /// What was asked for: a file, an id or a URL.
    pub query: String,
    /// Its content id: the first half of its BLAKE3 hash.
    pub content: String,
    /// What it was read as.
    pub language: &'static str,
    /// Whether the index has this very document.
    pub known: bool,
    /// Its tokens.
    pub tokens: u64,
    /// Guarantee of this question.
    pub t: u32,
    /// Its fingerprints that were looked up.
    pub fingerprints: u64,
    /// Its fingerprints that so many documents have that they were not followed.
    pub unfollowed: u64,
    /// Documents that share fingerprints with it, and were not compared since others share more.
    pub uncompared: u64,
    /// Where passages of it come from, most similar first.
    pub sources: Vec<PassageSource>,
    /// Sources beyond the limit.
    pub more: u64,
}

/// A document of the index that shares passages with the one asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassageSource {
    /// Where it was seen, the most recent first.
    pub seen: Vec<Seen>,
    /// Its content id.
    pub content: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its tokens.
    pub tokens: u64,
    /// The number that sources are ranked by; rare passages weigh more.
    pub similarity: f64,
    /// Share of the query's tokens that are in passages.
    pub query_share: f64,
    /// Share of the document's tokens that are in passages.
    pub document_share: f64,
    /// Tokens of the longest passage.
    pub longest: u64,
    /// The passages, in the order of the query.
    pub passages: Vec<FoundPassage>,
}

/// A passage that is in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundPassage {
    /// Where it stands in the query.
    pub query: Position,
    /// Where it stands in the document.
    pub document: Position,
    /// Its tokens; of the longer side, if they differ.
    pub tokens: u64,
    /// Tokens that are equal; less than all if words were changed in between.
    pub equal: u64,
    /// Documents of the index that have the rarest part of it; none if it is shorter than the guarantee and has no fingerprint.
    pub documents: Option<u64>,
    /// How it begins in the query, if its text is at hand.
    pub text: Option<String>,
}

/// A stretch of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// First byte of the text.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub last_line: u32,
}
