//! Questions to an index: how long they take, what is found, and how good the estimates are.

use super::batch::{Batch, Pair, Question};
use super::estimates::{self, Errors};
use super::theory::chance_of_at_least;
use super::{Part, note};
use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::numbers::{share, thousands};
use crate::table::table;
use anyhow::{Context, Result, ensure};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// The threshold that is asked with.
const THRESHOLD: f64 = 0.5;
/// From this resemblance on an edited copy must be found.
const MUST: f64 = 0.6;

/// What `--stats` says.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Stats {
    queries: u64,
    p50_ms: f64,
    p90_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    pub(super) open_ms: f64,
}

/// One answer; what is not needed is left out.
#[derive(Debug, Deserialize)]
struct Answer {
    query: String,
    known: bool,
    matches: Vec<Match>,
}

#[derive(Debug, Deserialize)]
struct Match {
    seen: Vec<Seen>,
    resemblance: Estimate,
}

#[derive(Debug, Deserialize)]
struct Seen {
    url: String,
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Answers by the id of the question.
type Answers = FxHashMap<String, Answer>;

/// What was measured.
#[derive(Serialize)]
pub(super) struct AskedResult {
    stats: Stats,
    /// Milliseconds for each question with everything: reading it, answering, writing.
    whole_ms: f64,
    /// Documents of the index, and how many of them were known as such.
    indexed: [usize; 2],
    /// New documents, and for how many of them nothing was found.
    new: [usize; 2],
    recall: Vec<Recall>,
    /// Edited copies that must be found, and how many of them were.
    must: [usize; 2],
    /// What theory says of the last number, with a threshold on an estimate.
    must_expected: f64,
    errors: Errors,
}

/// Edited copies whose resemblance to their source is in a tenth.
#[derive(Clone, Debug, Serialize)]
struct Recall {
    from: f64,
    pairs: usize,
    /// Of them listed, be it for resemblance or because one is inside the other.
    found: usize,
    /// Of them said to resemble by the threshold or more.
    told: usize,
    /// The share that theory says.
    expected: f64,
}

/// Asks everything in a batch; answers go to a file, or nowhere. Gives what `--stats` says, and the seconds it took.
pub(super) fn ask(
    index: &Path,
    questions: &Path,
    flags: &[&str],
    answers: Option<&Path>,
    lookalike: &mut Lookalike,
) -> Result<(Stats, f64)> {
    let [index, questions] = [index, questions].map(Path::to_string_lossy);
    let arguments = [&["query", &index, "--batch", &questions, "--threads", "1", "--stats"], flags].concat();
    let begin = Instant::now();
    let said = lookalike.written(&arguments, answers.unwrap_or(Path::new("/dev/null")))?;
    let seconds = begin.elapsed().as_secs_f64();
    let last = said.lines().last().unwrap_or_default();
    Ok((serde_json::from_str(last).with_context(|| format!("--stats said {last:?}"))?, seconds))
}

/// The flags of the questions that are timed.
pub(super) const FLAGS: [&str; 4] = ["--threshold", "0.5", "--limit", "20"];

/// Asks twice and takes the second time; then once more for everything that is a little alike, to see how good estimates are.
pub(super) fn measure(
    index: &Path,
    batch: &Batch,
    questions: &Path,
    answers: &Path,
    lookalike: &mut Lookalike,
) -> Result<AskedResult> {
    note(Part::Queries, &format!("{} questions, twice", batch.questions.len()));
    ask(index, questions, &FLAGS, Some(answers), lookalike)?;
    let (stats, seconds) = ask(index, questions, &FLAGS, Some(answers), lookalike)?;
    let found = read(answers)?;
    ensure!(found.len() == batch.questions.len(), "{} questions, {} answers", batch.questions.len(), found.len());
    note(Part::Queries, "the same with a low threshold, for the quality of estimates");
    let wide = answers.with_extension("wide");
    ask(index, questions, &["--threshold", "0.1", "--limit", "1000"], Some(&wide), lookalike)?;
    let pairs = batch.pairs();
    let listed = read(&wide)?;
    let told: Vec<(&Pair, Option<Estimate>)> =
        pairs.iter().map(|(id, pair)| (*pair, told(&listed, id, pair))).collect();
    let count = |wanted: fn(&Question, &Answer) -> Option<bool>| {
        let each = batch.questions.iter().filter_map(|(id, question)| wanted(question, found.get(id)?));
        let each: Vec<bool> = each.collect();
        [each.len(), each.iter().filter(|right| **right).count()]
    };
    let must = pairs.iter().filter(|(_, pair)| pair.overlap.resemblance() >= MUST);
    let must: Vec<(bool, f64)> =
        must.map(|(id, pair)| (self::told(&found, id, pair).is_some(), expected(pair))).collect();
    Ok(AskedResult {
        stats,
        whole_ms: (seconds * 1000.0 - stats.open_ms) / stats.queries.max(1) as f64,
        indexed: count(|question, answer| matches!(question, Question::Indexed).then_some(answer.known)),
        new: count(|question, answer| matches!(question, Question::New).then_some(answer.matches.is_empty())),
        recall: recall(&pairs, &found),
        must: [must.len(), must.iter().filter(|(found, _)| *found).count()],
        must_expected: must.iter().map(|(_, expected)| expected).sum::<f64>() / must.len().max(1) as f64,
        errors: estimates::errors(&told),
    })
}

fn read(file: &Path) -> Result<Answers> {
    let text = fs::read_to_string(file)?;
    let answer = |line: &str| {
        let answer: Answer = serde_json::from_str(line).with_context(|| format!("an answer that is none: {line}"))?;
        Ok((answer.query.clone(), answer))
    };
    text.lines().map(answer).collect()
}

/// What is said of a source in the answer; nothing if it is not listed.
fn told(answers: &Answers, id: &str, pair: &Pair) -> Option<Estimate> {
    let matches = &answers.get(id)?.matches;
    let found = matches.iter().find(|found| found.seen.iter().any(|seen| seen.url == pair.source))?;
    Some(found.resemblance)
}

/// The chance that the estimate reaches the threshold.
fn expected(pair: &Pair) -> f64 {
    let r = pair.overlap.resemblance();
    match pair.sampled {
        Some(n) => chance_of_at_least(THRESHOLD, r, n),
        None => f64::from(u8::from(r >= THRESHOLD)),
    }
}

/// By tenths of the true resemblance, the highest first.
fn recall(pairs: &[(&str, &Pair)], answers: &Answers) -> Vec<Recall> {
    let tenth = |tenth: u32| {
        let from = f64::from(tenth) / 10.0;
        let within = |r: f64| r >= from && (r < f64::from(tenth + 1) / 10.0 || tenth == 9);
        let of: Vec<_> = pairs.iter().filter(|(_, pair)| within(pair.overlap.resemblance())).collect();
        let found: Vec<Option<Estimate>> = of.iter().map(|(id, pair)| told(answers, id, pair)).collect();
        Recall {
            from,
            pairs: of.len(),
            found: found.iter().flatten().count(),
            told: found.iter().flatten().filter(|estimate| estimate.value >= THRESHOLD).count(),
            expected: of.iter().map(|(_, pair)| expected(pair)).sum::<f64>() / of.len().max(1) as f64,
        }
    };
    (0..10).rev().map(tenth).collect()
}

impl AskedResult {
    pub(super) fn bars(&self) -> Vec<Bar> {
        vec![
            Bar::at_most(1.0, Unit::Milliseconds, "a question, median", self.stats.p50_ms),
            Bar::at_most(5.0, Unit::Milliseconds, "a question, 99 of 100 take at most", self.stats.p99_ms),
            Bar::at_least(
                1.0,
                Unit::Share,
                "edited copies with resemblance from 0.6 on that are found with `--threshold 0.5`",
                share(self.must[1], self.must[0]),
            ),
        ]
    }

