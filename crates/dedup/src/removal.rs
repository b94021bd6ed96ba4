//! Who goes, who stays in its place, and by what evidence.

use lookalike_core::sets::Overlap;
use lookalike_engine::report::cluster::Class;
use lookalike_engine::run::assemble::{SAME, class_of};
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::filter::Filter;
use lookalike_engine::run::link::{Evidence, Link};
use std::ops::Range;

/// A document that goes, by its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Removal {
    /// Which.
    pub document: u32,
    /// The document that stays in its place. It stays itself.
    pub kept: u32,
    /// What they have in common; the one that stays is `a`.
    pub evidence: Evidence,
    /// How they are related.
    pub class: Class,
    /// The cluster that both are in, from 1.
    pub cluster: u32,
}

impl Removal {
    /// How much the two resemble each other.
    pub fn resemblance(&self) -> Option<f64> {
        self.evidence.overlap().map(Overlap::resemblance)
    }

    /// How much of the document that goes is in the one that stays.
    pub fn containment(&self) -> Option<f64> {
        self.evidence.overlap().map(Overlap::b_in_a)
    }
}

/// All that go, in the order of the documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Removals(Vec<Removal>);

impl Removals {
    /// From links, whose members were compared with their representatives, and duplicate groups, whose documents have the same shingles: what
    /// holds for one holds for all.
    pub fn new(documents: &Documents, filter: &Filter, mut links: Vec<Link>) -> Self {
        let fixed = |document: u32| documents.catalogue.origins.is_fixed(document);
        let forbidden = |a: u32, b: u32| documents.decisions.forbid(a, b);
        links.sort_unstable_by_key(|link| link.member);
        let mut removals = Vec::new();
        let mut push = |document: u32, kept: u32, evidence: Evidence, class: Class| {
            if !fixed(document) && !forbidden(document, kept) {
                removals.push(Removal { document, kept, evidence, class, cluster: 0 });
            }
        };
        for link in &links {
            push(link.member, link.representative, link.evidence, class_of(filter, link.evidence));
        }
        for (canonical, document, class) in documents.duplicates.all() {
            match links.binary_search_by_key(canonical, |link| link.member) {
                // its canonical document goes too: it stays with the one that both were found to resemble
                Ok(at) if !fixed(*canonical) && !forbidden(*canonical, links[at].representative) => {
                    push(*document, links[at].representative, links[at].evidence, class_of(filter, links[at].evidence));
                }
                _ => push(*document, *canonical, SAME, *class),
            }
        }
        removals.sort_unstable_by_key(|removal| removal.document);
        number_clusters(&mut removals);
        Self(removals)
    }

    /// All of them.
    pub fn all(&self) -> &[Removal] {
        &self.0
    }

    /// Those of some documents that follow each other.
    pub fn of(&self, documents: Range<u32>) -> &[Removal] {
        let at = |document: u32| self.0.partition_point(|removal| removal.document < document);
        &self.0[at(documents.start)..at(documents.end)]
    }

    /// What becomes of a document, if it goes.
    pub fn find(&self, document: u32) -> Option<&Removal> {
        self.0.binary_search_by_key(&document, |removal| removal.document).ok().map(|at| &self.0[at])
    }
}

/// Clusters are numbered in the order of the documents that stay.
fn number_clusters(removals: &mut [Removal]) {
    let mut kept: Vec<u32> = removals.iter().map(|removal| removal.kept).collect();
    kept.sort_unstable();
    kept.dedup();
    for removal in removals {
        removal.cluster = kept.partition_point(|other| *other < removal.kept) as u32 + 1;
    }
}
