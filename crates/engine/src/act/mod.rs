//! Actions on identical files: duplicates become links, are moved or removed.
//!
//! * [`act`] reads a report of the chunks lens back. It is a dry run unless told otherwise.
//! * [`undo`] reads the log that [`act`] wrote, and restores what it can.
//!
//! Nothing that the report says is taken for granted: each file is looked at and compared byte for byte with the one that is kept, before
//! anything is touched and once more when it is out of reach of others. What is about to be done is on the disk, in the log, before
//! it is begun. `docs/decisions/0020-act.md` says why the steps are in this order.

mod acted;
mod back;
mod content;
mod files;
mod found;
mod log;
mod options;
mod place;
mod plan;
mod restore;
mod steps;
#[cfg(test)]
mod tests;
mod undo;

pub use acted::{Acted, ActedFile, ActedSet, Outcome, Settled, Totals, Undone};
pub use options::{Action, Keep, Options, Verb};

use crate::{Cancel, Error, Progress, Unit};
use content::Hand;
use files::RealFiles;
use log::{Log, State};
use lookalike_corpus::id_of;
use plan::{Plan, PlannedSet, Planner};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use steps::{Checked, note};

/// What to act on.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// A report as JSON.
    pub report: &'a [u8],
    /// What messages call it.
    pub name: &'a str,
    /// What to do.
    pub options: &'a Options,
    /// The log. If it is there it is continued.
    pub log: &'a Path,
    /// Do it. Otherwise nothing is touched, and only told what would be done.
    pub yes: bool,
}

/// Acts on the identical files of a report, or tells what would be done.
pub fn act(request: &Request<'_>, progress: &dyn Progress, cancel: &Cancel) -> Result<Acted, Error> {
    act_on(Hand { files: &RealFiles, progress, cancel }, request)
}

/// Undoes what a log says was done, last action first; if not `yes`, only tells what would be done.
pub fn undo(log: &Path, yes: bool, progress: &dyn Progress, cancel: &Cancel) -> Result<Undone, Error> {
    undo::undo(Hand { files: &RealFiles, progress, cancel }, log, yes)
}

fn act_on(hand: Hand<'_>, request: &Request<'_>) -> Result<Acted, Error> {
    let found = found::read(request.report, request.name)?;
    let options = request.options;
    let planner = Planner::new(hand.files, options)?;
    let (mut log, past) = if request.yes {
        let (log, past) = Log::open(hand.files, request.log, false)?;
        (Some(log), past)
    } else {
        (None, log::read(request.log, false)?)
    };
    if let Some(log) = &mut log {
        log.begin(options, request.name);
    }
    let mut run = Run::new(hand, request);
    run.acted.base = found.base.as_deref().map(|base| id_of(base).into_owned());
    let open: Vec<_> = past.entries.values().filter(|entry| entry.state != State::Done).collect();
    run.acted.interrupted = undo::settle(hand, log.as_mut(), &open);
    // only now: what was interrupted is at its place again
    let waiting = if request.yes { Vec::new() } else { open.iter().map(|entry| entry.intent.path.as_path()).collect() };
    let plan = planner.plan(&found, &waiting);
    run.go(&plan, &mut log);
    if let Some(Err(reason)) = log.map(|mut log| log.sync()) {
        run.acted.stopped.get_or_insert(reason);
    }
    Ok(run.acted)
}

/// A run on its way.
struct Run<'a> {
    hand: Hand<'a>,
    acted: Acted,
    /// In a dry run: places that are taken by then, and names that a file has lost by then.
    taken: HashSet<PathBuf>,
    lost: HashMap<(u64, u64), u64>,
}

impl<'a> Run<'a> {
    fn new(hand: Hand<'a>, request: &Request<'_>) -> Self {
        let options = request.options;
        let acted = Acted {
            action: options.action.verb(),
            folder: options.action.folder().map(|folder| id_of(folder).into_owned()),
            dry_run: !request.yes,
            keep: options.keep.to_string(),
            base: None,
            log: id_of(request.log).into_owned(),
            interrupted: Vec::new(),
            sets: Vec::new(),
            totals: Totals::default(),
            stopped: None,
        };
        Self { hand, acted, taken: HashSet::new(), lost: HashMap::new() }
    }

