//! What a person sees first: a summary, then the clusters, largest first.

use crate::against::write_against;
use crate::chunks::write_chunks;
use crate::clean::clean;
use crate::csv::class_name;
use crate::shares::{BOLD, DIM, class_style, share};
use crate::simhash::write_simhash;
use crate::units::{bytes, commas, count, percent};
use lookalike::{Class, Cluster, Differences, Member, Report, Reviewed, Skip};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Characters of a line that tells what differs.
const LINE: usize = 120;

/// How much of a report is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Clusters; the rest is counted.
    pub clusters: usize,
    /// Members of a cluster; the rest is counted.
    pub members: usize,
}

/// Tells what differs between two documents, by their places in the catalogue.
pub(crate) type Explain<'a> = dyn Fn(u32, u32) -> Option<Differences> + 'a;

/// Writes the report with colours; the caller strips them where they are not wanted.
pub fn write_terminal(out: &mut dyn Write, report: &Report, shown: Shown, explain: &Explain<'_>) -> io::Result<()> {
    if let Some(chunks) = &report.chunks {
        return write_chunks(out, report, chunks, shown, explain);
    }
    if let Some(found) = &report.simhash {
        return write_simhash(out, report, found, shown, explain);
    }
    summary(out, report)?;
    let folder = common_folder(
        report.clusters.iter().flat_map(|c| c.members.iter().map(|m| &*m.id).chain([&*c.representative])),
    );
    if report.clusters.iter().any(|cluster| !cluster.is_decided()) && shown.clusters > 0 {
        let title = if report.reviewed.is_some() {
            "Clusters that are not decided, largest first"
        } else if report.estimate {
            "Clusters, largest first (estimated, with 95 % intervals)"
        } else {
            "Clusters, largest first"
        };
        let under = if folder.is_empty() { String::new() } else { format!("  under {}", clean(folder)) };
        writeln!(out, "\n{BOLD}{title}{BOLD:#}{DIM}{under}{DIM:#}")?;
        let columns =
            format!("{:>13}  {:<9}  {:>11}  {:>12}  document", "resemblance", "class", "containment", "contained by");
        writeln!(out, "{DIM}{columns}{DIM:#}")?;
    }
    // what is decided need not be looked at again
    let open: Vec<&Cluster> = report.clusters.iter().filter(|cluster| !cluster.is_decided()).collect();
    for cluster in open.iter().take(shown.clusters) {
        write_cluster(out, cluster, folder, shown, explain)?;
    }
    let rest = open.len().saturating_sub(shown.clusters);
    if rest > 0 {
        writeln!(out, "\n… and {}; show more with --top N, all with --json", count(rest as u64, "more cluster"))?;
    }
    if let Some(against) = &report.against {
        write_against(out, against, shown.clusters)?;
    }
    templates(out, report)?;
    skipped(out, &report.skipped)
}

fn summary(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let s = report.summary;
    let sizes = format!("{}, {}", count(report.documents, "document"), bytes(report.bytes));
    writeln!(out, "{BOLD}{sizes}{BOLD:#}  {DIM}{}{DIM:#}", clean(&report.recipe))?;
    let row = |out: &mut dyn Write, name: &str, n: u64, what: &str| {
        writeln!(out, "  {name:<11} {:>7}  {DIM}{what}{DIM:#}", commas(n))
    };
    let least = percent(report.policy.threshold);
    writeln!(out)?;
    if report.documents == 0 {
        writeln!(out, "  nothing to compare")?;
    } else if s.clusters == 0 {
        writeln!(out, "  no two of them resemble each other by {least} or more")?;
    } else {
        let documents = count(s.clustered, "document");
        let free = format!("of {documents}; keeping the first of each would free {}", bytes(s.redundant_bytes));
        row(out, "clusters", s.clusters, &free)?;
        row(out, "identical", s.identical, "the same bytes as the first of their cluster")?;
        row(out, "lexical", s.lexical, "the same words in another form")?;
        if s.shingle > 0 {
            row(out, "shingle", s.shingle, "the same shingles in another order or number")?;
        }
        row(out, "near", s.near, &format!("resemblance of {least} or more to the first"))?;
        match report.policy.contained {
            Some(share) => {
                row(out, "contained", s.contained, &format!("{} or more is inside the first", percent(share)))?;
            }
            None => {
                writeln!(
                    out,
                    "  {:<11} {:>7}  {DIM}not looked for: ask with --contained 0.9{DIM:#}",
                    "contained", "–"
                )?;
            }
        }
        if report.policy.linkage == lookalike::Linkage::Single {
            row(out, "chained", s.chained, "there by a chain of links; they do not resemble the first themselves")?;
        }
    }
    if let Some(reviewed) = &report.reviewed {
        review(out, reviewed)?;
    }
    if !report.skipped.is_empty() {
        row(out, "skipped", report.skipped.len() as u64, &kinds(&report.skipped))?;
    }
    if report.unsampled > 0 {
        row(out, "unsampled", report.unsampled, "too short for this sketch: only their equals were found")?;
    }
    if report.repeated_ids > 0 {
        row(out, "same id", report.repeated_ids, "have the id of another; they are told apart, but not by name")?;
    }
    Ok(())
}

