//! Documents with the same shingles are taken out before pairs are made, all but one, and put back after.
//!
//! Identical documents have the same words, and documents with the same words the same shingles: so one sort by
//! (shingles, words, content) finds all three kinds. All of them resemble each other by 1: nothing is left to verify.

use super::catalogue::Catalogue;
use crate::Error;
use crate::front::Sketched;
use crate::report::Class;
use bytemuck::{Pod, Zeroable};
use lookalike_store::Records;

/// One fingerprint for each kind of sameness, and the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Identity {
    shingles: u64,
    lexical: u64,
    content: u64,
    document: u64,
}

impl Identity {
    pub(crate) fn new(sketched: &Sketched, document: u32) -> Self {
        Self {
            shingles: sketched.unordered,
            lexical: sketched.lexical,
            content: (sketched.identity >> 64) as u64,
            document: u64::from(document),
        }
    }
}

/// Who stands for whom. A document that stands for itself is alone or the first of its group.
pub(crate) struct Equivalents {
    stand_in: Vec<u32>,
    /// The others, sorted by their stand-in, with how they relate to it.
    others: Vec<(u32, u32, Class)>,
}

impl Equivalents {
    /// Of `documents` documents: the others, each with its stand-in.
    pub(crate) fn new(documents: usize, mut others: Vec<(u32, u32, Class)>) -> Self {
        let mut stand_in: Vec<u32> = (0..documents as u32).collect();
        for (first, other, _) in &others {
            stand_in[*other as usize] = *first;
        }
        others.sort_unstable();
        Self { stand_in, others }
    }

    /// Who stands for a document: itself, if nobody else does.
    pub(crate) fn stand_in(&self, document: u32) -> u32 {
        self.stand_in[document as usize]
    }

    /// Whether the document takes part in pairs.
    pub(crate) fn stands(&self, document: u32) -> bool {
        self.stand_in[document as usize] == document
    }

    /// The documents that another stands for, and how each relates to it.
    pub(crate) fn of(&self, stand_in: u32) -> impl Iterator<Item = (u32, Class)> + '_ {
        let from = self.others.partition_point(|o| o.0 < stand_in);
        self.others[from..].iter().take_while(move |o| o.0 == stand_in).map(|o| (o.1, o.2))
    }

    /// The document that stands for another, and how the two relate; none for one that stands for itself.
    pub(crate) fn stood_for_by(&self, document: u32) -> Option<(u32, Class)> {
        let stand_in = self.stand_in[document as usize];
        let at = self.others.binary_search_by_key(&(stand_in, document), |o| (o.0, o.1)).ok()?;
        Some((stand_in, self.others[at].2))
    }

    /// All groups of more than one, as (stand-in, other, class).
    pub(crate) fn all(&self) -> &[(u32, u32, Class)] {
        &self.others
    }
}

/// Finds the groups. The first by id stands for its group, so the order of reading does not matter.
pub(crate) fn find(catalogue: &Catalogue, sorted: &Records<Identity>) -> Result<Equivalents, Error> {
    let mut found = Equivalents { stand_in: (0..catalogue.len() as u32).collect(), others: Vec::new() };
    let mut group: Vec<Identity> = Vec::new();
    for identity in sorted.iter() {
        let identity = identity?;
        if group.first().is_some_and(|first| first.shingles != identity.shingles) {
            close(catalogue, &mut group, &mut found)?;
        }
        group.push(identity);
    }
    close(catalogue, &mut group, &mut found)?;
    found.others.sort_unstable();
    Ok(found)
}

fn close(catalogue: &Catalogue, group: &mut Vec<Identity>, found: &mut Equivalents) -> Result<(), Error> {
    if group.len() > 1 {
        let mut first: Option<(String, &Identity)> = None;
        for identity in group.iter() {
            let id = catalogue.id(identity.document as u32)?;
            if first.as_ref().is_none_or(|f| (&id, identity.content) < (&f.0, f.1.content)) {
                first = Some((id, identity));
            }
        }
        let (_, first) = first.expect("the group has members");
        for other in group.iter().filter(|o| o.document != first.document) {
            let class = if other.lexical != first.lexical {
                Class::Shingle
            } else if other.content != first.content {
                Class::Lexical
            } else {
                Class::Identical
            };
            found.stand_in[other.document as usize] = first.document as u32;
            found.others.push((first.document as u32, other.document as u32, class));
        }
    }
    group.clear();
    Ok(())
}
