//! An index in numbers, and what a change of it did.

use lookalike_core::lens::Lens;
use lookalike_engine::report::Skip;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An index in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Info {
    /// Commits so far.
    pub generation: u64,
    /// The lens. Only shingles have clusters and frequent features.
    pub lens: Lens,
    /// How documents became what is kept of them.
    pub recipe: String,
    /// Least resemblance of two documents of a cluster.
    pub threshold: f64,
    /// Least containment, if documents inside others are taken into clusters.
    pub contained: Option<f64>,
    /// A feature in more documents than this is frequent.
    pub max_df: u32,
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
    /// Features that are frequent.
    pub frequent_features: u64,
    /// The sweeps, by date.
    pub sweeps: Vec<Sweep>,
    /// The segments on disk.
    pub segments: Vec<SegmentInfo>,
}

impl Info {
    /// Of an index without documents, by the default policy.
    pub fn new(lens: Lens, recipe: impl Into<String>) -> Self {
        Self {
            generation: 0,
            lens,
            recipe: recipe.into(),
            threshold: 0.5,
            contained: None,
            max_df: 0,
            documents: 0,
            urls: 0,
            observations: 0,
            document_bytes: 0,
            index_bytes: 0,
            clusters: 0,
            clustered: 0,
            frequent_features: 0,
            sweeps: Vec::new(),
            segments: Vec::new(),
        }
    }
}

/// A dated batch of observations. What was added without a date comes first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sweep {
    /// Its date; none for what was added without one.
    pub date: Option<String>,
    /// URLs that it saw.
    pub observations: u64,
    /// Inputs of which a part could not be read. What such a sweep did not see may be there nevertheless.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

impl Sweep {
    /// Of this date; without observations.
    pub fn new(date: Option<String>) -> Self {
        Self { date, observations: 0, unread: Vec::new() }
    }

    /// Whether what it did not see is gone.
    pub fn is_complete(&self) -> bool {
        self.unread.is_empty()
    }

    /// The place of the last complete one in a list by date: who was seen in it or later counts as being there.
    pub(crate) fn present(sweeps: &[Self]) -> u32 {
        sweeps.iter().rposition(Self::is_complete).unwrap_or(0) as u32
    }
}

/// A segment in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChangeSummary {
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
    pub skipped: Vec<Skip>,
    /// Ids of those that the index does not have: others are too short to be found, and it has them.
    #[serde(skip)]
    pub left_out: BTreeSet<String>,
}
