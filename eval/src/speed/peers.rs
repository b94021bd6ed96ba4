//! lookalike beside the tools that people would take instead, on the same task: word 5-grams, resemblance from 0.7 on.

use super::score::Answer;
use super::section::{Row, Section};
use super::truth::THRESHOLD;
use super::{note, task, tools, yardstick};
use crate::cache::Cache;
use crate::measure::Job;
use anyhow::Result;
use std::path::{Path, PathBuf};

const REQUIREMENTS: &str = include_str!("../../peers/requirements.txt");
const TEXT_DEDUP: &str = include_str!("../../peers/requirements-text-dedup.txt");

/// The row that the others are measured by.
const OURS: &str = "lookalike, one thread";

/// Its name, its package, and whether it is slow: slow peers run on the small corpus only, unless all are asked for.
const PEERS: [(&str, &str, bool); 5] = [
    ("Daft", "daft", false),
    ("gaoya", "gaoya", false),
    ("rensa", "rensa", false),
    ("datasketch", "datasketch", true),
    ("text-dedup", "text-dedup", true),
];

/// All contenders on one corpus. `small` says that slow ones take part.
pub(super) fn section(cache: &Cache, name: &str, lookalike: &str, small: bool) -> Result<Section> {
    let corpus = cache.text(&format!("{name}.jsonl"));
    let (documents, bytes) = tools::warm(corpus.as_ref())?;
    std::fs::create_dir_all(cache.path("answers"))?;
    let file = |contender: &str| cache.path(&format!("answers/{name}-{contender}"));
    let ours = |row: &str, flags: &[&str]| {
        let answer = file(&format!("{}.csv", row.replace(' ', "")));
        let told = ["scan", "-q", "-w", "5", "--threshold", "0.7", "--csv", "-o", &answer.to_string_lossy(), &corpus]
            .map(str::to_owned);
        let mut row = Row::new(row, Job::new(lookalike, flags));
        row.job.arguments.splice(0..0, told);
        row.answer = Some(Answer::Csv(answer, task::CLUSTERS));
        row
    };
    // the same question as the peers': whole documents, and who is near to anybody
    let peers = ["--boilerplate", "keep", "--linkage", "single", "--max-df", "150"];
    let mut rows = vec![
        ours(OURS, &[&peers[..], &["-j", "1"]].concat()),
        ours("lookalike, one thread, 160 MB", &[&peers[..], &["-j", "1", "--memory", "160M"]].concat()),
        ours("lookalike, all threads", &peers),
        ours("lookalike scan --boilerplate keep", &["--boilerplate", "keep"]),
        ours("lookalike scan", &[]),
        ours("lookalike scan --estimate", &["--estimate"]),
    ];
    rows.push(yardstick::wc(&corpus));
    let joined = format!("answers/{name}-join");
    let mut join = Row::new("exact join", task::job(cache, &["join", name, &joined, &THRESHOLD.to_string()])?);
    join.answer = Some(Answer::Lines(cache.path(&joined)));
    rows.push(join);
    // each environment is asked for once: to fail may take long
    let mut pythons: Vec<(&str, Result<String>)> = Vec::new();
    for (peer, package, _) in PEERS.into_iter().filter(|(_, _, slow)| small || !slow) {
        let (environment, requirements) = environment(package);
        if pythons.iter().all(|(made, _)| *made != environment) {
            let python = tools::python(cache, environment, &folder().join(requirements));
            pythons.push((environment, python));
        }
        let python = pythons.iter().find(|(made, _)| *made == environment).map(|(_, python)| python);
        rows.extend(python.map(|python| contender(python, peer, package, &corpus, file(&format!("{package}.txt")))));
    }
    Ok(Section {
        title: format!("Near-duplicates in {name}"),
        note: "Word 5-grams, resemblance from 0.7 on, 128 permutations for the peers. Recall and precision are by document: \
               of those with a partner by the exact join, how many are linked to any other; of those linked, how many have a partner. \
               The ratio is CPU time in units of the first row. The first three rows ask the peers' question: `--boilerplate keep` counts text that \
               very many pages share, `--linkage single` keeps every document that is near to any other, `--max-df 150` only says when \
               a shingle is too common to find pairs by. Every link of lookalike is verified on the whole documents, unless it says \
               `--estimate`; without `--boilerplate keep` it ignores the templates and so answers another question."
            .to_owned(),
        documents: Some(documents),
        bytes: Some(bytes),
        base: OURS.to_owned(),
        rows,
    })
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// The Python environment that a peer lives in, and what is in it.
pub(crate) fn environment(package: &str) -> (&'static str, &'static str) {
    match package {
        "text-dedup" => ("venv-text-dedup", "requirements-text-dedup.txt"),
        _ => ("venv", "requirements.txt"),
    }
}

fn contender(python: &Result<String>, peer: &str, package: &str, corpus: &str, answer: PathBuf) -> Row {
    let name = format!("{peer} {}", version(package));
    let script = folder().join(format!("run_{}.py", package.replace('-', "_"))).to_string_lossy().into_owned();
    let mut row = match python {
        Ok(python) => Row::new(&name, Job::new(python, &[&script, corpus, &answer.to_string_lossy()])),
        Err(error) => Row::missing(&name, &format!("{error:#}")),
    };
    // leave nothing in the checkout, and ask nobody
    for variable in ["PYTHONDONTWRITEBYTECODE", "DO_NOT_TRACK", "HF_HUB_OFFLINE"] {
        row.job = row.job.with_env(variable, "1");
    }
    Row { answer: Some(Answer::Ids(answer)), ..row }
}

/// The version that the requirements pin.
pub(crate) fn version(package: &str) -> &'static str {
    let lines = REQUIREMENTS.lines().chain(TEXT_DEDUP.lines());
    lines.filter_map(|line| line.split_once("==")).find(|(name, _)| *name == package).map_or("", |(_, version)| version)
}

/// Holds the answers of the last round against the truth.
pub(super) fn score(section: &mut Section, cache: &Cache, name: &str) {
    for row in section.rows.iter_mut().filter(|row| row.failed.is_none()) {
        let Some(answer) = &row.answer else { continue };
        match task::score(cache, name, answer) {
            Ok(score) => row.score = Some(score),
            Err(error) => note(&format!("{}: no score: {error:#}", row.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_is_pinned_and_has_a_script() {
        for (_, package, _) in PEERS {
            assert!(!version(package).is_empty(), "{package} is not pinned");
            let script = format!("peers/run_{}.py", package.replace('-', "_"));
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&script).exists(), "{script} is missing");
        }
    }
}
