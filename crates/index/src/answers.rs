//! What an index answers: documents that were found, where and when they were seen.

use lookalike_engine::report::Class;
pub use lookalike_engine::report::against::Verified;
use lookalike_core::sketch::Estimate;
use serde::{Deserialize, Serialize};

/// What an index keeps of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lens {
    /// Sketches of shingles.
    Shingles,
    /// Tokens, for finding passages.
    Passages,
    /// Fingerprints, for finding what is near.
    Simhash,
}

impl Lens {
    /// What it keeps, in a word.
    pub fn kept(self) -> &'static str {
        match self {
            Self::Shingles => "shingles",
            Self::Passages => "passages",
            Self::Simhash => "fingerprints",
        }
    }

    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shingles => "shingles",
            Self::Passages => "passages",
            Self::Simhash => "simhash",
        }
    }
}

/// A URL (or id) under which a document was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The URL or id.
    pub url: String,
    /// Date of the first sweep that saw this document there; none for what was added without a date.
    pub first: Option<String>,
    /// Date of the last one.
    pub last: Option<String>,
    /// Whether the URL had this very document when it was last seen, and that was in the last sweep of all.
    pub current: bool,
}


/// A document of the index that has something in common with a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    /// Where it was seen, the most recent first.
    pub seen: Vec<Seen>,
    /// Its content id: the first half of its BLAKE3 hash.
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
    pub verified: Option<Verified>,
    /// Its cluster: the content id of the representative.
    pub cluster: String,
    /// Its number in this snapshot of the index.
    #[serde(skip)]
    pub document: u32,
}

impl Match {
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

/// The answer to one query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// What was asked for: a file, an id or a URL.
    pub query: String,
    /// The content id of the document that was asked for.
    pub content: String,
    /// Whether the index has this very document.
    pub known: bool,
    /// Features of its sketch that counted, after those that are common in the index.
    pub features: u32,
    /// Features of its sketch that are common in the index, and so were ignored.
    pub common: u32,
    /// Features of its sketch that so many documents have that they were compared, but did not lead to documents.
    #[serde(skip_serializing_if = "is_zero")]
    pub unfollowed: u32,
    /// What was found, best first.
    pub matches: Vec<Match>,
    /// Matches beyond the limit.
    pub more: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// What a query asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryOptions {
    /// Least resemblance of a match.
    pub threshold: f64,
    /// Least containment, either way, of a match.
    pub contained: Option<f64>,
    /// Count on the originals where they are still there.
    pub verify: bool,
    /// Features that are common in the index count like any other.
    pub whole: bool,
    /// Matches to give.
    pub limit: usize,
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self { threshold: 0.5, contained: Some(0.9), verify: false, whole: false, limit: 20 }
    }
}

/// An index in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Info {
    /// Commits so far.
    pub generation: u64,
    /// The lens: `shingles`, `passages` or `simhash`. Only shingles have clusters, and only theirs are common.
    pub lens: &'static str,
    /// How documents became sketches.
    pub recipe: String,
    /// Least resemblance of two documents of a cluster.
    pub threshold: f64,
    /// Least containment, if documents inside others are taken into clusters.
    pub contained: Option<f64>,
    /// A feature in more documents than this is common.
    pub common: u32,
    /// Documents with different content.
    pub documents: u64,
    /// Different URLs or ids.
    pub urls: u64,
    /// Observations: a URL in a sweep.
    pub observations: u64,
    /// Bytes of the documents.
    pub document_bytes: u64,
    /// Bytes of the index on disk.
    pub index_bytes: u64,
    /// Clusters of two documents and more.
    pub clusters: u64,
    /// Documents in them.
    pub clustered: u64,
    /// Features that are common.
    pub common_features: u64,
    /// The sweeps, by date.
    pub sweeps: Vec<Sweep>,
    /// The segments on disk.
    pub segments: Vec<SegmentInfo>,
}

/// A dated batch of observations. What was added without a date comes first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweep {
    /// Its date; none for what was added without one.
    pub date: Option<String>,
    /// URLs that it saw.
    pub observations: u64,
}

/// A segment in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SegmentInfo {
    /// Its file.
    pub file: String,
    /// Its documents.
    pub documents: u64,
    /// Of them, those that nothing refers to any more.
    pub removed: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// What a change of an index did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Documents that were read.
    pub read: u64,
    /// Of them, those with content that the index did not have.
    pub added: u64,
    /// Observations that were recorded.
    pub observed: u64,
    /// Observations that were there already, with the same content.
    pub unchanged: u64,
    /// Ids that occurred more than once in what was read: the last one counts.
    pub repeated: u64,
    /// Observations that were removed or replaced.
    pub removed: u64,
    /// Documents that nothing refers to any more.
    pub dropped: u64,
    /// Segments that were merged.
    pub merged: u64,
    /// What was not read, and why.
    pub skipped: Vec<lookalike_engine::report::Skip>,
}
