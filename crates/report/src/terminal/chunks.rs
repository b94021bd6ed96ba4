//! The chunks lens: bytes in common.

use super::clusters::{CLASS, Column, Layout, documents};
use super::files::{copies, freed};
use super::summary::{Summary, SummaryRow};
use crate::style::share;
use crate::units::{bytes, commas, count, short_percent};
use crate::words::{parameters, share_of_smaller};
use lookalike::Linkage;
use lookalike::report::{ChunkTotals, Chunks};
use lookalike::report::{Class, Member, Report};

const COLUMNS: &[Column] = &[
    Column::number("of the smaller", 14, |member| share(share_of_smaller(member))),
    CLASS,
    Column::number("in common", 17, in_common),
];

pub(super) fn layout(chunks: &Chunks) -> Layout<'_> {
    Layout {
        note: "",
        columns: COLUMNS,
        size: |cluster| format!("{}, {}", documents(cluster), bytes(cluster.bytes)),
        remark: |_| String::new(),
        sets: Some(&chunks.identical),
    }
}

/// The true bytes in common, if they were counted; else what they are at least.
fn in_common(member: &Member) -> String {
    match (member.exact_bytes, member.shared_bytes) {
        (Some(exact), _) => bytes(exact),
        (None, Some(least)) => format!("at least {}", bytes(least)),
        (None, None) => "–".to_owned(),
    }
}

pub(super) fn summary(report: &Report, chunks: &Chunks) -> Summary {
    let alike =
        format!("share {} or more of the smaller{}", short_percent(report.head.policy.threshold), and_bytes(report));
    Summary::of_documents(report, details(report, &chunks.totals), &alike, rows(report, chunks))
}

fn details(report: &Report, chunks: &ChunkTotals) -> Vec<String> {
    let mean = if chunks.chunks > 0 { format!("; mean delivered {:.0} bytes", chunks.mean) } else { String::new() };
    let mut lines = vec![format!("{}{mean}", parameters(&chunks.parameters))];
    if let Some(refined) = &chunks.refined {
        let again = format!("{} ({}) again", count(refined.documents, "document"), bytes(refined.bytes));
        let (before, after) = (commas(refined.clustered_before), commas(report.head.summary.clustered));
        let mean = refined.parameters.mean;
        lines.push(format!("refined: {again} at a mean of {mean} bytes; in clusters {before} before, {after} after"));
    }
    lines
}

fn rows(report: &Report, chunks: &Chunks) -> Vec<SummaryRow> {
    let (s, totals) = (report.head.summary, &chunks.totals);
    let mut rows = Vec::new();
    if report.head.documents > 0 {
        rows.push(SummaryRow::new("chunks", totals.chunks, format!("{} different", commas(totals.distinct))));
    }
    if s.clusters > 0 {
        let (documents, common) = (count(s.clustered, "document"), bytes(shared_bytes(report)));
        let about = format!("of {documents}; their representatives hold {common} or more of the rest");
        rows.push(SummaryRow::new("clusters", s.clusters, about));
    }
    // small files may be identical, and yet have less in common than a link needs
    if s.clusters > 0 || !chunks.identical.is_empty() {
        let taken = bytes(chunks.identical.iter().map(freed).sum());
        let copies = chunks.identical.iter().map(copies).sum();
        rows.push(SummaryRow::new("identical", copies, format!("copies beyond one of each; they take {taken}")));
    }
    if s.clusters > 0 {
        let (more, bytes) = (format!("{} or more", short_percent(report.head.policy.threshold)), and_bytes(report));
        rows.push(SummaryRow::new(
            "near",
            s.near,
            format!("{more} of the smaller in common with the representative{bytes}"),
        ));
        rows.push(SummaryRow::new(
            "contained",
            s.contained,
            format!("{more} of it is inside the representative{bytes}"),
        ));
        if report.head.policy.linkage == Linkage::Single {
            let about = "linked through other members; shares less with the representative itself";
            rows.push(SummaryRow::new("chained", s.chained, about));
        }
    }
    if totals.empty > 0 {
        rows.push(SummaryRow::new("empty", totals.empty, "files of zero length, which are not compared"));
    }
    if totals.alone > 0 {
        let groups = count(totals.components, "group");
        let rest = match totals.components {
            0 => String::new(),
            _ => format!("; the others make {groups}, the largest of {}", commas(totals.largest_component)),
        };
        rows.push(SummaryRow::new("alone", totals.alone, format!("share no chunk with another{rest}")));
    }
    rows
}

fn and_bytes(report: &Report) -> String {
    match report.head.policy.min_shared {
        0 => String::new(),
        least => format!(", and at least {}", bytes(least)),
    }
}

/// Bytes of members that their representatives have too, at least.
fn shared_bytes(report: &Report) -> u64 {
    let members = report.clusters.iter().flat_map(|cluster| &cluster.members);
    let known = members.map(|m| m.exact_bytes.or(m.shared_bytes).or((m.class == Class::Identical).then_some(m.bytes)));
    known.flatten().sum()
}
