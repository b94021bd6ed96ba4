//! What an index is asked, and what it answers. The head of an answer is the same for all lenses; the matches are of the lens.

use lookalike_core::sketch::Estimate;
use lookalike_engine::lens::chunks::options::DEFAULT_MAX_DF;
use lookalike_engine::report::against::CountedShares;
use lookalike_engine::report::cluster::Class;
use serde::Serialize;
use std::path::Path;

/// The document that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Query<'a> {
    /// A file; `-` is standard input.
    File(&'a Path),
    /// A text. Its format is told by its id, then by what it looks like.
    Text {
        /// What it is called.
        id: &'a str,
        /// The text.
        text: &'a str,
    },
    /// A file in memory. Its format is told by its id, then by what it looks like.
    Bytes {
        /// What it is called.
        id: &'a str,
        /// What is in it.
        bytes: &'a [u8],
    },
    /// What a URL or id of the index had when it was last seen. It is itself among the matches.
    Url(&'a str),
    /// A document of the index, by its number in this snapshot. It is itself among the matches.
    Document(u32),
}

/// What a query asks for. An index looks only at the part of its own lens.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryOptions {
    /// Matches to give.
    pub limit: usize,
    /// The largest file that is read, in bytes.
    pub max_size: u64,
    /// Of an index of shingles.
    pub shingles: ShinglesQuery,
    /// Of an index of fingerprints.
    pub simhash: SimhashQuery,
    /// Of an index of passages.
    pub passages: PassagesQuery,
    /// Of an index of chunks.
    pub chunks: ChunksQuery,
}

const DEFAULT_LIMIT: usize = 20;

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            max_size: lookalike_corpus::Options::default().max_size,
            shingles: ShinglesQuery::default(),
            simhash: SimhashQuery::default(),
            passages: PassagesQuery::default(),
            chunks: ChunksQuery::default(),
        }
    }
}

impl From<ShinglesQuery> for QueryOptions {
    fn from(shingles: ShinglesQuery) -> Self {
        Self { shingles, ..Self::default() }
    }
}

impl From<SimhashQuery> for QueryOptions {
    fn from(simhash: SimhashQuery) -> Self {
        Self { simhash, ..Self::default() }
    }
}

impl From<PassagesQuery> for QueryOptions {
    fn from(passages: PassagesQuery) -> Self {
        Self { passages, ..Self::default() }
    }
}

impl From<ChunksQuery> for QueryOptions {
    fn from(chunks: ChunksQuery) -> Self {
        Self { chunks, ..Self::default() }
    }
}

impl QueryOptions {
    /// The same with so many matches at most.
    #[must_use]
    pub fn with_limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// The same with files of so many bytes at most.
    #[must_use]
    pub fn with_max_size(self, max_size: u64) -> Self {
        Self { max_size, ..self }
    }
}

/// Which documents match in an index of shingles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShinglesQuery {
    /// Least resemblance of a match.
    pub threshold: f64,
    /// Least containment, either way, of a match.
    pub contained: Option<f64>,
    /// Count on the originals where they are still there.
    pub verify: bool,
    /// Features that are frequent in the index count like any other.
    pub include_boilerplate: bool,
}

impl Default for ShinglesQuery {
    fn default() -> Self {
        Self { threshold: 0.5, contained: Some(0.9), verify: false, include_boilerplate: false }
    }
}

/// Which documents match in an index of fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimhashQuery {
    /// The greatest distance: bits in which two fingerprints differ, at most [`MAX_DISTANCE`](lookalike_hamming::MAX_DISTANCE).
    pub distance: u32,
}

impl Default for SimhashQuery {
    fn default() -> Self {
        Self { distance: 3 }
    }
}

/// Which documents match in an index of passages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PassagesQuery {
    /// Guarantee of this query: whatever is shared of so many tokens in a row is found. At least that of the index, which is taken if
    /// none is given. A larger one looks up fewer fingerprints.
    pub guarantee: Option<u32>,
    /// Least similarity of a match; none for the default, which also takes long passages.
    pub min_similarity: Option<f64>,
}

