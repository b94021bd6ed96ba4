//! FAISS `IndexBinaryMultiHash` on the same fingerprints and queries, one thread: four blocks of sixteen bits, as exact as ours.

use crate::cache::Cache;
use crate::measure::{Job, run};
use crate::speed::tools;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Some minutes to build and a few milliseconds for each question.
const LIMIT: Duration = Duration::from_mins(40);

/// What it took; the recall is for the caller to judge.
#[derive(Serialize, Deserialize)]
pub(super) struct Faiss {
    pub(super) build_cpu: f64,
    /// The most memory of the process above its start, by fingerprint.
    pub(super) bytes_each: f64,
    pub(super) questions_cpu_second: f64,
    #[serde(default)]
    pub(super) recall: f64,
}

/// Asks the first `questions` of the queries; the answers are lines of query, row and distance.
pub(super) fn measure(cache: &Cache, fingerprints: &str, queries: &str, questions: u64) -> Result<(Faiss, Vec<u8>)> {
    let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
    let python = tools::python(cache, "venv-faiss", &peers.join("requirements-faiss.txt"))?;
    let script = peers.join("run_faiss.py").to_string_lossy().into_owned();
    let [answers, took] = ["faiss.tsv", "faiss.json"].map(|name| cache.text(name));
    let job = Job::new(python, &[&script, fingerprints, queries, &questions.to_string(), &answers, &took]);
    run(&job.with_env("PYTHONDONTWRITEBYTECODE", "1"), LIMIT)?;
    Ok((serde_json::from_slice(&fs::read(took)?)?, fs::read(answers)?))
}
