//! Clusters and pairs of one part.
//!
//! A link shares the least share of the smaller document. So, of a document's chunks, the most common may be left out when looking for larger
//! ones that it could follow, as long as they are less than a link needs: whoever shares enough shares one of the others. A template that
//! everybody has costs nothing that way, and one that is most of everybody makes a cluster around one leader.

use super::part::Part;
use crate::options::Linkage;
use lookalike_core::cluster::UnionFind;
use std::cmp::Reverse;

/// Which pairs are links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least {
    /// Of the smaller document.
    pub(crate) share: f64,
    /// In bytes.
    pub(crate) bytes: u64,
}

impl Least {
    /// Whether so many bytes in common make a link with a smaller document of this size.
    pub(crate) fn met(self, common: u64, smaller: u32) -> bool {
        common > 0 && common >= self.bytes && common as f64 / f64::from(smaller) >= self.share
    }

    /// No link has less. Rounded down by a byte: the last word has [`Least::met`].
    fn needed(self, smaller: u32) -> u64 {
        ((self.share * f64::from(smaller)) as u64).saturating_sub(1).max(self.bytes).max(1)
    }
}

/// A document that follows another; numbers are of the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Follows {
    pub(crate) document: u32,
    pub(crate) leader: u32,
    /// Bytes in common; zero if a chain joined the two.
    pub(crate) common: u64,
}

/// Two documents that were compared; the first is the larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) common: u64,
}

/// How documents of a part are to be told apart or kept together.
pub(crate) struct Rules<'a> {
    pub(crate) least: Least,
    /// Whether two documents may be linked at all.
    pub(crate) allowed: &'a (dyn Fn(u32, u32) -> bool + Sync),
    /// Documents that lead whatever they share with others.
    pub(crate) pinned: &'a (dyn Fn(u32) -> bool + Sync),
    /// Whether somebody wants an end of it: the answer is worth nothing then.
    pub(crate) stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Documents between two looks at whether to stop.
const OFTEN: u32 = 256;

impl Rules<'_> {
    /// The documents of a part, until somebody wants an end of it.
    fn documents(&self, part: &Part) -> impl Iterator<Item = u32> {
        (0..part.len()).take_while(|document| !(document.is_multiple_of(OFTEN) && (self.stopped)()))
    }
}

/// Which document follows which.
pub(crate) fn cluster(part: &Part, rules: &Rules<'_>, linkage: Linkage) -> Vec<Follows> {
    match linkage {
        Linkage::Star => stars(part, rules),
        Linkage::Single => components(part, rules),
    }
}

/// Each document follows the leader before it with which it has most in common, or leads.
fn stars(part: &Part, rules: &Rules<'_>) -> Vec<Follows> {
    let mut found = Vec::new();
    let mut search = Search::new(part);
    for document in rules.documents(part) {
        let mut best: Option<Follows> = None;
        if !(rules.pinned)(document) {
            search.look(document, rules.least, u32::MAX);
            for candidate in &search.promising {
                // the rest can have no more in common than this one
                if best.is_some_and(|best| candidate.at_most < best.common) {
                    break;
                }
                let (leader, common) = (candidate.document, part.common(document, candidate.document));
                let better = best.is_none_or(|b| common > b.common || common == b.common && leader < b.leader);
                let linked = rules.least.met(common, part.sizes[document as usize]);
                if better && linked && (rules.allowed)(document, leader) {
                    best = Some(Follows { document, leader, common });
                }
            }
        }
        match best {
            Some(follows) => found.push(follows),
            None => search.add(document),
        }
    }
    found
}

/// Connected components: the first of each leads.
fn components(part: &Part, rules: &Rules<'_>) -> Vec<Follows> {
    let mut sets = UnionFind::new(part.len() as usize);
    let mut search = Search::new(part);
    for document in rules.documents(part) {
        search.look(document, rules.least, u32::MAX);
        for candidate in &search.promising {
            let other = candidate.document;
            // who is connected already need not be compared
            if sets.find(document) != sets.find(other)
                && rules.least.met(part.common(document, other), part.sizes[document as usize])
                && (rules.allowed)(document, other)
            {
                sets.union(document, other);
            }
        }
        search.add(document);
    }
    let follows = |document| {
        let leader = sets.find(document);
        let common = part.common(document, leader);
        let linked = rules.least.met(common, part.sizes[document as usize]);
        let common = if linked { common } else { 0 };
        (leader != document).then_some(Follows { document, leader, common })
    };
    (0..part.len()).filter_map(follows).collect()
}

