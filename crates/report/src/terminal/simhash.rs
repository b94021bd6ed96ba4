//! The simhash lens: distances of fingerprints, and resemblance where it was verified.

use super::clusters::{CLASS, Column, Layout, documents};
use super::summary::{Summary, SummaryRow};
use crate::style::share;
use crate::units::{bytes, commas, count, percent, short_percent};
use lookalike::Linkage;
use lookalike::report::Simhash;
use lookalike::report::{Member, Report};

const DISTANCE: Column = Column::number("distance", 13, distance);
const COLUMNS: &[Column] = &[DISTANCE, CLASS];
const VERIFIED_COLUMNS: &[Column] =
    &[DISTANCE, Column::number("resemblance", 11, |member| share(member.resemblance)), CLASS];

fn distance(member: &Member) -> String {
    member.distance.map_or_else(|| "–".to_owned(), |distance| distance.to_string())
}

pub(super) fn layout(simhash: &Simhash) -> Layout<'static> {
    let (columns, note) = match simhash.verified {
        Some(_) => (VERIFIED_COLUMNS, ""),
        None => (COLUMNS, " (distances of fingerprints, not verified)"),
    };
    Layout { note, columns, size: documents, remark: |_| String::new(), sets: None }
}

pub(super) fn summary(report: &Report, simhash: &Simhash) -> Summary {
    let also = if simhash.verified.is_some() { " and resemble each other" } else { "" };
    let alike = format!("have fingerprints within {}{also}", within(simhash));
    Summary::of_documents(report, conditions(simhash), &alike, rows(report, simhash))
}

/// What limits which documents are paired and what counts.
fn conditions(simhash: &Simhash) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(category) = &simhash.category {
        lines.push(format!("only documents with the same {category:?} are paired; those without it among themselves"));
    }
    if let Some(ratio) = simhash.length_ratio {
        lines.push(format!(
            "only documents of which the shorter has {} or more of the words of the longer",
            short_percent(ratio)
        ));
    }
    if let Some(most) = simhash.max_df {
        lines.push(format!("features that more than {} have do not count", count(most, "document")));
    }
    lines
}

fn rows(report: &Report, simhash: &Simhash) -> Vec<SummaryRow> {
    let (s, mut rows) = (report.head.summary, Vec::new());
    let (least, within) = (short_percent(report.head.policy.threshold), within(simhash));
    if s.clusters > 0 {
        let documents = count(s.clustered, "document");
        let free =
            format!("of {documents}; keeping only the representative of each would free {}", bytes(s.redundant_bytes));
        rows.push(SummaryRow::new("clusters", s.clusters, free));
        rows.push(SummaryRow::new("identical", s.identical, "the same bytes as the representative"));
        let near = match simhash.verified {
            Some(_) => format!("within {within} of the representative, and resemblance of {least} or more"),
            None => format!("fingerprints within {within} of the representative's; not verified"),
        };
        rows.push(SummaryRow::new("near", s.near, near));
        if let Some(share) = report.head.policy.contained {
            rows.push(SummaryRow::new(
                "contained",
                s.contained,
                format!("{} or more of it is inside the representative", short_percent(share)),
            ));
        }
        if report.head.policy.linkage == Linkage::Single {
            let about = "linked through other members; not near the representative itself";
            rows.push(SummaryRow::new("chained", s.chained, about));
        }
    }
    if report.head.documents > 0 {
        let different = count(simhash.fingerprints, "different fingerprint");
        rows.push(SummaryRow::new("pairs", simhash.pairs, format!("of documents within {within}; {different}")));
    }
    if let Some(verified) = &simhash.verified {
        let precision = match verified.precision {
            Some(share) => format!("; precision at {within}: {}", percent(share)),
            None => String::new(),
        };
        let compared = format!("of {} pairs compared by their shingles{precision}", commas(verified.compared));
        rows.push(SummaryRow::new("confirmed", verified.confirmed, compared));
        if verified.not_compared > 0 {
            let about = "pairs of documents that are near very many others; not compared";
            rows.push(SummaryRow::new("uncompared", verified.not_compared, about));
        }
    }
    if simhash.empty > 0 {
        rows.push(SummaryRow::new("empty", simhash.empty, "without a word that counts: no fingerprint"));
    }
    rows
}

/// `3 of 64 bits`
fn within(simhash: &Simhash) -> String {
    format!("{} of {} bits", simhash.distance, simhash.bits)
}
