//! What only the shingles lens reports.

use serde::{Deserialize, Serialize};

/// What was left out of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Frame {
    /// Pages of which something was left out.
    pub pages: u64,
    /// Bytes of text that were.
    pub bytes: u64,
}

/// How pairs worth comparing are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Candidates {
    /// By counting shared features of the sketches.
    #[default]
    Shingles,
    /// By one shared super shingle: less work, blind to containment and to short documents.
    Super,
}

/// The section of a report that only the shingles lens has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Shingles {
    /// How candidates were found.
    pub candidates: Candidates,
    /// A feature in more documents than this is frequent: ignored, unless boilerplate was included.
    pub max_df: u32,
    /// Frequent features counted like any other.
    pub include_boilerplate: bool,
    /// The numbers are estimates with intervals, not verified.
    pub estimate: bool,
    /// Documents of which the sketch keeps nothing: only their duplicates can be found.
    pub unsampled: u64,
    /// What was left out as the frame of pages: menus, headers, footers, sidebars, and what selectors dropped.
    pub frame: Frame,
    /// Documents whose features so many others have that their pairs were looked for by a part of the sketch: a pair at the very threshold
    /// may be missed.
    #[serde(default, skip_serializing_if = "is_none")]
    pub thinned: u64,
    /// Text that so many documents share that it was ignored, most shared first.
    pub templates: Vec<Template>,
    /// What the documents of one cluster share that holds most of all documents: perhaps a menu, not content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dominant: Option<Template>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Text that so many documents share that it was ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Template {
    /// Documents that have its most frequent shingle.
    pub documents: u64,
    /// Shingles of it that were ignored.
    pub shingles: u64,
    /// How it reads in one of them, where the document could be read again.
    pub text: Option<String>,
    /// That document.
    pub example: String,
    /// Named by a decision, however many documents have it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
}
