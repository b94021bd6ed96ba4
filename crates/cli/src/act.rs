//! `lookalike act`: identical files become links, are moved or removed; and all of it undone.

use crate::progress::{Bars, cancel_on_signal, writing};
use crate::{output, sizes};
use anyhow::{Result, anyhow, bail};
use clap::{ArgGroup, Args};
use lookalike::act::{self, ActOptions, ActRequest, Action, KeepPolicy, Outcome};
use lookalike_report::write_answer;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Link, move or remove identical files that a report lists
///
/// Of each set of identical files one is kept. Nothing is done without --yes: first look at what would be. Each file is checked against
/// the report and compared byte for byte with the kept one before it is touched, and everything is logged, so that it can be undone.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch of the command line")]
#[derive(Args)]
#[command(
    group(ArgGroup::new("action").required(true)),
    after_help = "Examples:
  lookalike scan --lens chunks docs/ --json > report.json
  lookalike act report.json --hardlink                          what would be done
  lookalike act report.json --hardlink --yes                    do it
  lookalike act report.json --move dups/ --keep under docs/live
  lookalike act report.json --remove --reference masters/ --yes
  lookalike act --undo report.json.act.jsonl --yes              as it was before

Exit code 2 if anything could not be done; a dry run exits with 0."
)]
pub(crate) struct Act {
    /// A report as lookalike scan --lens chunks --json writes it; - is standard input
    #[arg(value_name = "REPORT")]
    report: Option<PathBuf>,
    /// Duplicates become hard links to the kept file, with its rights and time; never to another device
    #[arg(long, group = "action", help_heading = "Action, one of")]
    hardlink: bool,
    /// Duplicates become relative symbolic links to the kept file
    #[arg(long, group = "action", help_heading = "Action, one of")]
    symlink: bool,
    /// Move duplicates below this folder, with their paths; nothing there is overwritten
    #[arg(long = "move", value_name = "DIR", group = "action", help_heading = "Action, one of")]
    destination: Option<PathBuf>,
    /// Remove duplicates
    #[arg(long, group = "action", help_heading = "Action, one of")]
    remove: bool,
    /// Undo what this log says was done, as far as files have not changed since
    #[arg(
        long,
        value_name = "LOG",
        group = "action",
        help_heading = "Action, one of",
        conflicts_with_all = ["report", "keep", "reference", "min_size", "log"]
    )]
    undo: Option<PathBuf>,
    /// Which file of a set is kept: newest, oldest, shortest-path, or under DIR (sets with none there are left alone) [default:
    /// shortest-path]
    #[arg(long, value_name = "POLICY", num_args = 1..=2)]
    keep: Vec<OsString>,
    /// Never touch files below this folder, and keep one of them where a set has any (may be repeated)
    #[arg(long, value_name = "DIR")]
    reference: Vec<PathBuf>,
    /// Leave files smaller than this alone
    #[arg(long, value_name = "SIZE", default_value = "1", value_parser = sizes::parse)]
    min_size: u64,
    /// The log, for --undo [default: REPORT.act.jsonl]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Do it; without this nothing is touched
    #[arg(long)]
    yes: bool,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// No progress bars, no list, and no messages but errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

impl Act {
    pub(crate) fn run(&self) -> Result<u8> {
        match &self.undo {
            Some(log) => self.undo(log),
            None => self.act(),
        }
    }

    fn act(&self) -> Result<u8> {
        let (keep, swallowed) = policy(&self.keep)?;
        let report = match (&self.report, swallowed) {
            (Some(report), None) => report.clone(),
            (None, Some(report)) => report,
            (Some(_), Some(more)) => bail!("--keep: expected one policy, found {} after it", more.display()),
            (None, None) => bail!("expected a report; make one with lookalike scan --lens chunks --json"),
        };
        let mut options = ActOptions::new(self.action()?);
        options.keep = keep;
        options.reference.clone_from(&self.reference);
        options.min_size = self.min_size;
        let log = self.log.clone().unwrap_or_else(|| log_of(&report));
        let bytes = read(&report)?;
        let name = report.display().to_string();
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        // a first Ctrl-C waits until the file that is worked on is in order
        writing();
        let request = ActRequest { report: &bytes, name: &name, options: &options, log: &log, apply: self.yes };
        let acted = act::act(&request, &bars, &cancel)?;
        if self.json {
            output::to(None, false, |out| write_answer(out, &acted, true))?;
        } else if !self.quiet {
            output::to(None, true, |out| write_answer(out, &acted, false))?;
        }
        let stuck = acted.interrupted.iter().filter(|entry| entry.outcome == Outcome::Failed).count() as u64;
        Ok(self.code(acted.totals.failed + stuck, acted.stopped.as_deref(), cancel.is_cancelled()))
    }

