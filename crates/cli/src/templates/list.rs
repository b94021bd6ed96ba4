//! `lookalike templates list`: what is ignored.

use super::ListFlags;
use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike_report::write_answer;

/// List the templates: what they are called, where they come from, how much they hold
#[derive(Args)]
pub(crate) struct List {
    #[command(flatten)]
    list: ListFlags,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl List {
    pub(crate) fn run(&self) -> Result<u8> {
        let (list, _) = self.list.read()?;
        output::to(None, !self.json, |out| write_answer(out, &list, self.json))?;
        Ok(crate::SUCCESS)
    }
}
