//! The results as a page, for people.

use super::{Results, clique, paper, partition, race, sharing};
use crate::bars::bars;
use crate::table::table;

/// The whole page, as Markdown: what was promised first, then how it was measured.
pub(super) fn page(results: &Results) -> String {
    let facts: Vec<Vec<String>> = results.facts.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect();
    let made = "What the chunks lens promises and what it does. Made by `cargo run --profile dist -p lookalike-eval -- chunks`.";
    let mut parts = vec![format!("# Chunks, {}", results.date), made.to_owned(), table(&["with", ""], &facts)];
    parts.push(bars(&results.bars));
    parts.extend(results.failed.iter().map(|why| format!("Failed: {why}")));
    parts.extend(race::section(&results.speed));
    parts.extend(sharing::section(&results.sharing));
    parts.extend(results.paper.iter().flat_map(paper::Paper::section));
    parts.extend(partition::section(&results.partition));
    parts.extend(clique::section(&results.clique));
    if !results.commands.is_empty() {
        parts.push(format!("## Commands\n\n```\n{}\n```", results.commands.join("\n")));
    }
    let parts = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n\n") + "\n"
}