/// Every pair that the rules accept, and whether all were found: chunks in more than `most` documents are not followed.
pub(crate) fn pairs(part: &Part, rules: &Rules<'_>, most: u32, mut each: impl FnMut(Pair)) -> bool {
    let mut search = Search::new(part);
    let mut whole = true;
    for document in rules.documents(part) {
        whole &= search.look(document, rules.least, most);
        for candidate in &search.promising {
            let (other, common) = (candidate.document, part.common(document, candidate.document));
            if rules.least.met(common, part.sizes[document as usize]) && (rules.allowed)(document, other) {
                each(Pair { a: other, b: document, common });
            }
        }
        search.add(document);
    }
    whole
}

/// A document that may share enough with another.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    document: u32,
    /// Bytes in common are no more.
    at_most: u64,
}

const NONE: u32 = u32::MAX;

/// Finds documents that share chunks with another, among those that were added.
struct Search<'a> {
    part: &'a Part,
    /// By chunk: the last link of a chain of documents that have it.
    last: Vec<u32>,
    /// Document, and the link before.
    links: Vec<(u32, u32)>,
    /// By chunk: documents in its chain.
    lengths: Vec<u32>,
    /// By document: bytes of the chunks that were followed.
    seen: Vec<u64>,
    touched: Vec<u32>,
    /// What the last look found, the most promising first.
    promising: Vec<Candidate>,
    order: Vec<(u32, u32)>,
}

impl<'a> Search<'a> {
    fn new(part: &'a Part) -> Self {
        let chunks = part.lengths.len();
        Self {
            part,
            last: vec![NONE; chunks],
            links: Vec::new(),
            lengths: vec![0; chunks],
            seen: vec![0; part.len() as usize],
            touched: Vec::new(),
            promising: Vec::new(),
            order: Vec::new(),
        }
    }

    fn add(&mut self, document: u32) {
        for held in self.part.held(document) {
            let last = &mut self.last[held.chunk as usize];
            self.links.push((document, *last));
            *last = self.links.len() as u32 - 1;
            self.lengths[held.chunk as usize] += 1;
        }
    }

    /// Finds the added documents that may share enough with this one, which must not be larger. Tells whether these are all: chunks that more than `most` documents have are not followed.
    fn look(&mut self, document: u32, least: Least, most: u32) -> bool {
        let (part, size) = (self.part, self.part.sizes[document as usize]);
        let (needed, mut whole) = (least.needed(size), true);
        self.order.clear();
        self.order
            .extend(part.held(document).iter().enumerate().map(|(at, h)| (self.lengths[h.chunk as usize], at as u32)));
        // the longest chains last: they are left out while what is left out cannot make a link
        self.order.sort_unstable();
        let mut left_out = 0;
        while let Some((_, at)) = self.order.last() {
            let bytes = part.bytes(part.held(document)[*at as usize]);
            if left_out + bytes >= needed {
                break;
            }
            left_out += bytes;
            self.order.pop();
        }
        for (chain, at) in &self.order {
            let held = part.held(document)[*at as usize];
            if *chain > 0 && part.degrees[held.chunk as usize] > most {
                whole = false;
                continue;
            }
            let bytes = part.bytes(held);
            let mut link = self.last[held.chunk as usize];
            while link != NONE {
                let (other, before) = self.links[link as usize];
                if self.seen[other as usize] == 0 {
                    self.touched.push(other);
                }
                self.seen[other as usize] += bytes;
                link = before;
            }
        }
        self.promising.clear();
        for document in self.touched.drain(..) {
            // what was followed counts the chunks as often as this document has them: no less than both have them
            let at_most = std::mem::take(&mut self.seen[document as usize]) + left_out;
            if at_most >= needed || !whole {
                self.promising.push(Candidate { document, at_most });
            }
        }
        self.promising.sort_unstable_by_key(|candidate| (Reverse(candidate.at_most), candidate.document));
        whole
    }
}

#[cfg(test)]
mod tests;
