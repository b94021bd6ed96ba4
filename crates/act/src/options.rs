//! What act is asked to do.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// What becomes of a duplicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It becomes another name of the kept file.
    Hardlink,
    /// It becomes a symbolic link to the kept file.
    Symlink,
    /// It is moved below this folder.
    Move(PathBuf),
    /// It is removed.
    Remove,
    /// It becomes a file of its own that shares its blocks on the disk with the kept file.
    Reflink,
    /// It is put in this trash, a folder with `files` and `info` as freedesktop.org describes it.
    Trash(PathBuf),
}

/// What becomes of a duplicate, without the folder: for logs and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// A hard link.
    Hardlink,
    /// A symbolic link.
    Symlink,
    /// Moved.
    Move,
    /// Removed.
    Remove,
    /// Blocks on the disk are shared.
    Reflink,
    /// In the trash.
    Trash,
}

impl Action {
    /// Which kind of action this is.
    pub fn kind(&self) -> ActionKind {
        match self {
            Self::Hardlink => ActionKind::Hardlink,
            Self::Symlink => ActionKind::Symlink,
            Self::Move(_) => ActionKind::Move,
            Self::Remove => ActionKind::Remove,
            Self::Reflink => ActionKind::Reflink,
            Self::Trash(_) => ActionKind::Trash,
        }
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Move(folder) | Self::Trash(folder) => Some(folder),
            _ => None,
        }
    }
}

/// What people decided about one cluster: these are duplicates, and some of them are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedSet {
    /// Ids of the files to keep.
    pub keep: Vec<String>,
    /// All files that it holds for: ids, and the content ids that they had.
    pub documents: Vec<(String, String)>,
}

/// Which file of a set is kept. Among equals the one with the shortest path, then the first by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeepPolicy {
    /// The one that was changed last.
    Newest,
    /// The one that was changed first.
    Oldest,
    /// The one with the shortest path.
    #[default]
    ShortestPath,
    /// One below this folder. A set that has none there is left alone.
    Under(PathBuf),
}

impl fmt::Display for KeepPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newest => f.write_str("newest"),
            Self::Oldest => f.write_str("oldest"),
            Self::ShortestPath => f.write_str("shortest-path"),
            Self::Under(folder) => write!(f, "under {}", lookalike_corpus::id_of(folder)),
        }
    }
}

/// Everything that decides what is done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ActOptions {
    /// What becomes of duplicates.
    pub action: Action,
    /// Which file of a set is kept.
    pub keep: KeepPolicy,
    /// Files below these folders are never touched, and one of them is kept where a set has any.
    pub reference: Vec<PathBuf>,
    /// Files below these folders may be touched, though the report was made elsewhere. Without any, only those below the folder of the
    /// report, its base.
    pub roots: Vec<PathBuf>,
    /// Sets of smaller files are left alone.
    pub min_size: u64,
}

impl ActOptions {
    /// This action, and nothing else said.
    pub fn new(action: Action) -> Self {
        Self { action, keep: KeepPolicy::default(), reference: Vec::new(), roots: Vec::new(), min_size: 1 }
    }
}
