//! Duplicate groups: documents with the same bytes, words or shingles. One of each group, the canonical document, takes part in pairs; the
//! others are added back when the report is assembled.
//!
//! Identical documents have the same words, and documents with the same words the same shingles: one sort by (shingles, words, content)
//! finds all three kinds. All of them resemble each other by 1, so nothing is left to verify.

use crate::Error;
use crate::report::cluster::Class;
use crate::run::catalogue::Catalogue;
use crate::run::order::{RankKey, RepresentativeOrder};
use bytemuck::{Pod, Zeroable};
use lookalike_store::Records;

/// What is the same in documents of one group.
pub trait GroupKey: Pod {
    /// Whether two documents are of one group.
    fn same_group(&self, other: &Self) -> bool;
    /// How the second relates to the first, of one group.
    fn class(&self, other: &Self) -> Class;
    fn document(&self) -> u32;
}

/// A hash for each kind of sameness, for lenses that look at words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct WordsKey {
    pub shingles: u64,
    /// Both halves of the hash.
    pub lexical: [u64; 2],
    pub content: u64,
    pub document: u64,
}

impl GroupKey for WordsKey {
    fn same_group(&self, other: &Self) -> bool {
        self.shingles == other.shingles
    }

    fn class(&self, other: &Self) -> Class {
        if other.lexical != self.lexical {
            Class::Shingle
        } else if other.content != self.content {
            Class::Lexical
        } else {
            Class::Identical
        }
    }

    fn document(&self) -> u32 {
        self.document as u32
    }
}

/// The content hash, for lenses that tell only identical documents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct ContentKey {
    high: u64,
    low: u64,
    document: u64,
}

impl ContentKey {
    pub fn new(identity: u128, document: u32) -> Self {
        Self { high: (identity >> 64) as u64, low: identity as u64, document: u64::from(document) }
    }
}

impl GroupKey for ContentKey {
    fn same_group(&self, other: &Self) -> bool {
        (self.high, self.low) == (other.high, other.low)
    }

    fn class(&self, _: &Self) -> Class {
        Class::Identical
    }

    fn document(&self) -> u32 {
        self.document as u32
    }
}

/// The duplicate groups of a corpus. A document without duplicates is its own canonical document.
pub struct DuplicateGroups {
    canonical: Vec<u32>,
    /// (canonical document, duplicate, how the duplicate relates to it), sorted.
    duplicates: Vec<(u32, u32, Class)>,
}

impl DuplicateGroups {
    /// Of `documents` documents, from each duplicate with its canonical document.
    pub fn new(documents: usize, mut duplicates: Vec<(u32, u32, Class)>) -> Self {
        let mut canonical: Vec<u32> = (0..documents as u32).collect();
        for (first, other, _) in &duplicates {
            canonical[*other as usize] = *first;
        }
        duplicates.sort_unstable();
        Self { canonical, duplicates }
    }

    /// Finds the groups from sorted keys. The canonical document is the first in the order of representatives.
    pub fn find<K: GroupKey>(
        catalogue: &Catalogue,
        order: &RepresentativeOrder,
        sorted: &Records<K>,
    ) -> Result<Self, Error> {
        let mut duplicates = Vec::new();
        let mut group: Vec<K> = Vec::new();
        let mut close = |group: &mut Vec<K>| {
            if group.len() > 1 {
                let mut first: Option<(RankKey, &K)> = None;
                for key in group.iter() {
                    let document = key.document();
                    let rank = order.key(catalogue, document, catalogue.sizes[document as usize])?;
                    if first.as_ref().is_none_or(|first| rank < first.0) {
                        first = Some((rank, key));
                    }
                }
                let (_, first) = first.expect("the group has members");
                let others = group.iter().filter(|other| other.document() != first.document());
                duplicates.extend(others.map(|other| (first.document(), other.document(), first.class(other))));
            }
            group.clear();
            Ok::<_, Error>(())
        };
        for key in sorted.iter() {
            let key = key?;
            if group.first().is_some_and(|first| !first.same_group(&key)) {
                close(&mut group)?;
            }
            group.push(key);
        }
        close(&mut group)?;
        Ok(Self::new(catalogue.len(), duplicates))
    }

    /// The canonical document of a document's group: itself, if it has no duplicates.
    pub fn canonical_of(&self, document: u32) -> u32 {
        self.canonical[document as usize]
    }

    /// Whether the document takes part in pairs.
    pub fn is_canonical(&self, document: u32) -> bool {
        self.canonical[document as usize] == document
    }

    /// The duplicates of a canonical document, and how each relates to it.
    pub fn duplicates_of(&self, canonical: u32) -> impl Iterator<Item = (u32, Class)> + '_ {
        let from = self.duplicates.partition_point(|o| o.0 < canonical);
        self.duplicates[from..].iter().take_while(move |o| o.0 == canonical).map(|o| (o.1, o.2))
    }

    /// The canonical document of a duplicate, and how the two relate; none for a canonical document.
    pub fn duplicate_of(&self, document: u32) -> Option<(u32, Class)> {
        let canonical = self.canonical[document as usize];
        let at = self.duplicates.binary_search_by_key(&(canonical, document), |o| (o.0, o.1)).ok()?;
        Some((canonical, self.duplicates[at].2))
    }

    /// All duplicates, as (canonical document, duplicate, class), sorted.
    pub fn all(&self) -> &[(u32, u32, Class)] {
        &self.duplicates
    }

    /// The canonical documents of groups of more than one.
    pub fn canonical_documents(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.duplicates.iter().map(|e| e.0).collect();
        all.dedup();
        all
    }

    /// A document of the group and its id, the canonical one first, the others by id.
    pub fn named_group(&self, catalogue: &Catalogue, canonical: u32) -> Result<Vec<NamedDocument>, Error> {
        let mut group = Vec::new();
        for document in std::iter::once(canonical).chain(self.duplicates_of(canonical).map(|other| other.0)) {
            group.push((catalogue.id(document)?, document));
        }
        group[1..].sort_unstable();
        Ok(group)
    }

    /// The canonical documents of groups of more than one, by id.
    pub fn named_canonical(&self, catalogue: &Catalogue) -> Result<Vec<NamedDocument>, Error> {
        let mut named = Vec::new();
        for document in self.canonical_documents() {
            named.push((catalogue.id(document)?, document));
        }
        named.sort_unstable();
        Ok(named)
    }
}

/// A document's id and number.
pub type NamedDocument = (String, u32);
