//! Where the report of `copies` goes, and in which form.

use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike::copies::CopiesRun;
use lookalike::{Error, StoreError, atomic};
use lookalike_report::{PairForm, Shown, Source, SubmissionPairWriter, clean};
use std::path::{Path, PathBuf};

/// What is shown, and where.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch of the command line")]
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(super) struct WrittenFlags {
    /// One JSON object
    #[arg(long, group = "form")]
    pub(super) json: bool,
    /// A row for each pair
    #[arg(long, group = "form")]
    pub(super) csv: bool,
    /// SARIF 2.1.0: a result for each passage
    #[arg(long, group = "form")]
    pub(super) sarif: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write the numbers of every pair of at least --min to this file (.csv, .tsv, else NDJSON)
    #[arg(long, value_name = "FILE")]
    pub(super) pairs: Option<PathBuf>,
    /// Pairs to show on the terminal
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) top: usize,
    /// What winnowing selected, beside what its paper expects; time, CPU and counts by phase
    #[arg(long)]
    pub(super) stats: bool,
    /// Exit with code 1 if a pair is at or above the threshold
    #[arg(long)]
    pub(super) exit_code: bool,
    /// No progress bars and no messages but errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl WrittenFlags {
    /// Fails early if a result could not be written.
    pub(super) fn check(&self, page: Option<&Path>) -> Result<()> {
        let files = [self.output.as_deref(), self.pairs.as_deref(), page];
        files.iter().flatten().try_for_each(|path| output::check_target(path, false))?;
        output::check_different(&files)
    }

    /// Writes the report in the form that was asked for.
    pub(super) fn report(&self, run: &CopiesRun, title: Option<&str>) -> Result<()> {
        let forms = [("json", self.json), ("csv", self.csv), ("sarif", self.sarif)];
        let form = output::form(&forms);
        let files = |submission: usize| run.files(submission);
        let source = Source { shown: Shown::top(self.top), files: Some(&files), ..Source::new(&run.report) };
        output::to(self.output.as_deref(), form.renderer.is_coloured(), |out| {
            if let Some(title) = title.filter(|_| form.renderer.is_coloured()) {
                writeln!(out, "{}\n", clean(title))?;
            }
            form.renderer.render(&source, out)
        })
    }

    /// Writes the numbers of all pairs, if they were asked for.
    pub(super) fn pairs(&self, run: &CopiesRun) -> Result<()> {
        let Some(path) = &self.pairs else { return Ok(()) };
        Ok(atomic::write(path, |out| {
            let failed = |source| StoreError::Write { what: path.display().to_string(), source };
            let mut rows = SubmissionPairWriter::new(out, PairForm::of(path), &run.report).map_err(failed)?;
            run.each_pair(&mut |pair| rows.write(&pair).map_err(|e| Error::from(failed(e))))?;
            rows.finish().map_err(failed)?;
            Ok::<_, Error>(())
        })?)
    }
}
