//! Records and files that were not compared, and files that were left out.

use lookalike_corpus::path_of;
use lookalike_engine::report::Skip;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most records and files that are listed.
const MAX_EXAMPLES: usize = 100;
/// The kinds of files that are left out on purpose, or are in the corpus under another name.
const LEFT_OUT: [&str; 8] =
    ["hidden", "ignored", "system file", "own result", "symbolic link", "special file", "link loop", "same file"];
/// The kind of documents that are compared by their bytes only.
const TOO_SHORT: &str = "too little text";

/// What was not compared, and what was left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Uncompared {
    /// Records and files that could not be compared and stay as they are: how many, by the reason.
    pub not_compared: BTreeMap<String, u64>,
    /// The first of them.
    pub examples_not_compared: Vec<Skip>,
    /// Files and folders that were left out: not in the result, or in it under another name. How many, by the reason.
    pub left_out: BTreeMap<String, u64>,
    /// The first of them.
    pub examples_left_out: Vec<Skip>,
    /// Documents with too few words to be compared. They are removed only if another document has the same bytes.
    pub too_short: u64,
}

impl Uncompared {
    /// Sorts what a reader skipped.
    pub(crate) fn new(skipped: &[Skip]) -> Self {
        let mut all = Self::default();
        for skip in skipped {
            if skip.kind == TOO_SHORT {
                all.too_short += 1;
                continue;
            }
            let (counts, examples) = if is_left_out(skip) {
                (&mut all.left_out, &mut all.examples_left_out)
            } else {
                (&mut all.not_compared, &mut all.examples_not_compared)
            };
            *counts.entry(skip.kind.clone()).or_default() += 1;
            if examples.len() < MAX_EXAMPLES {
                examples.push(skip.clone());
            }
        }
        all
    }
}

/// Whether a file or folder was left out. Links and special files inside an archive have no path of their own: they stay in the archive. A
/// link that leads nowhere is no file.
pub(crate) fn is_left_out(skip: &Skip) -> bool {
    let Ok(found) = path_of(&skip.id).symlink_metadata() else { return false };
    LEFT_OUT.contains(&skip.kind.as_str()) || skip.kind == "unreadable" && found.is_symlink()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_an_archive_are_not_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let hidden = dir.path().join(".hidden");
        std::fs::write(&hidden, "").unwrap();
        let skip = |id: &std::path::Path, kind: &str| Skip {
            id: id.display().to_string(),
            reason: String::new(),
            kind: kind.into(),
            damage: false,
        };
        let member = dir.path().join("a.tar!/link");
        let skipped = [skip(&hidden, "hidden"), skip(&member, "symbolic link"), skip(&hidden, "no text")];
        let sorted = Uncompared::new(&skipped);
        assert_eq!(sorted.left_out, BTreeMap::from([("hidden".to_owned(), 1)]));
        assert_eq!(sorted.not_compared, BTreeMap::from([("symbolic link".to_owned(), 1), ("no text".to_owned(), 1)]));
    }
}
