//! Why nothing can be done at all. What goes wrong with a single file is in the report.

use std::io;
use std::path::PathBuf;

/// An error before the first file is touched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The report is not JSON as lookalike writes it.
    #[error("{name}: is not a JSON report of lookalike: {source}")]
    NotAReport {
        /// What the caller named the report.
        name: String,
        /// Where reading failed.
        source: serde_json::Error,
    },
    /// The report does not say which schema it has.
    #[error("{name}: is not a report of lookalike: it has no schema")]
    NoSchema {
        /// What the caller named the report.
        name: String,
    },
    /// The report was written by a newer version.
    #[error("{name}: has schema {found}, but this version reads at most {supported}")]
    UnsupportedSchema {
        /// What the caller named the report.
        name: String,
        /// The report's schema.
        found: u32,
        /// The newest schema that this version reads.
        supported: u32,
    },
    /// The report is not one of the chunks lens, the only one that lists identical files with their times.
    #[error("{name}: is a report of another lens: only the chunks lens lists identical files with their times")]
    WrongLens {
        /// What the caller named the report.
        name: String,
    },
    /// An option names a folder that cannot be used.
    #[error("{role} {}: {problem}", path.display())]
    Folder {
        /// Which option.
        role: FolderRole,
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: FolderProblem,
    },
    /// The log cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    ReadLog {
        /// The log.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The log belongs to another user, who may have written anything into it.
    #[error("{}: belongs to another user ({owner}), who may have written anything into it", path.display())]
    ForeignLog {
        /// The log.
        path: PathBuf,
        /// Who owns it.
        owner: u32,
    },
    /// The log names files as act never does.
    #[error("{}: action {n} names files in a way that act does not; this log was written or changed by something else", path.display())]
    ForeignNames {
        /// The log.
        path: PathBuf,
        /// The action.
        n: u64,
    },
    /// The log cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    WriteLog {
        /// The log.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is there, but it is not a log. It is not touched.
    #[error("{}: is not a log of actions", path.display())]
    NotALog {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes to the log.
    #[error("{}: is in use by another process; wait until it ends", path.display())]
    LogInUse {
        /// The log.
        path: PathBuf,
    },
    /// The log was written by a newer version.
    #[error("{}: has format {found}, but this version reads at most {supported}; use a newer version", path.display())]
    UnsupportedLog {
        /// The log.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format that this version reads.
        supported: u32,
    },
    /// A line of the log cannot be read.
    #[error("{}: line {line} is damaged; repair it by hand or use a copy of the log", path.display())]
    DamagedLog {
        /// The log.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// The log says how an action ended that it never announced.
    #[error("{}: names action {n}, which it did not announce; repair it by hand or use a copy of the log", path.display())]
    UnknownAction {
        /// The log.
        path: PathBuf,
        /// The action's number.
        n: u64,
    },
}

/// The option that names a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FolderRole {
    /// The folder whose files are preferred: [`KeepPolicy::Under`](crate::KeepPolicy::Under).
    Keep,
    /// A folder whose files are never touched: [`ActOptions::reference`](crate::ActOptions::reference).
    Reference,
    /// A folder whose files may be touched: [`ActOptions::roots`](crate::ActOptions::roots).
    Root,
    /// The folder that duplicates are moved to: [`Action::Move`](crate::Action::Move).
    Destination,
}

impl std::fmt::Display for FolderRole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Keep => "folder to keep files of",
            Self::Reference => "reference folder",
            Self::Root => "root",
            Self::Destination => "destination folder",
        })
    }
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderProblem {
    /// It cannot be looked at; it may be missing.
    #[error("{0}; name a folder that exists")]
    Inaccessible(io::Error),
    /// Something else has its name, or the name of a folder above it.
    #[error("{} is not a folder; name another", .0.display())]
    NotAFolder(PathBuf),
    /// It leads up again from a folder that does not exist.
    #[error("has .. after a folder that does not exist; make that folder first")]
    ParentOfMissing,
}
