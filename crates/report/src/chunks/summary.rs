//! What the chunks lens found, in numbers.

use crate::chunks::identical::{copies, freed};
use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::terminal::{kinds, review};
use crate::units::{bytes, commas, count, percent};
use lookalike::chunks::{Chunks, Parameters};
use lookalike::{Class, Linkage, Report};
use std::io::{self, Write};

pub(super) fn write(out: &mut dyn Write, report: &Report, chunks: &Chunks) -> io::Result<()> {
    let sizes = format!("{}, {}", count(report.documents, "document"), bytes(report.bytes));
    writeln!(out, "{BOLD}{sizes}{BOLD:#}  {DIM}{}{DIM:#}", clean(&report.recipe))?;
    let mean = if chunks.chunks > 0 { format!("; mean delivered {:.0} bytes", chunks.mean) } else { String::new() };
    writeln!(out, "  {DIM}{}{mean}{DIM:#}", parameters(&chunks.parameters))?;
    if let Some(refined) = &chunks.refined {
        let again = format!("{} ({}) again", count(refined.documents, "document"), bytes(refined.bytes));
        let (before, after) = (commas(refined.clustered_before), commas(report.summary.clustered));
        let mean = refined.parameters.mean;
        writeln!(
            out,
            "  {DIM}refined: {again} at a mean of {mean} bytes; in clusters {before} before, {after} after{DIM:#}"
        )?;
    }
    writeln!(out)?;
    let rows = rows(report, chunks);
    if report.documents == 0 {
        writeln!(out, "  nothing to compare")?;
    } else if report.summary.clusters == 0 {
        writeln!(out, "  no two of them share {} or more of the smaller{}", least(report), and_bytes(report))?;
    }
    let width = rows.iter().map(|(_, n, _)| commas(*n).len()).fold(7, usize::max);
    for (name, n, what) in rows {
        writeln!(out, "  {name:<11} {:>width$}  {DIM}{what}{DIM:#}", commas(n))?;
    }
    report.reviewed.as_ref().map_or(Ok(()), |reviewed| review(out, reviewed))
}

/// `Tmin 453, Tmax 2759, D 532.0, D′ 266.0`
pub(crate) fn parameters(p: &Parameters) -> String {
    format!("Tmin {}, Tmax {}, D {:.1}, D′ {:.1}", p.tmin, p.tmax, p.divisor, p.backup)
}

fn rows(report: &Report, chunks: &Chunks) -> Vec<(&'static str, u64, String)> {
    let s = report.summary;
    let mut rows = Vec::new();
    if report.documents > 0 {
        rows.push(("chunks", chunks.chunks, format!("{} different", commas(chunks.distinct))));
    }
    if s.clusters > 0 {
        let documents = count(s.clustered, "document");
        let common = bytes(common(report));
        let what = format!("of {documents}, of which {common} or more is in the first of their cluster");
        rows.push(("clusters", s.clusters, what));
    }
    // small files may be identical, and yet have less in common than a link needs
    if s.clusters > 0 || !chunks.identical.is_empty() {
        let taken = bytes(chunks.identical.iter().map(freed).sum());
        let copies = chunks.identical.iter().map(copies).sum();
        rows.push(("identical", copies, format!("copies beyond the first of each; they take {taken}")));
    }
    if s.clusters > 0 {
        let more = format!("{} or more", least(report));
        rows.push(("near", s.near, format!("the first and it have {more} in common{}", and_bytes(report))));
        rows.push(("contained", s.contained, format!("{more} of it is in the first{}", and_bytes(report))));
        if report.policy.linkage == Linkage::Single {
            let chained = "there by a chain of links; they do not share that much with the first themselves";
            rows.push(("chained", s.chained, chained.into()));
        }
    }
    if chunks.empty > 0 {
        rows.push(("empty", chunks.empty, "files of zero length, which are not compared".into()));
    }
    if chunks.alone > 0 {
        let groups = count(chunks.components, "group");
        let rest = match chunks.components {
            0 => String::new(),
            _ => format!("; the others make {groups}, the largest of {}", commas(chunks.largest_component)),
        };
        rows.push(("alone", chunks.alone, format!("share no chunk with another{rest}")));
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

fn least(report: &Report) -> String {
    percent(report.policy.threshold)
}

fn and_bytes(report: &Report) -> String {
    match report.policy.min_common {
        0 => String::new(),
        least => format!(", and at least {}", bytes(least)),
    }
}

/// Bytes of members that their representatives have too, at least.
fn common(report: &Report) -> u64 {
    let members = report.clusters.iter().flat_map(|cluster| &cluster.members);
    let known = members.map(|m| m.exact_bytes.or(m.common_bytes).or((m.class == Class::Identical).then_some(m.bytes)));
    known.flatten().sum()
}
