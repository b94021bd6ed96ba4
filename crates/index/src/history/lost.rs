//! The lost and found: the last content that was seen under a URL, and where it lives now.

use crate::history::role::Role;
use lookalike_core::sketch::Estimate;
use serde::Serialize;

/// How a lost document is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct LostOptions {
    /// Least share of it that a place must hold to be listed.
    pub least: f64,
    /// From which resemblance on a place is near.
    pub near: f64,
    /// From which share on a larger document has the whole of it.
    pub contained: f64,
    /// What the URL had on this date is looked for; without one, what it had last, or before its last change.
    pub at: Option<String>,
    /// Places to list.
    pub limit: usize,
}

impl Default for LostOptions {
    fn default() -> Self {
        Self { least: 0.05, near: 0.5, contained: 0.9, at: None, limit: 20 }
    }
}

/// What became of a URL's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LostStatus {
    /// The URL has it still.
    Unchanged,
    /// The URL has a later version of it.
    Changed,
    /// Another URL has it now.
    Moved,
    /// Several URLs have different parts of it.
    Split,
    /// A larger document has taken it in.
    Merged,
    /// No URL has a substantial part of it any more.
    Gone,
    /// The URL was never seen.
    Unknown,
}

/// Where the last content of a URL lives now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LostResult {
    /// The URL.
    pub url: String,
    /// What became of its content.
    pub status: LostStatus,
    /// The content id of what was looked for.
    pub content: Option<String>,
    /// When the URL was last seen with it; none if that has no date.
    pub last: Option<String>,
    /// When the URL itself was last seen.
    pub last_seen: Option<String>,
    /// The date of the last sweep: "now".
    pub now: Option<String>,
    /// What the URL had over time, oldest first.
    pub history: Vec<Version>,
    /// Where it is, the likeliest first: what is there now, then what was there later than the URL itself.
    pub found: Vec<Location>,
    /// Places beyond the limit.
    pub more: u64,
    /// Of a split, the share that its parts hold together at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<f64>,
}

/// What a URL had in one sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Version {
    /// The date of the sweep.
    pub date: Option<String>,
    /// The content id.
    pub content: String,
    /// Whether it differs from the one before.
    pub changed: bool,
    /// Resemblance to the one before, if it differs.
    pub resemblance: Option<Estimate>,
}

/// A URL with a lost document, or a part of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Location {
    /// The URL.
    pub url: String,
    /// What it has.
    pub role: Role,
    /// The content id of what it has.
    pub content: String,
    /// When the URL was first seen.
    pub first: Option<String>,
    /// When it was last seen there.
    pub last: Option<String>,
    /// That was in the last sweep.
    pub current: bool,
    /// The URL was first seen after the lost one was last seen.
    pub new: bool,
    /// The URL is older, but took the text in after the lost one was last seen.
    pub gained: bool,
    /// Resemblance to the lost document.
    pub resemblance: Estimate,
    /// Share of the lost document that is there; `MIN` sketches cannot tell.
    pub query_in_document: Option<Estimate>,
    /// Share of what is there that was in the lost document.
    pub document_in_query: Option<Estimate>,
    /// The version by which it was found, where what is there now has been edited or has moved on since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intermediate: Option<Intermediate>,
}

/// An earlier version that leads from a lost document to what is there now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Intermediate {
    /// Where it was.
    pub url: String,
    /// When it was last seen there.
    pub date: Option<String>,
    /// Its content id.
    pub content: String,
    /// Its resemblance to the lost document.
    pub resemblance: Estimate,
}
