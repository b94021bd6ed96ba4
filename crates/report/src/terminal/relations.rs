//! All lenses: pairs with what the two are to each other, then clusters of duplicates.

use super::clusters::{Align, Column, Layout, documents};
use super::lines::{common_folder, under, write_title};
use super::summary::{Summary, SummaryRow};
use crate::answers::evidence_of;
use crate::clean::clean;
use crate::hints;
use crate::renderer::Shown;
use crate::style::{BOLD, DIM};
use crate::submission::shorten;
use crate::units::{bytes, count};
use lookalike::Relation;
use lookalike::report::{Member, PairLeftOut, RelationLink, Relations, Report};
use std::io::{self, Write};

pub(super) const LAYOUT: Layout<'static> =
    Layout { note: " (duplicates)", columns: COLUMNS, size: documents, remark: |_| String::new(), sets: None };

const COLUMNS: &[Column] = &[Column { title: "relation", width: 13, align: Align::Left, value: relation }];

fn relation(member: &Member) -> String {
    member.relation.map_or("chained", Relation::name).to_owned()
}

pub(super) fn summary(report: &Report, found: &Relations) -> Summary {
    let mut rows = Vec::new();
    for count in &found.relations {
        rows.push(SummaryRow::new(count.relation.name(), count.pairs, about(count.relation)));
    }
    for count in &found.disagreements {
        let about = format!("pairs on which lenses disagree: {}", count.disagreement.about());
        rows.push(SummaryRow::new(count.disagreement.name(), count.pairs, about));
    }
    rows.push(SummaryRow::new("compared", found.compared, "pairs that a lens found, by every lens"));
    if found.represented > 0 {
        let about = "pairs not compared: one of the two is a duplicate of a document that was";
        rows.push(SummaryRow::new("represented", found.represented, about));
    }
    if let Some(most) = found.left_out.iter().map(|pair| pair.needed).max() {
        let about = format!("pairs not compared: they take more memory than is allowed, up to {}", bytes(most));
        rows.push(SummaryRow::new("left out", found.left_out.len() as u64, about));
    }
    let s = report.head.summary;
    if s.clusters > 0 {
        let (documents, free) = (count(s.clustered, "document"), bytes(s.redundant_bytes));
        let about = format!("of {documents}; keeping only the representative of each would free {free}");
        rows.push(SummaryRow::new("clusters", s.clusters, about));
    }
    let recipes = found.recipes.iter().map(|recipe| recipe.recipe.clone()).collect();
    let mut summary = Summary::of_documents(report, recipes, "are copies, versions or parts of each other", rows);
    summary.about.clear();
    if !found.relations.is_empty() {
        summary.nothing = None;
    }
    summary
}

/// What is counted under the name of a relation.
fn about(relation: Relation) -> &'static str {
    match relation {
        Relation::Identical => "pairs with the same bytes",
        Relation::SameText => "pairs with the same text in another form",
        Relation::SmallErrors => "pairs with the same text and many small errors (OCR, transcription)",
        Relation::Version => "pairs of which one is an updated version of the other",
        Relation::AInB | Relation::BInA => "pairs of which one is inside the other",
        Relation::Passages => "pairs that share passages",
        Relation::Template => "pairs that share only a template",
        Relation::Unrelated => "pairs that a lens found and that are nothing to each other",
        Relation::TooLittle => "pairs with too little text to tell",
    }
}

/// Pairs, the closest relation first, and those that were not compared.
pub(super) fn write(out: &mut dyn Write, found: &Relations, shown: Shown) -> io::Result<()> {
    write_links(out, found, shown)?;
    let left_out = &found.left_out[..found.left_out.len().min(shown.top)];
    if left_out.is_empty() {
        return Ok(());
    }
    write_title(out, "Pairs that take more memory than is allowed", hints::MEMORY)?;
    for PairLeftOut { a, b, needed } in left_out {
        writeln!(out, "  {}  ~  {}  ({})", clean(a), clean(b), bytes(*needed))?;
    }
    Ok(())
}

fn write_links(out: &mut dyn Write, found: &Relations, shown: Shown) -> io::Result<()> {
    let listed = &found.links[..found.links.len().min(shown.top)];
    if listed.is_empty() {
        return Ok(());
    }
    let folder = common_folder(listed.iter().flat_map(|link| [&*link.a, &*link.b]));
    write_title(out, "Pairs, the closest first", &under(folder))?;
    listed.iter().try_for_each(|link| write_link(out, link, folder, shown))?;
    match found.links.len() - listed.len() {
        0 => Ok(()),
        rest => writeln!(out, "\n… and {}; {}", count(rest as u64, "more pair"), hints::MORE),
    }
}

fn write_link(out: &mut dyn Write, link: &RelationLink, folder: &str, shown: Shown) -> io::Result<()> {
    let room = shown.room(6) / 2;
    let name = |id: &str| shorten(&clean(&id[folder.len()..]), room.max(16));
    writeln!(out, "\n{BOLD}{}{BOLD:#}  ~  {BOLD}{}{BOLD:#}", name(&link.a), name(&link.b))?;
    writeln!(out, "  {}", clean(&link.sentence))?;
    if let Some(disagreement) = link.disagreement {
        writeln!(out, "  {DIM}{disagreement}: {}{DIM:#}", disagreement.about())?;
    }
    if link.relation != Relation::Identical {
        for (lens, line) in evidence_of(&link.evidence, link.relation) {
            writeln!(out, "  {DIM}{lens:<10} {}{DIM:#}", clean(&line))?;
        }
    }
    Ok(())
}
