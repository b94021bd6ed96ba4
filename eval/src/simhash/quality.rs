//! `eval simhash quality`: precision and recall by distance, as the paper's figure 1, on every labelled set and for many choices of features.

use super::candidates::{CANDIDATES, Candidate};
use super::distances::Distances;
use super::documents::Documents;
use super::note;
use crate::cache::Cache;
use crate::facts;
use crate::page::{Page, folder};
use crate::quality::{Panel, Point, SETS, Set, plot, unpacked};
use crate::table::table;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Quality {
    /// Folder with labelled sets, as NAME.tar.zst [default: ../shared/data beside the project]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder to unpack them into [default: lookalike-eval in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only these labelled sets (may be repeated); results are not kept
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Passages inside long documents: one fingerprint for a document cannot find them.
const LEFT_OUT: &str = "pan13-align-train";
/// The largest distance that is listed.
const MOST: usize = 10;

/// Each candidate is measured with as many hash functions: one draw of 64 bits says little about features. The first is what everybody has.
const KEYS: [&str; 4] = ["", "second", "third", "fourth"];

/// A set with every candidate.
struct Measured {
    set: &'static Set,
    documents: usize,
    /// With all keys together.
    candidates: Vec<(Candidate, Distances)>,
    /// The default without a key.
    default: Option<Distances>,
}

impl Quality {
    pub(crate) fn run(self) -> Result<()> {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let data = self.data.unwrap_or_else(|| project.join("../shared/data"));
        let cache = Cache::open(self.cache)?.path("");
        let mut measured = Vec::new();
        for set in SETS.iter().filter(|set| set.name != LEFT_OUT) {
            if !self.only.is_empty() && !self.only.iter().any(|name| name == set.name) {
                continue;
            }
            note(set.name);
            match unpacked(set.name, &data, &cache)? {
                Some(folder) => measured.push(Measured::of(set, &folder)?),
                None => note(&format!("{}: not in {}; left out", set.name, data.display())),
            }
        }
        let mut sections = vec![overview(&measured)];
        sections.extend(measured.iter().map(Measured::section));
        let page = Page {
            verb: "simhash",
            name: "quality",
            facts: facts::facts(),
            bars: Vec::new(),
            sections,
            numbers: measured.iter().map(Measured::numbers).collect(),
            commands: Vec::new(),
        };
        let folder = folder(self.out, !self.only.is_empty());
        page.tell(folder.as_deref(), self.json)?;
        if let Some(folder) = folder {
            let path = folder.join(page.file("svg"));
            fs::write(&path, picture(&measured)).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

impl Measured {
    fn of(set: &'static Set, folder: &Path) -> Result<Self> {
        let documents = Documents::read(set, folder)?;
        let of = |candidate: Candidate, key: &str| {
            Ok::<_, anyhow::Error>(Distances::of(&documents, &candidate.fingerprints(&documents.texts, key)?))
        };
        let (mut candidates, mut default) = (Vec::new(), None);
        for candidate in CANDIDATES {
            let mut all = of(candidate, KEYS[0])?;
            if candidate.is_default() {
                default = Some(all.clone());
            }
            for key in &KEYS[1..] {
                all = all.plus(&of(candidate, key)?);
            }
            candidates.push((candidate, all));
        }
        Ok(Self { set, documents: documents.texts.len(), candidates, default })
    }

    /// The curve of the default, and every candidate at its best and at k = 3.
    fn section(&self) -> String {
        let share = |share: f64| format!("{share:.3}");
        let curve = |point: &Point| {
            let numbers = [point.precision, point.recall, point.f1].map(share);
            [vec![format!("{}", point.threshold), point.found.to_string(), point.right.to_string()], numbers.to_vec()]
                .concat()
        };
        let points = self.default.as_ref().map(Distances::points).unwrap_or_default();
        let curve = table(
            &["k", "pairs", "right", "precision", "recall", "F1"],
            &points[1..].iter().take(MOST).map(curve).collect::<Vec<_>>(),
        );
        let row = |(candidate, distances): &(Candidate, Distances)| {
            let points = distances.points();
            let best = best(&points);
            let at_3 = points[3];
            let mut row = vec![candidate.name()];
            row.extend([distances.average_precision(), at_3.precision, at_3.recall].map(share));
            row.push(format!("{}", best.threshold));
            row.extend([best.precision, best.recall, best.f1].map(share));
            row
        };
        let head = ["features", "AP", "precision k=3", "recall k=3", "best k", "precision", "recall", "F1"];
        let all = table(&head, &self.candidates.iter().map(row).collect::<Vec<_>>());
        let Set { name, about, .. } = self.set;
        let relevant = points.first().map_or(0, |point| point.relevant);
        format!(
            "## {name}\n\n{about} {} documents, {relevant} pairs to be found; pairs with the same words are left out.\n\n{curve}\n{all}",
            self.documents
        )
    }

    fn numbers(&self) -> Value {
        let candidate = |(candidate, distances): &(Candidate, Distances)| {
            let points = distances.points();
            json!({
                "features": candidate.name(),
                "average_precision": distances.average_precision(),
                "best": best(&points),
                "points": points[..=MOST],
            })
        };
        json!({
            "set": self.set.name,
            "documents": self.documents,
            "candidates": self.candidates.iter().map(candidate).collect::<Vec<_>>(),
        })
    }
}

fn best(points: &[Point]) -> Point {
    points.iter().copied().max_by(|a, b| a.f1.total_cmp(&b.f1)).unwrap_or_default()
}

/// Each candidate on each set, and the mean over sets, by two measures.
fn overview(measured: &[Measured]) -> String {
    let by = |score: fn(&Distances) -> f64| {
        let row = |(at, candidate): (usize, &Candidate)| {
            let scores: Vec<f64> = measured.iter().map(|set| score(&set.candidates[at].1)).collect();
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            let name = candidate.name() + if candidate.is_default() { " (default)" } else { "" };
            let cells = scores.iter().chain([&mean]).map(|score| format!("{score:.3}"));
            std::iter::once(name).chain(cells).collect()
        };
        let head: Vec<&str> =
            ["features"].into_iter().chain(measured.iter().map(|one| one.set.name)).chain(["mean"]).collect();
        table(&head, &CANDIDATES.iter().enumerate().map(row).collect::<Vec<_>>())
    };
    format!(
        "Average precision: pairs in the order of their distance, the mean of precision where a right pair is found. Pairs at one \
         distance come together. Each row is measured with {} hash functions.\n\n{}\n\
         Recall where at least nine of ten pairs are right.\n\n{}",
        KEYS.len(),
        by(Distances::average_precision),
        by(Distances::recall_while_right)
    )
}

/// The curves of the default up to k = 10, as in the paper.
fn picture(measured: &[Measured]) -> String {
    let scaled = |point: &Point| Point { threshold: point.threshold / MOST as f64, ..*point };
    let curves: Vec<(&str, Vec<Point>)> = measured
        .iter()
        .filter_map(|one| Some((one.set.name, one.default.as_ref()?.points()[..=MOST].iter().map(scaled).collect())))
        .collect();
    let panels: Vec<Panel<'_>> = curves
        .iter()
        .map(|(name, points)| Panel { title: (*name).to_owned(), axis: "k", ticks: ["0", "5", "10"], points })
        .collect();
    plot(&panels)
}
