//! What needs much memory is done by a child: this program called again. `measure.rs` says why.

use super::score::{Answer, Score, scores};
use super::truth::THRESHOLD;
use super::{corpora, html, note, truth};
use crate::cache::Cache;
use crate::measure::Job;
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command that does a task; also the contender "exact join".
pub(super) fn job(cache: &Cache, words: &[&str]) -> Result<Job> {
    let program = std::env::current_exe()?.to_string_lossy().into_owned();
    let root = cache.root();
    Ok(Job::new(program, &[&["speed", "--cache", &root, "--task"], words].concat()))
}

/// Does a task in a child, and gives what it writes.
fn call(cache: &Cache, words: &[&str]) -> Result<Vec<u8>> {
    let job = job(cache, words)?;
    let output = Command::new(&job.program).args(&job.arguments).stderr(std::process::Stdio::inherit()).output()?;
    ensure!(output.status.success(), "cannot make {}", words.join(" "));
    Ok(output.stdout)
}

pub(crate) fn corpus(cache: &Cache, name: &str) -> Result<()> {
    call(cache, &["corpus", name]).map(drop)
}

pub(crate) fn pages(cache: &Cache, count: usize) -> Result<()> {
    call(cache, &["pages", &count.to_string()]).map(drop)
}

/// The truth of a corpus, if it is not there yet.
pub(super) fn truth(cache: &Cache, name: &str) -> Result<()> {
    if !cache.path(&format!("{name}.truth")).exists() {
        note(&format!("joining {name} exactly"));
        call(cache, &["join", name, &format!("{name}.truth"), &THRESHOLD.to_string()])?;
    }
    Ok(())
}

/// The file with the pairs of a corpus from a threshold on, made if it is not there yet.
pub(crate) fn pairs(cache: &Cache, name: &str, threshold: f64) -> Result<PathBuf> {
    let file = format!("{name}-{threshold}.truth");
    if !cache.path(&file).exists() {
        note(&format!("joining {name} exactly from {threshold} on"));
        call(cache, &["join", name, &file, &threshold.to_string()])?;
    }
    Ok(cache.path(&file))
}

/// The score of one answer.
pub(super) fn score(cache: &Cache, name: &str, answer: &Answer) -> Result<Score> {
    let (kind, file) = match answer {
        Answer::Ids(file) => ("ids", file),
        Answer::Csv(file, _) => ("clusters", file),
        Answer::Lines(file) => ("lines", file),
    };
    let file = file.to_string_lossy();
    Ok(serde_json::from_slice(&call(cache, &["score", name, kind, &file])?)?)
}

/// The child's side.
pub(super) fn perform(cache: &Cache, words: &[String], out: &mut dyn std::io::Write) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let corpus_of = |name: &str| cache.path(&format!("{name}.jsonl"));
    match words[..] {
        ["corpus", name] => corpora::build(cache, name, &mut |text| note(text)),
        ["pages", count] => html::pages(cache, count.parse()?),
        ["join", name, file, threshold] => truth::write(&corpus_of(name), &cache.path(file), threshold.parse()?),
        ["score", name, kind, file] => {
            let file = Path::new(file).to_owned();
            let answer = match kind {
                "ids" => Answer::Ids(file),
                "clusters" => Answer::Csv(file, CLUSTERS),
                _ => Answer::Lines(file),
            };
            let found = scores(&corpus_of(name), &cache.path(&format!("{name}.truth")), &[answer])?;
            Ok(serde_json::to_writer(out, found.first().context("no score")?)?)
        }
        _ => bail!("no task {words:?}"),
    }
}

/// The columns with ids in lookalike's CSV of clusters.
pub(super) const CLUSTERS: &[&str] = &["id"];
