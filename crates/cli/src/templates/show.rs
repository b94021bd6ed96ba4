//! `lookalike templates show`: one template, chunk by chunk.

use super::{ListFlags, find};
use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike_report::write_answer;

/// Show a template: how it begins, and its chunks
#[derive(Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct Show {
    #[command(flatten)]
    list: ListFlags,
    /// The template's name
    #[arg(value_name = "NAME")]
    name: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(&self) -> Result<u8> {
        let (list, path) = self.list.read()?;
        let template = find(&list, &self.name, &path)?;
        output::to(None, !self.json, |out| write_answer(out, template, self.json))?;
        Ok(crate::SUCCESS)
    }
}
