//! Clusters, largest first: a line for each representative, and under it a line for each member.

use super::lines::{common_folder, under, write_title};
use crate::clean::clean;
use crate::hints;
use crate::renderer::{Explain, Shown, Source};
use crate::style::{BOLD, DIM, class_style};
use crate::submission::{cut, shorten, shorten_beside};
use crate::units::{commas, count};
use lookalike::Differences;
use lookalike::report::IdenticalSet;
use lookalike::report::{Class, Cluster, Member, Report};
use std::collections::HashMap;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Columns of a line that tells what differs.
const MAX_DIFFERENCE: usize = 120;

/// How a lens shows its clusters.
pub(super) struct Layout<'a> {
    /// What the title says of the numbers.
    pub(super) note: &'static str,
    /// What stands before the name of a member.
    pub(super) columns: &'static [Column],
    /// What is said of a cluster behind its name.
    pub(super) size: fn(&Cluster) -> String,
    /// What is said of a member behind its name.
    pub(super) remark: fn(&Member) -> String,
    /// Sets of identical documents. Where there are some, copies are counted, not listed: a list of its own has them.
    pub(super) sets: Option<&'a [IdenticalSet]>,
}

/// A column of numbers or words.
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) width: usize,
    pub(super) align: Align,
    pub(super) value: fn(&Member) -> String,
}

pub(super) enum Align {
    Left,
    Right,
}

/// The class of a member; it and what stands before it have its colour.
pub(super) const CLASS: Column =
    Column { title: "class", width: 9, align: Align::Left, value: |member| member.class.name().to_owned() };

impl Column {
    pub(super) const fn number(title: &'static str, width: usize, value: fn(&Member) -> String) -> Self {
        Self { title, width, align: Align::Right, value }
    }

    fn pad(&self, text: &str) -> String {
        let width = self.width;
        match self.align {
            Align::Left => format!("{text:<width$}"),
            Align::Right => format!("{text:>width$}"),
        }
    }
}

/// The number of documents.
pub(super) fn documents(cluster: &Cluster) -> String {
    count(1 + cluster.members.len() as u64, "document")
}

pub(super) fn write(out: &mut dyn Write, report: &Report, layout: &Layout<'_>, source: &Source<'_>) -> io::Result<()> {
    let open: Vec<&Cluster> = report.clusters.iter().filter(|cluster| is_listed(cluster, layout)).collect();
    let listed = &open[..open.len().min(source.shown.top)];
    if !listed.is_empty() {
        let folder = common_folder(listed.iter().flat_map(|cluster| ids(cluster)));
        let which = if report.head.reviewed.is_some() { "Clusters that are not decided" } else { "Clusters" };
        write_title(out, &format!("{which}, largest first{}", layout.note), &under(folder))?;
        let titles: Vec<String> = layout.columns.iter().map(|column| column.pad(column.title)).collect();
        writeln!(out, "{DIM}{}  document{DIM:#}", titles.join("  "))?;
        let sets = sets_of(listed, layout.sets.unwrap_or_default());
        let list = List { layout, folder, sets, shown: source.shown, explain: source.explain };
        listed.iter().try_for_each(|cluster| list.write(out, cluster))?;
    }
    if open.len() > listed.len() {
        let rest = (open.len() - listed.len()) as u64;
        writeln!(out, "\n… and {}; {}", count(rest, "more cluster"), hints::MORE)?;
    }
    let copies = report.clusters.iter().filter(|cluster| !cluster.is_decided() && !is_listed(cluster, layout)).count();
    if copies > 0 && source.shown.top > 0 {
        let clusters = count(copies as u64, "more cluster");
        writeln!(out, "\n{DIM}{clusters} of identical documents only: under Identical files{DIM:#}")?;
    }
    Ok(())
}

/// What is decided need not be looked at again, and what is identical throughout may have a list of its own.
fn is_listed(cluster: &Cluster, layout: &Layout<'_>) -> bool {
    let is_copy = |member: &Member| layout.sets.is_some() && member.class == Class::Identical;
    !cluster.is_decided() && !cluster.members.iter().all(is_copy)
}

fn ids(cluster: &Cluster) -> impl Iterator<Item = &str> {
    cluster.members.iter().map(|member| &*member.id).chain([&*cluster.representative])
}

/// The sets of identical documents that members of these clusters are in, with the bytes of each.
type Sets<'a> = HashMap<&'a str, Option<(usize, u64)>>;

/// Looks up only the documents that may be shown: there may be millions of others.
fn sets_of<'a>(clusters: &[&'a Cluster], identical: &[IdenticalSet]) -> Sets<'a> {
    if identical.is_empty() {
        return Sets::new();
    }
    let mut sets: Sets<'a> = clusters.iter().flat_map(|cluster| ids(cluster)).map(|id| (id, None)).collect();
    for (at, set) in identical.iter().enumerate() {
        for file in &set.files {
            if let Some(entry) = sets.get_mut(&*file.id) {
                *entry = Some((at, set.bytes));
            }
        }
    }
    sets
}