    pub(super) fn section(&self) -> Vec<String> {
        let Stats { queries, p50_ms, p90_ms, p99_ms, max_ms, open_ms } = self.stats;
        let about = format!(
            "## Questions\n\n{} documents with one thread, in turn one of the index, an edited copy of one, and a new one; asked twice, and the second time counts. Half took at most \
             {p50_ms:.3} ms, 90 of 100 {p90_ms:.3} ms, 99 of 100 {p99_ms:.3} ms, the longest {max_ms:.3} ms; opening {open_ms:.2} ms. With reading the questions and writing the answers it was \
             {:.3} ms for each.",
            thousands(queries),
            self.whole_ms,
        );
        let counts = format!(
            "Of {} documents of the index {} are known as such. Of {} new ones {} have no match. Of {} pairs of an edited copy and its source with a resemblance of \
             0.6 and more {} are found; by the theorem {:.2} % reach 0.5 by estimate.",
            self.indexed[0],
            self.indexed[1],
            self.new[0],
            self.new[1],
            self.must[0],
            self.must[1],
            self.must_expected * 100.0,
        );
        let row = |recall: &Recall| {
            let shares = [share(recall.found, recall.pairs), share(recall.told, recall.pairs), recall.expected];
            let shares =
                shares.map(|share| if recall.pairs == 0 { "–".into() } else { format!("{:.1} %", share * 100.0) });
            [vec![format!("{:.1}", recall.from), recall.pairs.to_string()], shares.to_vec()].concat()
        };
        let head = ["resemblance from", "pairs", "found", "said to be ≥ 0.5", "by the theorem"];
        let rows: Vec<Vec<String>> = self.recall.iter().map(row).collect();
        let explain = "Edited copies and their sources by true resemblance. *Found* are also those that are inside one another by 0.9.";
        let mut parts = vec![about, counts, explain.to_owned(), table(&head, &rows)];
        parts.extend(self.errors.section());
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::sets::Overlap;

    fn pair(source: &str, common: u32, sampled: Option<u32>) -> Pair {
        let overlap = Overlap { a: 100, b: 100, shared: common };
        Pair { source: source.to_owned(), overlap, sampled }
    }

    #[test]
    fn answers_are_held_against_pairs() {
        let line = r#"{"query": "q", "content": "c", "known": false, "matches": [{"seen": [{"url": "x"}, {"url": "b"}], "resemblance": {"value": 0.7, "low": 0.6, "high": 0.8}}], "more": 0}"#;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("answers");
        fs::write(&file, format!("{line}\n")).unwrap();
        let answers = read(&file).unwrap();
        // resemblances 150/50: 90 of 110 and 25 of 175
        let (near, far) = (pair("b", 90, Some(80)), pair("a", 25, None));
        assert!(told(&answers, "q", &near).is_some_and(|estimate| (estimate.value - 0.7).abs() < 1e-12));
        assert!(told(&answers, "q", &far).is_none() && told(&answers, "p", &near).is_none());
        let recall = recall(&[("q", &near), ("q", &far)], &answers);
        let at = |from: f64| recall.iter().find(|one| (one.from - from).abs() < 1e-9).unwrap();
        assert_eq!((at(0.8).pairs, at(0.8).found, at(0.8).told), (1, 1, 1));
        assert_eq!((at(0.1).pairs, at(0.1).found, at(0.1).told), (1, 0, 0));
        assert!(at(0.8).expected > 0.999 && at(0.1).expected < 1e-12);
        assert_eq!(recall.iter().map(|one| one.pairs).sum::<usize>(), 2);
    }
}
