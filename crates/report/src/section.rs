//! Where a report keeps what only one lens tells. No other file of this crate asks.

use lookalike::chunks::Chunks;
use lookalike::copies::Copies;
use lookalike::simhash::Simhash;
use lookalike::{Report, Usage};

/// What was found: documents in clusters, or submissions and the passages that they share.
#[derive(Clone, Copy)]
pub enum Findings<'a> {
    /// Of the shingles, chunks or simhash lens.
    Clusters(&'a Report),
    /// Of the passages lens.
    Passages(&'a Copies),
}

impl<'a> From<&'a Report> for Findings<'a> {
    fn from(report: &'a Report) -> Self {
        Self::Clusters(report)
    }
}

impl<'a> From<&'a Copies> for Findings<'a> {
    fn from(report: &'a Copies) -> Self {
        Self::Passages(report)
    }
}

impl Findings<'_> {
    pub(crate) fn usage(self) -> Option<Usage> {
        match self {
            Self::Clusters(report) => report.usage,
            Self::Passages(report) => report.usage,
        }
    }
}

/// What only one lens tells of documents in clusters.
#[derive(Clone, Copy)]
pub(crate) enum Section<'a> {
    Shingles,
    Chunks(&'a Chunks),
    Simhash(&'a Simhash),
}

pub(crate) fn section(report: &Report) -> Section<'_> {
    match (&report.chunks, &report.simhash) {
        (Some(chunks), _) => Section::Chunks(chunks),
        (None, Some(simhash)) => Section::Simhash(simhash),
        (None, None) => Section::Shingles,
    }
}

pub(crate) fn chunks(report: &Report) -> Option<&Chunks> {
    report.chunks.as_ref()
}
