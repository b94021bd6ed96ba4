//! From a report to what is to be done: which file of a set stays, which are duplicates, and which are left alone and why.

use super::acted::{ActedFile, Outcome};
use super::files::{Files, Kind, Seen};
use super::found::Found;
use super::place::{Folder, Placed, destination};
use super::{Keep, Options};
use crate::Error;
use crate::chunks::{IdenticalFile, IdenticalSet};
use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};

/// What is to be done.
pub(super) struct Plan {
    /// Where files are moved to.
    pub(super) destination: Option<PathBuf>,
    pub(super) sets: Vec<PlannedSet>,
}

/// A set of identical files.
pub(super) struct PlannedSet {
    pub(super) bytes: u64,
    /// The one that stays.
    pub(super) kept: Option<Candidate>,
    /// Those with which something is to be done.
    pub(super) duplicates: Vec<Candidate>,
    /// Those with which nothing is.
    pub(super) left: Vec<ActedFile>,
}

/// A file that is as the report says.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) place: Placed,
    pub(super) modified: i64,
    seen: Seen,
    is_reference: bool,
}

/// A file that is not as the report says.
struct Other {
    id: String,
    /// What is there, at the end of a symbolic link.
    seen: Option<Seen>,
    outcome: Outcome,
    reason: String,
}

