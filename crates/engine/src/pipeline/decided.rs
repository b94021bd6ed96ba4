//! Decisions that people took before, held against the documents of this scan.

use super::Session;
use super::catalogue::Catalogue;
use super::common::Common;
use super::join::Candidate;
use super::loader::Loader;
use crate::decisions::{Decision, Verdict};
use crate::report::{Cluster, Decided, Reviewed};
use crate::view::content_name;
use crate::{Error, decisions::DecidedDocument};
use lookalike_store::{Records, Sequence};
use rustc_hash::FxHashMap;

/// The decisions, and the documents of the scan that each holds for.
pub(crate) struct Decisions<'a> {
    taken: &'a [Decision],
    /// By decision: documents that are what they were. Sorted.
    documents: Vec<Vec<u32>>,
    /// By document: the decisions that hold for it, in order.
    of: FxHashMap<u32, Vec<usize>>,
}

impl<'a> Decisions<'a> {
    pub(crate) fn new(decisions: &'a [Decision], catalogue: &Catalogue) -> Result<Self, Error> {
        let mut found =
            Self { taken: decisions, documents: vec![Vec::new(); decisions.len()], of: FxHashMap::default() };
        if decisions.is_empty() {
            return Ok(found);
        }
        let mut wanted: FxHashMap<&str, Vec<(&str, usize)>> = FxHashMap::default();
        for (at, decision) in decisions.iter().enumerate() {
            for DecidedDocument { id, content } in &decision.documents {
                wanted.entry(id).or_default().push((content, at));
            }
        }
        for document in 0..catalogue.len() as u32 {
            let entry = catalogue.entry(document)?;
            let Some(named) = wanted.get(entry.id.as_str()) else { continue };
            let content = content_name(entry.content);
            for (_, decision) in named.iter().filter(|(wanted, _)| *wanted == content) {
                found.documents[*decision].push(document);
                found.of.entry(document).or_default().push(*decision);
            }
        }
        Ok(found)
    }

    /// Whether the two were found to be no duplicates.
    pub(crate) fn forbid(&self, a: u32, b: u32) -> bool {
        let (Some(of_a), Some(of_b)) = (self.of.get(&a), self.of.get(&b)) else { return false };
        let both = of_a.iter().filter(|decision| of_b.contains(decision));
        both.max().is_some_and(|last| self.taken[*last].verdict == Verdict::NotDuplicates)
    }

    /// The candidates without those that were found to be no duplicates.
    pub(crate) fn without_forbidden(
        &self,
        session: &Session<'_>,
        candidates: Records<Candidate>,
    ) -> Result<Records<Candidate>, Error> {
        if !self.taken.iter().any(|d| d.verdict == Verdict::NotDuplicates) {
            return Ok(candidates);
        }
        let mut allowed = Sequence::new(&session.space, "the candidates", session.share(8));
        for candidate in candidates.iter() {
            let candidate = candidate?;
            if !self.forbid(candidate.a, candidate.b) {
                allowed.push(candidate)?;
            }
        }
        Ok(allowed.finish()?)
    }

    fn templates(&self) -> impl Iterator<Item = &[u32]> {
        let all = self.taken.iter().zip(&self.documents);
        all.filter(|(d, found)| d.verdict == Verdict::Template && found.len() > 1).map(|(_, found)| found.as_slice())
    }

    /// Documents whose common text was found to be a template: without it they are what is left of them, however little.
    pub(crate) fn in_templates(&self) -> impl Iterator<Item = u32> {
        self.templates().flatten().copied()
    }

    /// Adds what the documents of a template share to what is ignored.
    pub(crate) fn ignore_templates(
        &self,
        session: &Session<'_>,
        loader: &Loader<'_>,
        common: &mut Common,
    ) -> Result<(), Error> {
        self.templates().try_for_each(|documents| common.ignore_shared(session, loader, documents))
    }

    /// The last decision that holds for every document of a cluster.
    fn on(&self, cluster: &Cluster) -> Option<&'a Decision> {
        let others = || cluster.members.iter().map(|m| m.document);
        let holds = |decision: &usize| others().all(|d| self.documents[*decision].binary_search(&d).is_ok());
        let last = self.of.get(&cluster.document)?.iter().rev().find(|decision| holds(decision))?;
        Some(&self.taken[*last])
    }

    /// Tells of each cluster what was decided, and how far the review has come. Nothing without decisions.
    pub(crate) fn apply(&self, clusters: &mut [Cluster]) -> Option<Reviewed> {
        if self.taken.is_empty() {
            return None;
        }
        let number = |verdict: Verdict| {
            let honoured = |(d, found): &(&Decision, &Vec<u32>)| d.verdict == verdict && found.len() > 1;
            self.taken.iter().zip(&self.documents).filter(honoured).count() as u64
        };
        let stale = |(d, found): &(&Decision, &Vec<u32>)| found.len() < d.documents.len();
        let mut reviewed = Reviewed {
            decisions: self.taken.len() as u64,
            stale: self.taken.iter().zip(&self.documents).filter(stale).count() as u64,
            not_duplicates: number(Verdict::NotDuplicates),
            templates: number(Verdict::Template),
            decided: 0,
            undecided: 0,
        };
        for cluster in clusters {
            let decision = self.on(cluster);
            cluster.decision =
                decision.map(|d| Decided { verdict: d.verdict, keep: d.keep.clone(), note: d.note.clone() });
            if cluster.is_decided() {
                reviewed.decided += 1;
            } else {
                reviewed.undecided += 1;
            }
        }
        Some(reviewed)
    }
}
