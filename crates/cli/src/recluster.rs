//! `lookalike recluster`: the last phase again, with another policy.

use crate::flags::PolicyFlags;
use crate::output::OutputFlags;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Cluster a saved run again with a higher threshold or another linkage
///
/// Repeats only the last phase on what lookalike scan --save RUN has kept. The originals are not needed.
#[derive(Args)]
#[command(after_help = "What is not given stays as it was when the run was saved.")]
pub(crate) struct Recluster {
    /// Folder written by lookalike scan --save
    #[arg(value_name = "RUN")]
    run: PathBuf,
    #[command(flatten)]
    policy: PolicyFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Recluster {
    pub(crate) fn run(&self) -> Result<u8> {
        // flags are checked before anything is read
        self.output.check()?;
        self.policy.policy(lookalike::Policy::default())?;
        let report = lookalike::recluster(&self.run, |saved| self.policy.policy(saved).unwrap_or(saved))?;
        self.output.report(&report, &|_, _| None)?;
        Ok(self.output.found(&report))
    }
}
