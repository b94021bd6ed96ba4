//! What needs much memory is done by a child: this program called again. `measure.rs` says why.

use super::{Chunks, race, sharing, versions};
use crate::cache::Cache;
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use serde::de::DeserializeOwned;
use std::io::{Write, stdout};
use std::process::{Command, Stdio};

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Task {
    Speed,
    Sharing,
}

/// Does a task in a child, and gives what it found.
pub(super) fn call<T: DeserializeOwned>(task: Task, asked: &Chunks, cache: &Cache) -> Result<T> {
    let name = task.to_possible_value().context("a task")?;
    let mut child = Command::new(std::env::current_exe()?);
    child.args(["chunks", "--task", name.get_name(), "--rounds", &asked.rounds.to_string(), "--cache", &cache.root()]);
    child.arg("--data").arg(asked.data()).args(asked.quick.then_some("--quick"));
    let output = child.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{}", output.status);
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The child's side.
pub(super) fn perform(task: Task, asked: &Chunks, cache: &Cache) -> Result<()> {
    let text = match task {
        Task::Speed => {
            serde_json::to_string(&race::measure(&asked.trees(cache)?, asked.scale(), asked.rounds.into())?)?
        }
        Task::Sharing => {
            let means = if asked.quick { &sharing::MEANS[1..3] } else { &sharing::MEANS[..] };
            let sets = versions::all(&asked.data(), cache, asked.quick)?;
            serde_json::to_string(&sets.iter().map(|set| sharing::measure(set, means)).collect::<Result<Vec<_>>>()?)?
        }
    };
    Ok(stdout().write_all(text.as_bytes())?)
}