    fn go(&mut self, plan: &Plan, log: &mut Option<Log<'_>>) {
        let bytes = |set: &PlannedSet| set.bytes.saturating_mul(set.duplicates.len() as u64);
        // when it is done, all is compared twice
        let times = if log.is_some() { 2 } else { 1 };
        let total = plan.sets.iter().map(bytes).fold(0, u64::saturating_add).saturating_mul(times);
        self.hand.progress.begin(if log.is_some() { "acting" } else { "checking" }, Unit::Bytes, Some(total));
        for set in &plan.sets {
            self.set(set, plan.destination.as_deref(), log);
            if self.acted.stopped.is_some() {
                break;
            }
        }
        self.hand.progress.end();
    }

    fn set(&mut self, set: &PlannedSet, destination: Option<&Path>, log: &mut Option<Log<'_>>) {
        let mut files = Vec::new();
        let mut secured = None;
        for duplicate in &set.duplicates {
            let Some(kept) = &set.kept else { break };
            self.acted.stopped = log.as_ref().and_then(Log::broken).or_else(|| self.stopped());
            if self.acted.stopped.is_some() {
                break;
            }
            let checked = self.hand.check(self.acted.action, destination, duplicate, kept, set.bytes);
            let checked = checked.and_then(|checked| self.reserve(checked));
            let result = checked.and_then(|mut checked| {
                let Some(log) = log else { return Ok(checked) };
                secured.get_or_insert_with(|| self.hand.secure(&kept.place.path)).clone()?;
                self.hand.act(log, &mut checked, destination).map(|()| checked)
            });
            if result.is_err() {
                self.acted.stopped = self.stopped();
            }
            files.push(self.file(&duplicate.place.id, set.bytes, result));
        }
        files.extend(set.left.iter().cloned());
        files.sort_by(|a, b| a.id.cmp(&b.id));
        for file in &files {
            let totals = &mut self.acted.totals;
            *match file.outcome {
                Outcome::Done => &mut totals.done,
                Outcome::Planned => &mut totals.planned,
                Outcome::Untouched => &mut totals.untouched,
                Outcome::Failed => &mut totals.failed,
            } += 1;
        }
        self.acted.totals.sets += 1;
        let kept = set.kept.as_ref().map(|kept| kept.place.id.clone());
        self.acted.sets.push(ActedSet { bytes: set.bytes, kept, files });
    }

    fn stopped(&self) -> Option<String> {
        let is_stopped = self.hand.cancel.is_cancelled();
        is_stopped.then(|| "stopped; what is not listed as done is as it was".to_owned())
    }

    /// In a dry run nothing happens, so two files could be promised the same place.
    fn reserve(&mut self, checked: Checked) -> Result<Checked, String> {
        match &checked.intent.to {
            Some(to) if self.acted.dry_run && !self.taken.insert(to.clone()) => {
                Err(format!("{} is taken by another file by then, and nothing is overwritten", id_of(to)))
            }
            _ => Ok(checked),
        }
    }

    fn file(&mut self, id: &str, bytes: u64, result: Result<Checked, String>) -> ActedFile {
        let id = id.to_owned();
        let checked = match result {
            Ok(checked) => checked,
            Err(reason) => {
                return ActedFile { id, outcome: Outcome::Failed, to: None, reason: Some(reason), note: None };
            }
        };
        let totals = &mut self.acted.totals;
        totals.bytes += bytes;
        let lost = self.lost.entry(checked.duplicate.identity()).or_default();
        let is_last = checked.duplicate.links.saturating_sub(*lost) <= 1;
        if self.acted.dry_run {
            *lost += 1;
        }
        if is_last && self.acted.action != Verb::Move {
            totals.freed += bytes;
        }
        let outcome = if self.acted.dry_run { Outcome::Planned } else { Outcome::Done };
        let to = checked.intent.to.as_ref().or(checked.intent.target.as_ref());
        ActedFile { id, outcome, to: to.map(|to| id_of(to).into_owned()), reason: None, note: note(&checked) }
    }
}
