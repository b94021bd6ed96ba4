//! PAN 2013 text alignment: passages that were put into other documents, as they were or obfuscated.
//!
//! The search for parameters ran on one half of the suspicious documents, so the other half is told by itself. It is not unseen: which words are
//! function words and which steps there are was decided by looking at both.

use super::plagdet::{Scores, Span, Tally};
use super::set::{Document, documents, rows};
use crate::bars::{Bar, Unit};
use crate::table::table;
use anyhow::{Context, Result};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::passage::loose::{Rules, for_each_gram, passages};
use lookalike_core::sets::shared;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What others reach on the test twin of the set.
const TORREJON: f64 = 0.822;
const VERBATIM: &str = "02-no-obfuscation";

/// Scores of one kind of obfuscation, or of all.
#[derive(Serialize)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) all: Scores,
    /// The half that parameters were tuned on, and the other.
    pub(super) tuned: Scores,
    pub(super) other: Scores,
    /// With only those pairs compared that share a winnowed fingerprint.
    pub(super) searched: Scores,
}

/// Which pairs share winnowed fingerprints.
#[derive(Default, Serialize)]
pub(super) struct Candidates {
    pub(super) name: String,
    pub(super) copied: bool,
    pub(super) pairs: usize,
    /// At least one, and at least three.
    pub(super) one: usize,
    pub(super) three: usize,
}

#[derive(Serialize)]
pub(super) struct Pan {
    pub(super) kinds: Vec<Kind>,
    pub(super) candidates: Vec<Candidates>,
    /// Median CPU time to compare two prepared documents, in microseconds.
    pub(super) microseconds: f64,
}

/// Tallies of one kind: tuned half, other half, and all that a search would compare.
#[derive(Clone, Copy, Default)]
struct Tallies {
    halves: [Tally; 2],
    searched: Tally,
}

pub(super) fn measure(folder: &Path, rules: &Rules) -> Result<Pan> {
    let documents = documents(folder, rules)?;
    let find = |id: &str| documents.get(id).with_context(|| format!("{id:?} is not among the documents"));
    let cases = cases(folder)?;
    let mut fingerprints: FxHashMap<String, Vec<u64>> = FxHashMap::default();
    let mut tallies: BTreeMap<String, Tallies> = BTreeMap::new();
    let mut candidates: BTreeMap<(String, bool), Candidates> = BTreeMap::new();
    let mut times = Vec::new();
    for [suspicious, source, _, kind] in rows(&folder.join("labels.tsv"))? {
        let (a, b) = (find(&suspicious)?, find(&source)?);
        let truth = cases.get(&(suspicious.clone(), source.clone(), kind.clone())).map_or(&[][..], Vec::as_slice);
        let begin = cpu_time::ThreadTime::now();
        let found = passages(&a.seeds, &a.tokens, &b.seeds, &b.tokens, rules);
        times.push(begin.elapsed().as_secs_f64() * 1e6);
        let found: Vec<Span> = found.iter().map(|p| Span { a: a.characters(&p.a), b: b.characters(&p.b) }).collect();
        for (id, document) in [(&suspicious, a), (&source, b)] {
            fingerprints.entry(id.clone()).or_insert_with(|| winnowed(document, rules));
        }
        let shared = shared(&fingerprints[&suspicious], &fingerprints[&source]);
        let of_kind = tallies.entry(kind.clone()).or_default();
        of_kind.halves[half(&suspicious)].add(truth, &found);
        of_kind.searched.add(truth, if shared > 0 { &found } else { &[] });
        let key = (kind, !truth.is_empty());
        let entry = candidates.entry(key.clone()).or_insert_with(|| Candidates {
            name: key.0,
            copied: key.1,
            ..Candidates::default()
        });
        entry.pairs += 1;
        entry.one += usize::from(shared >= 1);
        entry.three += usize::from(shared >= 3);
    }
    let total = tallies.values().fold(Tallies::default(), |sum, one| Tallies {
        halves: [0, 1].map(|half| sum.halves[half].plus(one.halves[half])),
        searched: sum.searched.plus(one.searched),
    });
    let scores = |name: String, one: Tallies| Kind {
        name,
        all: one.halves[0].plus(one.halves[1]).scores(),
        tuned: one.halves[0].scores(),
        other: one.halves[1].scores(),
        searched: one.searched.scores(),
    };
    let kinds = tallies.into_iter().chain([("all".to_owned(), total)]).map(|(name, one)| scores(name, one)).collect();
    Ok(Pan { kinds, candidates: candidates.into_values().collect(), microseconds: crate::numbers::median(times) })
}

