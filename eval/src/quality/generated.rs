//! Generated documents: what a scan finds, held against every pair that there is.

use super::clustering::numbered;
use super::command::{Lookalike, clusters, for_each_pair};
use super::estimates::{self, Errors};
use super::exact;
use super::kinds::{self, KindRow};
use super::labels::{Ids, ordered};
use super::metrics::{Point, THRESHOLDS};
use super::partition::adjusted_rand;
use crate::generate::{self, Corpus};
use anyhow::{Context, Result, anyhow};
use lookalike_core::cluster::UnionFind;
use lookalike_core::sets::Overlap;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Pairs with what was told of their resemblance.
pub(super) type Found = FxHashMap<(u32, u32), f64>;

/// Which documents are made.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Asked {
    pub(super) documents: u32,
    pub(super) seed: u64,
    pub(super) words: u32,
    pub(super) copies: f64,
}

/// What was measured on generated documents.
#[derive(Serialize)]
pub(super) struct Generated {
    pub(super) asked: Asked,
    pub(super) kinds: Vec<KindRow>,
    pub(super) verified: Vec<Point>,
    pub(super) estimated: Vec<Point>,
    /// Adjusted Rand index of the clusters at the default threshold: stars, and what is connected.
    pub(super) ari_star: f64,
    pub(super) ari_single: f64,
    pub(super) errors: Errors,
}

pub(super) fn measure(asked: Asked, lookalike: &mut Lookalike) -> Result<Generated> {
    let scratch = tempfile::tempdir()?;
    let corpus = Corpus::new(asked.seed, asked.words, asked.copies);
    let documents = scratch.path().join("docs.jsonl");
    let mut out = BufWriter::new(File::create(&documents)?);
    generate::write(&corpus, u64::from(asked.documents), &mut out, None)
        .map_err(|failure| anyhow!("cannot write generated documents: {failure:?}"))?;
    let sets = exact::sets(&corpus, asked.documents);
    let truth = exact::pairs(&sets);
    let ids = Ids::read(scratch.path())?;

    let mut listed = |flags: &[&str]| listed(scratch.path(), &ids, flags, lookalike);
    let verified = listed(&["--threshold", "0.1"])?;
    let estimated = listed(&["--threshold", "0.1", "--estimate"])?;
    let contained = listed(&["--threshold", "0.5", "--contained", "0.9"])?;
    let reference = reference(&truth, sets.len());
    let mut ari = |flags: &[&str]| -> Result<f64> {
        let report = scratch.path().join("report.json");
        let files = ["scan", &documents.to_string_lossy(), "--json", "-o", &report.to_string_lossy()];
        lookalike.run(&[&files, flags].concat())?;
        Ok(adjusted_rand(&reference, &numbered(&clusters(&report)?, &ids)?))
    };
    Ok(Generated {
        asked,
        kinds: kinds::rows(&corpus, asked.documents, &verified, &contained),
        verified: points(&truth, &verified),
        estimated: points(&truth, &estimated),
        ari_star: ari(&[])?,
        ari_single: ari(&["--linkage", "single"])?,
        errors: estimates::errors(&sets, &truth, &estimated),
    })
}

/// Scans with `--pairs` and reads them.
fn listed(folder: &Path, ids: &Ids, flags: &[&str], lookalike: &mut Lookalike) -> Result<Found> {
    let [documents, pairs, report] = ["docs.jsonl", "pairs.tsv", "report.json"].map(|name| folder.join(name));
    let [input, listed, written] = [&documents, &pairs, &report].map(|path| path.to_string_lossy());
    lookalike.run(&[&["scan", &input], flags, &["--pairs", &listed, "--json", "-o", &written]].concat())?;
    let mut found = Found::default();
    let mut unknown = false;
    for_each_pair(&pairs, |a, b, pair| match (ids.get(a), ids.get(b)) {
        (Ok(a), Ok(b)) => drop(found.insert(ordered(a, b), pair.resemblance)),
        _ => unknown = true,
    })?;
    (!unknown).then_some(found).context("a listed document was never written")
}

/// What is connected by pairs of at least the default threshold.
fn reference(truth: &[((u32, u32), Overlap)], documents: usize) -> Vec<u32> {
    let mut sets = UnionFind::new(documents);
    for ((a, b), _) in truth.iter().filter(|(_, overlap)| overlap.resemblance() >= 0.5) {
        sets.union(*a, *b);
    }
    (0..documents as u32).map(|document| sets.find(document)).collect()
}

/// At each threshold: pairs that reach it by what was told, against pairs that reach it in truth.
fn points(truth: &[((u32, u32), Overlap)], found: &Found) -> Vec<Point> {
    let told: Vec<(f64, Option<f64>)> =
        truth.iter().map(|(pair, overlap)| (overlap.resemblance(), found.get(pair).copied())).collect();
    // what is told of pairs that share nothing would be found nowhere in the truth
    let strangers = found.len() - told.iter().filter(|(_, told)| told.is_some()).count();
    let point = |&threshold: &f64| {
        let taken = |told: Option<f64>| told.is_some_and(|told| told >= threshold);
        let relevant = told.iter().filter(|(exact, _)| *exact >= threshold).count();
        let right = told.iter().filter(|(exact, told)| *exact >= threshold && taken(*told)).count();
        let taken = told.iter().filter(|(_, told)| taken(*told)).count() + strangers;
        Point::new(threshold, taken as u64, right as u64, relevant as u64)
    };
    THRESHOLDS.iter().filter(|&&threshold| threshold >= 0.1).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_by_hand() {
        let overlap = |common| Overlap { a: 10, b: 10, shared: common };
        // resemblances 1, 1/3, 1/19
        let truth = [((0, 1), overlap(10)), ((0, 2), overlap(5)), ((1, 2), overlap(1))];
        let found = Found::from_iter([((0, 1), 0.8), ((0, 2), 0.45), ((3, 4), 0.2)]);
        let points = points(&truth, &found);
        let at =
            |threshold: f64| points.iter().find(|point| (point.threshold - threshold).abs() < 1e-9).expect("a point");
        assert_eq!((at(0.9).found, at(0.9).right, at(0.9).relevant), (1, 0, 1), "a stranger is wrong at any threshold");
        assert_eq!((at(0.4).found, at(0.4).right, at(0.4).relevant), (3, 1, 1));
        assert_eq!((at(0.1).found, at(0.1).right, at(0.1).relevant), (3, 2, 2));
    }

    #[test]
    fn the_reference_is_what_is_connected() {
        let overlap = |common| Overlap { a: 10, b: 10, shared: common };
        let reference = reference(&[((0, 1), overlap(7)), ((1, 3), overlap(9)), ((2, 3), overlap(3))], 4);
        assert!(reference[0] == reference[1] && reference[1] == reference[3] && reference[2] != reference[3]);
    }
}
