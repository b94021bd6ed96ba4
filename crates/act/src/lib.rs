//! Actions on identical files: duplicates become links, are moved or removed. The only crate that changes a user's file.
//!
//! What people called duplicates without being identical is only moved, to a folder or to the trash: it can be had back.
//!
//! * [`act`] reads a report of the chunks lens back. It is a dry run unless `apply` is set.
//! * [`undo`] reads the log that [`act`] wrote, and restores what it can.
//!
//! Nothing that the report says is taken for granted. Each file is looked at and compared byte for byte with the one that is kept, before
//! anything is touched and once more when it is out of reach of others. What is about to be done is on the disk, in the log, before
//! it is begun. `docs/decisions/0020-act.md` says why the steps are in this order.

#![cfg(unix)]

mod content;
mod context;
mod decided;
mod error;
mod file_system;
mod identical_files;
mod log;
mod options;
mod outcome;
mod paths;
mod plan;
mod restore;
mod rollback;
mod run;
mod steps;
#[cfg(test)]
mod tests;
mod trash;
mod undo;

pub use error::{Error, FolderProblem, FolderRole};
pub use identical_files::MAX_SCHEMA;
pub use options::{ActOptions, Action, ActionKind, DecidedSet, KeepPolicy};
pub use outcome::{ActReport, ActTotals, EntryOutcome, FileOutcome, Outcome, SetOutcome, UndoReport};
pub use run::{ActRequest, act, undo};
