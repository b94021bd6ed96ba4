//! The report: what a scan found, for people and for programs. One type, many renderers.
//!
//! Its JSON form is versioned by `schema`; `docs/report.md` describes it, `docs/report.schema.json` is its JSON Schema.

pub mod against;
pub mod chunks;
pub mod cluster;
mod decision_file;
pub mod decisions;
pub mod pair_decisions;
pub mod passages;
pub mod policy;
pub mod relations;
pub mod shingles;
pub mod simhash;

use crate::report::against::Against;
use crate::report::chunks::Chunks;
use crate::report::cluster::{Cluster, Summary};
use crate::report::passages::Passages;
use crate::report::policy::Policy;
use crate::report::relations::Relations;
use crate::report::shingles::Shingles;
use crate::report::simhash::Simhash;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::Recipe;
use lookalike_corpus::Skipped;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;

/// Version of the JSON form.
pub const SCHEMA: u32 = 1;

/// What a scan found: the same head, skipped documents and clusters for all lenses, and a section of the lens's own. In JSON the section is
/// an object under the name of the lens.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Report {
    /// What was done, and the sums.
    #[serde(flatten)]
    pub head: Head,
    /// What only this lens reports.
    #[serde(flatten)]
    pub section: Section,
    /// What was not compared, and why.
    pub skipped: Vec<Skip>,
    /// Clusters, largest first.
    pub clusters: Vec<Cluster>,
}

/// What was done, and the sums.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Head {
    /// Version of this form.
    pub schema: u32,
    /// Version of the program.
    pub lookalike: &'static str,
    /// The lens; none where all of them looked, which JSON calls `all`.
    #[serde(serialize_with = "lens_or_all")]
    #[cfg_attr(feature = "schema", schemars(with = "LensName"))]
    pub lens: Option<Lens>,
    /// How documents became features.
    pub recipe: String,
    /// Which pairs became links, and links clusters.
    pub policy: Policy,
    /// Documents compared.
    pub documents: u64,
    /// Their bytes.
    pub bytes: u64,
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
    /// What the phases counted; how long they took only if asked for.
    pub phases: Vec<Phase>,
    /// Memory and disk, only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// What only one lens reports.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Section {
    /// Of the shingles lens.
    Shingles(Shingles),
    /// Of the chunks lens.
    Chunks(Chunks),
    /// Of the simhash lens.
    Simhash(Simhash),
    /// Of the passages lens.
    Passages(Passages),
    /// Of all lenses.
    Relations(Relations),
}

#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn lens_or_all<S: Serializer>(lens: &Option<Lens>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(lens.map_or("all", Lens::name))
}

/// What `lens` may be in JSON.
#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum LensName {
    Shingles,
    Chunks,
    Simhash,
    Passages,
    All,
}

impl Report {
    /// A report without documents.
    pub fn new(recipe: &Recipe, policy: Policy, section: Section) -> Self {
        let head = Head {
            schema: SCHEMA,
            lookalike: env!("CARGO_PKG_VERSION"),
            lens: Some(recipe.lens()),
            recipe: recipe.to_string(),
            policy,
            documents: 0,
            bytes: 0,
            repeated_ids: 0,
            summary: Summary::default(),
            reviewed: None,
            against: None,
            phases: Vec::new(),
            usage: None,
        };
        Self { head, section, skipped: Vec::new(), clusters: Vec::new() }
    }

    /// The section of the shingles lens, if it is a report of that.
    pub fn shingles(&self) -> Option<&Shingles> {
        if let Section::Shingles(section) = &self.section { Some(section) } else { None }
    }

    /// The section of the chunks lens, if it is a report of that.
    pub fn chunks(&self) -> Option<&Chunks> {
        if let Section::Chunks(section) = &self.section { Some(section) } else { None }
    }

    /// The section of the simhash lens, if it is a report of that.
    pub fn simhash(&self) -> Option<&Simhash> {
        if let Section::Simhash(section) = &self.section { Some(section) } else { None }
    }

    /// The section of the passages lens, if it is a report of that.
    pub fn passages(&self) -> Option<&Passages> {
        if let Section::Passages(section) = &self.section { Some(section) } else { None }
    }

    /// The pairs by all lenses, if it is a report of that.
    pub fn relations(&self) -> Option<&Relations> {
        if let Section::Relations(section) = &self.section { Some(section) } else { None }
    }

    /// The pairs by all lenses, to be changed before they are shown.
    pub fn relations_mut(&mut self) -> Option<&mut Relations> {
        if let Section::Relations(section) = &mut self.section { Some(section) } else { None }
    }

    /// Whether the numbers are estimates with intervals, not verified.
    pub fn is_estimate(&self) -> bool {
        self.shingles().is_some_and(|shingles| shingles.estimate)
    }
}

/// How far a review has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    pub fn changed(id: String) -> Self {
        let reason = "changed while it was being scanned: scan again".to_owned();
        Self { id, reason, kind: "changed".into(), damage: false }
    }

    /// Whether what it held may still be there: it was not read, or not to its end.
    pub fn is_unread(&self) -> bool {
        self.damage || matches!(self.kind.as_str(), "unreadable" | "changed")
    }

    /// Whether nothing here can read it: it is of another kind, or the system refused.
    pub fn is_unreadable(&self) -> bool {
        let kinds = [
            "unreadable",
            "binary",
            "unsupported encoding",
            "special file",
            "not unpacked",
            "damaged",
            "encrypted",
            "only images",
            "unknown letters",
            "needs lookalike-parser",
            "crashed",
            "took too long",
        ];
        kinds.contains(&self.kind.as_str())
    }

    /// By id, then by reason.
    pub fn sort(skipped: &mut [Self]) {
        skipped.sort_by(|a, b| (&a.id, &a.reason).cmp(&(&b.id, &b.reason)));
    }

    /// A document that is well but cannot be compared; the kind is how the reason begins.
    pub fn because(id: String, reason: String) -> Self {
        let kind = reason.split([':', '(']).next().unwrap_or_default().trim().to_owned();
        Self { id, reason, kind, damage: false }
    }

    /// A document of so few words that only its bytes are compared.
    pub fn too_little(id: &str, words: u32, min_words: u32) -> Self {
        let noun = if words == 1 { "word" } else { "words" };
        Self::because(id.to_owned(), format!("too little text: {words} {noun}, at least {min_words} are compared"))
    }
}

impl From<Skipped> for Skip {
    fn from(skipped: Skipped) -> Self {
        let (kind, damage) = (skipped.reason.kind().to_owned(), skipped.reason.is_damage());
        Self { id: skipped.id, reason: skipped.reason.to_string(), kind, damage }
    }
}

/// What a phase counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Usage {
    /// Wall-clock seconds of everything.
    pub seconds: f64,
    /// CPU seconds of everything, of all threads.
    pub cpu_seconds: f64,
    /// Bytes written to spill files.
    pub spilled_bytes: u64,
    /// The most memory the process had.
    pub peak_memory: Option<u64>,
}