pub(super) struct Planner<'a> {
    files: &'a dyn Files,
    options: &'a Options,
    reference: Vec<Folder>,
    under: Option<Folder>,
    destination: Option<PathBuf>,
    waiting: Vec<&'a Path>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(files: &'a dyn Files, options: &'a Options) -> Result<Self, Error> {
        let reference = options.reference.iter().map(|folder| Folder::new("--reference", folder));
        let under = match &options.keep {
            Keep::Under(folder) => Some(Folder::new("--keep under", folder)?),
            _ => None,
        };
        let reference = reference.collect::<Result<_, _>>()?;
        let destination = options.action.folder().map(destination).transpose()?;
        Ok(Self { files, options, reference, under, destination, waiting: Vec::new() })
    }

    /// Plans. The files that are `waiting` are not at their place, but will be when it is done.
    pub(super) fn plan(mut self, found: &Found, waiting: &[&'a Path]) -> Plan {
        waiting.clone_into(&mut self.waiting);
        let wanted = found.sets.iter().filter(|set| set.bytes >= self.options.min_size.max(1));
        let sets = wanted.map(|set| self.set(set, found)).collect();
        Plan { sets, destination: self.destination }
    }

    fn set(&self, set: &IdenticalSet, found: &Found) -> PlannedSet {
        let (mut candidates, mut others) = (Vec::new(), Vec::new());
        for file in &set.files {
            match self.candidate(file, set.bytes, found) {
                Ok(candidate) => candidates.push(candidate),
                Err(other) => others.push(other),
            }
        }
        let kept = self.kept(&candidates);
        let mut left: Vec<ActedFile> = others.into_iter().map(|other| other.beside(kept.as_ref())).collect();
        let mut duplicates: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            let Some(kept) = &kept else {
                left.push(untouched(candidate.place.id, "no file of this set is below the folder of --keep under"));
                continue;
            };
            let earlier = duplicates.iter().find(|known| known.place.path == candidate.place.path);
            if candidate.place.path == kept.place.path {
                if candidate.place.id != kept.place.id {
                    left.push(untouched(candidate.place.id, "is the kept file, by another way to its folder"));
                }
            } else if candidate.is_reference {
                left.push(untouched(candidate.place.id, "is in a reference folder"));
            } else if candidate.seen.is_same_file(&kept.seen) {
                left.push(untouched(candidate.place.id, "is the same file as the kept one already"));
            } else if let Some(earlier) = earlier {
                let reason = format!("is the same as {}, by another way to its folder", earlier.place.id);
                left.push(untouched(candidate.place.id, &reason));
            } else {
                duplicates.push(candidate);
            }
        }
        PlannedSet { bytes: set.bytes, kept, duplicates, left }
    }

    /// Looks at a file of the report.
    fn candidate(&self, file: &IdenticalFile, bytes: u64, found: &Found) -> Result<Candidate, Other> {
        let other =
            |seen: Option<Seen>, outcome: Outcome, reason: String| Other { id: file.id.clone(), seen, outcome, reason };
        let unreadable = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                other(None, Outcome::Untouched, "is gone".to_owned())
            }
            _ => other(None, Outcome::Failed, format!("cannot be looked at: {e}")),
        };
        let Some(modified) = file.modified else {
            return Err(other(None, Outcome::Untouched, "is no file of this machine".to_owned()));
        };
        let place = Placed::new(&file.id, found.base.as_deref()).map_err(unreadable)?;
        let seen = self.files.look(&place.path).map_err(unreadable)?;
        if seen.is_none() && self.waiting.contains(&place.path.as_path()) {
            let reason = "was interrupted: it is put back first, and then looked at".to_owned();
            return Err(other(None, Outcome::Untouched, reason));
        }
        let seen = seen.ok_or_else(|| unreadable(io::ErrorKind::NotFound.into()))?;
        if seen.kind == Kind::Symlink {
            let end = self.files.look_through(&place.path).ok().flatten();
            return Err(other(
                end,
                Outcome::Failed,
                "is a symbolic link now, or was one when it was scanned".to_owned(),
            ));
        }
        if let Some(reason) = changed(&seen, bytes, modified) {
            return Err(other(Some(seen), Outcome::Failed, reason));
        }
        if self.destination.as_ref().is_some_and(|folder| place.path.starts_with(folder)) {
            let reason = "is in the folder that duplicates are moved to".to_owned();
            return Err(other(None, Outcome::Untouched, reason));
        }
        let is_reference = self.reference.iter().any(|folder| folder.holds(&place));
        Ok(Candidate { place, modified, seen, is_reference })
    }

    /// Which one stays.
    fn kept(&self, candidates: &[Candidate]) -> Option<Candidate> {
        let any_reference = candidates.iter().any(|candidate| candidate.is_reference);
        let eligible = candidates.iter().filter(|candidate| {
            if any_reference {
                return candidate.is_reference;
            }
            self.under.as_ref().is_none_or(|folder| folder.holds(&candidate.place))
        });
        let by_path = |candidate: &Candidate| (candidate.place.id.len(), candidate.place.id.clone());
        let kept = match self.options.keep {
            Keep::Newest => eligible.min_by_key(|&c| (Reverse(c.modified), by_path(c))),
            Keep::Oldest => eligible.min_by_key(|&c| (c.modified, by_path(c))),
            Keep::ShortestPath | Keep::Under(_) => eligible.min_by_key(|&c| by_path(c)),
        };
        kept.cloned()
    }
}

impl Other {
    /// A file that is the kept one by now has not changed: an earlier run has made it a link.
    fn beside(self, kept: Option<&Candidate>) -> ActedFile {
        let is_kept = self.seen.zip(kept).is_some_and(|(seen, kept)| seen.is_same_file(&kept.seen));
        if is_kept {
            return untouched(self.id, "leads to the kept file already");
        }
        ActedFile { id: self.id, outcome: self.outcome, to: None, reason: Some(self.reason), note: None }
    }
}

fn untouched(id: String, reason: &str) -> ActedFile {
    ActedFile { id, outcome: Outcome::Untouched, to: None, reason: Some(reason.to_owned()), note: None }
}

/// How a file differs from what the report says, if it does.
pub(super) fn changed(seen: &Seen, bytes: u64, modified: i64) -> Option<String> {
    if seen.kind != Kind::File {
        return Some("is no regular file".to_owned());
    }
    if seen.bytes != bytes {
        return Some(format!("has changed since the scan: it had {bytes} bytes and has {}", seen.bytes));
    }
    (seen.modified != modified).then(|| "has changed since the scan: it was written to at another time".to_owned())
}
