//! Runs on an engine, each a process of `peers/run_spark.py`, and what they left held against other answers.

use super::{Engine, note};
use crate::cache::Cache;
use crate::measure::{Job, run};
use crate::speed::{peers, tools};
use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_hours(4);

pub(super) struct Bench {
    pub(super) cache: Cache,
    python: String,
    partitions: String,
    /// Those of the engines that ran.
    pub(super) versions: Vec<String>,
}

/// CPU and wall time, in seconds.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Took {
    pub(super) cpu: f64,
    pub(super) wall: f64,
}

/// What a run on an engine says of itself. CPU time is that of all processes.
#[derive(Clone, Deserialize)]
pub(super) struct Ran {
    /// Until the engine and its Python workers are there.
    pub(super) start: Took,
    pub(super) run: Took,
    version: String,
    /// CPU seconds inside the kernel, by step.
    #[serde(default)]
    pub(super) kernel: BTreeMap<String, f64>,
    /// Bytes that went through shuffles; Sail does not tell.
    pub(super) shuffle: Option<f64>,
    /// Bytes of what was written between steps.
    pub(super) checkpoint: Option<f64>,
    /// Documents that stay and those that went.
    pub(super) rows: Option<u64>,
    /// Stages of Spark, by their last RDD, and those in which a worker was killed, with what was being written.
    #[serde(default)]
    pub(super) stages: Vec<u32>,
    #[serde(default)]
    pub(super) killed_in: BTreeMap<u32, String>,
}

impl Ran {
    pub(super) fn cpu(&self) -> f64 {
        self.start.cpu + self.run.cpu
    }
}

/// Rows of a run, and how many are not those of the other answer.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Compared {
    pub(super) rows: u64,
    pub(super) differing: u64,
}

impl Bench {
    pub(super) fn open(cache: &Cache, wheel: &Path, partitions: u16) -> Result<Self> {
        let python = tools::python(cache, "venv-spark", &peers::folder().join("requirements-spark.txt"))?;
        tools::wheel(&python, wheel)?;
        Ok(Self { cache: cache.clone(), python, partitions: partitions.to_string(), versions: Vec::new() })
    }

    /// A part on an engine. What it writes is in the folder, until that is removed.
    pub(super) fn run(&mut self, part: &str, engine: Engine, inputs: &[&str]) -> Result<(Ran, PathBuf)> {
        note(&format!("{part} on {}", engine.title()));
        let folder = self.cache.path(&format!("spark-{part}-{}", engine.name()));
        let _ = fs::remove_dir_all(&folder);
        let told = [engine.name(), &folder.to_string_lossy(), &self.partitions];
        let ran: Ran = self.ask("run_spark.py", part, &[&told, inputs].concat())?;
        if !self.versions.contains(&ran.version) {
            self.versions.push(ran.version.clone());
        }
        Ok((ran, folder))
    }

    /// Holds what a run wrote against something else: `removals` or `pairs`.
    pub(super) fn compare(&self, what: &str, one: &Path, other: &Path) -> Result<Compared> {
        self.ask("spark_answers.py", what, &[&one.to_string_lossy(), &other.to_string_lossy()])
    }

    /// A file of numbers as Parquet, made if it is not there yet.
    pub(super) fn parquet(&self, numbers: &Path) -> Result<PathBuf> {
        let (file, partial) = (numbers.with_extension("parquet"), numbers.with_extension("partial"));
        if !file.exists() {
            let [from, to] = [numbers, &partial].map(|path| path.to_string_lossy().into_owned());
            self.ask::<serde_json::Value>("spark_answers.py", "parquet", &[&from, &to])?;
            fs::rename(partial, &file)?;
        }
        Ok(file)
    }

    fn ask<T: DeserializeOwned>(&self, script: &str, part: &str, words: &[&str]) -> Result<T> {
        let script = peers::folder().join(script).to_string_lossy().into_owned();
        let answer = self.cache.path("spark.json");
        let job = Job::new(&*self.python, &[&[&*script, part, &answer.to_string_lossy()], words].concat());
        run(&job.with_env("PYTHONDONTWRITEBYTECODE", "1"), LIMIT)?;
        serde_json::from_slice(&fs::read(&answer)?).with_context(|| format!("{script} {part}: not the expected answer"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_all_parts_are_read() {
        let took = r#""start": {"cpu": 1.5, "wall": 1}, "run": {"cpu": 2.5, "wall": 2}, "version": "Sail 1""#;
        let read = |more: &str| serde_json::from_str::<Ran>(&format!("{{{took}{more}}}")).unwrap();
        let sail = read(r#", "kernel": {"sketch": 0.5}, "checkpoint": 7, "rows": 5"#);
        assert_eq!((sail.cpu().to_string(), sail.shuffle, sail.checkpoint), ("4".to_owned(), None, Some(7.0)));
        assert_eq!(sail.rows, Some(5));
        let killed = read(r#", "shuffle": 9, "stages": [3, 4], "killed_in": {"3": "sketch"}"#);
        assert_eq!(killed.killed_in.get(&3).map(String::as_str), Some("sketch"));
        assert_eq!((killed.shuffle, killed.stages, killed.kernel.len()), (Some(9.0), vec![3, 4], 0));
    }
}
