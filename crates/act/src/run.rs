//! A run: the sets of a report, one after another.

use crate::context::ActContext;
use crate::error::Error;
use crate::file_system::OsFileSystem;
use crate::identical_files::IdenticalFiles;
use crate::log::{self, ActionState, Log};
use crate::options::{ActOptions, ActionKind, DecidedSet};
use crate::outcome::{ActReport, ActTotals, FileOutcome, Outcome, SetOutcome, UndoReport};
use crate::plan::{Plan, PlannedSet, Planner};
use crate::steps::{CheckedAction, attribute_change};
use crate::undo::{settle, undo_log};
use lookalike_corpus::id_of;
use lookalike_store::{Cancel, Progress, Unit};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What to act on.
#[derive(Clone, Copy, Debug)]
pub struct ActRequest<'a> {
    /// A report as JSON; it is not looked at where there are decisions.
    pub report: &'a [u8],
    /// What people decided, instead of a report: only that is acted on. Ids count from the folder.
    pub decisions: Option<(&'a [DecidedSet], &'a Path)>,
    /// What messages call it.
    pub name: &'a str,
    /// What to do.
    pub options: &'a ActOptions,
    /// The log. If it is there it is continued.
    pub log: &'a Path,
    /// Do it. Otherwise nothing is touched, and the report says what would be done.
    pub apply: bool,
}

/// Acts on the identical files of a report, or tells what would be done.
pub fn act(request: &ActRequest<'_>, progress: &dyn Progress, cancel: &Cancel) -> Result<ActReport, Error> {
    act_on(ActContext { files: &OsFileSystem, progress, cancel }, request)
}

/// Undoes what a log says was done, last action first; if not `apply`, only tells what would be done.
pub fn undo(log: &Path, apply: bool, progress: &dyn Progress, cancel: &Cancel) -> Result<UndoReport, Error> {
    undo_log(ActContext { files: &OsFileSystem, progress, cancel }, log, apply)
}

pub(crate) fn act_on(context: ActContext<'_>, request: &ActRequest<'_>) -> Result<ActReport, Error> {
    let identical = match request.decisions {
        Some((_, base)) => IdenticalFiles { base: Some(base.to_owned()), sets: Vec::new() },
        None => IdenticalFiles::parse(request.report, request.name)?,
    };
    let decided = request.decisions.map_or(&[][..], |(decided, _)| decided);
    let options = request.options;
    let planner = Planner::new(context.files, options)?;
    let (mut log, contents) = if request.apply {
        let (log, contents) = Log::open(context.files, request.log, false)?;
        (Some(log), contents)
    } else {
        (None, log::read(request.log, false)?)
    };
    if let Some(log) = &mut log {
        log.begin(options, request.name);
    }
    let mut run = ActRun::new(context, request);
    run.report.base = identical.base.as_deref().map(|base| id_of(base).into_owned());
    let open: Vec<_> = contents.entries.values().filter(|entry| entry.state != ActionState::Done).collect();
    run.report.interrupted = settle(context, log.as_mut(), &open);
    // only now: what was interrupted is at its place again
    let waiting =
        if request.apply { Vec::new() } else { open.iter().map(|entry| entry.intent.path.as_path()).collect() };
    let plan = planner.plan(&identical, decided, &waiting);
    run.run_sets(&plan, &mut log);
    if let Some(Err(reason)) = log.map(|mut log| log.sync()) {
        run.report.stopped.get_or_insert(reason);
    }
    Ok(run.report)
}

/// A run on its way.
struct ActRun<'a> {
    context: ActContext<'a>,
    report: ActReport,
    /// In a dry run: paths that files would have been moved to by then.
    reserved: HashSet<PathBuf>,
    /// In a dry run: how many names a file would have lost by then.
    lost_names: HashMap<(u64, u64), u64>,
}

impl<'a> ActRun<'a> {
    fn new(context: ActContext<'a>, request: &ActRequest<'_>) -> Self {
        let options = request.options;
        let report = ActReport {
            action: options.action.kind(),
            folder: options.action.folder().map(|folder| id_of(folder).into_owned()),
            dry_run: !request.apply,
            keep: options.keep.to_string(),
            base: None,
            log: id_of(request.log).into_owned(),
            interrupted: Vec::new(),
            sets: Vec::new(),
            totals: ActTotals::default(),
            stopped: None,
        };
        Self { context, report, reserved: HashSet::new(), lost_names: HashMap::new() }
    }

