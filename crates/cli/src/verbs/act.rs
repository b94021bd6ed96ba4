//! `lookalike act`: identical files become links, are moved or removed; and all of it undone.

use crate::args::{Args, Spec};
use crate::output;
use crate::progress::{Bars, cancel_on_signal, writing};
use crate::verb::Verb;
use anyhow::{Result, anyhow, bail};
use lookalike::act::{self, ActOptions, ActRequest, Action, DecidedSet, KeepPolicy, Outcome};
use lookalike::report::{Decision, Verdict};
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub(super) const SPEC: Spec =
    Spec::new(Verb::Act, "act", "Link, move or remove identical files that a report lists", run)
        .one_of("action")
        .long(
            "Of each set of identical files one is kept. Nothing is done without --yes: first look at what would be. Each file is \
             checked against the report and compared byte for byte with the kept one before it is touched, and everything is logged, \
             so that it can be undone.",
        )
        .after(
            "Examples:
  lookalike files docs/ --json > report.json
  lookalike act report.json --hardlink                          what would be done
  lookalike act report.json --hardlink --yes                    do it
  lookalike act report.json --move dups/ --keep under docs/live
  lookalike act report.json --remove --reference masters/ --yes
  lookalike act decisions.json --trash --yes                    what people decided on a page, and nothing else
  lookalike act --undo report.json.act.jsonl --yes              as it was before

A decisions file is acted on where the scan was started, or below --root: of what was decided to be duplicates those that are kept stay.
Identical files are linked, moved or removed as any others. What only resembles the kept file is never linked or removed: --move and
--trash take it away, if it is still what it was when it was decided upon.

Exit code 2 if anything could not be done; a dry run exits with 0.",
        );

fn run(args: &Args) -> Result<u8> {
    match args.path("undo") {
        Some(log) => undo(args, &log),
        None => act(args),
    }
}

fn act(args: &Args) -> Result<u8> {
    let (keep, swallowed) = policy(&args.all("keep"))?;
    let report = match (args.path("report"), swallowed) {
        (Some(report), None) | (None, Some(report)) => report,
        (Some(_), Some(more)) => bail!("--keep: expected one policy, found {} after it", more.display()),
        (None, None) => bail!("expected a report; make one with lookalike files --json"),
    };
    let mut options = ActOptions::new(action(args)?);
    options.keep = keep;
    options.reference = args.all("reference");
    options.roots = args.all("root");
    options.min_size = args.value("min-size");
    let log = args.path("log").unwrap_or_else(|| log_of(&report));
    let bytes = read(&report)?;
    let name = report.display().to_string();
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    // a first Ctrl-C waits until the file that is worked on is in order
    writing();
    let decided = decided(&bytes, &name)?;
    let here = std::env::current_dir().map_err(|e| anyhow!("cannot tell which folder this is: {e}"))?;
    let decisions = decided.as_deref().map(|decided| (decided, here.as_path()));
    let request =
        ActRequest { report: &bytes, decisions, name: &name, options: &options, log: &log, apply: args.has("yes") };
    let acted = act::act(&request, &bars, &cancel)?;
    output::summary(args, &acted)?;
    let stuck = acted.interrupted.iter().filter(|entry| entry.outcome == Outcome::Failed).count() as u64;
    Ok(code(args, acted.totals.failed + stuck, acted.stopped.as_deref(), cancel.is_cancelled()))
}

/// What people decided, if this is a decisions file: only clusters of which some are to be kept.
fn decided(bytes: &[u8], name: &str) -> Result<Option<Vec<DecidedSet>>> {
    let is_json = bytes.trim_ascii_start().starts_with(b"{");
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    // a report begins with its schema
    let is_decisions =
        if is_json { text.contains("\"decisions\"") && !text.contains("\"schema\"") } else { text.contains("verdict") };
    if !is_decisions {
        return Ok(None);
    }
    let decisions = Decision::parse(bytes).map_err(|reason| anyhow!("{name}: {reason}"))?;
    let kept = decisions.into_iter().filter(|decision| decision.verdict == Verdict::Keep);
    let sets = kept.map(|Decision { keep, documents, .. }| DecidedSet {
        keep,
        documents: documents.into_iter().map(|document| (document.id, document.content)).collect(),
    });
    Ok(Some(sets.collect()))
}

fn undo(args: &Args, log: &Path) -> Result<u8> {
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    writing();
    let undone = act::undo(log, args.has("yes"), &bars, &cancel)?;
    output::summary(args, &undone)?;
    Ok(code(args, undone.failed, undone.stopped.as_deref(), cancel.is_cancelled()))
}

/// Tells what went wrong, and gives the exit code.
fn code(args: &Args, failed: u64, stopped: Option<&str>, cancelled: bool) -> u8 {
    if let Some(reason) = stopped {
        output::message(&format!("error: {reason}"));
    }
    if stopped.is_some() && cancelled {
        return crate::INTERRUPTED;
    }
    if stopped.is_some() || (args.has("yes") && failed > 0) {
        if failed > 0 {
            let list = if args.has("quiet") { "without --quiet they are listed" } else { "the list says why" };
            output::message(&format!("warning: {failed} could not be done; {list}"));
        }
        return crate::WRONG;
    }
    crate::SUCCESS
}

fn action(args: &Args) -> Result<Action> {
    let [hardlink, symlink, remove, reflink, trash] =
        ["hardlink", "symlink", "remove", "reflink", "trash"].map(|flag| args.has(flag));
    match args.path("move") {
        Some(folder) => Ok(Action::Move(folder)),
        None if hardlink => Ok(Action::Hardlink),
        None if symlink => Ok(Action::Symlink),
        None if remove => Ok(Action::Remove),
        None if reflink => Ok(Action::Reflink),
        None if trash => Ok(Action::Trash(trash_folder()?)),
        None => bail!("expected one of --hardlink, --symlink, --reflink, --move, --trash and --remove"),
    }
}

/// The trash of the user, as freedesktop.org says where it is.
fn trash_folder() -> Result<PathBuf> {
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    match data.or_else(home) {
        Some(folder) if !cfg!(target_vendor = "apple") => Ok(folder.join("Trash")),
        _ => bail!("--trash: expected HOME or XDG_DATA_HOME to say where the trash is, found neither; use --move DIR"),
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
    std::fs::read(report)
        .map_err(|e| anyhow!("cannot read {}: {e}; expected a report of lookalike files --json", report.display()))
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
