//! `lookalike index remove`: names that an index should know no more.

use super::changed::ChangeFlags;
use crate::flags::{IndexFlags, MachineFlags};
use crate::progress::{Bars, cancel_on_signal};
use crate::{names, output};
use anyhow::{Result, bail};
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
  lookalike index remove pages.index site/draft.html --sweep 2026-05-01     in that sweep only
  lookalike index remove pages.index --sweep 2062-05-01 --all               a sweep with a wrong date")]
pub(crate) struct Remove {
    #[command(flatten)]
    index: IndexFlags,
    /// URLs or ids
    #[arg(value_name = "NAME", required_unless_present_any = ["stdin", "all"])]
    names: Vec<String>,
    /// Read names from standard input, one a line
    #[arg(long)]
    stdin: bool,
    /// Remove what was seen in this sweep only
    #[arg(long, value_name = "DATE")]
    sweep: Option<String>,
    /// Remove the whole sweep
    #[arg(long, requires = "sweep", conflicts_with_all = ["names", "stdin"])]
    all: bool,
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
        let index = self.index.open_any()?;
        if self.all {
            names = all_of(&index, sweep)?;
            if names.is_empty() {
                bail!(
                    "{}: has no sweep of {}; lookalike index info lists them",
                    self.index.path().display(),
                    sweep.unwrap_or_default()
                );
            }
        }
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

/// The names that a sweep has seen.
fn all_of(index: &Index, sweep: Option<&str>) -> Result<Vec<String>, Error> {
    let wanted = index.sweeps().iter().position(|known| known.date.as_deref() == sweep);
    let mut names = Vec::new();
    index.for_each_history(|name, history| {
        if history.iter().any(|(moment, _)| Some(*moment as usize) == wanted) {
            names.push(name.to_owned());
        }
        Ok(())
    })?;
    Ok(names)
}

fn has(index: &Index, name: &str, sweep: Option<&str>) -> Result<bool, Error> {
    let date = |moment: u32| index.sweeps().get(moment as usize).and_then(|sweep| sweep.date.as_deref());
    Ok(index.find(name)?.iter().any(|(moment, _)| sweep.is_none_or(|sweep| date(*moment) == Some(sweep))))
}
