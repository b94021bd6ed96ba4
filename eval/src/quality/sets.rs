//! The labelled sets that are known, the floors they come with, and how they get out of their archives.

use crate::archive;
use anyhow::Result;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What the labels of a set say.
#[derive(Clone, Copy)]
pub(crate) enum Labels {
    /// Some pairs are labelled; positive from this grade on. The column with the category.
    Pairs { least: i32, category: usize },
    /// Every document has a cluster; all pairs count.
    Clusters,
    /// Positive pairs are named, and every other pair is negative.
    OnlyPositive,
}

/// What a simple script with exact shingles reaches on the set, its threshold tuned on the set; nothing where nobody measured it.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Floors {
    pub(crate) auc: Option<f64>,
    pub(crate) f1: Option<f64>,
    pub(crate) nearest: Option<f64>,
}

/// A labelled set.
pub(crate) struct Set {
    pub(crate) name: &'static str,
    /// What the documents and labels are.
    pub(crate) about: &'static str,
    pub(crate) labels: Labels,
    pub(crate) floors: Floors,
}

const fn by_pairs(
    name: &'static str,
    (least, category): (i32, usize),
    (auc, f1): (f64, f64),
    about: &'static str,
) -> Set {
    let floors = Floors { auc: Some(auc), f1: Some(f1), nearest: None };
    Set { name, about, labels: Labels::Pairs { least, category }, floors }
}

const fn all_pairs(name: &'static str, labels: Labels, nearest: Option<f64>, about: &'static str) -> Set {
    Set { name, about, labels, floors: Floors { auc: None, f1: None, nearest } }
}

/// All sets, small ones first.
pub(crate) const SETS: [Set; 7] = [
    by_pairs(
        "clough09",
        (1, 3),
        (0.965, 0.96),
        "Short answers of students, and the article that they were told to copy, to rewrite a little or much, or not to use.",
    ),
    by_pairs(
        "pan13-align-train",
        (1, 3),
        (0.96, 0.94),
        "Passages of one document put into another: as they are, with words shuffled and replaced, translated there and back, or summarised. \
         A passage is a small part of both documents, so scores are low.",
    ),
    by_pairs(
        "bills",
        (3, 2),
        (0.986, 0.89),
        "Sections of bills, graded by people from 0 (unrelated) to 4 (the same); copies are 3 and 4. Grades 2 and 3 are divided by what the \
         words mean: both share most of their words.",
    ),
    all_pairs(
        "p4p",
        Labels::OnlyPositive,
        Some(0.80),
        "Passages that people paraphrased. Every other pair is negative.",
    ),
    all_pairs(
        "licences",
        Labels::Clusters,
        Some(0.82),
        "Licence texts; a cluster is a licence. Families such as BSD differ by a clause or a name and are different licences.",
    ),
    all_pairs(
        "crdb-versions",
        Labels::Clusters,
        None,
        "One documentation in thirteen versions; a cluster is a page name. Pages that began as copies of other pages count as wrong.",
    ),
    all_pairs(
        "scancode-rules",
        Labels::Clusters,
        None,
        "Short notices, often one line; a cluster is the licence they name. Two notices of one licence may share no words, and \
         notices of two licences all but the name. No comparison of words can reach such labels.",
    ),
];

/// The folder of an unpacked set; unpacks it first if it is not there. Nothing if there is no archive.
pub(crate) fn unpacked(name: &str, data: &Path, cache: &Path) -> Result<Option<PathBuf>> {
    let (archive, folder) = (data.join(format!("text_{name}.tar.zst")), cache.join("text").join(name));
    if folder.join("docs.jsonl").is_file() {
        return Ok(Some(folder));
    }
    if !archive.is_file() {
        return Ok(None);
    }
    archive::unpack(&archive, &format!("text/{name}"), &folder)?;
    Ok(Some(folder))
}