/// Which documents match in an index of chunks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChunksQuery {
    /// Least share of the smaller of the two that they have in common.
    pub threshold: f64,
    /// Least bytes that they have in common.
    pub min_shared: u64,
    /// A chunk in more than this share of all documents leads to none of them, unless the query is made of such. It counts nevertheless.
    pub max_df: f64,
}

impl Default for ChunksQuery {
    fn default() -> Self {
        Self { threshold: 0.5, min_shared: 0, max_df: DEFAULT_MAX_DF }
    }
}

/// The answer to a query: one head for all lenses, and the matches of the lens.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SearchResult {
    /// What was asked for: a file, an id or a URL.
    pub query: String,
    /// The content id of the document that was asked for: the first half of its BLAKE3 hash.
    pub content: String,
    /// Whether the index has this very document.
    pub known: bool,
    /// Matches beyond the limit.
    pub more: u64,
    /// What was found.
    #[serde(flatten)]
    pub matches: Matches,
}

impl SearchResult {
    /// These matches of a document that the index has not.
    pub fn new(query: impl Into<String>, content: impl Into<String>, matches: Matches) -> Self {
        Self { query: query.into(), content: content.into(), known: false, more: 0, matches }
    }

    /// Where the matches were seen, match by match.
    pub fn seen(&self) -> Vec<&[Sighting]> {
        match &self.matches {
            Matches::Shingles(found) => found.matches.iter().map(|found| &*found.seen).collect(),
            Matches::Simhash(found) => found.matches.iter().map(|found| &*found.seen).collect(),
            Matches::Passages(found) => found.matches.iter().map(|found| &*found.seen).collect(),
            Matches::Chunks(found) => found.matches.iter().map(|found| &*found.seen).collect(),
        }
    }
}

/// The matches of a query, with what only their lens tells.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "lens", rename_all = "lowercase")]
pub enum Matches {
    /// Of an index of shingles.
    Shingles(ShingleMatches),
    /// Of an index of fingerprints.
    Simhash(SimhashMatches),
    /// Of an index of passages.
    Passages(PassageMatches),
    /// Of an index of chunks.
    Chunks(ChunkMatches),
}

impl Matches {
    /// Those of an index of shingles.
    pub fn shingles(&self) -> Option<&ShingleMatches> {
        if let Self::Shingles(found) = self { Some(found) } else { None }
    }

    pub(crate) fn shingles_mut(&mut self) -> Option<&mut ShingleMatches> {
        if let Self::Shingles(found) = self { Some(found) } else { None }
    }

    /// Those of an index of fingerprints.
    pub fn simhash(&self) -> Option<&SimhashMatches> {
        if let Self::Simhash(found) = self { Some(found) } else { None }
    }

    /// Those of an index of passages.
    pub fn passages(&self) -> Option<&PassageMatches> {
        if let Self::Passages(found) = self { Some(found) } else { None }
    }

    /// Those of an index of chunks.
    pub fn chunks(&self) -> Option<&ChunkMatches> {
        if let Self::Chunks(found) = self { Some(found) } else { None }
    }
}

/// A URL (or id) under which a document was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sighting {
    /// The URL or id.
    pub url: String,
    /// Date of the first sweep that saw this document there; none for what was added without a date.
    pub first: Option<String>,
    /// Date of the last one.
    pub last: Option<String>,
    /// Whether the URL had this very document when it was last seen, and that was in the last sweep of all.
    pub current: bool,
}

/// What an index of shingles found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ShingleMatches {
    /// Features of the query's sketch that counted: those that are not frequent in the index.
    pub features: u32,
    /// Features of its sketch that are frequent in the index, and so were ignored.
    pub frequent: u32,
    /// Features of its sketch that so many documents have that they were compared, but did not lead to documents.
    #[serde(skip_serializing_if = "is_zero")]
    pub unfollowed: u32,
    /// The documents, most similar first.
    pub matches: Vec<ShingleMatch>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A document of the index that has something in common with a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShingleMatch {
    /// Where it was seen, the most recent first.
    pub seen: Vec<Sighting>,
    /// Its content id.
    pub content: String,
    /// Its bytes.
    pub bytes: u64,
    /// How it relates to the query. None where neither threshold is reached.
    pub class: Option<Class>,
    /// Resemblance, estimated from the sketches.
    pub resemblance: Estimate,
    /// Share of the query that is in the document; `MIN` sketches cannot tell.
    pub query_in_document: Option<Estimate>,
    /// Share of the document that is in the query.
    pub document_in_query: Option<Estimate>,
    /// The same counted on the originals, if that was asked for and they are still there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<CountedShares>,
    /// Its cluster: the content id of the representative.
    pub cluster: String,
    /// Its number in this snapshot of the index.
    #[serde(skip)]
    pub document: u32,
}

