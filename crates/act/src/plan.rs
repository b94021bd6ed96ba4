//! From a report to what is to be done: which file of a set stays, which are duplicates, and which are left alone and why.

use crate::error::{Error, FolderRole};
use crate::file_system::{FileKind, FileStatus, FileSystem};
use crate::identical_files::{IdenticalFile, IdenticalFiles, IdenticalSet};
use crate::options::{ActOptions, ActionKind, DecidedSet, KeepPolicy};
use crate::outcome::{FileOutcome, Outcome};
use crate::paths::{ExistingFolder, ReportedFile, resolve_destination};
use lookalike_corpus::id_of;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// What is to be done.
pub(crate) struct Plan {
    /// Where files are moved to.
    pub(crate) destination: Option<PathBuf>,
    pub(crate) sets: Vec<PlannedSet>,
}

/// A set of identical files.
pub(crate) struct PlannedSet {
    pub(crate) bytes: u64,
    /// The one that stays.
    pub(crate) kept: Option<PlannedFile>,
    /// Those with which something is to be done.
    pub(crate) duplicates: Vec<PlannedFile>,
    /// Those with which nothing is.
    pub(crate) excluded: Vec<FileOutcome>,
}

/// A file that is as the report says.
#[derive(Clone, Debug)]
pub(crate) struct PlannedFile {
    pub(crate) reported: ReportedFile,
    pub(crate) modified: i64,
    status: FileStatus,
    is_reference: bool,
    /// The content that people decided upon, if it need not be that of the kept file.
    pub(crate) decided: Option<String>,
}

impl PlannedFile {
    /// The same, with the content that it had when people decided.
    pub(crate) fn decided(self, content: &str) -> Self {
        Self { decided: Some(content.to_owned()), ..self }
    }

    pub(crate) fn is_reference(&self) -> bool {
        self.is_reference
    }
}

/// A file that is not as the report says.
pub(crate) struct ExcludedFile {
    id: String,
    /// What is there, at the end of a symbolic link.
    status: Option<FileStatus>,
    pub(crate) outcome: Outcome,
    pub(crate) reason: String,
}

