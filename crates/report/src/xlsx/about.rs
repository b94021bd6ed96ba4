//! The last sheet: how the report was made, its numbers, what did not fit, and how to use the workbook.

use super::sheet::{Cell, Done, Sheet, SheetColumn};
use crate::hints;
use crate::section::{ClusterSection, section};
use crate::units::commas;
use crate::words::parameters;
use lookalike::Linkage;
use lookalike::report::ChunkTotals;
use lookalike::report::Report;
use rust_xlsxwriter::XlsxError;
use std::collections::BTreeMap;

/// A line: what, its value, and a word about it.
type Line<'a> = (String, Cell<'a>, String);

pub(super) fn fill(sheet: &mut Sheet<'_>, report: &Report, done: &[Done]) -> Result<(), XlsxError> {
    sheet.header(&[SheetColumn("About", 34.0), SheetColumn("Value", 24.0), SheetColumn("Note", 60.0)])?;
    let mut lines = effective(report);
    let chunks = report.chunks();
    let text = chunks.map(|chunks| parameters(&chunks.totals.parameters));
    if let Some((chunks, text)) = chunks.zip(text.as_deref()) {
        lines.push(("Parameters of TTTD".into(), Cell::Text(text), "effective".into()));
        lines.extend(of_chunks(&chunks.totals));
    }
    lines.extend(counted(report));
    for sheet in done {
        let most = format!("a sheet has 1,048,576 rows; {}", hints::ROWS_IN);
        lines.push((format!("Rows that do not fit sheet {}", sheet.name), Cell::Whole(sheet.left_out), most));
    }
    let cut = done.iter().map(|sheet| sheet.cut).sum();
    lines.push(("Texts that were cut".into(), Cell::Whole(cut), "a cell holds 32,767 characters".into()));
    for sheet in done.iter().filter(|sheet| !sheet.folded) {
        let why = "too many rows; filter Class for representative, or Nr for 1, to see a row for each group";
        lines.push((format!("Not folded: sheet {}", sheet.name), Cell::Empty, why.into()));
    }
    let notes = [
        "Rows are folded: the + beside a row opens it, the 2 at the top left opens all.",
        "Numbers of a whole cluster or set are on each of its rows: sort by them and it stays together.",
        "To get the first order back, unfold all and sort by Cluster or Set.",
        "Characters that are not visible are shown as \\u{…}.",
    ];
    lines.extend(notes.map(|note| ("How to use it".to_owned(), Cell::Empty, note.to_owned())));
    for (what, value, note) in &lines {
        sheet.row(false, &[Cell::Text(what), *value, Cell::Text(note)])?;
    }
    Ok(())
}

fn line<'a>(what: &str, value: Cell<'a>, note: &str) -> Line<'a> {
    (what.to_owned(), value, note.to_owned())
}

/// What decided the answer.
fn effective(report: &Report) -> Vec<Line<'_>> {
    let policy = report.head.policy;
    let mut lines = vec![
        line("lookalike", Cell::Text(report.head.lookalike), "version"),
        line("Recipe", Cell::Text(&report.head.recipe), ""),
    ];
    match section(report) {
        Some(ClusterSection::Chunks(_)) => {
            let about = "shared bytes, of the smaller of the two";
            lines.push(line("Least share", Cell::Share(policy.threshold), about));
            lines.push(line("Least shared bytes", Cell::Whole(policy.min_shared), ""));
        }
        Some(ClusterSection::Simhash(simhash)) if simhash.verified.is_none() => {}
        None => {}
        Some(ClusterSection::Shingles(_) | ClusterSection::Simhash(_) | ClusterSection::Relations(_)) => {
            lines.push(line("Least resemblance", Cell::Share(policy.threshold), ""));
            let contained = policy.contained.map_or(Cell::Text("not looked for"), Cell::Share);
            lines.push(line("Least containment", contained, ""));
            let counted = if report.is_estimate() { "estimates" } else { "counted in full" };
            lines.push(line("Shares", Cell::Text(counted), ""));
        }
    }
    if let Some(simhash) = report.simhash() {
        lines.push(line(
            "Greatest distance",
            Cell::Whole(simhash.distance.into()),
            "bits in which two fingerprints differ",
        ));
        lines.push(line("Pairs within that distance", Cell::Whole(simhash.pairs), "of documents"));
        let unverified = format!("only fingerprints were compared; {}", hints::VERIFY);
        let (confirmed, note) =
            simhash.verified.as_ref().map_or((Cell::Text("not verified"), &*unverified), |verified| {
                (Cell::Whole(verified.confirmed), "by their shingles")
            });
        lines.push(line("Confirmed pairs", confirmed, note));
    }
    let linkage = match policy.linkage {
        Linkage::Star => line("Linkage", Cell::Text("star"), "every member was compared with its representative"),
        Linkage::Single => line("Linkage", Cell::Text("single"), "chains join what was not compared"),
    };
    lines.push(linkage);
    lines
}