/// The half of a suspicious document: by chance, but always the same.
fn half(id: &str) -> usize {
    (FeatureHasher::default().word(id.as_bytes()) >> 40 & 1) as usize
}

/// Suspicious document, source and kind.
type Key = (String, String, String);

/// What is to be found in each pair.
fn cases(folder: &Path) -> Result<FxHashMap<Key, Vec<Span>>> {
    let path = folder.join("spans.tsv");
    let mut cases: FxHashMap<Key, Vec<Span>> = FxHashMap::default();
    for [suspicious, source, from_a, length_a, from_b, length_b, kind] in rows(&path)? {
        let range = |from: &str, length: &str| {
            let from: usize = from.parse()?;
            Ok::<_, std::num::ParseIntError>(from..from + length.parse::<usize>()?)
        };
        let wrong = || format!("{}: a passage of {suspicious}", path.display());
        let (a, b) = (range(&from_a, &length_a).with_context(wrong)?, range(&from_b, &length_b).with_context(wrong)?);
        cases.entry((suspicious, source, kind)).or_default().push(Span { a, b });
    }
    Ok(cases)
}

/// The distinct fingerprints that a search through a corpus would keep, sorted.
fn winnowed(document: &Document, rules: &Rules) -> Vec<u64> {
    let mut all = Vec::new();
    for_each_gram(&document.tokens, rules, |hash, at| all.push((hash, at)));
    let window = (rules.guarantee - rules.key + 1).min(all.len().max(1));
    let least = |grams: &[(u64, u32)]| grams.iter().map(|(hash, _)| *hash).min();
    let mut chosen: Vec<u64> = all.windows(window).filter_map(least).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

impl Pan {
    pub(super) fn bars(&self) -> Vec<Bar> {
        let plagdet = |name: &str| self.kinds.iter().find(|kind| kind.name == name).map(|kind| kind.all.plagdet);
        let bar = |least, what: &str, name| Some(Bar::at_least(least, Unit::Share, what, plagdet(name)?));
        let verbatim = bar(0.93, "PAN 2013: plagdet of verbatim passages", VERBATIM);
        verbatim.into_iter().chain(bar(TORREJON, "PAN 2013: plagdet of all kinds", "all")).collect()
    }

    pub(super) fn section(&self) -> Vec<String> {
        let number = |score: f64| format!("{score:.3}");
        let row = |kind: &Kind| {
            let Scores { cases, detections, recall, precision, granularity, plagdet } = kind.all;
            let counts = [cases, detections].map(|count| count.to_string());
            let scores = [
                recall,
                precision,
                granularity,
                plagdet,
                kind.tuned.plagdet,
                kind.other.plagdet,
                kind.searched.plagdet,
            ];
            [vec![kind.name.clone()], counts.to_vec(), scores.map(number).to_vec()].concat()
        };
        let head = [
            "kind",
            "cases",
            "found",
            "recall",
            "precision",
            "granularity",
            "plagdet",
            "tuned half",
            "other half",
            "searched",
        ];
        let kinds = table(&head, &self.kinds.iter().map(row).collect::<Vec<_>>());
        let row = |one: &Candidates| {
            let share = |part: usize| format!("{:.1} %", 100.0 * crate::numbers::share(part, one.pairs));
            let copied = if one.copied { "copied" } else { "not copied" };
            vec![one.name.clone(), copied.to_owned(), one.pairs.to_string(), share(one.one), share(one.three)]
        };
        let candidates = table(
            &["kind", "label", "pairs", "share a fingerprint", "share three"],
            &self.candidates.iter().map(row).collect::<Vec<_>>(),
        );
        let time = format!(
            "Two documents that are prepared are compared in {:.0} µs of CPU time in the median.",
            self.microseconds
        );
        vec![ABOUT.to_owned(), kinds, time, SEARCH.to_owned(), candidates]
    }
}

const ABOUT: &str = "## PAN 2013, text alignment

Recall and precision are of characters on both sides, in the mean over passages; granularity is how many pieces a passage is found in; plagdet is
their F1 divided by log2(1 + granularity). The search for parameters ran on one half of the suspicious documents; which words are function words and which
steps there are was decided by looking at both, so the other half is not unseen. `searched` compares only pairs that share a winnowed fingerprint,
as a search through a corpus would. Others, on the twin of this set and so not quite comparable: Sanchez-Perez 0.900 verbatim, 0.884 random, 0.878
all; Torrejón 0.926, 0.747, 0.822; the baseline 0.934, 0.071, 0.422.";

const SEARCH: &str = "### Which pairs would be compared

A fingerprint is three content words in whatever order, winnowed so that five in a row that are copied share one.";