impl ShingleMatch {
    /// The resemblance, counted if it was, else estimated.
    pub fn best_resemblance(&self) -> f64 {
        self.verified.map_or(self.resemblance.value, |v| v.resemblance)
    }

    /// The share of the query that is in the document.
    pub fn best_query_in_document(&self) -> Option<f64> {
        self.verified.map(|v| v.query_in_document).or(self.query_in_document.map(|e| e.value))
    }

    /// The share of the document that is in the query.
    pub fn best_document_in_query(&self) -> Option<f64> {
        self.verified.map(|v| v.document_in_query).or(self.document_in_query.map(|e| e.value))
    }
}

/// What an index of fingerprints found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SimhashMatches {
    /// The query's fingerprint, in hexadecimal digits.
    pub fingerprint: String,
    /// The greatest distance that was asked for.
    pub distance: u32,
    /// Documents within that distance, all of them.
    pub found: u64,
    /// The nearest of them, nearest first; the very document that was asked for comes before its equals.
    pub matches: Vec<SimhashMatch>,
}

/// A document of the index whose fingerprint is near the one asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimhashMatch {
    /// Bits in which the fingerprints differ.
    pub distance: u32,
    /// Where it was seen, the most recent first.
    pub seen: Vec<Sighting>,
    /// Its content id.
    pub content: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its fingerprint, in hexadecimal digits.
    pub fingerprint: String,
}

/// What an index of passages found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PassageMatches {
    /// What the query was read as.
    pub language: &'static str,
    /// Its tokens.
    pub tokens: u64,
    /// Guarantee of this query.
    pub guarantee: u32,
    /// Its fingerprints that were looked up.
    pub fingerprints: u64,
    /// Its fingerprints that so many documents have that they were not followed.
    pub unfollowed: u64,
    /// Documents that share fingerprints with it, and were not compared since others share more.
    pub uncompared: u64,
    /// Where passages of it come from, most similar first.
    pub matches: Vec<PassageMatch>,
}

/// A document of the index that shares passages with the one asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassageMatch {
    /// Where it was seen, the most recent first.
    pub seen: Vec<Sighting>,
    /// Its content id.
    pub content: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its tokens.
    pub tokens: u64,
    /// The number that matches are ranked by; rare passages weigh more.
    pub similarity: f64,
    /// Share of the query's tokens that are in passages.
    pub query_share: f64,
    /// Share of the document's tokens that are in passages.
    pub document_share: f64,
    /// Tokens of the longest passage.
    pub longest: u64,
    /// The passages, in the order of the query.
    pub passages: Vec<MatchedPassage>,
}

/// A passage that is in both.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchedPassage {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// What an index of chunks found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChunkMatches {
    /// Bytes of the query.
    pub bytes: u64,
    /// Its chunks, repeats included.
    pub chunks: u64,
    /// Its chunks that so many documents have that they led to none of them; as bytes in common they count.
    pub frequent: u64,
    /// Its chunks that were not followed since those before them led to very many documents.
    pub unfollowed: u64,
    /// Documents that may share enough, and were not compared since others share more.
    pub uncompared: u64,
    /// The documents: the very one that was asked for, then by bytes in common.
    pub matches: Vec<ChunkMatch>,
}

/// A document of the index that has chunks of the one asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChunkMatch {
    /// Where it was seen, the most recent first.
    pub seen: Vec<Sighting>,
    /// Its content id.
    pub content: String,
    /// Its bytes.
    pub bytes: u64,
    /// How it relates to the query: identical; near, if what they share is the least share of both together; else contained.
    pub class: Class,
    /// Bytes of the chunks that both have, each as often as both have it.
    pub shared_bytes: u64,
    /// Share of the query's bytes that are in the document.
    pub query_share: f64,
    /// Share of the document's bytes that are in the query.
    pub document_share: f64,
}
