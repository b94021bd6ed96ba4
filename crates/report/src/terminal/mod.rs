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
mod shingles;
mod simhash;
mod stats;
mod summary;
mod templates;

use crate::clean::clean;
use crate::hints;
use crate::renderer::{Renderer, Source};
use crate::section::{Findings, Section, section};
use crate::style::DIM;
use crate::units::commas;
use lines::write_title;
use lookalike::copies::Copies;
use lookalike::{Report, Skip};
use std::io::{self, Write};

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
            Findings::Passages(report) => write_passages(out, report, source),
        }?;
        if source.findings.usage().is_some() { stats::write(out, source.findings) } else { Ok(()) }
    }
}

fn write_clusters(out: &mut dyn Write, report: &Report, source: &Source<'_>) -> io::Result<()> {
    let top = source.shown.top;
    let (summary, layout) = match section(report) {
        Section::Shingles => (shingles::summary(report), shingles::layout(report)),
        Section::Chunks(chunks) => (chunks::summary(report, chunks), chunks::layout(chunks)),
        Section::Simhash(simhash) => (simhash::summary(report, simhash), simhash::layout(simhash)),
    };
    summary.write(out)?;
    clusters::write(out, report, &layout, source)?;
    if let Some(against) = &report.against {
        against::write(out, against, top)?;
    }
    match section(report) {
        Section::Shingles => shingles::write_templates(out, report)?,
        Section::Chunks(chunks) => {
            files::write_identical(out, &chunks.identical, top)?;
            files::write_folders(out, &chunks.folders, top)?;
            templates::write_ignored(out, &chunks.templates)?;
            templates::write_suggestions(out, chunks)?;
            templates::write_common(out, chunks)?;
        }
        Section::Simhash(_) => {}
    }
    write_skipped(out, &report.skipped)
}

fn write_passages(out: &mut dyn Write, report: &Copies, source: &Source<'_>) -> io::Result<()> {
    passages::write_summary(out, report)?;
    pairs::write_table(out, report, source.shown.top)?;
    pairs::write_passages(out, report, source.shown)?;
    passages::write_clusters(out, report, source.shown.top)?;
    left_out::write(out, report)?;
    write_skipped(out, &report.skipped)?;
    passages::write_caveat(out, report)
}

fn write_skipped(out: &mut dyn Write, skipped: &[Skip]) -> io::Result<()> {
    if skipped.is_empty() {
        return Ok(());
    }
    write_title(out, "Skipped", "")?;
    for skip in skipped.iter().take(SKIPPED) {
        writeln!(out, "  {}  {DIM}{}{DIM:#}", clean(&skip.id), clean(&skip.reason))?;
    }
    match skipped.len().saturating_sub(SKIPPED) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {} more; {}", commas(rest as u64), hints::ALL),
    }
}
