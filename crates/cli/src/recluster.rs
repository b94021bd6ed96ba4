//! `lookalike recluster`: the last phase again, with another policy.

use crate::chunk_flags::ShareFlags;
use crate::flags::PolicyFlags;
use crate::lens::LensName;
use crate::output::{OutputFlags, ReportFormat};
use crate::templates::of_run;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::chunks::{self, TemplateList};
use lookalike::{Policy, Report};
use std::path::PathBuf;

/// Cluster a saved run again with a higher threshold, another linkage or other templates
///
/// Repeats only the last phase on what lookalike scan --save RUN has kept. The originals are not needed.
#[derive(Args)]
#[command(after_help = "What is not given stays as it was when the run was saved.")]
#[command(mut_arg("min_common", |flag| flag.help("Least bytes that two files in a cluster have in common")))]
#[command(mut_arg("min_share", |flag| flag.help("Least share of the smaller of two files in a cluster that they have in common, in percent")))]
pub(crate) struct Recluster {
    /// Folder written by lookalike scan --save
    #[arg(value_name = "RUN")]
    run: PathBuf,
    #[command(flatten)]
    policy: PolicyFlags,
    #[command(flatten)]
    shares: ShareFlags,
    /// Ignore the chunks of this list, which lookalike templates mark writes [default: RUN/templates.json]
    #[arg(long, value_name = "LIST", help_heading = "Chunks")]
    templates: Option<PathBuf>,
    #[command(flatten)]
    output: OutputFlags,
    /// Write sets of identical files as fdupes does (of a run of the chunks lens)
    #[arg(long, value_enum, help_heading = "Output")]
    format: Option<ReportFormat>,
}

impl Recluster {
    pub(crate) fn run(&self) -> Result<u8> {
        // flags are checked before anything is read
        self.output.check(self.format.is_some())?;
        self.policy.policy(Policy::default())?;
        let report = if chunks::is_run(&self.run) { self.by_chunks() } else { self.by_shingles() }?;
        self.output.report(&report, self.format.is_some(), &|_, _| None)?;
        Ok(self.output.found(&report))
    }

    fn by_shingles(&self) -> Result<Report> {
        // where there is no run, that is what to tell
        if self.run.join("run.json").exists() {
            LensName::Chunks.refuse(&self.shares.given())?;
            LensName::Chunks.refuse(&[("--templates", self.templates.is_some())])?;
            if self.format.is_some() {
                bail!("--format fdupes: only the chunks lens looks for all identical files; scan with --lens chunks");
            }
        }
        Ok(lookalike::recluster(&self.run, |saved| self.policy.policy(saved).unwrap_or(saved))?)
    }

    fn by_chunks(&self) -> Result<Report> {
        LensName::Shingles.refuse(&self.policy.links.given())?;
        let templates = match &self.templates {
            Some(list) => TemplateList::read(list, true)?,
            None => TemplateList::read(&of_run(&self.run), false)?,
        };
        let policy = |saved| self.shares.policy(self.policy.linkage.policy(saved));
        Ok(chunks::recluster(&self.run, policy, &templates)?)
    }
}
