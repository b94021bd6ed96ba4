//! What a change of an index did, told to a person or a program.

use crate::numbers::commas;
use crate::{json, output};
use anyhow::Result;
use clap::Args;
use lookalike::index::Changed;
use lookalike_report::clean;
use std::io::{self, Write};
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
            output::to(None, false, |out| json::write(out, changed))?;
        } else if !self.quiet {
            output::to(None, true, |out| summary(out, done, index, changed))?;
        }
        let damaged: Vec<_> = changed.skipped.iter().filter(|skip| skip.damage).collect();
        if let Some(first) = damaged.first() {
            let more = if damaged.len() > 1 { format!(" (and {} more)", damaged.len() - 1) } else { String::new() };
            output::message(&format!("warning: {}: {}{more}; the rest was taken", first.id, first.reason));
            return Ok(crate::WRONG);
        }
        Ok(crate::SUCCESS)
    }
}

fn summary(out: &mut dyn Write, done: &str, index: &Path, changed: &Changed) -> io::Result<()> {
    writeln!(out, "{done} {}\n", clean(&index.display().to_string()))?;
    let rows = [
        ("read", changed.read, "documents"),
        ("added", changed.added, "with content that the index did not have"),
        ("observed", changed.observed, "names that were recorded with their document"),
        ("unchanged", changed.unchanged, "names that were there already, with the same document"),
        ("repeated", changed.repeated, "names that occurred more than once: the last one counts"),
        ("removed", changed.removed, "observations that were removed or replaced"),
        ("dropped", changed.dropped, "documents that no name has any more"),
        ("merged", changed.merged, "segments, into larger ones"),
        ("skipped", changed.skipped.len() as u64, "not read"),
    ];
    let all_zero = rows.iter().all(|(_, n, _)| *n == 0);
    for (name, n, what) in rows.iter().filter(|(_, n, _)| *n > 0) {
        writeln!(out, "  {name:<11} {:>9}  {what}", commas(*n))?;
    }
    if all_zero {
        writeln!(out, "  nothing to do")?;
    }
    for skip in changed.skipped.iter().take(10) {
        writeln!(out, "  {}  {}", clean(&skip.id), clean(&skip.reason))?;
    }
    let rest = changed.skipped.len().saturating_sub(10);
    if rest > 0 { writeln!(out, "  … and {} more; all with --json", commas(rest as u64)) } else { Ok(()) }
}