    fn undo(&self, log: &Path) -> Result<u8> {
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        writing();
        let undone = act::undo(log, self.yes, &bars, &cancel)?;
        if self.json {
            output::to(None, false, |out| write_answer(out, &undone, true))?;
        } else if !self.quiet {
            output::to(None, true, |out| write_answer(out, &undone, false))?;
        }
        Ok(self.code(undone.failed, undone.stopped.as_deref(), cancel.is_cancelled()))
    }

    /// Tells what went wrong, and gives the exit code.
    fn code(&self, failed: u64, stopped: Option<&str>, cancelled: bool) -> u8 {
        if let Some(reason) = stopped {
            output::message(&format!("error: {reason}"));
        }
        if stopped.is_some() && cancelled {
            return crate::INTERRUPTED;
        }
        if stopped.is_some() || (self.yes && failed > 0) {
            if failed > 0 {
                let list = if self.quiet { "without --quiet they are listed" } else { "the list says why" };
                output::message(&format!("warning: {failed} could not be done; {list}"));
            }
            return crate::WRONG;
        }
        crate::SUCCESS
    }

    fn action(&self) -> Result<Action> {
        match (&self.destination, self.hardlink, self.symlink, self.remove) {
            (Some(folder), ..) => Ok(Action::Move(folder.clone())),
            (None, true, ..) => Ok(Action::Hardlink),
            (None, _, true, _) => Ok(Action::Symlink),
            (None, _, _, true) => Ok(Action::Remove),
            _ => bail!("expected one of --hardlink, --symlink, --move and --remove"),
        }
    }
}

/// The policy of --keep, and what came after it that is none of its business: `--keep newest REPORT`.
fn policy(values: &[OsString]) -> Result<(KeepPolicy, Option<PathBuf>)> {
    let Some(first) = values.first() else { return Ok((KeepPolicy::default(), None)) };
    let second = values.get(1).map(PathBuf::from);
    let text = first.to_string_lossy();
    if let Some(folder) = text.strip_prefix("under:") {
        return Ok((KeepPolicy::Under(folder.into()), second));
    }
    match (text.as_ref(), second) {
        ("newest", rest) => Ok((KeepPolicy::Newest, rest)),
        ("oldest", rest) => Ok((KeepPolicy::Oldest, rest)),
        ("shortest-path", rest) => Ok((KeepPolicy::ShortestPath, rest)),
        ("under", Some(folder)) => Ok((KeepPolicy::Under(folder), None)),
        ("under", None) => bail!("--keep under: expected a folder after it"),
        _ => bail!("--keep: expected newest, oldest, shortest-path or under DIR, found {text:?}"),
    }
}

/// The log of a report, if no other is named.
fn log_of(report: &Path) -> PathBuf {
    if report == Path::new("-") {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        return PathBuf::from(format!("lookalike-act-{now}.jsonl"));
    }
    let mut name = report.as_os_str().to_owned();
    name.push(".act.jsonl");
    PathBuf::from(name)
}

fn read(report: &Path) -> Result<Vec<u8>> {
    if report == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|e| anyhow!("cannot read a report from standard input: {e}"))?;
        return Ok(bytes);
    }
    std::fs::read(report).map_err(|e| {
        anyhow!("cannot read {}: {e}; expected a report of lookalike scan --lens chunks --json", report.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies() {
        let of = |values: &[&str]| policy(&values.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of(&[]).unwrap(), (KeepPolicy::ShortestPath, None));
        assert_eq!(of(&["oldest"]).unwrap(), (KeepPolicy::Oldest, None));
        assert_eq!(of(&["newest", "r.json"]).unwrap(), (KeepPolicy::Newest, Some("r.json".into())));
        assert_eq!(of(&["under", "docs"]).unwrap(), (KeepPolicy::Under("docs".into()), None));
        assert_eq!(of(&["under:docs", "r.json"]).unwrap(), (KeepPolicy::Under("docs".into()), Some("r.json".into())));
        assert!(of(&["under"]).is_err() && of(&["largest"]).is_err());
    }
}
