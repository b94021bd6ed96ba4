//! From a log back to how it was, and what becomes of actions that were interrupted.

use super::Verb;
use super::acted::{Outcome, Settled, Undone};
use super::content::Hand;
use super::log::{self, Entry, Intent, Log, State};
use super::place::temporary;
use super::restore::Way;
use crate::{Error, Unit};
use lookalike_corpus::id_of;
use std::path::Path;

const PUT_BACK: &str = "was interrupted halfway: put back";
const CAME_THROUGH: &str = "was interrupted at its end: it is done";
const GONE: &str = "was interrupted, and is gone since then";

/// Undoes what a log says, last action first; if not `yes`, only tells what would be done.
pub(super) fn undo(hand: Hand<'_>, path: &Path, yes: bool) -> Result<Undone, Error> {
    let (mut log, past) = if yes {
        let (log, past) = Log::open(hand.files, path, true)?;
        (Some(log), past)
    } else {
        (None, log::read(path, true)?)
    };
    let mut undone = Undone::new(id_of(path).into_owned(), !yes);
    hand.progress.begin("undoing", Unit::Documents, Some(past.entries.len() as u64));
    for entry in past.entries.into_values().rev() {
        if hand.cancel.is_cancelled() {
            undone.stopped = Some("stopped; the rest is as it was".to_owned());
            break;
        }
        let result = match &mut log {
            Some(log) => hand.undo_entry(log, &entry),
            None => hand.foresee(&entry, true),
        };
        undone.push(settled(&entry.intent, result));
        hand.progress.advance(1);
        undone.stopped = log.as_ref().and_then(Log::broken);
        if undone.stopped.is_some() {
            break;
        }
    }
    hand.progress.end();
    if let Some(Err(reason)) = log.map(|mut log| log.sync()) {
        undone.stopped.get_or_insert(reason);
    }
    Ok(undone)
}

/// Settles what earlier runs with this log have left half-done, before anything new is begun. Without a log to write to it only tells.
pub(super) fn settle(hand: Hand<'_>, mut log: Option<&mut Log<'_>>, open: &[&Entry]) -> Vec<Settled> {
    let mut all = Vec::new();
    for entry in open {
        let result = match &mut log {
            Some(log) if log.broken().is_some() => break,
            Some(log) => hand.settle_entry(log, entry),
            None => hand.foresee(entry, false),
        };
        all.push(settled(&entry.intent, result));
    }
    all
}

/// What became of an action, and how; or why it could not be settled.
type Become = Result<(Outcome, String), String>;

fn settled(intent: &Intent, result: Become) -> Settled {
    let (outcome, reason) = result.unwrap_or_else(|reason| (Outcome::Failed, reason));
    let path = id_of(&intent.path).into_owned();
    Settled { n: intent.n, action: intent.action, path, outcome, reason }
}

impl Hand<'_> {
    fn undo_entry(&self, log: &mut Log<'_>, entry: &Entry) -> Become {
        let intent = &entry.intent;
        let n = intent.n;
        match &entry.state {
            State::Done => {}
            State::Begun => {
                if !self.take_back(intent)? {
                    return self.told_back(log, intent);
                }
                log.done(n);
            }
            State::Undoing(copy) => {
                self.clear(intent, copy)?;
                log.done(n);
            }
        }
        let way = self.examine(intent)?;
        if way == Way::Already {
            log.back(n);
            return Ok((Outcome::Untouched, way.reason().to_owned()));
        }
        let copy = temporary(intent.path.parent().unwrap_or(Path::new("/")));
        log.undo(n, &copy)?;
        let Err(reason) = self.restore(intent, way, &copy) else {
            log.back(n);
            return Ok((Outcome::Done, way.reason().to_owned()));
        };
        // the log still says that it is being undone, so that the next one looks how far it came
        self.clear(intent, &copy).map_err(|stuck| format!("{reason}; then {stuck}"))?;
        Err(reason)
    }

    fn settle_entry(&self, log: &mut Log<'_>, entry: &Entry) -> Become {
        let intent = &entry.intent;
        let was_done = match &entry.state {
            State::Done => true,
            State::Begun => self.take_back(intent)?,
            State::Undoing(copy) => {
                self.clear(intent, copy)?;
                match self.examine(intent) {
                    Ok(way @ (Way::Already | Way::DropMoved)) => {
                        self.restore(intent, way, copy)?;
                        false
                    }
                    _ => true,
                }
            }
        };
        if was_done {
            log.done(intent.n);
            return Ok((Outcome::Done, CAME_THROUGH.to_owned()));
        }
        self.told_back(log, intent)
    }

    /// Writes that an action was taken back.
    fn told_back(&self, log: &mut Log<'_>, intent: &Intent) -> Become {
        log.back(intent.n);
        Ok(match self.look(&intent.path)? {
            Some(_) => (Outcome::Done, PUT_BACK.to_owned()),
            None => (Outcome::Untouched, GONE.to_owned()),
        })
    }

    /// What would become of an action of the log, without touching anything.
    fn foresee(&self, entry: &Entry, undo: bool) -> Become {
        let intent = &entry.intent;
        if entry.state == State::Begun && !self.came_through(intent)? {
            return Ok((Outcome::Planned, PUT_BACK.to_owned()));
        }
        if !undo {
            return Ok((Outcome::Planned, CAME_THROUGH.to_owned()));
        }
        let way = self.examine(intent)?;
        Ok((if way == Way::Already { Outcome::Untouched } else { Outcome::Planned }, way.reason().to_owned()))
    }

    /// Whether an action that was begun is done but for the log; an error if it cannot be taken back.
    fn came_through(&self, intent: &Intent) -> Result<bool, String> {
        self.find_folder(intent)?;
        let there = self.look(&intent.path)?;
        let is_there = |seen| self.is_link(intent, &intent.path, seen);
        let is_link = matches!(intent.action, Verb::Hardlink | Verb::Symlink);
        if let Some(aside) = self.look(&intent.temporary)? {
            if is_link && self.is_link(intent, &intent.temporary, aside)? {
                return there.map_or(Ok(false), is_there);
            }
            return self.way_back(intent).map(|_| false);
        }
        match intent.action {
            Verb::Hardlink | Verb::Symlink => there.map_or(Ok(false), is_there),
            Verb::Remove => Ok(there.is_none()),
            Verb::Move => self.has_moved(intent),
        }
    }
}
