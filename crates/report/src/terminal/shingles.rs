//! The shingles lens: resemblance and containment.

use super::clusters::{CLASS, Column, Layout, documents};
use super::lines::write_title;
use super::summary::{Summary, SummaryRow};
use crate::clean::clean;
use crate::hints;
use crate::style::{DIM, share};
use crate::units::{bytes, commas, count, percent, short_percent};
use lookalike::Linkage;
use lookalike::report::{Member, Report, Shingles, Template};
use std::io::{self, Write};

/// Templates that are shown, and characters of each.
const TEMPLATES: usize = 5;
const MAX_TEXT: usize = 160;

const COLUMNS: &[Column] = &[
    Column::number("resemblance", 13, |member| share(member.resemblance)),
    CLASS,
    Column::number("containment", 11, |member| share(member.containment)),
    Column::number("contained by", 12, |member| share(member.contained_by)),
];

pub(super) fn layout(shingles: &Shingles) -> Layout<'static> {
    let note = if shingles.estimate { " (estimated, with 95% intervals)" } else { "" };
    Layout { note, columns: COLUMNS, size: documents, remark: interval, sets: None }
}

/// `  (50.1–71.8%)`
fn interval(member: &Member) -> String {
    let Some([low, high]) = member.intervals.as_ref().map(|i| i.resemblance) else { return String::new() };
    format!("  {DIM}({}–{}){DIM:#}", percent(low).trim_end_matches('%'), percent(high))
}

pub(super) fn summary(report: &Report) -> Summary {
    let least = short_percent(report.head.policy.threshold);
    let rows = if report.head.summary.clusters > 0 { rows(report, &least) } else { Vec::new() };
    Summary::of_documents(report, Vec::new(), &format!("resemble each other by {least} or more"), rows)
}

fn rows(report: &Report, least: &str) -> Vec<SummaryRow> {
    let s = report.head.summary;
    let documents = count(s.clustered, "document");
    let free =
        format!("of {documents}; keeping only the representative of each would free {}", bytes(s.redundant_bytes));
    let mut rows = vec![
        SummaryRow::new("clusters", s.clusters, free),
        SummaryRow::new("identical", s.identical, "the same bytes as the representative"),
        SummaryRow::new("lexical", s.lexical, "the same words, formatted differently"),
    ];
    if s.shingle > 0 {
        rows.push(SummaryRow::new(
            "shingle",
            s.shingle,
            "the same shingles (word sequences), in another order or number",
        ));
    }
    rows.push(SummaryRow::new("near", s.near, format!("resemblance to the representative of {least} or more")));
    rows.push(match report.head.policy.contained {
        Some(share) => SummaryRow::new(
            "contained",
            s.contained,
            format!("{} or more of it is inside the representative", short_percent(share)),
        ),
        None => SummaryRow::unknown("contained", format!("not looked for: {}", hints::CONTAINED)),
    });
    if report.head.policy.linkage == Linkage::Single {
        let about = "linked through other members; not similar to the representative itself";
        rows.push(SummaryRow::new("chained", s.chained, about));
    }
    rows
}

/// The beginning of a text, safe for a terminal.
fn beginning(text: &str) -> String {
    let short: String = text.chars().take(MAX_TEXT).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{}{dots}", clean(&short))
}

/// Of a cluster that holds most of all documents: what it shares, and how to have that ignored.
fn write_dominant(out: &mut dyn Write, dominant: &Template) -> io::Result<()> {
    let documents = count(dominant.documents, "document");
    write_title(out, "One cluster holds most of all documents", &documents)?;
    if let Some(text) = &dominant.text {
        writeln!(out, "  They share: {}", beginning(text))?;
    }
    writeln!(out, "  {DIM}{}{DIM:#}", hints::dominant(dominant.documents / 2))
}

pub(super) fn write_templates(out: &mut dyn Write, shingles: &Shingles) -> io::Result<()> {
    if let Some(dominant) = &shingles.dominant {
        write_dominant(out, dominant)?;
    }
    let templates = &shingles.templates;
    if templates.is_empty() {
        return Ok(());
    }
    let mut why = Vec::new();
    if templates.iter().any(|t| !t.named) {
        why.push(format!("in more than {}", count(u64::from(shingles.max_df), "document")));
    }
    if templates.iter().any(|t| !t.named && t.documents <= u64::from(shingles.max_df)) {
        why.push("in most of a folder".to_owned());
    }
    if templates.iter().any(|t| t.named) {
        why.push("named by a decision".to_owned());
    }
    write_title(out, "Templates", &format!("{}, and therefore ignored", why.join(" or ")))?;
    for template in templates.iter().take(TEMPLATES) {
        let text = template.text.as_deref().unwrap_or("(text not kept)");
        writeln!(out, "  {:>9}  {}", commas(template.documents), beginning(text))?;
    }
    match templates.len().saturating_sub(TEMPLATES) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}", count(rest as u64, "more template")),
    }
}
