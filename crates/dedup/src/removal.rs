//! Who goes, who stays in its place, and by what evidence.

use crate::against::KnownCopy;
use lookalike_corpus::{SAME_FILE, wacz_of};
use lookalike_engine::report::Skip;
use lookalike_engine::report::cluster::Class;
use lookalike_engine::run::assemble::{SAME, class_of};
use lookalike_engine::run::catalogue::Entry;
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::filter::Filter;
use lookalike_engine::run::link::{Evidence, Link};
use lookalike_store::Error as StoreError;
use std::collections::BTreeSet;
use std::ops::Range;

/// A document that goes, by its number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Removal {
    /// Which.
    pub document: u32,
    /// The document that stays in its place. It stays itself.
    pub kept: Kept,
    /// What they have in common; the one that stays is `a`.
    pub evidence: Evidence,
    /// How they are related.
    pub class: Class,
    /// The cluster that both are in, from 1; 0 if an index has the one that stays.
    pub cluster: u32,
}

/// The document that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// One of the corpus, by its number.
    Document(u32),
    /// One of an index, by the place of the copy in [`Removals::known`].
    Known(u32),
}

impl Kept {
    /// The number of the document, if it is one of the corpus.
    pub fn document(self) -> Option<u32> {
        match self {
            Self::Document(document) => Some(document),
            Self::Known(_) => None,
        }
    }
}

/// How alike two documents are, the one that goes and the one that stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// How much they resemble each other.
    pub resemblance: f64,
    /// How much of the document that goes is in the one that stays.
    pub containment: Option<f64>,
    /// How much of the document that stays is in the one that goes.
    pub contained_by: Option<f64>,
    /// Counted on the whole documents.
    pub verified: bool,
}

/// All that go, in the order of the documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Removals {
    all: Vec<Removal>,
    known: Vec<KnownCopy>,
    held: u64,
}

impl Removals {
    /// From links, whose members were compared with their representatives, and duplicate groups, whose documents have the same shingles: what
    /// holds for one holds for all. What an index has goes before anything else.
    pub fn new(documents: &Documents, filter: &Filter, mut links: Vec<Link>, known: Vec<KnownCopy>) -> Self {
        let fixed = |document: u32| documents.catalogue.origins.is_fixed(document);
        let forbidden = |a: u32, b: u32| documents.decisions.forbid(a, b);
        links.sort_unstable_by_key(|link| link.member);
        let mut removals = Vec::new();
        for (at, copy) in (0..).zip(&known) {
            let (evidence, class) = (Evidence::Unknown, copy.class);
            removals.push(Removal { document: copy.document, kept: Kept::Known(at), evidence, class, cluster: 0 });
        }
        let is_known = |document: u32| known.binary_search_by_key(&document, |copy| copy.document).is_ok();
        let mut push = |document: u32, kept: u32, evidence: Evidence, class: Class| {
            if !fixed(document) && !forbidden(document, kept) && !is_known(document) && !is_known(kept) {
                removals.push(Removal { document, kept: Kept::Document(kept), evidence, class, cluster: 0 });
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
        Self { all: removals, known, held: 0 }
    }

    /// Keeps documents that cannot be taken out of the file that they are in: those of an archive inside another archive, or of a WACZ, whose
    /// index would no longer fit; and files of a tar that hard links in it lead to.
    pub(crate) fn hold(&mut self, documents: &Documents) -> Result<(), StoreError> {
        let linked: BTreeSet<&str> = documents.catalogue.skipped.iter().filter_map(linked_member).collect();
        let wacz: Vec<bool> = documents.corpus.sources().iter().map(|path| wacz_of(path).is_some()).collect();
        let mut held = Vec::new();
        let removed: Vec<u32> = self.all.iter().map(|removal| removal.document).collect();
        documents.catalogue.for_each_entry_of(&removed, |Entry { id, place, .. }| {
            let shard = place.record().and_then(|(source, _)| wacz.get(source as usize));
            held.push(linked.contains(id.as_str()) || place.is_nested() || shard.is_some_and(|is_wacz| *is_wacz));
            Ok::<(), StoreError>(())
        })?;
        let mut held = held.into_iter();
        let before = self.all.len();
        self.all.retain(|_| !held.next().unwrap_or_default());
        self.held = (before - self.all.len()) as u64;
        number_clusters(&mut self.all);
        Ok(())
    }

    /// The number of duplicates that stay because they cannot be taken out of the file that they are in.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// All of them.
    pub fn all(&self) -> &[Removal] {
        &self.all
    }

    /// What indexes have, in the order of the documents.
    pub fn known(&self) -> &[KnownCopy] {
        &self.known
    }

    /// How alike the two documents of a removal are; none where a chain joined them and they could not be compared.
    pub fn shares(&self, removal: &Removal) -> Option<Shares> {
        if let Kept::Known(at) = removal.kept {
            let KnownCopy { resemblance, containment, contained_by, verified, .. } = *self.known.get(at as usize)?;
            return Some(Shares { resemblance, containment, contained_by, verified });
        }
        let overlap = removal.evidence.overlap()?;
        Some(Shares {
            resemblance: overlap.resemblance(),
            containment: Some(overlap.b_in_a()),
            contained_by: Some(overlap.a_in_b()),
            verified: matches!(removal.evidence, Evidence::Exact(_)),
        })
    }

    /// Those of some documents that follow each other.
    pub fn of(&self, documents: Range<u32>) -> &[Removal] {
        let at = |document: u32| self.all.partition_point(|removal| removal.document < document);
        &self.all[at(documents.start)..at(documents.end)]
    }
}

/// The member of a tar that a hard link in it leads to.
fn linked_member(skip: &Skip) -> Option<&str> {
    let target = skip.reason.strip_prefix(SAME_FILE)?;
    (skip.kind == "same file" && skip.id.contains("!/")).then_some(target)
}

/// Clusters are numbered in the order of the documents that stay.
fn number_clusters(removals: &mut [Removal]) {
    let mut kept: Vec<u32> = removals.iter().filter_map(|removal| removal.kept.document()).collect();
    kept.sort_unstable();
    kept.dedup();
    for removal in removals {
        if let Kept::Document(document) = removal.kept {
            removal.cluster = kept.partition_point(|other| *other < document) as u32 + 1;
        }
    }
}
