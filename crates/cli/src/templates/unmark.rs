//! `lookalike templates unmark`: what is a template no more.

use super::{ListFlags, find};
use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike_report::{TemplateChange, write_answer};

/// Take a template off the list: its chunks count again
#[derive(Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct Unmark {
    #[command(flatten)]
    list: ListFlags,
    /// The template's name
    #[arg(value_name = "NAME")]
    name: String,
    /// One JSON object: the template as it was
    #[arg(long)]
    json: bool,
}

impl Unmark {
    pub(crate) fn run(&self) -> Result<u8> {
        let (mut list, path) = self.list.read()?;
        let template = find(&list, &self.name, &path)?.clone();
        list.unmark(&self.name);
        list.write(&path)?;
        let list = path.display().to_string();
        let change = TemplateChange { list: &list, marked: false, template: &template };
        output::to(None, !self.json, |out| write_answer(out, &change, self.json))?;
        Ok(crate::SUCCESS)
    }
}
