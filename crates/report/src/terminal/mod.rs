//! What a person sees first: a summary, then the clusters or pairs, largest or most similar first.
//!
//! A lens has one file: the rows of its summary, and the columns of its clusters.

mod against;
mod chunks;
mod clusters;
mod files;
mod left_out;
mod lines;
mod pairs;
mod passages;
mod relations;
mod shingles;
mod simhash;
mod stats;
mod summary;
mod templates;

use crate::clean::clean;
use crate::hints;
use crate::renderer::{Renderer, Shown, Source};
use crate::section::{ClusterSection, Findings, section};
use crate::style::DIM;
use crate::submission::shorten;
use crate::units::commas;
use lines::{common_folder, under, write_title};
use lookalike::report::{Passages, Report, Skip};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Skipped documents that are listed.
const SKIPPED: usize = 10;

/// Text with colours.
pub(crate) struct Terminal;

impl Renderer for Terminal {
    fn is_coloured(&self) -> bool {
        true
    }

    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        match source.findings {
            Findings::Clusters(report) => write_clusters(out, report, source),
            Findings::Passages(report, passages) => write_passages(out, report, passages, source),
        }?;
        stats::write(out, source.findings)
    }
}

fn write_clusters(out: &mut dyn Write, report: &Report, source: &Source<'_>) -> io::Result<()> {
    let top = source.shown.top;
    let Some(section) = section(report) else { return Ok(()) };
    let (summary, layout) = match section {
        ClusterSection::Shingles(shingles) => (shingles::summary(report), shingles::layout(shingles)),
        ClusterSection::Chunks(chunks) => (chunks::summary(report, chunks), chunks::layout(chunks)),
        ClusterSection::Simhash(simhash) => (simhash::summary(report, simhash), simhash::layout(simhash)),
        ClusterSection::Relations(found) => (relations::summary(report, found), relations::LAYOUT),
    };
    summary.write(out, source.shown)?;
    if let ClusterSection::Relations(found) = section {
        relations::write(out, found, source.shown)?;
    }
    clusters::write(out, report, &layout, source)?;
    if let Some(against) = &report.head.against {
        against::write(out, against, top)?;
    }
    match section {
        ClusterSection::Shingles(shingles) => shingles::write_templates(out, shingles)?,
        ClusterSection::Chunks(chunks) => {
            files::write_identical(out, &chunks.identical, top)?;
            files::write_folders(out, &chunks.folders, top)?;
            templates::write_ignored(out, &chunks.templates)?;
            templates::write_suggestions(out, chunks, source.run)?;
            templates::write_frequent(out, chunks)?;
        }
        ClusterSection::Simhash(_) | ClusterSection::Relations(_) => {}
    }
    write_skipped(out, &report.skipped, source.shown)
}

fn write_passages(out: &mut dyn Write, report: &Report, passages: &Passages, source: &Source<'_>) -> io::Result<()> {
    passages::write_summary(out, report, passages, source.shown)?;
    pairs::write_table(out, passages, source.shown)?;
    pairs::write_passages(out, passages, source.shown)?;
    passages::write_clusters(out, passages, source.shown)?;
    left_out::write(out, passages)?;
    write_skipped(out, &report.skipped, source.shown)?;
    passages::write_caveat(out, passages)
}

fn write_skipped(out: &mut dyn Write, skipped: &[Skip], shown: Shown) -> io::Result<()> {
    if skipped.is_empty() {
        return Ok(());
    }
    let folder = common_folder(skipped.iter().take(SKIPPED).map(|skip| &*skip.id));
    write_title(out, "Skipped", &under(folder))?;
    for skip in skipped.iter().take(SKIPPED) {
        let reason = clean(&skip.reason);
        let name = shorten(&clean(&skip.id[folder.len()..]), shown.room(2 + 2 + reason.width()));
        writeln!(out, "  {name}  {DIM}{reason}{DIM:#}")?;
    }
    match skipped.len().saturating_sub(SKIPPED) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {} more; {}", commas(rest as u64), hints::ALL),
    }
}
