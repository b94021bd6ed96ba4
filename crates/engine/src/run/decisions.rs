//! Decisions that people took before, held against the documents of this scan.

use crate::Error;
use crate::report::Reviewed;
use crate::report::cluster::Cluster;
use crate::report::cluster::Decided;
use crate::report::decisions::{DecidedDocument, Decision, Verdict};
use crate::run::catalogue::Catalogue;
use crate::run::duplicates::DuplicateGroups;
use lookalike_corpus::content_name;
use rustc_hash::FxHashMap;

/// Pairs of copies that are looked at before two groups of them count as no duplicates of each other.
const MAX_COMPARED_PAIRS: usize = 1_000_000;

/// The decisions, and the documents of the scan that each holds for.
#[derive(Default)]
pub struct Decisions {
    taken: Vec<Decision>,
    /// By decision: documents that are what they were. Sorted.
    documents: Vec<Vec<u32>>,
    /// By document: the decisions that hold for it, in order.
    of: FxHashMap<u32, Vec<usize>>,
}

impl Decisions {
    pub fn new(taken: &[Decision], catalogue: &Catalogue) -> Result<Self, Error> {
        let mut found =
            Self { taken: taken.to_vec(), documents: vec![Vec::new(); taken.len()], of: FxHashMap::default() };
        if taken.is_empty() {
            return Ok(found);
        }
        let mut wanted: FxHashMap<&str, Vec<(&str, usize)>> = FxHashMap::default();
        for (at, decision) in taken.iter().enumerate() {
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

    /// Whether any documents were found to be no duplicates.
    pub fn forbids(&self) -> bool {
        self.taken.iter().any(|d| d.verdict == Verdict::NotDuplicates)
    }

    /// Whether the two were found to be no duplicates.
    pub fn forbid(&self, a: u32, b: u32) -> bool {
        let (Some(of_a), Some(of_b)) = (self.of.get(&a), self.of.get(&b)) else { return false };
        let both = of_a.iter().filter(|decision| of_b.contains(decision));
        both.max().is_some_and(|last| self.taken[*last].verdict == Verdict::NotDuplicates)
    }

    /// Whether that was found of all copies of the one and all of the other.
    pub fn forbid_all(&self, a: u32, b: u32, duplicates: &DuplicateGroups) -> bool {
        let copies = |first: u32| std::iter::once(first).chain(duplicates.duplicates_of(first).map(|other| other.0));
        if !self.forbid(a, b) || copies(a).count().saturating_mul(copies(b).count()) > MAX_COMPARED_PAIRS {
            return false;
        }
        copies(a).all(|m| copies(b).all(|n| self.forbid(m, n)))
    }

    /// Groups of documents whose common text was found to be a template.
    pub fn templates(&self) -> impl Iterator<Item = &[u32]> {
        let all = self.taken.iter().zip(&self.documents);
        all.filter(|(d, found)| d.verdict == Verdict::Template && found.len() > 1).map(|(_, found)| found.as_slice())
    }

    /// The last decision that holds for every document of a cluster. A template was ignored already: what is linked without it is news.
    fn on(&self, cluster: &Cluster) -> Option<&Decision> {
        let others = || cluster.members.iter().map(|m| m.document);
        let holds = |decision: &usize| {
            self.taken[*decision].verdict != Verdict::Template
                && others().all(|d| self.documents[*decision].binary_search(&d).is_ok())
        };
        let last = self.of.get(&cluster.document)?.iter().rev().find(|decision| holds(decision))?;
        Some(&self.taken[*last])
    }

    /// Tells of each cluster what was decided, and how far the review has come. Nothing without decisions.
    pub fn apply(&self, clusters: &mut [Cluster]) -> Option<Reviewed> {
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
