//! The report: what a scan found, for people and for programs. One type, many renderers.
//!
//! Its JSON form is versioned by `schema`; `docs/report-schema.md` describes it.

use crate::chunks::{Chunks, Parameters, Refined};
use crate::decisions::Verdict;
use crate::index::Against;
use crate::options::{Candidates, Policy};
use crate::simhash::Simhash;
use lookalike_corpus::Skipped;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the JSON form.
pub const SCHEMA: u32 = 1;

/// What a scan found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this form.
    pub schema: u32,
    /// Version of the program.
    pub lookalike: &'static str,
    /// How documents became sketches.
    pub recipe: String,
    /// Which pairs became links, and links clusters.
    pub policy: Policy,
    /// How pairs were found.
    pub candidates: Candidates,
    /// A feature in more documents than this is common: ignored, unless whole documents were compared.
    pub common: u32,
    /// Common features counted like any other.
    pub whole: bool,
    /// The numbers are estimates with intervals, not verified.
    pub estimate: bool,
    /// Documents compared.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Documents of which the sketch keeps nothing: only their equals can be found.
    pub unsampled: u64,
    /// Documents whose id an earlier one has too: the report cannot tell them apart by name.
    pub repeated_ids: u64,
    /// The clusters in numbers.
    pub summary: Summary,
    /// How far a review has come, if decisions were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed: Option<Reviewed>,
    /// What is new beside an index, if the scan was held against one. Clusters in which nothing is new are left out then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
    /// What only the chunks lens tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<Chunks>,
    /// What only the simhash lens tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simhash: Option<Simhash>,
    /// What was not compared, and why.
    pub skipped: Vec<Skip>,
    /// Clusters, largest first.
    pub clusters: Vec<Cluster>,
    /// What so many documents share that it was ignored, most shared first.
    pub templates: Vec<Template>,
    /// What the phases counted; how long they took only if asked for.
    pub phases: Vec<Phase>,
    /// Memory and disk, only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// A report without its lists.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Head<'a> {
    schema: u32,
    lookalike: &'static str,
    recipe: &'a str,
    policy: Policy,
    candidates: Candidates,
    common: u32,
    whole: bool,
    estimate: bool,
    documents: u64,
    bytes: u64,
    unsampled: u64,
    repeated_ids: u64,
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewed: Option<Reviewed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a Against>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunks: Option<ChunksHead<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simhash: Option<&'a Simhash>,
    phases: &'a [Phase],
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
}

/// What only the chunks lens tells, without its lists.
#[derive(Clone, Copy, Debug, Serialize)]
struct ChunksHead<'a> {
    parameters: Parameters,
    chunks: u64,
    distinct: u64,
    mean: f64,
    empty: u64,
    alone: u64,
    components: u64,
    largest_component: u64,
    common_share: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    refined: Option<&'a Refined>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a str>,
}

impl Report {
    /// What was done, and the sums.
    pub fn head(&self) -> Head<'_> {
        Head {
            schema: self.schema,
            lookalike: self.lookalike,
            recipe: &self.recipe,
            policy: self.policy,
            candidates: self.candidates,
            common: self.common,
            whole: self.whole,
            estimate: self.estimate,
            documents: self.documents,
            bytes: self.bytes,
            unsampled: self.unsampled,
            repeated_ids: self.repeated_ids,
            summary: self.summary,
            reviewed: self.reviewed,
            against: self.against.as_ref(),
            chunks: self.chunks.as_ref().map(ChunksHead::of),
            simhash: self.simhash.as_ref(),
            phases: &self.phases,
            usage: self.usage,
        }
    }
}

impl Head<'_> {
    /// The same with the recipe of what was compared: by the simhash lens those are shingles, if anything was.
    #[must_use]
    pub fn of_compared(mut self) -> Self {
        if let Some(verified) = self.simhash.and_then(|simhash| simhash.verified.as_ref()) {
            self.recipe = &verified.recipe;
        }
        self
    }
}

