//! `lookalike collapse`: search results in, groups out.

use crate::flags::IndexFlags;
use crate::{names, output};
use anyhow::{Result, bail};
use clap::Args;
use lookalike_report::{write_answer, write_collapsed_text};

/// Collapse search results: put those that look alike under the first of them
///
/// Reads ranked URLs or ids on standard input, best first, one a line. What is not in the index stays as it is.
#[derive(Args)]
#[command(after_help = "Examples:
  search 'opening hours' | lookalike collapse pages.index
  search 'opening hours' | lookalike collapse pages.index --plain | grep -vP '^\\t'      the best of each group")]
pub(crate) struct Collapse {
    #[command(flatten)]
    index: IndexFlags,
    /// One JSON object
    #[arg(long, group = "form")]
    json: bool,
    /// One result a line, the others of its group below it after a tab
    #[arg(long, group = "form")]
    plain: bool,
}

impl Collapse {
    pub(crate) fn run(&self) -> Result<u8> {
        let index = self.index.open()?;
        let ranked = names::of_stdin()?;
        if ranked.is_empty() {
            bail!("standard input is empty: expected URLs or ids, best first, one a line");
        }
        let collapsed = index.collapse(ranked)?;
        output::to(None, !(self.json || self.plain), |out| {
            if self.plain { write_collapsed_text(out, &collapsed) } else { write_answer(out, &collapsed, self.json) }
        })?;
        Ok(crate::SUCCESS)
    }
}
