//! What a change of an index did, told to a person or a program.

use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike::index::Changed;
use lookalike_report::{IndexChange, write_answer};
use std::path::Path;

/// How a change is told.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ChangeFlags {
    /// One JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bars, no summary, and no messages but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl ChangeFlags {
    /// Tells what was done with documents that were read.
    pub(crate) fn tell_read(&self, done: &str, index: &Path, changed: &Changed) -> Result<u8> {
        let code = self.tell(done, index, changed)?;
        if changed.read == 0 && !self.quiet {
            output::message("no documents were found; check the paths, and --hidden, --no-ignore, --include");
        }
        Ok(code)
    }

    /// Tells what was done. Gives the exit code: broken input is no success.
    pub(crate) fn tell(&self, done: &str, index: &Path, changed: &Changed) -> Result<u8> {
        if self.json || !self.quiet {
            let answer = IndexChange { done, index: &index.display().to_string(), changed };
            output::to(None, !self.json, |out| write_answer(out, &answer, self.json))?;
        }
        Ok(if output::is_damaged(&changed.skipped, "the rest was taken") { crate::WRONG } else { crate::SUCCESS })
    }
}
