//! Labelled programs: what the command says of every labelled pair.

use super::report::{self, Expected};
use super::scores::Scored;
use crate::archive;
use crate::command::Lookalike;
use anyhow::{Context, Result};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// What those that judge labelled sets are told alike.
#[derive(clap::Args)]
pub(super) struct LabelledArgs {
    /// Folder with labelled sets, as `code_NAME.tar.zst` and `text_NAME.tar.zst` [default: ../shared/data beside the project]
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
    /// Folder to unpack them into [default: lookalike-eval in the user's cache]
    #[arg(long, value_name = "DIR")]
    pub(super) cache: Option<PathBuf>,
    /// The command to measure [default: lookalike beside this program]
    #[arg(long, value_name = "PATH")]
    pub(super) lookalike: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project; none if only some sets are judged]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    pub(super) json: bool,
}

/// The folder of labelled sets.
pub(super) fn data_folder(told: Option<PathBuf>) -> PathBuf {
    told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"))
}

/// A pair, its label, and what the set says beside it: the split or the kind.
pub(super) struct Labelled {
    pub(super) score: f64,
    /// Tokens in passages.
    pub(super) overlap: u32,
    pub(super) copy: bool,
    pub(super) group: String,
    /// The set has named it before.
    pub(super) repeated: bool,
}

impl Labelled {
    pub(super) fn scored(&self) -> Scored {
        (self.score, self.copy)
    }
}

/// All labelled pairs of a set.
pub(super) struct Answer {
    pub(super) pairs: Vec<Labelled>,
    /// Candidates that were too many to be compared.
    pub(super) not_compared: u64,
    /// Pairs at or above this are called striking.
    pub(super) threshold: f64,
    /// From this similarity on as few pairs are expected by chance as is ever told.
    pub(super) least_expected: f64,
    /// Tokens of the smaller submission in the middle of the most similar pairs, as the command takes them.
    pub(super) size: f64,
    /// Similarities, and how many pairs at or above them are expected by chance.
    pub(super) table: Vec<Expected>,
}

/// The least number of pairs expected by chance that a report tells.
const LEAST_EXPECTED: f64 = 0.01;

/// The command compares 40 times as many pairs as it lists, so that this compares all of every set.
const LIMIT: &str = "20000";

/// The part of all pairs whose sizes decide on the border, and the least of them; as of the command.
const TOP: usize = 100;
const MIN_TOP: usize = 50;

/// Two ids, the lesser first.
type Pair = (String, String);

fn pair(a: &str, b: &str) -> Pair {
    let (a, b) = (a.min(b), a.max(b));
    (a.to_owned(), b.to_owned())
}

/// The folder of a set; unpacked first if it is not there. Nothing if there is no archive.
pub(super) fn unpacked(name: &str, data: &Path, cache: &Path) -> Result<Option<PathBuf>> {
    let (archive, folder) = (data.join(format!("code_{name}.tar.zst")), cache.join("code").join(name));
    if !folder.join("docs.jsonl").is_file() {
        if !archive.is_file() {
            return Ok(None);
        }
        archive::unpack(&archive, &format!("code/{name}"), &folder)?;
    }
    Ok(Some(folder))
}

/// Runs the command on the whole set as one cohort, and looks every labelled pair up. A pair that is not listed shares nothing, unless
/// one of them has the same tokens as a third: only that one is compared with all.
pub(super) fn measure(
    folder: &Path,
    lang: Option<&str>,
    others_are_negative: bool,
    lookalike: &mut Lookalike,
) -> Result<Answer> {
    let docs = folder.join("docs.jsonl").to_string_lossy().into_owned();
    let outputs = tempfile::tempdir()?;
    let [listed, report] = ["pairs.tsv", "report.json"].map(|name| outputs.path().join(name));
    let (listed_text, report_text) = (listed.to_string_lossy(), report.to_string_lossy());
    let lang = lang.map_or(Vec::new(), |lang| vec!["--lang", lang]);
    let told =
        ["--min-similarity", "0", "--limit", LIMIT, "--pairs", &listed_text, "--json", "-o", &report_text, &docs];
    lookalike.told(&[&["copies", "-q"], &lang[..], &told].concat())?;
    let similarity = similarities(&listed)?;
    let report = report::read(&report)?;
    let tokens: FxHashMap<&str, u64> = report.submissions.iter().map(|one| (&*one.name, one.tokens)).collect();
    let top = similarity.iter().take((similarity.len() / TOP).max(MIN_TOP));
    let mut sizes: Vec<u64> = top.map(|((a, b), _)| tokens[&**a].min(tokens[&**b])).collect();
    sizes.sort_unstable();
    let size = sizes.get(sizes.len() / 2).map_or(1.0, |size| *size as f64);
    let similarity: FxHashMap<Pair, Listed> = similarity.into_iter().collect();
    let same: FxHashMap<&str, &str> = report
        .submissions
        .iter()
        .filter_map(|one| Some((&*one.name, &*report.submissions.get(one.same_as?)?.name)))
        .collect();
    let mut labels = labels(&folder.join("labels.tsv"))?;
    if others_are_negative {
        let named: FxHashSet<Pair> = labels.iter().map(|(pair, ..)| pair.clone()).collect();
        let ids = ids(&folder.join("docs.jsonl"))?;
        for (at, a) in ids.iter().enumerate() {
            let unnamed = ids[at + 1..].iter().map(|b| pair(a, b)).filter(|pair| !named.contains(pair));
            labels.extend(unnamed.map(|pair| (pair, false, String::new())));
        }
    }
    let mut seen = FxHashSet::default();
    let look_up = |(both, copy, group): (Pair, bool, String)| {
        let [a, b] = [&both.0, &both.1].map(|id| same.get(&**id).copied().unwrap_or(id));
        let listed = similarity.get(&both).or_else(|| similarity.get(&pair(a, b)));
        // two with the same tokens as a third
        let same = || (1.0, tokens.get(a).map_or(0, |tokens| *tokens as u32));
        let (score, overlap) = listed.copied().unwrap_or_else(|| if a == b { same() } else { (0.0, 0) });
        Labelled { score, overlap, copy, group, repeated: !seen.insert(both) }
    };
    let pairs = labels.into_iter().map(look_up).collect();
    let least = report.calibration.table.iter().find(|row| row.expected.is_some_and(|n| n <= LEAST_EXPECTED));
    Ok(Answer {
        pairs,
        not_compared: report.pairs_estimated,
        threshold: report.calibration.threshold,
        least_expected: least.map_or(f64::INFINITY, |row| row.threshold),
        size,
        table: report.calibration.table,
    })
}

