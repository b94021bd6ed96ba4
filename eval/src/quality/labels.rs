//! Labelled sets as they lie on disk: `docs.jsonl`, `labels.tsv`, `clusters.tsv`.

use anyhow::{Context, Result};
use lookalike_core::cluster::UnionFind;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Documents by number.
pub(crate) struct Ids {
    numbers: FxHashMap<String, u32>,
}

impl Ids {
    /// The documents of `docs.jsonl`, in its order.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Document {
            id: String,
        }
        let path = folder.join("docs.jsonl");
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut numbers = FxHashMap::default();
        for line in BufReader::new(file).lines() {
            let document: Document = serde_json::from_str(&line?).with_context(|| path.display().to_string())?;
            let next = numbers.len() as u32;
            numbers.entry(document.id).or_insert(next);
        }
        Ok(Self { numbers })
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn get(&self, id: &str) -> Result<u32> {
        self.numbers.get(id).copied().with_context(|| format!("{id:?} is not among the documents"))
    }
}

/// A labelled pair.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    /// The lower number first.
    pub(crate) pair: (u32, u32),
    pub(crate) positive: bool,
    /// What the set says of how the pair came about.
    pub(crate) category: String,
}

pub(crate) fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// The rows of a file of tab-separated values, without the line of names.
fn rows(path: &Path) -> Result<Vec<Vec<String>>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = BufReader::new(file).lines().skip(1);
    lines.map(|line| Ok(line?.split('\t').map(str::to_owned).collect())).collect()
}

/// The pairs of `labels.tsv`: positive from `least` on, with the category in column `category`.
pub(crate) fn pairs(folder: &Path, ids: &Ids, least: i32, category: usize) -> Result<Vec<Label>> {
    let path = folder.join("labels.tsv");
    let label = |row: Vec<String>| {
        let grade: i32 = row.get(2).context("no label")?.parse()?;
        let pair = ordered(ids.get(&row[0])?, ids.get(&row[1])?);
        Ok(Label { pair, positive: grade >= least, category: row.get(category).cloned().unwrap_or_default() })
    };
    let labels: Result<Vec<Label>> = rows(&path)?.into_iter().map(label).collect();
    labels.with_context(|| path.display().to_string())
}

/// The cluster of each document, by `clusters.tsv`; a document that is not named is alone.
pub(crate) fn clusters(folder: &Path, ids: &Ids) -> Result<Vec<u32>> {
    let mut names = FxHashMap::default();
    // numbers above those of named clusters: nobody else has them
    let mut found: Vec<u32> = (0..ids.len() as u32).map(|alone| u32::MAX - alone).collect();
    for row in rows(&folder.join("clusters.tsv"))? {
        let next = names.len() as u32;
        let cluster = *names.entry(row.get(1).context("no cluster")?.clone()).or_insert(next);
        found[ids.get(&row[0])? as usize] = cluster;
    }
    Ok(found)
}

/// Clusters of what positive pairs connect, for a set in which every other pair is negative.
pub(crate) fn connected(labels: &[Label], documents: usize) -> Vec<u32> {
    let mut sets = UnionFind::new(documents);
    for label in labels.iter().filter(|label| label.positive) {
        sets.union(label.pair.0, label.pair.1);
    }
    (0..documents as u32).map(|document| sets.find(document)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn set(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        folder
    }
    const DOCS: &str =
        "{\"id\":\"x\",\"text\":\"one\"}\n{\"text\":\"two\",\"id\":\"y\",\"more\":[1]}\n{\"id\":\"z\",\"text\":\"\"}\n";

    #[test]
    fn pairs_are_read_with_grades_and_categories() {
        let labels = "id_a\tid_b\tgrade\tsplit\ny\tx\t3\tval\nx\tz\t2\ttest\n";
        let folder = set(&[("docs.jsonl", DOCS), ("labels.tsv", labels)]);
        let ids = Ids::read(folder.path()).expect("ids");
        let read = pairs(folder.path(), &ids, 3, 3).expect("labels");
        let label = |pair, positive, category: &str| Label { pair, positive, category: category.into() };
        assert_eq!(read, [label((0, 1), true, "val"), label((0, 2), false, "test")]);
        let together = connected(&read, ids.len());
        assert!(together[0] == together[1] && together[0] != together[2]);
    }

    #[test]
    fn clusters_are_read_and_the_unnamed_are_alone() {
        let folder = set(&[("docs.jsonl", DOCS), ("clusters.tsv", "id\tcluster\tkind\nz\tc\tk\nx\tc\tk\n")]);
        let ids = Ids::read(folder.path()).expect("ids");
        let read = clusters(folder.path(), &ids).expect("clusters");
        assert!(read[0] == read[2] && read[0] != read[1]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let folder = set(&[("docs.jsonl", DOCS), ("labels.tsv", "id_a\tid_b\tlabel\nx\tnobody\t1\n")]);
        let ids = Ids::read(folder.path()).expect("ids");
        let error = format!("{:#}", pairs(folder.path(), &ids, 1, 3).expect_err("an unknown id"));
        assert!(error.contains("labels.tsv") && error.contains("nobody"), "{error}");
        assert!(Ids::read(&folder.path().join("none")).is_err());
    }
}
