//! What is looked at of the report of `lookalike copies --json`.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

#[derive(Deserialize)]
pub(super) struct Report {
    pub(super) submissions: Vec<Submission>,
    pub(super) pairs: Vec<Pair>,
    pub(super) pairs_all: u64,
    /// Candidates that were too many to be compared.
    #[serde(default)]
    pub(super) pairs_estimated: u64,
    pub(super) calibration: Calibration,
}

/// How surprising similarities are.
#[derive(Default, Deserialize)]
pub(super) struct Calibration {
    pub(super) threshold: f64,
    pub(super) table: Vec<Expected>,
}

/// Pairs that are expected by chance at a similarity and above.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Expected {
    pub(super) threshold: f64,
    pub(super) expected: Option<f64>,
}

/// The report, of which only the section is looked at.
#[derive(Deserialize)]
struct Whole {
    passages: Report,
}

#[derive(Deserialize)]
pub(super) struct Submission {
    pub(super) name: String,
    #[serde(default)]
    pub(super) tokens: u64,
    /// One with the same tokens: this one is compared with that one only.
    pub(super) same_as: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Pair {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) similarity: f64,
}

pub(super) fn read(path: &Path) -> Result<Report> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole: Result<Whole, _> = serde_json::from_reader(BufReader::new(file));
    Ok(whole.with_context(|| format!("{} is no report of copies", path.display()))?.passages)
}

impl Report {
    /// What is wrong with it, if anything: numbers that are none, pairs of nobody, pairs out of order.
    pub(super) fn fault(&self) -> Option<String> {
        let all = self.submissions.len();
        let wrong = |pair: &&Pair| {
            !(0.0..=1.0).contains(&pair.similarity) || pair.a >= all || pair.b >= all || pair.a == pair.b
        };
        if let Some(pair) = self.pairs.iter().find(wrong) {
            return Some(format!("a pair {} {} of similarity {}", pair.a, pair.b, pair.similarity));
        }
        let ordered = self.pairs.windows(2).all(|two| two[0].similarity >= two[1].similarity);
        (!ordered || self.pairs.len() as u64 > self.pairs_all)
            .then(|| "pairs are out of order or miscounted".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found() {
        let fault = |pairs: &str| {
            let submissions = r#"[{"name": "x", "tokens": 3}, {"name": "y", "same_as": 0}]"#;
            let text = format!(
                r#"{{"submissions": {submissions}, "pairs": [{pairs}], "pairs_all": 2, "calibration": {{"threshold": 0.5, "table": []}}}}"#
            );
            serde_json::from_str::<Report>(&text).unwrap().fault()
        };
        let pair =
            |a: usize, b: usize, similarity: f64| format!(r#"{{"a": {a}, "b": {b}, "similarity": {similarity}}}"#);
        assert_eq!(fault(&[pair(0, 1, 0.9), pair(0, 1, 0.2)].join(",")), None);
        assert_eq!(fault(""), None);
        for wrong in [pair(0, 2, 0.5), pair(1, 1, 0.5), pair(0, 1, 1.5), [pair(0, 1, 0.2), pair(0, 1, 0.9)].join(",")] {
            assert!(fault(&wrong).is_some(), "{wrong}");
        }
    }
}