    fn run_sets(&mut self, plan: &Plan, log: &mut Option<Log<'_>>) {
        let bytes = |set: &PlannedSet| set.bytes.saturating_mul(set.duplicates.len() as u64);
        // when it is done, all is compared twice
        let times = if log.is_some() { 2 } else { 1 };
        let total = plan.sets.iter().map(bytes).fold(0, u64::saturating_add).saturating_mul(times);
        self.context.progress.begin(if log.is_some() { "acting" } else { "checking" }, Unit::Bytes, Some(total));
        for set in &plan.sets {
            self.run_set(set, plan.destination.as_deref(), log);
            if self.report.stopped.is_some() {
                break;
            }
        }
        self.context.progress.end();
    }

    fn run_set(&mut self, set: &PlannedSet, destination: Option<&Path>, log: &mut Option<Log<'_>>) {
        let mut files = Vec::new();
        let mut synced = None;
        for duplicate in &set.duplicates {
            let Some(kept) = &set.kept else { break };
            self.report.stopped = log.as_ref().and_then(Log::broken).or_else(|| self.stop_reason());
            if self.report.stopped.is_some() {
                break;
            }
            let checked = self.context.check(self.report.action, destination, duplicate, kept, set.bytes);
            let checked = checked.and_then(|checked| self.reserve(checked));
            let result = checked.and_then(|mut checked| {
                let Some(log) = log else { return Ok(checked) };
                synced.get_or_insert_with(|| self.context.sync_kept(&kept.reported.path)).clone()?;
                self.context.act(log, &mut checked, destination).map(|()| checked)
            });
            if result.is_err() {
                self.report.stopped = self.stop_reason();
            }
            files.push(self.file_outcome(&duplicate.reported.id, set.bytes, result));
        }
        files.extend(set.excluded.iter().cloned());
        files.sort_by(|a, b| a.id.cmp(&b.id));
        for file in &files {
            let totals = &mut self.report.totals;
            *match file.outcome {
                Outcome::Done => &mut totals.done,
                Outcome::Planned => &mut totals.planned,
                Outcome::Untouched => &mut totals.untouched,
                Outcome::Failed => &mut totals.failed,
            } += 1;
        }
        self.report.totals.sets += 1;
        let kept = set.kept.as_ref().map(|kept| kept.reported.id.clone());
        self.report.sets.push(SetOutcome { bytes: set.bytes, kept, files });
    }

    fn stop_reason(&self) -> Option<String> {
        let is_cancelled = self.context.cancel.is_cancelled();
        is_cancelled.then(|| "stopped; what is not listed as done is as it was".to_owned())
    }

    /// In a dry run nothing happens, so two files could be promised the same place.
    fn reserve(&mut self, checked: CheckedAction) -> Result<CheckedAction, String> {
        match &checked.intent.to {
            Some(to) if self.report.dry_run && !self.reserved.insert(to.clone()) => {
                Err(format!("{} is taken by another file by then, and nothing is overwritten", id_of(to)))
            }
            _ => Ok(checked),
        }
    }

    fn file_outcome(&mut self, id: &str, bytes: u64, result: Result<CheckedAction, String>) -> FileOutcome {
        let id = id.to_owned();
        let checked = match result {
            Ok(checked) => checked,
            Err(reason) => {
                return FileOutcome { id, outcome: Outcome::Failed, to: None, reason: Some(reason), note: None };
            }
        };
        let totals = &mut self.report.totals;
        totals.bytes += bytes;
        let lost = self.lost_names.entry(checked.duplicate.identity()).or_default();
        let is_last = checked.duplicate.links.saturating_sub(*lost) <= 1;
        if self.report.dry_run {
            *lost += 1;
        }
        if is_last && !matches!(self.report.action, ActionKind::Move | ActionKind::Trash) {
            totals.freed += bytes;
        }
        let outcome = if self.report.dry_run { Outcome::Planned } else { Outcome::Done };
        let to = checked.intent.to.as_ref().or(checked.intent.target.as_ref());
        FileOutcome {
            id,
            outcome,
            to: to.map(|to| id_of(to).into_owned()),
            reason: None,
            note: attribute_change(&checked),
        }
    }
}