fn of_chunks(chunks: &ChunkTotals) -> Vec<Line<'_>> {
    let mut lines = vec![
        line("Chunks", Cell::Whole(chunks.chunks), "repeats included"),
        line("Different chunks", Cell::Whole(chunks.distinct), ""),
        line("Mean of a chunk in bytes", Cell::Whole(chunks.mean.round() as u64), "delivered"),
        line("Frequent is more than", Cell::Share(chunks.max_df), "of all documents; such chunks connect none"),
        line("Empty files", Cell::Whole(chunks.empty), "not compared"),
        line("Documents alone", Cell::Whole(chunks.alone), "share no chunk with another"),
        line("Groups that chunks connect", Cell::Whole(chunks.components), ""),
        line("Documents in the largest", Cell::Whole(chunks.largest_component), ""),
    ];
    if let Some(refined) = &chunks.refined {
        let again = format!("at a mean of {} bytes: {}", refined.parameters.mean, parameters(&refined.parameters));
        lines.push(("Documents refined".into(), Cell::Whole(refined.documents), again));
        lines.push(line("Bytes refined", Cell::Whole(refined.bytes), ""));
        lines.push(line("In clusters before", Cell::Whole(refined.clustered_before), ""));
    }
    lines
}

fn counted(report: &Report) -> Vec<Line<'_>> {
    let s = report.head.summary;
    let mut lines = vec![
        line("Documents", Cell::Whole(report.head.documents), "compared"),
        line("Bytes", Cell::Whole(report.head.bytes), "of all of them"),
        line("Clusters", Cell::Whole(s.clusters), ""),
        line("Documents in clusters", Cell::Whole(s.clustered), "representatives included"),
    ];
    let classes = [
        ("identical", s.identical),
        ("lexical", s.lexical),
        ("shingle", s.shingle),
        ("near", s.near),
        ("contained", s.contained),
        ("chained", s.chained),
    ];
    let there = classes.into_iter().filter(|(_, n)| *n > 0);
    lines.extend(there.map(|(class, n)| (format!("Members of class {class}"), Cell::Whole(n), String::new())));
    lines.push(line("Bytes of all members", Cell::Whole(s.redundant_bytes), ""));
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for skip in &report.skipped {
        *kinds.entry(&skip.kind).or_default() += 1;
    }
    let listed = if kinds.is_empty() { "" } else { hints::SKIPPED_IN };
    lines.push(line("Skipped", Cell::Whole(report.skipped.len() as u64), listed));
    lines.extend(kinds.iter().map(|(kind, n)| (format!("Skipped: {kind}"), Cell::Whole(*n), String::new())));
    if report.head.repeated_ids > 0 {
        let note = format!("{} cannot be told apart by name", commas(report.head.repeated_ids));
        lines.push(("Documents with the id of another".into(), Cell::Whole(report.head.repeated_ids), note));
    }
    lines
}
