//! Labelled sets: each is scanned with each recipe, and the listed pairs are held against the labels.

use super::command::{Lookalike, for_each_pair};
use super::labels::{self, Ids, Label, ordered};
use super::metrics::{Point, Scores, THRESHOLDS};
use super::recipe::{RECIPES, Recipe, score};
use super::sets::{Floors, Labels, Set};
use super::tally::Tally;
use super::{clustering, sets};
use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::path::Path;

/// What was measured on a set with a recipe.
#[derive(Serialize)]
pub(super) struct Measured {
    pub(super) set: &'static str,
    pub(super) about: &'static str,
    pub(super) recipe: &'static str,
    pub(super) documents: usize,
    /// Pairs that the scan listed.
    pub(super) listed: u64,
    pub(super) floors: Floors,
    pub(super) auc: Option<f64>,
    pub(super) nearest: Option<f64>,
    pub(super) best: Point,
    pub(super) points: Vec<Point>,
    pub(super) categories: Vec<Category>,
    /// Threshold of resemblance, and adjusted Rand index of the clusters there.
    pub(super) ari: Vec<(f64, f64)>,
}

/// Labelled pairs of one category.
#[derive(Serialize)]
pub(super) struct Category {
    pub(super) name: String,
    pub(super) positive: bool,
    pub(super) pairs: usize,
    pub(super) mean_score: f64,
    /// Share with at least the score of the best F1.
    pub(super) taken: f64,
}

/// Measures a set with every recipe. Nothing if the set is not there.
pub(super) fn measure(set: &Set, data: &Path, cache: &Path, lookalike: &mut Lookalike) -> Result<Vec<Measured>> {
    let Some(folder) = sets::unpacked(set.name, data, cache)? else { return Ok(Vec::new()) };
    let ids = Ids::read(&folder)?;
    let measured = RECIPES.iter().map(|recipe| match set.labels {
        Labels::Pairs { least, category } => {
            by_pairs(set, &folder, &ids, &labels::pairs(&folder, &ids, least, category)?, recipe, lookalike)
        }
        Labels::Clusters => by_clusters(set, &folder, &ids, &labels::clusters(&folder, &ids)?, recipe, lookalike),
        Labels::OnlyPositive => {
            let clusters = labels::connected(&labels::pairs(&folder, &ids, 1, 3)?, ids.len());
            by_clusters(set, &folder, &ids, &clusters, recipe, lookalike)
        }
    });
    measured.map(|one| one.with_context(|| set.name.to_owned())).collect()
}

/// Scans and hands on every listed pair.
fn scan(
    folder: &Path,
    ids: &Ids,
    recipe: &Recipe,
    lookalike: &mut Lookalike,
    mut each: impl FnMut((u32, u32), f64),
) -> Result<u64> {
    let scratch = tempfile::tempdir_in(folder)?;
    let [pairs, report] = ["pairs.tsv", "report.json"].map(|name| scratch.path().join(name));
    let documents = folder.join("docs.jsonl");
    let [input, listed, written] = [&documents, &pairs, &report].map(|path| path.to_string_lossy());
    let files = ["--pairs", &listed, "--json", "-o", &written];
    lookalike.run(&[&["scan", &input], &recipe.flags()[..], &files].concat())?;
    let (mut listed, mut unknown) = (0, None);
    for_each_pair(&pairs, |a, b, pair| match (ids.get(a), ids.get(b)) {
        (Ok(a), Ok(b)) => {
            listed += 1;
            each(ordered(a, b), score(pair));
        }
        (Err(error), _) | (_, Err(error)) => unknown = Some(error),
    })?;
    unknown.map_or(Ok(listed), Err)
}

fn by_pairs(
    set: &Set,
    folder: &Path,
    ids: &Ids,
    labels: &[Label],
    recipe: &Recipe,
    lookalike: &mut Lookalike,
) -> Result<Measured> {
    // a pair that is not listed scores 0
    let mut found: FxHashMap<(u32, u32), f64> = labels.iter().map(|label| (label.pair, 0.0)).collect();
    let listed = scan(folder, ids, recipe, lookalike, |pair, score| {
        found.entry(pair).and_modify(|known| *known = score);
    })?;
    let scores: Scores = labels.iter().map(|label| (found[&label.pair], label.positive)).collect();
    let best = scores.best();
    Ok(Measured {
        set: set.name,
        about: set.about,
        recipe: recipe.name,
        documents: ids.len(),
        listed,
        floors: set.floors,
        auc: Some(scores.auc()),
        nearest: None,
        best,
        points: THRESHOLDS.iter().map(|&threshold| scores.at(threshold)).collect(),
        categories: categories(labels, &found, best.threshold),
        ari: Vec::new(),
    })
}

fn categories(labels: &[Label], found: &FxHashMap<(u32, u32), f64>, threshold: f64) -> Vec<Category> {
    let key = |label: &&Label| (!label.positive, label.category.clone());
    let mut sorted: Vec<&Label> = labels.iter().collect();
    sorted.sort_by_key(key);
    let category = |same: &[&Label]| {
        let scores: Vec<f64> = same.iter().map(|label| found[&label.pair]).collect();
        let taken = scores.iter().filter(|&&score| score >= threshold).count();
        Category {
            name: same[0].category.clone(),
            positive: same[0].positive,
            pairs: same.len(),
            mean_score: scores.iter().sum::<f64>() / scores.len() as f64,
            taken: taken as f64 / scores.len() as f64,
        }
    };
    sorted.chunk_by(|a, b| key(a) == key(b)).map(category).collect()
}

fn by_clusters(
    set: &Set,
    folder: &Path,
    ids: &Ids,
    clusters: &[u32],
    recipe: &Recipe,
    lookalike: &mut Lookalike,
) -> Result<Measured> {
    let mut tally = Tally::new(clusters);
    let listed = scan(folder, ids, recipe, lookalike, |(a, b), score| tally.add(a, b, score))?;
    Ok(Measured {
        set: set.name,
        about: set.about,
        recipe: recipe.name,
        documents: ids.len(),
        listed,
        floors: set.floors,
        auc: None,
        nearest: Some(tally.nearest_right()),
        best: tally.best(),
        points: THRESHOLDS.iter().map(|&threshold| tally.at(threshold)).collect(),
        categories: Vec::new(),
        ari: clustering::at_thresholds(&folder.join("docs.jsonl"), recipe.lens(), ids, clusters, lookalike)?,
    })
}
