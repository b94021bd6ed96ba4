//! The page of a comparison.

use super::job::Job;
use crate::page::{command, now};
use anyhow::{Result, bail};
use lookalike::copies::CopiesRun;
use lookalike_report::HtmlOptions;
use std::path::Path;

pub(super) fn write(path: &Path, run: &CopiesRun, job: &Job<'_>) -> Result<()> {
    let title = job.title.map(|title| vec![title.to_owned()]);
    let options = HtmlOptions {
        inputs: title.unwrap_or_else(|| job.names.clone()),
        place: job.place.clone(),
        command: command(std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned())),
        made: now(),
        embed_limit: job.page.embed_limit,
        decisions: &[],
    };
    made(path, run, &options)
}

/// STUB until the page of copies is merged; then:
///
/// ```text
/// let page = HtmlPage::of_copies(&run.report, &|submission| run.files(submission), options)?;
/// output::to(Some(path), false, |out| page.write(out))
/// ```
fn made(path: &Path, _run: &CopiesRun, _options: &HtmlOptions<'_>) -> Result<()> {
    bail!("--html {}: this build has no page of copies yet; use --json, --csv or --sarif", path.display())
}
