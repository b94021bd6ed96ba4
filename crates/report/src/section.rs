//! Which section a report has. No other file of this crate asks for more than one.

use lookalike::report::{
    Candidates, ChunkTotals, Chunks, Frame, Head, Passages, Relations, Report, Section, Shingles, Simhash,
};
use lookalike::report::{DisagreementCount, LensRecipe, PairLeftOut, RelationCount};
use serde::Serialize;

/// What only one lens reports of documents in clusters.
#[derive(Clone, Copy)]
pub(crate) enum ClusterSection<'a> {
    Shingles(&'a Shingles),
    Chunks(&'a Chunks),
    Simhash(&'a Simhash),
    Relations(&'a Relations),
}

/// What was found: documents in clusters, or submissions and the passages that they share.
#[derive(Clone, Copy)]
pub enum Findings<'a> {
    /// Of any other lens, or of all of them.
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
        Section::Relations(relations) => ClusterSection::Relations(relations),
        Section::Passages(_) => return None,
    })
}

/// The head of a report of clusters, and the numbers of its section without the lists.
#[derive(Serialize)]
pub(crate) struct ReportNumbers<'a> {
    #[serde(flatten)]
    head: &'a Head,
    #[serde(skip_serializing_if = "Option::is_none")]
    shingles: Option<ShinglesNumbers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chunks: Option<&'a ChunkTotals>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simhash: Option<&'a Simhash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relations: Option<RelationsNumbers<'a>>,
}

#[derive(Serialize)]
struct RelationsNumbers<'a> {
    recipes: &'a [LensRecipe],
    compared: u64,
    represented: u64,
    frequent: u64,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    left_out: &'a [PairLeftOut],
    relations: &'a [RelationCount],
    disagreements: &'a [DisagreementCount],
}

#[derive(Serialize)]
struct ShinglesNumbers {
    candidates: Candidates,
    max_df: u32,
    include_boilerplate: bool,
    estimate: bool,
    unsampled: u64,
    frame: Frame,
    thinned: u64,
}

impl<'a> ReportNumbers<'a> {
    pub(crate) fn new(report: &'a Report) -> Self {
        Self {
            head: &report.head,
            shingles: report.shingles().map(|s| ShinglesNumbers {
                candidates: s.candidates,
                max_df: s.max_df,
                include_boilerplate: s.include_boilerplate,
                estimate: s.estimate,
                unsampled: s.unsampled,
                frame: s.frame,
                thinned: s.thinned,
            }),
            chunks: report.chunks().map(|chunks| &chunks.totals),
            simhash: report.simhash(),
            relations: report.relations().map(|found| RelationsNumbers {
                recipes: &found.recipes,
                compared: found.compared,
                represented: found.represented,
                frequent: found.frequent,
                left_out: &found.left_out,
                relations: &found.relations,
                disagreements: &found.disagreements,
            }),
        }
    }
}
