//! `lookalike index verify`: every byte of an index against its checksums.

use crate::numbers::commas;
use crate::{json, output};
use anyhow::Result;
use clap::Args;
use lookalike::index;
use lookalike_report::clean;
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
        output::to(None, !self.json, |out| {
            if self.json {
                return json::write(out, &checked);
            }
            let name = self.index.display().to_string();
            let (files, bytes) = (commas(checked.files), commas(checked.bytes));
            let found = if whole { "all is well".to_owned() } else { format!("{} damaged", checked.damages.len()) };
            writeln!(out, "{}: {files} files, {bytes} bytes: {found}", clean(&name))?;
            checked.damages.iter().try_for_each(|damage| writeln!(out, "  {}", clean(damage)))
        })?;
        Ok(if whole { crate::SUCCESS } else { crate::WRONG })
    }
}