impl<'a> ChunksHead<'a> {
    fn of(chunks: &'a Chunks) -> Self {
        Self {
            parameters: chunks.parameters,
            chunks: chunks.chunks,
            distinct: chunks.distinct,
            mean: chunks.mean,
            empty: chunks.empty,
            alone: chunks.alone,
            components: chunks.components,
            largest_component: chunks.largest_component,
            common_share: chunks.common_share,
            refined: chunks.refined.as_ref(),
            base: chunks.base.as_deref(),
        }
    }
}

/// The clusters in numbers. Representatives are not counted: these are the documents that one could do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

/// How far a review has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reviewed {
    /// Decisions that were read.
    pub decisions: u64,
    /// Of them, those of which a document has changed or is gone: they hold for the rest.
    pub stale: u64,
    /// Decisions by which documents are not linked.
    pub not_duplicates: u64,
    /// Decisions by which the text that documents share was ignored.
    pub templates: u64,
    /// Clusters of this report that are decided.
    pub decided: u64,
    /// Clusters that are not.
    pub undecided: u64,
}

/// A document that was not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skip {
    /// Which.
    pub id: String,
    /// Why.
    pub reason: String,
    /// The reason in a word or two, for counting.
    pub kind: String,
    /// The input itself is broken.
    #[serde(skip)]
    pub damage: bool,
}

impl Skip {
    /// A document that is no longer what it was when it was read first.
    pub(crate) fn changed(id: String) -> Self {
        let reason = "changed while it was being scanned: scan again".to_owned();
        Self { id, reason, kind: "changed".into(), damage: false }
    }

    /// A document that is well but cannot be compared; the kind is how the reason begins.
    pub(crate) fn because(id: String, reason: String) -> Self {
        let kind = reason.split([':', '(']).next().unwrap_or_default().trim().to_owned();
        Self { id, reason, kind, damage: false }
    }
}

impl From<Skipped> for Skip {
    fn from(skipped: Skipped) -> Self {
        let (kind, damage) = (skipped.reason.kind().to_owned(), skipped.reason.is_damage());
        Self { id: skipped.id, reason: skipped.reason.to_string(), kind, damage }
    }
}

/// Documents that look alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// A member of a cluster, seen from its representative.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// 95 % intervals, where the numbers are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Intervals>,
    /// Its bytes.
    pub bytes: u64,
    /// In how many bits its fingerprint differs from that of the representative. Only of the simhash lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// Bytes that it has in common with the representative, at least: those of their common chunks. Only of the chunks lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_bytes: Option<u64>,
    /// Bytes that the two really have in common, if that was asked for and they could be read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_bytes: Option<u64>,
    /// Its place in the catalogue.
    #[serde(skip)]
    pub document: u32,
}

/// The 95 % intervals of estimated numbers, each `[low, high]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Intervals {
    /// Of the resemblance.
    pub resemblance: [f64; 2],
    /// Of the containment; `MIN_s` sketches cannot tell.
    pub containment: Option<[f64; 2]>,
    /// Of the containment the other way.
    pub contained_by: Option<[f64; 2]>,
}

/// Text that so many documents share that it was ignored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Template {
    /// Documents that have its most common shingle.
    pub documents: u64,
    /// Shingles of it that were ignored.
    pub shingles: u64,
    /// How it reads in one of them, where the document could be read again.
    pub text: Option<String>,
    /// That document.
    pub example: String,
    /// Named by a decision, however many documents have it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
}

/// What a phase counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Its name.
    pub name: &'static str,
    /// What it counted.
    #[serde(flatten)]
    pub counts: BTreeMap<&'static str, u64>,
    /// Wall-clock seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// CPU seconds of all threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
}

/// What the scan used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Usage {
    /// Bytes written to spill files.
    pub spilled_bytes: u64,
    /// The most memory the process had.
    pub peak_memory: Option<u64>,
}

/// A pair that the policy accepts.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// 95 % interval of the resemblance, where the numbers are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Bytes in common, at least. Only of the chunks lens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_bytes: Option<u64>,
}
