//! `lookalike index verify`: every byte of an index against its checksums.

use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike::index;
use lookalike_report::{IndexCheck, write_answer};
use std::path::PathBuf;

/// Check every byte of an index
///
/// Reads all files and compares them with their checksums. Damage is listed with file and offset, and makes the exit code 2.
#[derive(Args)]
pub(crate) struct Verify {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<u8> {
        let checked = index::verify(&self.index)?;
        let whole = checked.damages.is_empty();
        let index = self.index.display().to_string();
        let answer = IndexCheck { index: &index, checked: &checked };
        output::to(None, !self.json, |out| write_answer(out, &answer, self.json))?;
        Ok(if whole { crate::SUCCESS } else { crate::WRONG })
    }
}
