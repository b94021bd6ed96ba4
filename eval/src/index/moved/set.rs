//! Sets of pages that moved, as they lie on disk: snapshots of a site at some dates, and what became of each page from one to the next.

use crate::archive;
use anyhow::{Context, Result};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_core::shingle;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Words in a shingle, by which it is told how much of a page survived.
const WORDS: usize = 10;

/// A site at some dates.
pub(crate) struct Set {
    pub(crate) name: String,
    /// Dates and files, oldest first.
    pub(crate) snapshots: Vec<(String, PathBuf)>,
    pub(crate) moved: Vec<Moved>,
    pub(crate) gone: Vec<Gone>,
    /// What the site itself says: dates and both paths.
    redirects: FxHashSet<Redirect>,
}

/// A page that moved between two snapshots, by version control.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Moved {
    pub(crate) from: String,
    pub(crate) to: String,
    #[serde(rename = "old_path")]
    pub(crate) old: String,
    #[serde(rename = "new_path")]
    pub(crate) new: String,
    /// In percent, the least on the way.
    #[serde(rename = "git_min_similarity")]
    pub(crate) similarity: f64,
}

/// A page that was deleted between two snapshots, by version control.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Gone {
    pub(crate) from: String,
    pub(crate) to: String,
    #[serde(rename = "old_path")]
    pub(crate) old: String,
}

#[derive(Debug, Deserialize, PartialEq, Eq, Hash)]
struct Redirect {
    from: String,
    #[serde(rename = "old_path")]
    old: String,
    #[serde(rename = "new_path")]
    new: String,
}

impl Set {
    pub(crate) fn read(name: &str, folder: &Path) -> Result<Self> {
        let mut snapshots = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(date) = file.strip_prefix("snap-").and_then(|rest| rest.strip_suffix(".jsonl")) {
                snapshots.push((date.to_owned(), path));
            }
        }
        snapshots.sort_unstable();
        let redirects = folder.join("redirects.tsv");
        Ok(Self {
            name: name.to_owned(),
            snapshots,
            moved: rows(&folder.join("moved.tsv"))?,
            gone: rows(&folder.join("gone.tsv"))?,
            redirects: if redirects.is_file() { rows(&redirects)?.into_iter().collect() } else { FxHashSet::default() },
        })
    }

    /// Whether the site sends readers of the old page to the new one.
    pub(crate) fn redirects(&self, from: &str, old: &str, new: &str) -> bool {
        self.redirects.contains(&Redirect { from: from.to_owned(), old: old.to_owned(), new: new.to_owned() })
    }

    /// Whether the site sends readers of the old page anywhere.
    pub(crate) fn redirects_somewhere(&self, from: &str, old: &str) -> bool {
        self.redirects.iter().any(|redirect| redirect.from == from && redirect.old == old)
    }
}

fn rows<T: for<'a> Deserialize<'a>>(file: &Path) -> Result<Vec<T>> {
    let reader = csv::ReaderBuilder::new().delimiter(b'\t').quoting(false).from_path(file);
    let mut reader = reader.with_context(|| format!("cannot read {}", file.display()))?;
    let rows: Result<_, csv::Error> = reader.deserialize().collect();
    rows.with_context(|| file.display().to_string())
}

/// The pages of a snapshot, as sets of shingles.
pub(crate) struct Pages(FxHashMap<String, Vec<u64>>);

impl Pages {
    pub(crate) fn read(snapshot: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Page {
            id: String,
            text: String,
        }
        let file = File::open(snapshot).with_context(|| format!("cannot read {}", snapshot.display()))?;
        let lines: Vec<String> = BufReader::new(file).lines().collect::<Result<_, _>>()?;
        let fp = FeatureHasher::default();
        let page = |line: &String| {
            let page: Page = serde_json::from_str(line).with_context(|| snapshot.display().to_string())?;
            Ok((page.id, shingle::set_of_text(&page.text, WORDS, &fp)))
        };
        Ok(Self(lines.par_iter().map(page).collect::<Result<Vec<_>>>()?.into_iter().collect()))
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    pub(crate) fn shingles(&self, id: &str) -> usize {
        self.0.get(id).map_or(0, Vec::len)
    }

    /// What a page of this snapshot shares with one of a later one; nothing if either is not there.
    pub(crate) fn overlap(&self, old: &str, later: &Self, new: &str) -> Option<Overlap> {
        Some(Overlap::of(self.0.get(old)?, later.0.get(new)?))
    }
}

/// The names of all sets in a folder of archives.
pub(crate) fn names(data: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(data).with_context(|| format!("cannot read {}", data.display()))? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        names.extend(file.strip_prefix("moved_").and_then(|rest| rest.strip_suffix(".tar.zst")).map(str::to_owned));
    }
    names.sort_unstable();
    Ok(names)
}

/// The folder of an unpacked set; unpacks it first if it is not there.
pub(crate) fn unpacked(name: &str, data: &Path, cache: &Path) -> Result<PathBuf> {
    let (archive, folder) = (data.join(format!("moved_{name}.tar.zst")), cache.join("moved").join(name));
    if folder.join("moved.tsv").is_file() {
        return Ok(folder);
    }
    archive::unpack(&archive, &format!("moved/{name}"), &folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("snap-2022-01-01.jsonl", "{\"id\": \"b\", \"text\": \"1 2 3 4 5 6 7 8 9 10 11 12 13 14\"}\n");
        write("snap-2021-01-01.jsonl", "{\"id\": \"a\", \"text\": \"0 1 2 3 4 5 6 7 8 9 10 11\"}\n");
        write(
            "moved.tsv",
            "from\tto\told_path\tnew_path\tgit_min_similarity\tnrenames\n2021-01-01\t2022-01-01\ta\tb\t55\t2\n",
        );
        write("gone.tsv", "from\tto\told_path\n2021-01-01\t2022-01-01\t\"c\n");
        let set = Set::read("site", folder.path()).unwrap();
        let dates: Vec<&str> = set.snapshots.iter().map(|(date, _)| date.as_str()).collect();
        assert_eq!(dates, ["2021-01-01", "2022-01-01"]);
        assert_eq!((set.moved[0].new.as_str(), set.moved[0].similarity.to_string()), ("b", "55".to_owned()));
        assert_eq!(set.gone[0].old, "\"c", "a quotation mark is a character like any other");
        assert!(!set.redirects("2021-01-01", "a", "b"));
        write("redirects.tsv", "from\tto\told_path\tnew_path\tvs_git\n2021-01-01\t2022-01-01\ta\tx\tgit-differs\n");
        let set = Set::read("site", folder.path()).unwrap();
        assert!(set.redirects("2021-01-01", "a", "x") && !set.redirects("2022-01-01", "a", "x"));
        assert!(set.redirects_somewhere("2021-01-01", "a") && !set.redirects_somewhere("2021-01-01", "b"));

        let [old, new] = [0, 1].map(|at| Pages::read(&set.snapshots[at].1).unwrap());
        // three shingles and five, of which two are the same
        assert_eq!(old.overlap("a", &new, "b"), Some(Overlap { a: 3, b: 5, shared: 2 }));
        assert!(old.overlap("a", &new, "c").is_none() && old.has("a") && !new.has("a") && old.shingles("a") == 3);
    }

    #[test]
    fn sets_are_the_archives_of_their_kind() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["moved_b.tar.zst", "text_x.tar.zst", "moved_a.tar.zst", "moved_c.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(names(folder.path()).unwrap(), ["a", "b"]);
    }
}
