//! Clusters of the chunks lens: what each member shares with the first, by bytes. Copies are counted, not listed.

use super::{title, under};
use crate::clean::clean;
use crate::csv::class_name;
use crate::shares::{BOLD, DIM, class_style, share};
use crate::terminal::{Explain, Shown, common_folder, differs};
use crate::units::{bytes, commas, count};
use lookalike::chunks::{Chunks, IdenticalSet};
use lookalike::{Class, Cluster, Member, Report};
use std::collections::HashMap;
use std::io::{self, Write};

pub(super) fn write(
    out: &mut dyn Write,
    report: &Report,
    chunks: &Chunks,
    shown: Shown,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let open = || report.clusters.iter().filter(|cluster| is_shown(cluster));
    let listed: Vec<&Cluster> = open().take(shown.clusters).collect();
    if !listed.is_empty() {
        let folder = common_folder(listed.iter().flat_map(|c| ids(c)));
        let which = if report.reviewed.is_some() { "Clusters that are not decided" } else { "Clusters" };
        title(out, &format!("{which}, largest first"), &under(folder))?;
        let columns = format!("{:>14}  {:<9}  {:>17}  document", "of the smaller", "class", "in common");
        writeln!(out, "{DIM}{columns}{DIM:#}")?;
        let sets = sets_of(&listed, &chunks.identical);
        for cluster in &listed {
            write_cluster(out, cluster, folder, &sets, shown.members, explain)?;
        }
    }
    match open().count() - listed.len() {
        0 => Ok(()),
        rest => {
            writeln!(out, "\n… and {}; show more with --top N, all with --json", count(rest as u64, "more cluster"))
        }
    }
}

/// What is decided need not be looked at again, and what is identical throughout has a section of its own.
fn is_shown(cluster: &Cluster) -> bool {
    !cluster.is_decided() && cluster.members.iter().any(|member| member.class != Class::Identical)
}

fn ids(cluster: &Cluster) -> impl Iterator<Item = &str> {
    cluster.members.iter().map(|member| &*member.id).chain([&*cluster.representative])
}

/// The sets of identical documents that members of these clusters are in, with the bytes of each.
type Sets<'a> = HashMap<&'a str, Option<(usize, u64)>>;

/// Looks up only the documents that may be shown: there may be millions of others.
fn sets_of<'a>(clusters: &[&'a Cluster], identical: &[IdenticalSet]) -> Sets<'a> {
    let mut sets: Sets<'a> = clusters.iter().flat_map(|cluster| ids(cluster)).map(|id| (id, None)).collect();
    for (at, set) in identical.iter().enumerate() {
        for file in &set.files {
            if let Some(found) = sets.get_mut(&*file.id) {
                *found = Some((at, set.bytes));
            }
        }
    }
    sets
}

/// A member, and how many others are the same.
struct Row<'a> {
    member: &'a Member,
    copies: u64,
}

/// Copies of the representative, and the members with their copies folded into the first of each.
fn fold<'a>(cluster: &'a Cluster, sets: &Sets<'_>) -> (u64, Vec<Row<'a>>) {
    let (mut copies, mut rows) = (0, Vec::<Row<'a>>::new());
    let mut first_of: HashMap<usize, usize> = HashMap::new();
    for member in &cluster.members {
        if member.class == Class::Identical {
            copies += 1;
            continue;
        }
        // two documents may have the same id; then the size tells that one of them is not of the set
        let set = sets.get(&*member.id).copied().flatten().filter(|(_, bytes)| *bytes == member.bytes);
        if let Some((set, _)) = set {
            if let Some(&first) = first_of.get(&set) {
                rows[first].copies += 1;
                continue;
            }
            first_of.insert(set, rows.len());
        }
        rows.push(Row { member, copies: 0 });
    }
    (copies, rows)
}

fn write_cluster(
    out: &mut dyn Write,
    cluster: &Cluster,
    folder: &str,
    sets: &Sets<'_>,
    most: usize,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let (copies, rows) = fold(cluster, sets);
    let name = clean(&cluster.representative[folder.len()..]);
    let sizes = format!("{}, {}", count(1 + cluster.members.len() as u64, "document"), bytes(cluster.bytes));
    writeln!(out, "\n{BOLD}{:>3}  {name}{BOLD:#}{}  {DIM}{sizes}{DIM:#}", cluster.id, identical(copies))?;
    let mut listed = copies;
    for row in rows.iter().take(most) {
        write_row(out, cluster, row, folder, explain)?;
        listed += 1 + row.copies;
    }
    match cluster.members.len() as u64 - listed {
        0 => Ok(()),
        rest => writeln!(out, "     {DIM}… and {}{DIM:#}", count(rest, "more document")),
    }
}

/// `  + 3 identical`
fn identical(copies: u64) -> String {
    let style = class_style(Some(Class::Identical));
    if copies == 0 { String::new() } else { format!("  {style}+ {} identical{style:#}", commas(copies)) }
}

fn write_row(
    out: &mut dyn Write,
    cluster: &Cluster,
    row: &Row<'_>,
    folder: &str,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let member = row.member;
    let style = class_style(Some(member.class));
    let (share, common) = (share(share_of_smaller(member)), in_common(member));
    let (class, id) = (class_name(member.class), clean(&member.id[folder.len()..]));
    writeln!(out, "{style}{share:>14}  {class:<9}{style:#}  {common:>17}  {id}{}", identical(row.copies))?;
    if matches!(member.class, Class::Near | Class::Chained)
        && let Some(differences) = explain(cluster.document, member.document)
    {
        // bytes may differ where a reader sees no difference
        let read = Some(differs(&differences)).filter(|text| !text.is_empty());
        let read = read.as_deref().unwrap_or("no difference in what is read");
        writeln!(out, "{:>16}{DIM}{read}{DIM:#}", "")?;
    }
    Ok(())
}

/// Bytes in common as a share of the smaller of the two: of both shares the larger.
pub(crate) fn share_of_smaller(member: &Member) -> Option<f64> {
    let (a, b) = (member.containment?, member.contained_by?);
    Some(a.max(b))
}

/// The true bytes in common, if they were counted; else what they are at least.
fn in_common(member: &Member) -> String {
    match (member.exact_bytes, member.common_bytes) {
        (Some(exact), _) => bytes(exact),
        (None, Some(least)) => format!("at least {}", bytes(least)),
        (None, None) => "–".to_owned(),
    }
}
