//! From a log back to how it was, and what becomes of actions that were interrupted.

use crate::context::ActContext;
use crate::error::Error;
use crate::log::{self, ActionState, Intent, Log, LogEntry};
use crate::options::ActionKind;
use crate::outcome::{EntryOutcome, Outcome, UndoReport};
use crate::paths::temporary_path;
use crate::restore::RestoreMethod;
use lookalike_corpus::id_of;
use lookalike_store::Unit;
use std::path::Path;

const PUT_BACK: &str = "was interrupted halfway: put back";
const COMPLETE: &str = "was interrupted at its end: it is done";
const GONE: &str = "was interrupted, and is gone since then";

/// Undoes what a log says, last action first; if not `apply`, only tells what would be done.
pub(crate) fn undo_log(context: ActContext<'_>, path: &Path, apply: bool) -> Result<UndoReport, Error> {
    let (mut log, contents) = if apply {
        let (log, contents) = Log::open(context.files, path, true)?;
        (Some(log), contents)
    } else {
        (None, log::read(path, true)?)
    };
    let mut report = UndoReport::new(id_of(path).into_owned(), !apply);
    context.progress.begin("undoing", Unit::Documents, Some(contents.entries.len() as u64));
    for entry in contents.entries.into_values().rev() {
        if context.cancel.is_cancelled() {
            report.stopped = Some("stopped; the rest is as it was".to_owned());
            break;
        }
        let result = match &mut log {
            Some(log) => context.undo_entry(log, &entry),
            None => context.preview(&entry, true),
        };
        report.push(entry_outcome(&entry.intent, result));
        context.progress.advance(1);
        report.stopped = log.as_ref().and_then(Log::broken);
        if report.stopped.is_some() {
            break;
        }
    }
    context.progress.end();
    if let Some(Err(reason)) = log.map(|mut log| log.sync()) {
        report.stopped.get_or_insert(reason);
    }
    Ok(report)
}

/// Settles what earlier runs with this log have left half-done, before anything new is begun. Without a log to write to it only tells.
pub(crate) fn settle(context: ActContext<'_>, mut log: Option<&mut Log<'_>>, open: &[&LogEntry]) -> Vec<EntryOutcome> {
    let mut all = Vec::new();
    for entry in open {
        let result = match &mut log {
            Some(log) if log.broken().is_some() => break,
            Some(log) => context.settle_entry(log, entry),
            None => context.preview(entry, false),
        };
        all.push(entry_outcome(&entry.intent, result));
    }
    all
}

/// What became of an action, and how; or why it could not be settled.
type EntryResult = Result<(Outcome, String), String>;

fn entry_outcome(intent: &Intent, result: EntryResult) -> EntryOutcome {
    let (outcome, reason) = result.unwrap_or_else(|reason| (Outcome::Failed, reason));
    let path = id_of(&intent.path).into_owned();
    EntryOutcome { n: intent.n, action: intent.action, path, outcome, reason }
}

impl ActContext<'_> {
    fn undo_entry(&self, log: &mut Log<'_>, entry: &LogEntry) -> EntryResult {
        let intent = &entry.intent;
        let n = intent.n;
        match &entry.state {
            ActionState::Done => {}
            ActionState::Begun => {
                if !self.roll_back(intent)? {
                    return self.log_rollback(log, intent);
                }
                log.done(n);
            }
            ActionState::Undoing(copy) => {
                self.clear(intent, copy)?;
                log.done(n);
            }
        }
        let method = self.examine(intent)?;
        if method == RestoreMethod::Already {
            self.remove_info(intent)?;
            log.back(n);
            return Ok((Outcome::Untouched, method.reason().to_owned()));
        }
        let copy = temporary_path(intent.path.parent().unwrap_or(Path::new("/")));
        log.undo(n, &copy)?;
        let Err(reason) = self.restore(intent, method, &copy) else {
            log.back(n);
            return Ok((Outcome::Done, method.reason().to_owned()));
        };
        // the log still says that it is being undone, so that the next one looks how far it came
        self.clear(intent, &copy).map_err(|stuck| format!("{reason}; then {stuck}"))?;
        Err(reason)
    }

    fn settle_entry(&self, log: &mut Log<'_>, entry: &LogEntry) -> EntryResult {
        let intent = &entry.intent;
        let was_done = match &entry.state {
            ActionState::Done => true,
            ActionState::Begun => self.roll_back(intent)?,
            ActionState::Undoing(copy) => {
                self.clear(intent, copy)?;
                match self.examine(intent) {
                    Ok(method @ (RestoreMethod::Already | RestoreMethod::DropMoved)) => {
                        self.restore(intent, method, copy)?;
                        false
                    }
                    _ => true,
                }
            }
        };
        if was_done {
            log.done(intent.n);
            return Ok((Outcome::Done, COMPLETE.to_owned()));
        }
        self.log_rollback(log, intent)
    }

    /// Writes that an action was taken back.
    fn log_rollback(&self, log: &mut Log<'_>, intent: &Intent) -> EntryResult {
        log.back(intent.n);
        Ok(match self.look(&intent.path)? {
            Some(_) => (Outcome::Done, PUT_BACK.to_owned()),
            None => (Outcome::Untouched, GONE.to_owned()),
        })
    }

    /// What would become of an action of the log, without touching anything.
    fn preview(&self, entry: &LogEntry, undo: bool) -> EntryResult {
        let intent = &entry.intent;
        if entry.state == ActionState::Begun && !self.is_complete(intent)? {
            return Ok((Outcome::Planned, PUT_BACK.to_owned()));
        }
        if !undo {
            return Ok((Outcome::Planned, COMPLETE.to_owned()));
        }
        let method = self.examine(intent)?;
        Ok((
            if method == RestoreMethod::Already { Outcome::Untouched } else { Outcome::Planned },
            method.reason().to_owned(),
        ))
    }

    /// Whether an action that was begun is done but for the log; an error if it cannot be taken back.
    fn is_complete(&self, intent: &Intent) -> Result<bool, String> {
        self.find_folder(intent)?;
        let there = self.look(&intent.path)?;
        let is_there = |status| self.is_link(intent, &intent.path, status);
        let is_link = matches!(intent.action, ActionKind::Hardlink | ActionKind::Symlink);
        if let Some(aside) = self.look(&intent.temporary)? {
            if intent.action == ActionKind::Reflink {
                return Ok(false);
            }
            if is_link && self.is_link(intent, &intent.temporary, aside)? {
                return there.map_or(Ok(false), is_there);
            }
            return self.rollback_method(intent).map(|_| false);
        }
        match intent.action {
            ActionKind::Hardlink | ActionKind::Symlink => there.map_or(Ok(false), is_there),
            ActionKind::Remove => Ok(there.is_none()),
            ActionKind::Move | ActionKind::Trash => self.has_moved(intent),
            ActionKind::Reflink => Ok(false),
        }
    }
}
