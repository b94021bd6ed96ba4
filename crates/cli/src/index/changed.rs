//! What a change of an index did, told to a person or a program.

use crate::output;
use anyhow::Result;
use clap::Args;
use lookalike::index::Changed;
use lookalike_report::{write_changed, write_changed_json};
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
        if self.json {
            output::to(None, false, |out| write_changed_json(out, changed))?;
        } else if !self.quiet {
            output::to(None, true, |out| write_changed(out, done, &index.display().to_string(), changed))?;
        }
        Ok(if output::is_damaged(&changed.skipped, "the rest was taken") { crate::WRONG } else { crate::SUCCESS })
    }
}
