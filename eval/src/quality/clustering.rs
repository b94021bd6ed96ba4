//! The clusters that lookalike makes, held against a reference partition.

use super::command::{Cluster, Lookalike, clusters};
use super::labels::Ids;
use super::partition::adjusted_rand;
use anyhow::Result;
use std::path::Path;

/// Thresholds of resemblance at which clusters are made, rising: pairs are judged once, at the first.
const THRESHOLDS: [f64; 5] = [0.3, 0.5, 0.7, 0.8, 0.9];

/// Scans once, clusters at each threshold, and compares with the reference. `lens` is the flags that make features.
pub(super) fn at_thresholds(
    documents: &Path,
    lens: &[&str],
    ids: &Ids,
    reference: &[u32],
    lookalike: &mut Lookalike,
) -> Result<Vec<(f64, f64)>> {
    let scratch = tempfile::tempdir()?;
    let [run, report] = ["run", "report.json"].map(|name| scratch.path().join(name));
    let [input, saved, written] = [documents, &run, &report].map(Path::to_string_lossy);
    let least = THRESHOLDS[0].to_string();
    let files = ["--threshold", &least, "--save", &saved, "--json", "-o", &written];
    lookalike.run(&[&["scan", &input], lens, &files].concat())?;
    let mut found = Vec::new();
    for threshold in THRESHOLDS {
        lookalike.run(&["recluster", &saved, "--threshold", &threshold.to_string(), "--json", "-o", &written])?;
        found.push((threshold, adjusted_rand(reference, &numbered(&clusters(&report)?, ids)?)));
    }
    Ok(found)
}

/// The number of each document's cluster; documents in none are alone.
pub(super) fn numbered(clusters: &[Cluster], ids: &Ids) -> Result<Vec<u32>> {
    let mut numbers: Vec<u32> = (0..ids.len() as u32).map(|alone| u32::MAX - alone).collect();
    for (cluster, number) in clusters.iter().zip(0..) {
        numbers[ids.get(&cluster.representative)? as usize] = number;
        for member in &cluster.members {
            numbers[ids.get(&member.id)? as usize] = number;
        }
    }
    Ok(numbers)
}
