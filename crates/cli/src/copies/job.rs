//! What both verbs do once their flags are read.

use super::page;
use super::written::WrittenFlags;
use crate::output;
use crate::page::PageFlags;
use crate::progress::{self, Bars, cancel_on_signal};
use anyhow::Result;
use lookalike::CorpusOptions;
use lookalike::copies::{Copies, CopiesInputs, CopiesOptions, copies};

/// A comparison, and what is written of it.
pub(super) struct Job<'a> {
    pub(super) options: CopiesOptions,
    /// What is read, as the user called it, and where that is.
    pub(super) names: Vec<String>,
    pub(super) place: Vec<String>,
    /// Above the report.
    pub(super) title: Option<&'a str>,
    pub(super) written: &'a WrittenFlags,
    pub(super) page: &'a PageFlags,
}

/// What is read of folders: submissions come in zip and tar files.
pub(crate) fn corpus(options: CorpusOptions) -> CorpusOptions {
    CorpusOptions { archives: true, ..options }
}

impl Job<'_> {
    /// Fails before anything is read if a result could not be written.
    pub(super) fn check(&self) -> Result<()> {
        self.written.check(self.page.html.as_deref())
    }

    /// Compares, and writes all that was asked for. Gives the exit code.
    pub(super) fn run(&self, inputs: CopiesInputs) -> Result<u8> {
        let quiet = self.written.quiet;
        let run = copies(inputs, &self.options, &Bars::new(quiet), &cancel_on_signal())?;
        progress::writing();
        self.written.pairs(&run)?;
        if let Some(path) = &self.page.html {
            page::write(path, &run, self)?;
        }
        self.written.report(&run, self.title)?;
        let report = &run.report;
        if !quiet {
            report.warnings.iter().for_each(|warning| output::message(&format!("warning: {warning}")));
        }
        if report.submissions.len() < 2 && !quiet {
            output::message(&few(report.submissions.len()));
        }
        if output::is_damaged(&report.skipped, "the rest was compared") {
            return Ok(crate::WRONG);
        }
        Ok(if self.written.exit_code && is_striking(report) { crate::FOUND } else { crate::SUCCESS })
    }
}

/// A pair reaches the threshold.
fn is_striking(report: &Copies) -> bool {
    let reaches = |similarity: f64| similarity >= report.calibration.threshold;
    !report.clusters.is_empty() || report.pairs.iter().any(|pair| reaches(pair.similarity))
}

/// Nothing can be compared, and what may be the reason.
fn few(submissions: usize) -> String {
    let found = if submissions == 0 { "no submissions were found" } else { "only one submission was found" };
    format!("{found}; check the paths, --per-folder, and --hidden, --no-ignore, --include")
}
