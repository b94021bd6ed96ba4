//! The results as a page, for people.

use super::{Results, moved};
use crate::bars::bars;
use crate::table::table;

/// The whole page, as Markdown: what was promised first, then how it was measured.
pub(super) fn page(results: &Results) -> String {
    let facts: Vec<Vec<String>> = results.facts.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect();
    let made =
        "What an index promises and what it does. Made by `cargo run --profile dist -p lookalike-eval -- index`.";
    let mut parts = vec![format!("# Index, {}", results.date), made.to_owned(), table(&["with", ""], &facts)];
    parts.push(bars(&results.bars));
    parts.extend(results.failed.iter().map(|why| format!("Failed: {why}")));
    parts.extend(results.building.iter().flat_map(|built| built.section(&results.asked)));
    parts.extend(results.asking.iter().flat_map(super::asking::AskedResult::section));
    parts.extend(results.growing.iter().flat_map(super::growing::Grown::section));
    if !results.moved.is_empty() {
        parts.extend(moved::section(&results.moved));
    }
    parts.push(format!("## Commands\n\n```\n{}\n```", results.commands.join("\n")));
    let parts = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n\n") + "\n"
}
