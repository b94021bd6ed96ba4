//! What each lens says of two documents, a line each: for a terminal and for a page.

use crate::units::{bytes, commas, count, percent};
use lookalike::relation::{
    AlignmentEvidence, ChunkEvidence, Evidence, PassageEvidence, ShingleEvidence, SimhashEvidence,
};
use lookalike::{Comparison, Relation};

/// The name of each lens that saw the two, and what it says; then those that were left out.
pub(crate) fn evidence_lines(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let mut lines = evidence_of(&comparison.evidence, comparison.relation);
    lines.extend(comparison.left_out.iter().map(|left| (left.lens.name(), format!("left out: {}", left.reason))));
    lines
}

/// The name of each lens that saw two documents, and what it says.
pub(crate) fn evidence_of(evidence: &Evidence, relation: Relation) -> Vec<(&'static str, String)> {
    let mut lines = vec![("chunks", of_chunks(evidence.chunks))];
    lines.extend(evidence.shingles.map(|found| ("shingles", of_shingles(found))));
    lines.extend(evidence.simhash.map(|found| ("simhash", of_fingerprints(found))));
    lines.extend(evidence.passages.map(|found| ("passages", of_passages(found, relation))));
    lines.extend(evidence.alignment.map(|found| ("letters", of_letters(found))));
    lines
}

fn of_sides([a, b]: [f64; 2]) -> String {
    format!("{} of a, {} of b", percent(a), percent(b))
}

fn of_chunks(found: ChunkEvidence) -> String {
    format!("{}: {} in common", of_sides(found.shares()), bytes(found.shared))
}

fn of_shingles(found: ShingleEvidence) -> String {
    let [a, b] = found.shingles.map(u64::from);
    let shared = u64::from(found.shared);
    let share = |part: u64, all: u64| if all == 0 { 0.0 } else { part as f64 / all as f64 };
    let shares = of_sides([share(shared, a), share(shared, b)]);
    format!("{shares}: resemblance {}", percent(share(shared, a + b - shared)))
}

fn of_fingerprints(found: SimhashEvidence) -> String {
    format!("{} of {} bits differ", found.distance, found.bits)
}

fn of_passages(found: PassageEvidence, relation: Relation) -> String {
    if found.passages == 0 {
        return "none".to_owned();
    }
    let (passages, longest) = (count(u64::from(found.passages), "passage"), commas(u64::from(found.longest)));
    let frame = match (relation, found.running[0].min(found.running[1])) {
        (Relation::Template, 0) => ", all of it head, foot or short lines".to_owned(),
        (Relation::Template, running) => format!(", {} of them running text", count(u64::from(running), "token")),
        _ => String::new(),
    };
    format!("{}: {passages}, the longest of {longest} tokens{frame}", of_sides(found.shares()))
}

fn of_letters(found: AlignmentEvidence) -> String {
    format!("{} in place, {} of them with an error", of_sides(found.shares()), percent(found.error_rate()))
}
