//! `lookalike index info`: an index in numbers.

use crate::flags::IndexFlags;
use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike_report::write_answer;

/// Show what an index holds: documents, names, sweeps, clusters, recipe
#[derive(Args)]
pub(crate) struct Info {
    #[command(flatten)]
    index: IndexFlags,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(&self) -> Result<u8> {
        let info = self.index.open_any()?.info()?;
        output::to(None, !self.json, |out| write_answer(out, &info, self.json))?;
        Ok(crate::SUCCESS)
    }
}
