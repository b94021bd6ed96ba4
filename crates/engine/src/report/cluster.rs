//! Clusters and pairs of documents, as every lens reports them.

use crate::report::decisions::Verdict;
use lookalike_core::relation::Relation;
use serde::{Deserialize, Serialize};

/// The clusters in numbers. Representatives are not counted: these are the documents that one could do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Clusters.
    pub clusters: u64,
    /// Documents in clusters, representatives included.
    pub clustered: u64,
    /// Members identical to their representative.
    pub identical: u64,
    /// Members with the same words.
    pub lexical: u64,
    /// Members with the same shingles.
    pub shingle: u64,
    /// Members that resemble.
    pub near: u64,
    /// Members that are contained.
    pub contained: u64,
    /// Members that are there by a chain of links only.
    pub chained: u64,
    /// Bytes of all members.
    pub redundant_bytes: u64,
}

/// Documents that look alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cluster {
    /// 1 for the largest.
    pub id: u64,
    /// The document that stands for the others.
    pub representative: String,
    /// Its bytes.
    pub bytes: u64,
    /// The others.
    pub members: Vec<Member>,
    /// What was decided about exactly these documents before, or about more of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decided>,
    /// The representative's place in the catalogue.
    #[serde(skip)]
    pub document: u32,
}

impl Cluster {
    /// Whether nobody need look at it again. A template was ignored: what is found without it is news.
    pub fn is_decided(&self) -> bool {
        self.decision.as_ref().is_some_and(|d| matches!(d.verdict, Verdict::Keep | Verdict::NotDuplicates))
    }
}

/// What was decided about a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decided {
    /// The verdict.
    pub verdict: Verdict,
    /// Ids of the documents to keep.
    pub keep: Vec<String>,
    /// What the reviewer wrote.
    pub note: String,
}

/// How a member relates to its representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// The same bytes.
    Identical,
    /// The same words.
    Lexical,
    /// The same shingles, in another order or number.
    Shingle,
    /// Resemblance of at least the threshold.
    Near,
    /// Contained in the representative.
    Contained,
    /// In the cluster by a chain of links only (`--linkage single`).
    Chained,
}

impl Class {
    /// All of them, the closest first.
    pub const ALL: [Class; 6] =
        [Class::Identical, Class::Lexical, Class::Shingle, Class::Near, Class::Contained, Class::Chained];

    /// Its number, for files.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The class of a number.
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Its name, as it is written everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Class::Identical => "identical",
            Class::Lexical => "lexical",
            Class::Shingle => "shingle",
            Class::Near => "near",
            Class::Contained => "contained",
            Class::Chained => "chained",
        }
    }
}

/// A member of a cluster, seen from its representative.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Member {
    /// Which document.
    pub id: String,
    /// How it relates.
    pub class: Class,
    /// Resemblance to the representative. Missing where a chain joined the two and the originals are gone, and where only fingerprints were
    /// compared.
    pub resemblance: Option<f64>,
    /// Share of the member's shingles that the representative has.
    pub containment: Option<f64>,
    /// Share of the representative's shingles that the member has.
    pub contained_by: Option<f64>,
    /// 95% intervals, where the numbers are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Box<Intervals>>,
    /// Its bytes.
    pub bytes: u64,
    /// In how many bits its fingerprint differs from that of the representative. Only of the simhash lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// Bytes that it shares with the representative, at least: those of their shared chunks. Only of the chunks lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_bytes: Option<u64>,
    /// Bytes that the two really have in common, if that was asked for and they could be read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_bytes: Option<u64>,
    /// What it and the representative are to each other, seen from the representative. Only of a scan by all lenses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<Relation>,
    /// Its place in the catalogue.
    #[serde(skip)]
    pub document: u32,
}

/// The 95% intervals of estimated numbers, each `[low, high]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Intervals {
    /// Of the resemblance.
    pub resemblance: [f64; 2],
    /// Of the containment; `MIN_s` sketches cannot tell.
    pub containment: Option<[f64; 2]>,
    /// Of the containment the other way.
    pub contained_by: Option<[f64; 2]>,
}

/// A pair that the policy accepts.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairRow {
    /// The first document, by id.
    pub a: String,
    /// The second.
    pub b: String,
    /// Their resemblance.
    pub resemblance: f64,
    /// Share of the first's shingles that the second has.
    pub a_in_b: f64,
    /// Share of the second's shingles that the first has.
    pub b_in_a: f64,
    /// 95% interval of the resemblance, where the numbers are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Shared bytes, at least. Only of the chunks lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_bytes: Option<u64>,
}
