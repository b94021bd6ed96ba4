//! The page of a comparison.

use super::job::Job;
use crate::output;
use crate::page::{command, now};
use anyhow::Result;
use lookalike::copies::CopiesRun;
use lookalike_report::{HtmlOptions, HtmlPage, PageSubject};
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
    let page = HtmlPage::new(PageSubject::Passages(&run.report, &|submission| run.files(submission)), &options)?;
    output::to(Some(path), false, |out| page.write(out))
}
