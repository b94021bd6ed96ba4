//! How right a contender is, by document.
//!
//! A document is *partnered* if another has resemblance 0.7 or more with it. Recall is the share of the partnered documents that
//! the contender links to any other; precision is the share of the documents it links that are partnered. Pairs are not
//! counted: one cluster of about 1,800 documents would be most of them.

use super::corpora::for_each_document;
use super::truth;
use anyhow::{Context, Result};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// A file in which a contender names the documents that it links.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// An id a line.
    Ids(PathBuf),
    /// CSV with ids in these columns: lookalike's clusters and pairs.
    Csv(PathBuf, &'static [&'static str]),
    /// Pairs of line numbers, as the truth.
    Lines(PathBuf),
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Score {
    pub(crate) recall: f64,
    pub(crate) precision: f64,
    /// Documents that the contender links.
    pub(crate) linked: usize,
}

impl Score {
    fn of(linked: &[bool], partnered: &[bool]) -> Self {
        let count = |flags: &[bool]| flags.iter().filter(|&&flag| flag).count();
        let right = linked.iter().zip(partnered).filter(|(linked, partnered)| **linked && **partnered).count();
        let share = |of: usize| if of == 0 { 1.0 } else { right as f64 / of as f64 };
        Self { recall: share(count(partnered)), precision: share(count(linked)), linked: count(linked) }
    }
}

/// The scores of some answers, held against the truth of a corpus.
pub(super) fn scores(corpus: &Path, truth: &Path, answers: &[Answer]) -> Result<Vec<Score>> {
    let mut lines: FxHashMap<String, usize> = FxHashMap::default();
    for_each_document(corpus, |id, _| {
        lines.insert(id.to_owned(), lines.len());
        Ok(())
    })?;
    let (_, partnered) = truth::read(truth, lines.len())?;
    answers
        .iter()
        .map(|answer| match answer {
            Answer::Lines(file) => Ok(Score::of(&truth::read(file, lines.len())?.1, &partnered)),
            answer => {
                let mut linked = vec![false; lines.len()];
                for_each_id(answer, |id| {
                    let line = lines.get(id).with_context(|| format!("{id} is not in the corpus"))?;
                    linked[*line] = true;
                    Ok(())
                })?;
                Ok(Score::of(&linked, &partnered))
            }
        })
        .collect()
}

fn for_each_id(answer: &Answer, mut each: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let open = |path: &Path| File::open(path).with_context(|| format!("cannot read {}", path.display()));
    match answer {
        Answer::Ids(path) | Answer::Lines(path) => {
            for line in BufReader::new(open(path)?).lines() {
                each(&line?)?;
            }
        }
        Answer::Csv(path, columns) => {
            let mut rows = csv::Reader::from_reader(open(path)?);
            let header = rows.headers()?.clone();
            let places: Vec<usize> =
                columns.iter().filter_map(|column| header.iter().position(|name| name == *column)).collect();
            let mut row = csv::StringRecord::new();
            while rows.read_record(&mut row)? {
                for id in places.iter().filter_map(|&place| row.get(place)) {
                    each(id)?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn scores_count_documents() {
        let score = Score::of(&[true, true, false, false], &[true, false, true, false]);
        assert_eq!(score, Score { recall: 0.5, precision: 0.5, linked: 2 });
        assert_eq!(Score::of(&[false], &[false]), Score { recall: 1.0, precision: 1.0, linked: 0 });
    }

    #[test]
    fn all_forms_of_an_answer_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let corpus = file(
            "c.jsonl",
            "{\"id\":\"a\",\"text\":\"\"}\n{\"id\":\"b,\",\"text\":\"\"}\n{\"id\":\"c\",\"text\":\"\"}\n",
        );
        let truth = file("truth", "0\t1\n");
        let answers = [
            Answer::Ids(file("ids", "a\nb,\n")),
            Answer::Csv(file("csv", "x,a,b\n1,a,\"b,\"\n1,a,c\n"), &["a", "b"]),
            Answer::Lines(file("lines", "0\t2\n")),
        ];
        let scores = scores(&corpus, &truth, &answers).unwrap();
        let numbers: Vec<_> = scores.iter().map(|score| (score.recall, score.linked)).collect();
        assert_eq!(numbers, [(1.0, 2), (1.0, 3), (0.5, 2)]);
        assert!((scores[1].precision - 2.0 / 3.0).abs() < 1e-12);
    }
}
