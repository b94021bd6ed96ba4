//! Clusters of the simhash lens: how far the fingerprint of each member is from that of the first.

use crate::clean::clean;
use crate::csv::class_name;
use crate::shares::{BOLD, DIM, class_style, share};
use crate::terminal::{Explain, Shown, common_folder, differs};
use crate::units::count;
use lookalike::simhash::Simhash;
use lookalike::{Class, Cluster, Member, Report};
use std::io::{self, Write};

pub(super) fn write(
    out: &mut dyn Write,
    report: &Report,
    found: &Simhash,
    shown: Shown,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let verified = found.verified.is_some();
    // what is decided need not be looked at again
    let open: Vec<&Cluster> = report.clusters.iter().filter(|cluster| !cluster.is_decided()).collect();
    let listed = &open[..open.len().min(shown.clusters)];
    if !listed.is_empty() {
        let ids = listed.iter().flat_map(|c| c.members.iter().map(|m| &*m.id).chain([&*c.representative]));
        let folder = common_folder(ids);
        let which = if report.reviewed.is_some() { "Clusters that are not decided" } else { "Clusters" };
        let note = if verified { "" } else { " (distances of fingerprints, not verified)" };
        let under = if folder.is_empty() { String::new() } else { format!("  under {}", clean(folder)) };
        writeln!(out, "\n{BOLD}{which}, largest first{note}{BOLD:#}{DIM}{under}{DIM:#}")?;
        let resemblance = if verified { format!("{:>11}  ", "resemblance") } else { String::new() };
        writeln!(out, "{DIM}{:>13}  {resemblance}{:<9}  document{DIM:#}", "distance", "class")?;
        for cluster in listed {
            write_cluster(out, cluster, verified, folder, shown.members, explain)?;
        }
    }
    match open.len() - listed.len() {
        0 => Ok(()),
        rest => {
            writeln!(out, "\n… and {}; show more with --top N, all with --json", count(rest as u64, "more cluster"))
        }
    }
}

fn write_cluster(
    out: &mut dyn Write,
    cluster: &Cluster,
    verified: bool,
    folder: &str,
    most: usize,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let documents = count(1 + cluster.members.len() as u64, "document");
    let name = clean(&cluster.representative[folder.len()..]);
    writeln!(out, "\n{BOLD}{:>3}  {name}{BOLD:#}  {DIM}{documents}{DIM:#}", cluster.id)?;
    for member in cluster.members.iter().take(most) {
        write_member(out, cluster, member, verified, folder, explain)?;
    }
    match cluster.members.len().saturating_sub(most) {
        0 => Ok(()),
        rest => writeln!(out, "     {DIM}… and {}{DIM:#}", count(rest as u64, "more document")),
    }
}

fn write_member(
    out: &mut dyn Write,
    cluster: &Cluster,
    member: &Member,
    verified: bool,
    folder: &str,
    explain: &Explain<'_>,
) -> io::Result<()> {
    let style = class_style(Some(member.class));
    let distance = member.distance.map_or_else(|| "–".to_owned(), |distance| distance.to_string());
    let alike = if verified { format!("{:>11}  ", share(member.resemblance)) } else { String::new() };
    let (class, id) = (class_name(member.class), clean(&member.id[folder.len()..]));
    writeln!(out, "{style}{distance:>13}  {alike}{class:<9}{style:#}  {id}")?;
    if matches!(member.class, Class::Near | Class::Chained)
        && let Some(differences) = explain(cluster.document, member.document)
    {
        writeln!(out, "{:>15}{DIM}{}{DIM:#}", "", differs(&differences))?;
    }
    Ok(())
}
