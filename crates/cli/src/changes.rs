//! `lookalike changes`: how pages change, move and die.

use crate::flags::IndexFlags;
use crate::output;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::index::ChangesOptions;
use lookalike_report::{write_answer, write_changes_csv, write_changes_html};
use std::path::PathBuf;

/// Show how pages change from sweep to sweep: how often, how much, where they move, how long they live
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike changes pages.index
  lookalike changes pages.index --html changes.html
  lookalike changes pages.index --csv > sweeps.csv            a row for each two sweeps

It takes at least two sweeps: documents that were added with --sweep DATE.")]
pub(crate) struct Changes {
    #[command(flatten)]
    index: IndexFlags,
    /// Least resemblance of a page that died and one that was born, for a move, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    threshold: f64,
    /// One JSON object
    #[arg(long, group = "form")]
    json: bool,
    /// A row for each sweep and the next
    #[arg(long, group = "form")]
    csv: bool,
    /// Also write a page to look at: one file, no network, opens in any browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Changes {
    pub(crate) fn run(&self) -> Result<u8> {
        if !(self.threshold > 0.0 && self.threshold <= 1.0) {
            bail!("--threshold: expected a share of more than 0 and at most 1, found {}", self.threshold);
        }
        self.html.as_deref().map_or(Ok(()), |path| output::check_target(path, false))?;
        let index = self.index.open()?;
        let changes = index.changes(&ChangesOptions { threshold: self.threshold })?;
        if let Some(path) = &self.html {
            let source = self.index.path().display().to_string();
            output::to(Some(path), false, |out| write_changes_html(out, &changes, &source))?;
        }
        output::to(None, !(self.json || self.csv), |out| {
            if self.csv { write_changes_csv(out, &changes) } else { write_answer(out, &changes, self.json) }
        })?;
        Ok(crate::SUCCESS)
    }
}
