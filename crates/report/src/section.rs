//! Which section a report has. No other file of this crate asks for more than one.

use lookalike::report::{Chunks, Passages, Report, Section, Shingles, Simhash};

/// What only one lens reports of documents in clusters.
#[derive(Clone, Copy)]
pub(crate) enum ClusterSection<'a> {
    Shingles(&'a Shingles),
    Chunks(&'a Chunks),
    Simhash(&'a Simhash),
}

/// What was found: documents in clusters, or submissions and the passages that they share.
#[derive(Clone, Copy)]
pub enum Findings<'a> {
    /// Of the shingles, chunks or simhash lens.
    Clusters(&'a Report),
    /// Of the passages lens.
    Passages(&'a Report, &'a Passages),
}

impl<'a> From<&'a Report> for Findings<'a> {
    fn from(report: &'a Report) -> Self {
        report.passages().map_or(Self::Clusters(report), |passages| Self::Passages(report, passages))
    }
}

pub(crate) fn section(report: &Report) -> Option<ClusterSection<'_>> {
    Some(match &report.section {
        Section::Shingles(shingles) => ClusterSection::Shingles(shingles),
        Section::Chunks(chunks) => ClusterSection::Chunks(chunks),
        Section::Simhash(simhash) => ClusterSection::Simhash(simhash),
        Section::Passages(_) => return None,
    })
}
