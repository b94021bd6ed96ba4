//! `lookalike index remove`: names that an index should know no more.

use super::changed::ChangeFlags;
use crate::flags::{IndexFlags, MachineFlags};
use crate::progress::{Bars, cancel_on_signal};
use crate::{names, output};
use anyhow::Result;
use clap::Args;
use lookalike::index::{self, Index};
use lookalike::{Error, ScanOptions};

/// Remove names from an index, and the documents that no name has any more
///
/// What is not in the index is listed on standard error and makes the exit code 2; the rest is removed nevertheless.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike index remove pages.index https://a.example/old.html
  lookalike index remove pages.index --stdin < gone.txt
  lookalike index remove pages.index site/draft.html --sweep 2026-05-01     in that sweep only")]
pub(crate) struct Remove {
    #[command(flatten)]
    index: IndexFlags,
    /// URLs or ids
    #[arg(value_name = "NAME", required_unless_present = "stdin")]
    names: Vec<String>,
    /// Read names from standard input, one a line
    #[arg(long)]
    stdin: bool,
    /// Remove what was seen in this sweep only
    #[arg(long, value_name = "DATE")]
    sweep: Option<String>,
    #[command(flatten)]
    machine: MachineFlags,
    #[command(flatten)]
    output: ChangeFlags,
}

impl Remove {
    pub(crate) fn run(&self) -> Result<u8> {
        let sweep = self.sweep.as_deref();
        let mut names = self.names.clone();
        if self.stdin {
            names.extend(names::of_stdin()?);
        }
        let index = self.index.open()?;
        let mut missing = Vec::new();
        for name in &names {
            if !has(&index, name, sweep)? {
                missing.push(name);
            }
        }
        let options = self.machine.limit(ScanOptions { key: self.index.key().to_owned(), ..ScanOptions::default() });
        let (bars, cancel) = (Bars::new(self.output.quiet), cancel_on_signal());
        let changed = index::remove(self.index.path(), &names, sweep, &options, &bars, &cancel)?;
        let code = self.output.tell("removed from", self.index.path(), &changed)?;
        let place = sweep.map_or("this index".to_owned(), |date| format!("the sweep of {date}"));
        for name in &missing {
            output::message(&format!("warning: {name}: not in {place}; check its spelling"));
        }
        Ok(if missing.is_empty() { code } else { crate::WRONG })
    }
}

fn has(index: &Index, name: &str, sweep: Option<&str>) -> Result<bool, Error> {
    let date = |moment: u32| index.sweeps().get(moment as usize).and_then(|sweep| sweep.date.as_deref());
    Ok(index.find(name)?.iter().any(|(moment, _)| sweep.is_none_or(|sweep| date(*moment) == Some(sweep))))
}