/// `2 binary, 1 empty`
pub(crate) fn kinds(skipped: &[Skip]) -> String {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for skip in skipped {
        *kinds.entry(&skip.kind).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{} {}", commas(*n), clean(kind))).collect();
    kinds.join(", ")
}

/// How far a review has come.
pub(crate) fn review(out: &mut dyn Write, reviewed: &Reviewed) -> io::Result<()> {
    let all = count(reviewed.decided + reviewed.undecided, "cluster");
    let mut row = |name: &str, n: u64, what: &str| writeln!(out, "  {name:<11} {:>7}  {DIM}{what}{DIM:#}", commas(n));
    row("decided", reviewed.decided, &format!("of {all}"))?;
    row("undecided", reviewed.undecided, "to look at")?;
    let effects = [
        (reviewed.not_duplicates, "not duplicates"),
        (reviewed.templates, "template"),
        (reviewed.stale, "with documents that have changed or are gone"),
    ];
    let effects: Vec<String> =
        effects.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", commas(*n))).collect();
    let more = if effects.is_empty() { String::new() } else { format!("; of them {}", effects.join(", ")) };
    row("decisions", reviewed.decisions, &format!("were read{more}"))
}

/// The folder that all these documents are in, if their ids are paths: it need not be said again and again.
pub(crate) fn common_folder<'a>(mut ids: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = ids.next() else { return "" };
    let mut length = first.rfind('/').map_or(0, |at| at + 1);
    for id in ids {
        while !id.starts_with(&first[..length]) {
            length = first[..length - 1].rfind('/').map_or(0, |at| at + 1);
        }
    }
    &first[..length]
}

fn write_cluster(
    out: &mut dyn Write,
    cluster: &Cluster,
    folder: &str,
    shown: Shown,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let documents = count(1 + cluster.members.len() as u64, "document");
    writeln!(
        out,
        "\n{BOLD}{:>3}  {}{BOLD:#}  {DIM}{documents}{DIM:#}",
        cluster.id,
        clean(&cluster.representative[folder.len()..])
    )?;
    for member in cluster.members.iter().take(shown.members) {
        write_member(out, cluster, member, folder, explain)?;
    }
    let rest = cluster.members.len().saturating_sub(shown.members);
    if rest > 0 {
        writeln!(out, "     {DIM}… and {}{DIM:#}", count(rest as u64, "more document"))?;
    }
    Ok(())
}

fn write_member(
    out: &mut dyn Write,
    cluster: &Cluster,
    member: &Member,
    folder: &str,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let style = class_style(Some(member.class));
    let (alike, of_it, of_first) = (share(member.resemblance), share(member.containment), share(member.contained_by));
    let (class, id) = (class_name(member.class), clean(&member.id[folder.len()..]));
    write!(out, "{style}{alike:>13}  {class:<9}{style:#}  {of_it:>11}  {of_first:>12}  {id}")?;
    match member.intervals.map(|i| i.resemblance) {
        Some([low, high]) => {
            writeln!(out, "  {DIM}({}–{}){DIM:#}", percent(low).trim_end_matches(" %"), percent(high))?;
        }
        None => writeln!(out)?,
    }
    if matches!(member.class, Class::Near | Class::Chained)
        && let Some(differences) = explain(cluster.document, member.document)
    {
        writeln!(out, "{:>15}{DIM}{}{DIM:#}", "", differs(&differences))?;
    }
    Ok(())
}

/// "2.4" → "2.5", − "for five seconds", + "then let go"; 4 more changes
pub(crate) fn differs(d: &Differences) -> String {
    let quote = |text: &str| format!("“{}”", clean(text));
    let mut parts: Vec<String> = d
        .changes
        .iter()
        .map(|(old, new)| match (old.is_empty(), new.is_empty()) {
            (true, _) => format!("+ {}", quote(new)),
            (_, true) => format!("− {}", quote(old)),
            _ => format!("{} → {}", quote(old), quote(new)),
        })
        .collect();
    if d.more > 0 {
        parts.push(count(d.more as u64, "more change"));
    }
    let line = parts.join("; ");
    match line.char_indices().nth(LINE) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn templates(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    if report.templates.is_empty() {
        return Ok(());
    }
    let mut why = Vec::new();
    if report.templates.iter().any(|t| !t.named) {
        why.push(format!("in more than {}", count(u64::from(report.common), "document")));
    }
    if report.templates.iter().any(|t| t.named) {
        why.push("named by a decision".to_owned());
    }
    writeln!(out, "\n{BOLD}Templates{BOLD:#}  {DIM}{}, and therefore ignored{DIM:#}", why.join(" or "))?;
    for template in report.templates.iter().take(5) {
        let text = template.text.as_deref().unwrap_or("(text not kept)");
        let short: String = text.chars().take(160).collect();
        let dots = if short.len() < text.len() { "…" } else { "" };
        writeln!(out, "  {:>9}  {}{dots}", commas(template.documents), clean(&short))?;
    }
    let rest = report.templates.len().saturating_sub(5);
    if rest > 0 { writeln!(out, "  … and {}", count(rest as u64, "more template")) } else { Ok(()) }
}

pub(crate) fn skipped(out: &mut dyn Write, skipped: &[Skip]) -> io::Result<()> {
    if skipped.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Skipped{BOLD:#}")?;
    for skip in skipped.iter().take(10) {
        writeln!(out, "  {}  {DIM}{}{DIM:#}", clean(&skip.id), clean(&skip.reason))?;
    }
    let rest = skipped.len().saturating_sub(10);
    if rest > 0 { writeln!(out, "  … and {} more; all with --json", commas(rest as u64)) } else { Ok(()) }
}
