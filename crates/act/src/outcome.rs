//! What was done, or would be.

use crate::options::ActionKind;
use serde::Serialize;

/// What act did, or would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ActReport {
    /// What becomes of duplicates.
    pub action: ActionKind,
    /// The folder that they are moved to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Nothing was done: this is what would be.
    pub dry_run: bool,
    /// Which file of a set is kept.
    pub keep: String,
    /// The folder from which relative ids count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The log that undoes it.
    pub log: String,
    /// What an earlier run with this log had left half-done. It is settled before anything else.
    pub interrupted: Vec<EntryOutcome>,
    /// Sets of identical files, in the order of the report.
    pub sets: Vec<SetOutcome>,
    /// All of it in numbers.
    pub totals: ActTotals,
    /// Why it ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

impl ActReport {
    /// Something could not be done.
    pub fn has_failed(&self) -> bool {
        self.totals.failed > 0
            || self.stopped.is_some()
            || self.interrupted.iter().any(|entry| entry.outcome == Outcome::Failed)
    }
}

/// A set of identical files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SetOutcome {
    /// Bytes of each.
    pub bytes: u64,
    /// The file that stays; none if there is no choice to make.
    pub kept: Option<String>,
    /// The others.
    pub files: Vec<FileOutcome>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileOutcome {
    /// Which.
    pub id: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Where it was moved to, or where its symbolic link points to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What else changes for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It was done.
    Done,
    /// It would be done.
    Planned,
    /// There was nothing to do, or nothing was to be done.
    Untouched,
    /// It could not be done; the file is as it was, unless the reason says otherwise.
    Failed,
}

/// All of it in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ActTotals {
    /// Sets of identical files.
    pub sets: u64,
    /// Files with which it was done.
    pub done: u64,
    /// Files with which it would be done.
    pub planned: u64,
    /// Files with which nothing was to be done.
    pub untouched: u64,
    /// Files with which it could not be done.
    pub failed: u64,
    /// Bytes of the files that are done or planned.
    pub bytes: u64,
    /// Of them, those that no name leads to any more: what the disk gets back.
    pub freed: u64,
}

/// What an undo did, or would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UndoReport {
    /// The log.
    pub log: String,
    /// Nothing was done: this is what would be.
    pub dry_run: bool,
    /// Actions of the log that were not undone before, last one first.
    pub entries: Vec<EntryOutcome>,
    /// Files that were restored.
    pub done: u64,
    /// Files that would be.
    pub planned: u64,
    /// Files with which nothing was to be done.
    pub untouched: u64,
    /// Files that could not be restored.
    pub failed: u64,
    /// Why it ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

impl UndoReport {
    pub(crate) fn new(log: String, dry_run: bool) -> Self {
        Self { log, dry_run, entries: Vec::new(), done: 0, planned: 0, untouched: 0, failed: 0, stopped: None }
    }

    pub(crate) fn push(&mut self, entry: EntryOutcome) {
        *match entry.outcome {
            Outcome::Done => &mut self.done,
            Outcome::Planned => &mut self.planned,
            Outcome::Untouched => &mut self.untouched,
            Outcome::Failed => &mut self.failed,
        } += 1;
        self.entries.push(entry);
    }

    /// Something could not be restored.
    pub fn has_failed(&self) -> bool {
        self.failed > 0 || self.stopped.is_some()
    }
}

/// What became of an action of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EntryOutcome {
    /// Its number in the log.
    pub n: u64,
    /// What it was.
    pub action: ActionKind,
    /// The file, by its whole path.
    pub path: String,
    /// What became of it.
    pub outcome: Outcome,
    /// How, or why not.
    pub reason: String,
}