pub(crate) struct Planner<'a> {
    files: &'a dyn FileSystem,
    options: &'a ActOptions,
    reference: Vec<ExistingFolder>,
    under: Option<ExistingFolder>,
    /// Folders beside the base of the report whose files may be touched.
    roots: Vec<ExistingFolder>,
    destination: Option<PathBuf>,
    /// The folder from which relative ids count.
    base: Option<PathBuf>,
    waiting: Vec<&'a Path>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(files: &'a dyn FileSystem, options: &'a ActOptions) -> Result<Self, Error> {
        let reference = options.reference.iter().map(|folder| ExistingFolder::new(FolderRole::Reference, folder));
        let under = match &options.keep {
            KeepPolicy::Under(folder) => Some(ExistingFolder::new(FolderRole::Keep, folder)?),
            _ => None,
        };
        let reference = reference.collect::<Result<_, _>>()?;
        let roots = options.roots.iter().map(|folder| ExistingFolder::new(FolderRole::Root, folder));
        let roots = roots.collect::<Result<_, _>>()?;
        let destination = options.action.folder().map(resolve_destination).transpose()?;
        Ok(Self { files, options, reference, under, roots, destination, base: None, waiting: Vec::new() })
    }

    /// Plans. The files that are `waiting` are not at their place, but will be when it is done.
    pub(crate) fn plan(mut self, identical: &IdenticalFiles, decided: &[DecidedSet], waiting: &[&'a Path]) -> Plan {
        self.base.clone_from(&identical.base);
        waiting.clone_into(&mut self.waiting);
        // a base that is gone holds nothing
        self.roots.extend(identical.base.iter().filter_map(|base| ExistingFolder::new(FolderRole::Root, base).ok()));
        let wanted = identical.sets.iter().filter(|set| set.bytes >= self.min_size());
        let sets = wanted.map(|set| self.plan_set_keeping(set, None));
        let sets = sets.chain(decided.iter().flat_map(|decided| self.plan_decision(decided))).collect();
        Plan { sets, destination: self.destination }
    }

    pub(crate) fn min_size(&self) -> u64 {
        self.options.min_size.max(1)
    }

    pub(crate) fn action(&self) -> ActionKind {
        self.options.action.kind()
    }

    /// What is there by an id; none if nothing is.
    pub(crate) fn status_of(&self, id: &str) -> Option<FileStatus> {
        let reported = ReportedFile::new(id, self.base.as_deref()).ok()?;
        self.files.look(&reported.path).ok().flatten()
    }

    /// A set of identical files. Where people said which to keep, one of those stays, and so do the others of them.
    pub(crate) fn plan_set_keeping(&self, set: &IdenticalSet, keep: Option<&BTreeSet<&str>>) -> PlannedSet {
        let is_kept = |planned: &PlannedFile| keep.is_none_or(|keep| keep.contains(planned.reported.id.as_str()));
        let (mut files, mut others) = (Vec::new(), Vec::new());
        for file in &set.files {
            match self.examine(file, set.bytes) {
                Ok(planned) => files.push(planned),
                Err(other) => others.push(other),
            }
        }
        let kept = self.choose_kept(files.iter().filter(|planned| is_kept(planned)));
        let mut excluded: Vec<FileOutcome> =
            others.into_iter().map(|other| other.into_outcome(kept.as_ref())).collect();
        let mut duplicates: Vec<PlannedFile> = Vec::new();
        for planned in files {
            let Some(kept) = &kept else {
                excluded.push(untouched(
                    planned.reported.id,
                    "no file of this set is below the folder whose files are kept",
                ));
                continue;
            };
            let earlier = duplicates.iter().find(|known| known.reported.path == planned.reported.path);
            if planned.reported.path == kept.reported.path {
                if planned.reported.id != kept.reported.id {
                    excluded.push(untouched(planned.reported.id, "is the kept file, by another way to its folder"));
                }
            } else if keep.is_some() && is_kept(&planned) {
                excluded.push(untouched(planned.reported.id, "is to be kept, too"));
            } else if planned.is_reference {
                excluded.push(untouched(planned.reported.id, "is in a reference folder"));
            } else if planned.status.is_same_file(&kept.status) {
                excluded.push(untouched(planned.reported.id, "is the same file as the kept one already"));
            } else if let Some(earlier) = earlier {
                let reason = format!("is the same as {}, by another way to its folder", earlier.reported.id);
                excluded.push(untouched(planned.reported.id, &reason));
            } else {
                duplicates.push(planned);
            }
        }
        PlannedSet { bytes: set.bytes, kept, duplicates, excluded }
    }

    /// Looks at a file of the report.
    pub(crate) fn examine(&self, file: &IdenticalFile, bytes: u64) -> Result<PlannedFile, ExcludedFile> {
        let other = |status: Option<FileStatus>, outcome: Outcome, reason: String| ExcludedFile {
            id: file.id.clone(),
            status,
            outcome,
            reason,
        };
        let unreadable = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                other(None, Outcome::Untouched, "is gone".to_owned())
            }
            _ => other(None, Outcome::Failed, format!("cannot be looked at: {e}")),
        };
        let Some(modified) = file.modified else {
            return Err(other(None, Outcome::Untouched, "is not a file of this machine".to_owned()));
        };
        let reported = ReportedFile::new(&file.id, self.base.as_deref()).map_err(unreadable)?;
        if !self.may_touch(&reported) {
            let reason = match &self.base {
                Some(base) => format!("is not below {}, where the report was made, nor below a root", id_of(base)),
                None => "is not below a root, and the report does not say where it was made".to_owned(),
            };
            return Err(other(None, Outcome::Failed, reason));
        }
        let status = self.files.look(&reported.path).map_err(unreadable)?;
        if status.is_none() && self.waiting.contains(&reported.path.as_path()) {
            let reason = "was interrupted: it is put back first, and then looked at".to_owned();
            return Err(other(None, Outcome::Untouched, reason));
        }
        let status = status.ok_or_else(|| unreadable(io::ErrorKind::NotFound.into()))?;
        if status.kind == FileKind::Symlink {
            let end = self.files.look_through(&reported.path).ok().flatten();
            return Err(other(
                end,
                Outcome::Failed,
                "is a symbolic link now, or was one when it was scanned".to_owned(),
            ));
        }
        if let Some(reason) = change_since_scan(&status, bytes, modified) {
            return Err(other(Some(status), Outcome::Failed, reason));
        }
        if self.destination.as_ref().is_some_and(|folder| reported.path.starts_with(folder)) {
            let reason = "is in the folder that duplicates are moved to".to_owned();
            return Err(other(None, Outcome::Untouched, reason));
        }
        let is_reference = self.reference.iter().any(|folder| folder.holds(&reported));
        Ok(PlannedFile { reported, modified, status, is_reference, decided: None })
    }

    /// Whether a file is really below a folder that somebody named. A report is a file that others may have written, and its ids may lead
    /// anywhere.
    fn may_touch(&self, file: &ReportedFile) -> bool {
        self.roots.iter().chain(&self.reference).chain(&self.under).any(|folder| folder.really_holds(file))
    }

    /// Which one stays.
    fn choose_kept<'f>(&self, files: impl Iterator<Item = &'f PlannedFile>) -> Option<PlannedFile> {
        let files: Vec<&PlannedFile> = files.collect();
        let any_reference = files.iter().any(|planned| planned.is_reference);
        let eligible = files.into_iter().filter(|planned| {
            if any_reference {
                return planned.is_reference;
            }
            self.under.as_ref().is_none_or(|folder| folder.holds(&planned.reported))
        });
        let by_path = |planned: &PlannedFile| (planned.reported.id.len(), planned.reported.id.clone());
        let kept = match self.options.keep {
            KeepPolicy::Newest => eligible.min_by_key(|&c| (Reverse(c.modified), by_path(c))),
            KeepPolicy::Oldest => eligible.min_by_key(|&c| (c.modified, by_path(c))),
            KeepPolicy::ShortestPath | KeepPolicy::Under(_) => eligible.min_by_key(|&c| by_path(c)),
        };
        kept.cloned()
    }
}

impl ExcludedFile {
    /// A file that is the kept one by now has not changed: an earlier run has made it a link.
    fn into_outcome(self, kept: Option<&PlannedFile>) -> FileOutcome {
        let is_kept = self.status.zip(kept).is_some_and(|(status, kept)| status.is_same_file(&kept.status));
        if is_kept {
            return untouched(self.id, "leads to the kept file already");
        }
        FileOutcome { id: self.id, outcome: self.outcome, to: None, reason: Some(self.reason), note: None }
    }
}

fn untouched(id: String, reason: &str) -> FileOutcome {
    FileOutcome { id, outcome: Outcome::Untouched, to: None, reason: Some(reason.to_owned()), note: None }
}

/// How a file differs from what the report says, if it does.
pub(crate) fn change_since_scan(status: &FileStatus, bytes: u64, modified: i64) -> Option<String> {
    if status.kind != FileKind::File {
        return Some("is not a regular file".to_owned());
    }
    if status.bytes != bytes {
        return Some(format!("has changed since the scan: it had {bytes} bytes and has {}", status.bytes));
    }
    (status.modified != modified).then(|| "has changed since the scan: it was written to at another time".to_owned())
}
