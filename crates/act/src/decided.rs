//! What people decided on a report page, as far as act needs it. What is identical is known by content ids, and compared all the same.

use crate::identical_files::{IdenticalFile, IdenticalSet};
use crate::options::{ActionKind, DecidedSet};
use crate::outcome::{FileOutcome, Outcome};
use crate::plan::{PlannedSet, Planner};
use std::collections::{BTreeMap, BTreeSet};

/// Why a file that only resembles the kept one stays where it is.
const ONLY_MOVED: &str = "is not identical to a kept file: what people call duplicates is only moved or put in the trash, never linked or removed";

impl Planner<'_> {
    /// What is to be done by one decision: identical files as any others, and what only resembles a kept file by itself.
    pub(crate) fn plan_decision(&self, decided: &DecidedSet) -> Vec<PlannedSet> {
        let keep: BTreeSet<&str> = decided.keep.iter().map(String::as_str).collect();
        let mut by_content: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (id, content) in &decided.documents {
            by_content.entry(content).or_default().push(id);
        }
        let kept = decided.documents.iter().find(|(id, _)| keep.contains(id.as_str()));
        let mut sets = Vec::new();
        for (content, ids) in &by_content {
            let is_kept = ids.iter().any(|id| keep.contains(id));
            if ids.iter().all(|id| keep.contains(id)) {
                continue;
            }
            if is_kept {
                sets.extend(self.plan_identical(ids, &keep));
                continue;
            }
            let Some((kept, kept_content)) = kept else { continue };
            sets.extend(ids.iter().map(|id| self.plan_near((id, content), (kept, kept_content))));
        }
        sets
    }

    /// A file as it is now; its size is that of the set.
    fn current(&self, id: &str) -> Option<(u64, IdenticalFile)> {
        let status = self.status_of(id)?;
        Some((status.bytes, IdenticalFile { id: id.to_owned(), modified: Some(status.modified) }))
    }

    fn plan_identical(&self, ids: &[&str], keep: &BTreeSet<&str>) -> Option<PlannedSet> {
        let current: Vec<_> = ids.iter().filter_map(|id| self.current(id)).collect();
        let bytes = current.first()?.0;
        let set = IdenticalSet { bytes, files: current.into_iter().map(|(_, file)| file).collect() };
        (bytes >= self.min_size()).then(|| self.plan_set_keeping(&set, Some(keep)))
    }

    fn plan_near(&self, (id, content): (&str, &str), (kept, kept_content): (&str, &str)) -> PlannedSet {
        let near = |id: &str, content: &str| {
            let (bytes, file) = self.current(id).ok_or_else(|| (Outcome::Failed, "is gone".to_owned()))?;
            let planned = self.examine(&file, bytes).map_err(|other| (other.outcome, other.reason))?;
            Ok((bytes, planned.decided(content)))
        };
        let excluded = |outcome, reason| {
            let file = FileOutcome { id: id.to_owned(), outcome, to: None, reason: Some(reason), note: None };
            PlannedSet { bytes: 0, kept: None, duplicates: Vec::new(), excluded: vec![file] }
        };
        if !matches!(self.action(), ActionKind::Move | ActionKind::Trash) {
            return excluded(Outcome::Untouched, ONLY_MOVED.to_owned());
        }
        match (near(id, content), near(kept, kept_content)) {
            (Ok((_, planned)), Ok(_)) if planned.is_reference() => {
                excluded(Outcome::Untouched, "is in a reference folder".to_owned())
            }
            (Ok((bytes, planned)), Ok((_, kept))) => {
                PlannedSet { bytes, kept: Some(kept), duplicates: vec![planned], excluded: Vec::new() }
            }
            (Err((outcome, reason)), _) => excluded(outcome, reason),
            (_, Err((outcome, reason))) => excluded(outcome, format!("the kept file {kept} {reason}")),
        }
    }
}
