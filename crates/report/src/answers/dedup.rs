//! What a run of `dedup` removed, and what stays.

use super::show::Show;
use crate::clean::clean;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count, percent};
use lookalike::dedup::{DedupSummary, SourceCounts, TABLE_EXTENSION, Uncompared};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// A finished run.
#[derive(Serialize)]
pub struct DedupView<'a> {
    /// In numbers.
    #[serde(flatten)]
    pub summary: &'a DedupSummary,
    /// Where the result is, if it was written.
    #[serde(skip)]
    pub out: Option<&'a Path>,
    /// Nothing was removed, only marked.
    #[serde(skip)]
    pub is_marked: bool,
}

/// Sources that are listed.
const MAX_SOURCES: usize = 20;
/// Clusters that are listed.
const MAX_CLUSTERS: usize = 5;

impl Show for DedupView<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let DedupSummary { documents, removed, kept, classes, policy, .. } = self.summary;
        let share = |part: u64, all: u64| percent(if all == 0 { 0.0 } else { part as f64 / all as f64 });
        let verb = match (self.out, self.is_marked) {
            (None, _) => "would be removed",
            (Some(_), true) => "marked",
            (Some(_), false) => "removed",
        };
        writeln!(
            out,
            "{BOLD}{} of {} documents {verb}{BOLD:#} ({}), {} stay\n",
            commas(*removed),
            commas(*documents),
            share(*removed, *documents),
            commas(*kept)
        )?;
        let mut row = |name: &str, n: u64, what: &str| {
            if n == 0 { Ok(()) } else { writeln!(out, "  {name:<11} {:>11}  {DIM}{what}{DIM:#}", commas(n)) }
        };
        row("identical", classes.identical, "the same bytes")?;
        row("lexical", classes.lexical, "the same words")?;
        row("shingle", classes.shingle, "the same shingles, in another order or number")?;
        row("near", classes.near, &format!("resemblance {} or more", policy.threshold))?;
        row("contained", classes.contained, "inside the document that stays")?;
        row("chained", classes.chained, "joined by a chain of others: not like the document that stays")?;
        let freed = format!(
            "{} of text, {}",
            bytes(self.summary.removed_bytes),
            share(self.summary.removed_bytes, self.summary.bytes)
        );
        writeln!(
            out,
            "\n  {DIM}{freed}. Pairs at {} are found with probability {:.3} or more, and counted in full.{DIM:#}",
            policy.threshold,
            floor(self.summary.found_at_threshold)
        )?;
        self.against(out)?;
        self.sources(out)?;
        self.clusters(out)?;
        held(self.summary.held, out)?;
        uncompared(&self.summary.uncompared, out)?;
        if let Some(path) = self.out {
            writeln!(
                out,
                "\n{}: corpus/, duplicates.{TABLE_EXTENSION}, summary.json",
                clean(&path.display().to_string())
            )?;
        }
        Ok(())
    }
}

/// To three places, never more than it is.
fn floor(probability: f64) -> f64 {
    (probability * 1000.0).floor() / 1000.0
}

impl DedupView<'_> {
    fn against(&self, out: &mut dyn Write) -> io::Result<()> {
        let DedupSummary { known, known_by_estimate, contamination, .. } = self.summary;
        if *known > 0 {
            let estimated = match known_by_estimate {
                0 => String::new(),
                n => format!("; {} of them by an estimate, for the old document cannot be read", commas(*n)),
            };
            writeln!(
                out,
                "\n  {} of the removed are in an index, or like a document of it{estimated}",
                commas(*known)
            )?;
        }
        if let Some(found) = contamination {
            let table = self.out.map_or_else(String::new, |_| format!(": contamination.{TABLE_EXTENSION}"));
            writeln!(
                out,
                "\n  {} of {} items of benchmarks stand in {} documents{table}",
                commas(found.items_found),
                commas(found.items),
                commas(found.documents),
            )?;
        }
        Ok(())
    }

    fn sources(&self, out: &mut dyn Write) -> io::Result<()> {
        let sources = &self.summary.sources;
        if sources.len() < 2 {
            return Ok(());
        }
        writeln!(out, "\n  {:>11}  {:>11}  {:>6}  source", "documents", "removed", "share")?;
        for SourceCounts { source, documents, removed, .. } in sources.iter().take(MAX_SOURCES) {
            let share = percent(*removed as f64 / (*documents).max(1) as f64);
            writeln!(out, "  {:>11}  {:>11}  {share:>6}  {}", commas(*documents), commas(*removed), clean(source))?;
        }
        match sources.len().saturating_sub(MAX_SOURCES) {
            0 => Ok(()),
            more => writeln!(out, "  {DIM}and {} more in summary.json{DIM:#}", commas(more as u64)),
        }
    }

    fn clusters(&self, out: &mut dyn Write) -> io::Result<()> {
        let largest = &self.summary.largest_clusters;
        if largest.first().is_none_or(|largest| largest.removed < 2) {
            return Ok(());
        }
        writeln!(
            out,
            "\n  {:>11}  document that stays, of {} with duplicates",
            "removed",
            commas(self.summary.clusters)
        )?;
        for cluster in largest.iter().take(MAX_CLUSTERS) {
            writeln!(out, "  {:>11}  {}", commas(cluster.removed), clean(&cluster.kept))?;
        }
        Ok(())
    }
}

/// Duplicates that stay because nothing is taken out of the file that they are in.
fn held(held: u64, out: &mut dyn Write) -> io::Result<()> {
    if held == 0 {
        return Ok(());
    }
    let duplicates = count(held, "duplicate");
    let verb = if held == 1 { "stays" } else { "stay" };
    writeln!(out, "\n  {duplicates} {verb}: nothing is taken out of a WACZ, or of an archive inside an archive")
}

/// Lines about what was not compared, and what was left out.
pub(super) fn uncompared(uncompared: &Uncompared, out: &mut dyn Write) -> io::Result<()> {
    let Uncompared { not_compared, left_out, too_short, .. } = uncompared;
    let mut line = |kinds: &BTreeMap<String, u64>, what: &str| {
        let all: u64 = kinds.values().sum();
        let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{} {}", commas(*n), clean(kind))).collect();
        if all == 0 { Ok(()) } else { writeln!(out, "\n  {} {what}: {}", commas(all), kinds.join(", ")) }
    };
    line(not_compared, "not compared, and kept as they are")?;
    line(left_out, "left out: not in the result, or in it under another name")?;
    if *too_short > 0 {
        writeln!(out, "\n  {} with too little text: compared by their bytes only", count(*too_short, "document"))?;
    }
    Ok(())
}
