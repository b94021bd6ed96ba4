//! How pages change over time: how often and how much, how they move, how long they live.

use lookalike_core::sketch::Estimate;
use serde::Serialize;

/// What counts as the same page somewhere else.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangesOptions {
    /// Least resemblance of a page that died and one that was born, for a move.
    pub threshold: f64,
}

/// How pages changed from sweep to sweep.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changes {
    /// Dated sweeps.
    pub sweeps: u64,
    /// URLs that they saw.
    pub urls: u64,
    /// Observations of dated sweeps.
    pub observations: u64,
    /// Observations that were left out: they have no date, or none that can be read.
    pub undated: u64,
    /// Observations that were left out: a part of their sweep could not be read.
    pub incomplete: u64,
    /// Least resemblance of a move.
    pub threshold: f64,
    /// From each sweep to the next.
    pub intervals: Vec<Interval>,
    /// How often pages change.
    pub rate: Rate,
    /// How much they change: resemblance of each version to the one before.
    pub resemblance: Spread,
    /// How far they move, over all intervals.
    pub moves: Moves,
    /// How long they live.
    pub lifetimes: Lifetimes,
    /// The pages that these numbers count, the latest interval first; what stayed as it was is left out.
    pub pages: Vec<PageChange>,
}

/// What happened to a page from one sweep to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageChange {
    /// The date of the one.
    pub from: String,
    /// The date of the next.
    pub to: String,
    /// What happened.
    pub change: PageChangeKind,
    /// The URL.
    pub url: String,
    /// Where its content is now, if it moved.
    pub moved_to: Option<String>,
    /// Resemblance to what it was, if it changed or moved.
    pub resemblance: Option<Estimate>,
}

/// What can happen to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PageChangeKind {
    /// The URL is gone, and its content is at one that was born or returned.
    Moved,
    /// The URL is gone, and its content was not found again.
    Died,
    /// The URL was never seen before; its content may have moved there.
    Born,
    /// The URL was seen before, but not in the sweep before.
    Returned,
    /// The URL has other content.
    Changed,
}

/// From one sweep to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The date of the one.
    pub from: String,
    /// The date of the next.
    pub to: String,
    /// Days between them.
    pub days: f64,
    /// URLs in both.
    pub both: u64,
    /// Of them, those with the same content.
    pub unchanged: u64,
    /// Of them, those with other content.
    pub changed: u64,
    /// URLs that were never seen before.
    pub born: u64,
    /// URLs that were seen before, but not in the sweep before.
    pub returned: u64,
    /// URLs that are not there any more.
    pub died: u64,
    /// Of them, those whose content is at a URL that was born or returned.
    pub moves: Moves,
    /// Resemblance of the changed ones to what they were.
    pub resemblance: Spread,
}

/// How far pages moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moves {
    /// To another name in the same folder.
    pub renamed: u64,
    /// Within the host, renamed ones included.
    pub within_host: u64,
    /// To another host.
    pub between_hosts: u64,
}

/// How often pages change.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rate {
    /// Observations that have an earlier one of the same URL.
    pub repeated: u64,
    /// Of them, those with other content than the one before.
    pub changed: u64,
    /// Days that URLs were under observation, for each change that was seen. None if nothing changed, and from two sweeps: they tell
    /// whether a page changed between them, not how often.
    pub days_per_change: Option<f64>,
    /// By the number of times that a URL was seen.
    pub by_observations: Vec<ChangesPerUrl>,
}

/// How often URLs changed that were seen equally often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangesPerUrl {
    /// Times that the URLs were seen.
    pub observations: u64,
    /// How many there are.
    pub urls: u64,
    /// How many of them never changed, changed once, twice, ….
    pub changes: Vec<u64>,
}

/// How resemblances are spread.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// From 0 to 1 in ten bins; 1 itself is in the last.
    pub bins: [u64; 10],
    /// Pages too short for their sketches to tell.
    pub unmeasured: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Their median, to a thousandth.
    pub median: Option<f64>,
}

/// How long pages live. A page that was there in the first sweep is older than anyone knows, and one that is in the last is not dead.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lifetimes {
    /// URLs first seen after the first sweep.
    pub born: u64,
    /// URLs last seen before the last sweep.
    pub died: u64,
    /// URLs in the last sweep.
    pub alive: u64,
    /// Of those that died, the mean of the days from the first to the last time they were seen. None from two sweeps: each was seen once.
    pub mean_days: Option<f64>,
    /// The median.
    pub median_days: Option<f64>,
    /// Share of pages that live on, by days since they were first seen (Kaplan and Meier's estimate).
    pub survival: Vec<Survival>,
}

/// A step of the survival curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Survival {
    /// Days since a URL was first seen.
    pub days: f64,
    /// URLs that were followed for so long.
    pub at_risk: u64,
    /// Of them, those that were missed then for the first time.
    pub died: u64,
    /// Share of all that lives on.
    pub share: f64,
}
