//! Runs the `lookalike` command as a user would, and reads what it writes.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::env;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The command, and every line that was run.
pub(super) struct Lookalike {
    program: PathBuf,
    pub(super) lines: Vec<String>,
}

/// A row of `--pairs`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) resemblance: f64,
    pub(super) a_in_b: f64,
    pub(super) b_in_a: f64,
}

/// A cluster of `--json`; what is not needed is left out.
#[derive(Deserialize)]
pub(super) struct Cluster {
    pub(super) representative: String,
    pub(super) members: Vec<Member>,
}

#[derive(Deserialize)]
pub(super) struct Member {
    pub(super) id: String,
}

#[derive(Deserialize)]
struct Report {
    clusters: Vec<Cluster>,
}

impl Lookalike {
    /// The command told, or the one that was built beside this program.
    pub(super) fn find(told: Option<PathBuf>) -> Result<Self> {
        let beside = || Ok::<_, anyhow::Error>(env::current_exe()?.with_file_name("lookalike"));
        let program = told.map_or_else(beside, Ok)?;
        if !program.is_file() {
            bail!(
                "{}: no such file; build it with cargo build --profile dist -p lookalike-cli -p lookalike-parser, or name it with --lookalike",
                program.display()
            );
        }
        Ok(Self { program, lines: Vec::new() })
    }

    pub(super) fn version(&self) -> Result<String> {
        let output = Command::new(&self.program).arg("--version").output()?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Runs it quietly. Folders are left out of the line that is remembered: they differ from machine to machine.
    pub(super) fn run(&mut self, arguments: &[&str]) -> Result<()> {
        let short = |argument: &&str| argument.rsplit('/').next().unwrap_or_default().to_owned();
        let line =
            ["lookalike".to_owned()].into_iter().chain(arguments.iter().map(short)).collect::<Vec<_>>().join(" ");
        // a variable of the user's must not change what is sampled
        let output = Command::new(&self.program).args(arguments).arg("-q").env_remove("LOOKALIKE_KEY").output();
        let output = output.with_context(|| format!("cannot run {}", self.program.display()))?;
        if !output.status.success() {
            bail!("{line}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        }
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
        Ok(())
    }
}

/// Hands on every row of a file of pairs; they can be many, so they are not kept.
pub(super) fn for_each_pair(path: &Path, mut each: impl FnMut(&str, &str, Pair)) -> Result<()> {
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_path(path)?;
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row)? {
        let number = |at: usize| row[at].parse::<f64>().with_context(|| format!("{}: {row:?}", path.display()));
        let pair = Pair { resemblance: number(2)?, a_in_b: number(3)?, b_in_a: number(4)? };
        each(&row[0], &row[1], pair);
    }
    Ok(())
}

/// The clusters of a report.
pub(super) fn clusters(path: &Path) -> Result<Vec<Cluster>> {
    let report: Report = serde_json::from_reader(BufReader::new(File::open(path)?))?;
    Ok(report.clusters)
}
