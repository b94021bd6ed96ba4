//! The numbers of a scan by fingerprints.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::terminal::{kinds, review};
use crate::units::{bytes, commas, count, percent};
use lookalike::simhash::Simhash;
use lookalike::{Linkage, Report};
use std::io::{self, Write};

pub(super) fn write(out: &mut dyn Write, report: &Report, found: &Simhash) -> io::Result<()> {
    let sizes = format!("{}, {}", count(report.documents, "document"), bytes(report.bytes));
    writeln!(out, "{BOLD}{sizes}{BOLD:#}  {DIM}{}{DIM:#}", clean(&report.recipe))?;
    for line in conditions(found) {
        writeln!(out, "  {DIM}{}{DIM:#}", clean(&line))?;
    }
    writeln!(out)?;
    if report.documents == 0 {
        writeln!(out, "  nothing to compare")?;
    } else if report.summary.clusters == 0 {
        let also = if found.verified.is_some() { " and resemble each other" } else { "" };
        writeln!(out, "  no two of them have fingerprints within {}{also}", within(found))?;
    }
    let rows = rows(report, found);
    let width = rows.iter().map(|(_, n, _)| commas(*n).len()).fold(7, usize::max);
    for (name, n, what) in rows {
        writeln!(out, "  {name:<11} {:>width$}  {DIM}{what}{DIM:#}", commas(n))?;
    }
    report.reviewed.as_ref().map_or(Ok(()), |reviewed| review(out, reviewed))
}

/// What limits which documents are paired and what counts.
fn conditions(found: &Simhash) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(category) = &found.category {
        lines.push(format!("only documents with the same {category:?} are paired; those without it among themselves"));
    }
    if let Some(ratio) = found.length_ratio {
        lines.push(format!(
            "only documents of which the shorter has {} or more of the words of the longer",
            percent(ratio)
        ));
    }
    if let Some(most) = found.drop_common {
        lines.push(format!("features that more than {} have do not count", count(most, "document")));
    }
    lines
}

fn rows(report: &Report, found: &Simhash) -> Vec<(&'static str, u64, String)> {
    let (s, mut rows) = (report.summary, Vec::new());
    let (least, within) = (percent(report.policy.threshold), within(found));
    if s.clusters > 0 {
        let documents = count(s.clustered, "document");
        let free = format!("of {documents}; keeping the first of each would free {}", bytes(s.redundant_bytes));
        rows.push(("clusters", s.clusters, free));
        rows.push(("identical", s.identical, "the same bytes as the first of their cluster".into()));
        rows.push(match found.verified {
            Some(_) => ("near", s.near, format!("within {within} of the first, and resemblance of {least} or more")),
            None => ("near", s.near, format!("fingerprints within {within} of the first; not verified")),
        });
        if let Some(share) = report.policy.contained {
            rows.push(("contained", s.contained, format!("{} or more is inside the first", percent(share))));
        }
        if report.policy.linkage == Linkage::Single {
            let chained = "there by a chain of links; they are not linked to the first themselves";
            rows.push(("chained", s.chained, chained.into()));
        }
    }
    if report.documents > 0 {
        let prints = count(found.fingerprints, "different fingerprint");
        rows.push(("pairs", found.pairs, format!("of documents within {within}; {prints}")));
    }
    if let Some(verified) = &found.verified {
        let precision = match verified.precision {
            Some(share) => format!("; precision at {within}: {}", percent(share)),
            None => String::new(),
        };
        let compared = commas(verified.compared);
        rows.push((
            "confirmed",
            verified.confirmed,
            format!("of {compared} pairs compared by their shingles{precision}"),
        ));
        if verified.crowded > 0 {
            let why = "pairs of documents with a fingerprint that very many have; not compared";
            rows.push(("crowded", verified.crowded, why.into()));
        }
    }
    if found.empty > 0 {
        rows.push(("empty", found.empty, "without a word that counts: no fingerprint".into()));
    }
    if !report.skipped.is_empty() {
        rows.push(("skipped", report.skipped.len() as u64, kinds(&report.skipped)));
    }
    if report.repeated_ids > 0 {
        let same = "have the id of another; they are told apart, but not by name";
        rows.push(("same id", report.repeated_ids, same.into()));
    }
    rows
}

/// `3 of 64 bits`
pub(super) fn within(found: &Simhash) -> String {
    format!("{} of {} bits", found.k, found.bits)
}
