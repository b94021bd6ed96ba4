//! The summary of a report: what was compared, then rows of numbers.

use crate::clean::clean;
use crate::renderer::Shown;
use crate::style::{BOLD, DIM};
use crate::submission::wrap;
use crate::units::{bytes, commas, count};
use crate::words::kinds;
use lookalike::report::{Frame, Report, Reviewed, Skip};
use std::io::{self, Write};

/// What a lens has to say before it lists anything.
pub(super) struct Summary {
    /// How much was compared.
    pub(super) title: String,
    /// How, behind the title.
    pub(super) about: String,
    /// Lines below it.
    pub(super) details: Vec<String>,
    /// A sentence where nothing was found.
    pub(super) nothing: Option<String>,
    pub(super) rows: Vec<SummaryRow>,
}

/// A row: its name, a number if there is one, and what it counts.
pub(super) struct SummaryRow(&'static str, Option<u64>, String);

impl SummaryRow {
    pub(super) fn new(name: &'static str, number: u64, about: impl Into<String>) -> Self {
        Self(name, Some(number), about.into())
    }

    /// Nobody has counted it.
    pub(super) fn unknown(name: &'static str, about: impl Into<String>) -> Self {
        Self(name, None, about.into())
    }

    fn number(&self) -> String {
        self.1.map_or_else(|| "–".to_owned(), commas)
    }
}

impl Summary {
    /// What lenses of documents have in common. `alike` says what no two documents are, where there is no cluster.
    pub(super) fn of_documents(report: &Report, details: Vec<String>, alike: &str, found: Vec<SummaryRow>) -> Self {
        let nothing = match (report.head.documents, report.head.summary.clusters) {
            (0, _) => Some("nothing to compare".to_owned()),
            (_, 0) => Some(format!("no two of them {alike}")),
            _ => None,
        };
        let mut rows = found;
        rows.extend(report.head.reviewed.iter().flat_map(reviewed));
        rows.extend(skipped(&report.skipped));
        let unsampled = report.shingles().map_or(0, |shingles| shingles.unsampled);
        if unsampled > 0 {
            let about = "too short for this sketch: only exact duplicates of them were found";
            rows.push(SummaryRow::new("unsampled", unsampled, about));
        }
        let frame = report.shingles().map_or_else(Frame::default, |shingles| shingles.frame);
        if frame.pages > 0 {
            let about = format!(
                "without their menus, headers and footers, {}; --boilerplate keep counts them",
                bytes(frame.bytes)
            );
            rows.push(SummaryRow::new("pages", frame.pages, &about));
        }
        let thinned = report.shingles().map_or(0, |shingles| shingles.thinned);
        if thinned > 0 {
            let about = "share so much with so many that only part of their sketch was used: a pair near the threshold may be missing";
            rows.push(SummaryRow::new("thinned", thinned, about));
        }
        if report.head.repeated_ids > 0 {
            let about = "have the id of another document; they are kept apart, but share the name";
            rows.push(SummaryRow::new("same id", report.head.repeated_ids, about));
        }
        let title = format!("{}, {}", count(report.head.documents, "document"), bytes(report.head.bytes));
        Self { title, about: clean(&report.head.recipe).into_owned(), details, nothing, rows }
    }

    pub(super) fn write(&self, out: &mut dyn Write, shown: Shown) -> io::Result<()> {
        let about = if self.about.is_empty() { String::new() } else { format!("  {DIM}{}{DIM:#}", self.about) };
        writeln!(out, "{BOLD}{}{BOLD:#}{about}", self.title)?;
        for line in &self.details {
            writeln!(out, "  {DIM}{}{DIM:#}", clean(line))?;
        }
        writeln!(out)?;
        if let Some(nothing) = &self.nothing {
            writeln!(out, "  {nothing}")?;
        }
        let width = self.rows.iter().map(|row| row.number().chars().count()).fold(7, usize::max);
        let name = self.rows.iter().map(|row| row.0.len()).fold(11, usize::max);
        for row in &self.rows {
            // two spaces, the name, the number
            let indent = 2 + name + 1 + width;
            let mut lines = wrap(&row.2, shown.room(indent)).into_iter();
            let first = lines.next().unwrap_or_default();
            writeln!(out, "  {:<name$} {:>width$}{DIM}{first}{DIM:#}", row.0, row.number())?;
            lines.try_for_each(|line| writeln!(out, "{:indent$}{DIM}{line}{DIM:#}", ""))?;
        }
        Ok(())
    }
}

/// What was not compared, if there is any.
pub(super) fn skipped(skipped: &[Skip]) -> Option<SummaryRow> {
    (!skipped.is_empty()).then(|| SummaryRow::new("skipped", skipped.len() as u64, kinds(skipped)))
}

/// How far a review has come.
fn reviewed(reviewed: &Reviewed) -> [SummaryRow; 3] {
    let all = count(reviewed.decided + reviewed.undecided, "cluster");
    let effects = [
        (reviewed.not_duplicates, "not duplicates"),
        (reviewed.templates, "template"),
        (reviewed.stale, "with documents that have changed or are gone"),
    ];
    let effects: Vec<String> =
        effects.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", commas(*n))).collect();
    let more = if effects.is_empty() { String::new() } else { format!("; of them {}", effects.join(", ")) };
    [
        SummaryRow::new("decided", reviewed.decided, format!("of {all}")),
        SummaryRow::new("undecided", reviewed.undecided, "to look at"),
        SummaryRow::new("decisions", reviewed.decisions, format!("were read{more}")),
    ]
}