/// The similarity of a pair, and its tokens in passages.
type Listed = (f64, u32);

/// The file that `--pairs` writes, the most similar first.
fn similarities(path: &Path) -> Result<Vec<(Pair, Listed)>> {
    #[derive(Deserialize)]
    struct Row {
        a: String,
        b: String,
        similarity: f64,
        overlap: u32,
    }
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_path(path)?;
    let row = |row: csv::Result<Row>| row.map(|row| (pair(&row.a, &row.b), (row.similarity, row.overlap)));
    reader.deserialize().map(row).collect::<csv::Result<_>>().context("the pairs that were written cannot be read")
}

fn labels(path: &Path) -> Result<Vec<(Pair, bool, String)>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [a, b, label, rest @ ..] = &cells[..] else { anyhow::bail!("{}: {line:?}", path.display()) };
        let grade: u32 = label.parse().with_context(|| format!("{}: a label {label:?}", path.display()))?;
        Ok((pair(a, b), grade > 0, rest.first().copied().unwrap_or_default().to_owned()))
    };
    text.lines().skip(1).map(row).collect()
}

fn ids(path: &Path) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct Document {
        id: String,
    }
    let lines = BufReader::new(File::open(path)?).lines();
    lines.map(|line| Ok(serde_json::from_str::<Document>(&line?)?.id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A command that writes one pair into the file behind --pairs, and a report.
    const SCRIPT: &str = r#"#!/bin/sh
while [ "$1" != --pairs ]; do shift; done
printf 'a\tb\tsimilarity\toverlap\nx\ty\t0.5\t7\n' > "$2"
while [ "$1" != -o ]; do shift; done
echo '{"passages":{"submissions":[{"name":"x","tokens":9},{"name":"y","tokens":9},{"name":"z","tokens":9,"same_as":1}],"pairs":[],"pairs_all":1,
"calibration":{"threshold":0.4,"table":[{"threshold":0.1,"expected":3},{"threshold":0.6,"expected":0.01}]}}}' > "$2"
"#;

    #[test]
    fn pairs_are_looked_up_in_either_order() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "docs.jsonl",
            "{\"id\":\"x\",\"text\":\"\"}\n{\"id\":\"y\",\"text\":\"\"}\n{\"id\":\"z\",\"text\":\"\"}\n",
        );
        write("labels.tsv", "id_a\tid_b\tlabel\tsplit\ny\tx\t1\ttest\n");
        let script = folder.path().join("lookalike");
        write("lookalike", SCRIPT);
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let mut lookalike = Lookalike::find(Some(script)).unwrap();
        let found = measure(folder.path(), Some("java"), true, &mut lookalike).unwrap();
        assert_eq!((found.threshold, found.least_expected), (0.4, 0.6));
        let found: Vec<_> =
            found.pairs.iter().map(|one| (one.score.to_string(), one.copy, one.group.as_str())).collect();
        let of = |score: &str, copy, group| (score.to_owned(), copy, group);
        // z has the tokens of y, so it is as near to x; and y and z are the same
        assert_eq!(found, [of("0.5", true, "test"), of("0.5", false, ""), of("1", false, "")]);
        assert!(lookalike.lines[0].contains("--lang java"), "{:?}", lookalike.lines);
    }
}