/// A member, and how many others are the same.
struct FoldedMember<'a> {
    member: &'a Member,
    copies: u64,
}

struct List<'a> {
    layout: &'a Layout<'a>,
    /// What all names begin with.
    folder: &'a str,
    sets: Sets<'a>,
    shown: Shown,
    explain: Option<&'a Explain<'a>>,
}

impl List<'_> {
    fn write(&self, out: &mut dyn Write, cluster: &Cluster) -> io::Result<()> {
        let (copies, rows) = self.fold(cluster);
        let (name, size) = (self.name(&cluster.representative), (self.layout.size)(cluster));
        let name = shorten(&name, self.shown.room(3 + 2 + 2 + size.width()));
        writeln!(out, "\n{BOLD}{:>3}  {name}{BOLD:#}{}  {DIM}{size}{DIM:#}", cluster.id, identical(copies))?;
        let mut listed = copies;
        for row in rows.iter().take(self.shown.members) {
            self.write_row(out, cluster, row)?;
            listed += 1 + row.copies;
        }
        match cluster.members.len() as u64 - listed {
            0 => Ok(()),
            rest => writeln!(out, "     {DIM}… and {}{DIM:#}", count(rest, "more document")),
        }
    }

    /// Copies of the representative, and the members with their copies folded into the first of each.
    fn fold<'c>(&self, cluster: &'c Cluster) -> (u64, Vec<FoldedMember<'c>>) {
        let (mut copies, mut rows) = (0, Vec::<FoldedMember<'c>>::new());
        let mut first_of: HashMap<usize, usize> = HashMap::new();
        for member in &cluster.members {
            if self.layout.sets.is_some() && member.class == Class::Identical {
                copies += 1;
                continue;
            }
            // two documents may have the same id; then the size tells that one of them is not of the set
            let set = self.sets.get(&*member.id).copied().flatten().filter(|(_, bytes)| *bytes == member.bytes);
            if let Some((set, _)) = set {
                if let Some(&first) = first_of.get(&set) {
                    rows[first].copies += 1;
                    continue;
                }
                first_of.insert(set, rows.len());
            }
            rows.push(FoldedMember { member, copies: 0 });
        }
        (copies, rows)
    }

    fn write_row(&self, out: &mut dyn Write, cluster: &Cluster, row: &FoldedMember<'_>) -> io::Result<()> {
        let (member, columns) = (row.member, self.layout.columns);
        let style = class_style(Some(member.class));
        let coloured = columns.iter().position(|column| column.title == CLASS.title).map_or(0, |at| at + 1);
        let pad = |column: &Column| column.pad(&(column.value)(member));
        let first: Vec<String> = columns[..coloured].iter().map(pad).collect();
        write!(out, "{style}{}{style:#}", first.join("  "))?;
        columns[coloured..].iter().try_for_each(|column| write!(out, "  {}", pad(column)))?;
        let remark = (self.layout.remark)(member);
        let used: usize = columns.iter().map(|column| column.width + 2).sum();
        let name = shorten_beside(&self.name(&member.id), &self.name(&cluster.representative), self.shown.room(used));
        writeln!(out, "  {name}{}{remark}", identical(row.copies))?;
        if matches!(member.class, Class::Near | Class::Chained)
            && let Some(differences) = self.explain.and_then(|explain| explain(cluster.document, member.document))
        {
            let indent = columns[0].width + 2;
            // bytes may differ where a reader sees no difference
            let room = MAX_DIFFERENCE.min(self.shown.room(indent));
            let text = Some(differs(&differences, room)).filter(|text| !text.is_empty());
            let text = if differences.too_large {
                TOO_LARGE
            } else {
                text.as_deref().unwrap_or("no difference in what is read")
            };
            writeln!(out, "{:indent$}{DIM}{text}{DIM:#}", "")?;
        }
        Ok(())
    }

    fn name(&self, id: &str) -> String {
        clean(&id[self.folder.len()..]).into_owned()
    }
}

/// What stands in place of the differences of large documents.
const TOO_LARGE: &str = "too large to show what differs here";

/// `  + 3 identical`
fn identical(copies: u64) -> String {
    let style = class_style(Some(Class::Identical));
    if copies == 0 { String::new() } else { format!("  {style}+ {} identical{style:#}", commas(copies)) }
}

/// "2.4" → "2.5", − "for five seconds", + "then let go"; 4 more changes
fn differs(d: &Differences, room: usize) -> String {
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
    cut(&parts.join("; "), room)
}
