//! Clusters and pairs of one part.
//!
//! A link shares the least share of the smaller document. So, of a document's chunks, the most common may be left out when looking for larger
//! ones that it could follow, as long as they are less than a link needs: whoever shares enough shares one of the others. A template that
//! everybody has costs nothing that way, and one that is most of everybody makes a cluster around one representative.

use crate::lens::chunks::part::Part;
use bytemuck::{Pod, Zeroable};
use lookalike_core::cluster::Linkage;
use lookalike_core::cluster::UnionFind;
use std::cmp::Reverse;

/// Which pairs are links.
#[derive(Clone, Copy, Debug)]
pub struct Least {
    /// Of the smaller document.
    pub share: f64,
    /// In bytes.
    pub bytes: u64,
}

impl Least {
    /// Whether so many shared bytes make a link with a smaller document of this size.
    pub fn met(self, shared: u64, smaller: u32) -> bool {
        shared > 0 && shared >= self.bytes && shared as f64 / f64::from(smaller) >= self.share
    }

    /// No link has less. Rounded down by a byte: the last word has [`Least::met`].
    pub fn needed(self, smaller: u32) -> u64 {
        ((self.share * f64::from(smaller)) as u64).saturating_sub(1).max(self.bytes).max(1)
    }
}

/// A document under its representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub member: u32,
    pub representative: u32,
    /// Shared bytes; zero if a chain joined the two.
    pub shared: u64,
}

/// Two documents that were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct SharedPair {
    pub a: u32,
    pub b: u32,
    /// Shared bytes.
    pub shared: u32,
}

/// How documents of a part are to be told apart or kept together.
pub struct LinkRules<'a> {
    pub least: Least,
    /// The documents of a part are in the order of their sizes, the largest first.
    pub by_size: bool,
    /// Whether two documents may be linked at all.
    pub allowed: &'a (dyn Fn(u32, u32) -> bool + Sync),
    /// Documents that lead whatever they share with others.
    pub pinned: &'a (dyn Fn(u32) -> bool + Sync),
    /// Whether somebody wants an end of it: the analysis is worth nothing then.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Documents between two looks at whether to stop.
const CHECK_INTERVAL: u32 = 256;

impl LinkRules<'_> {
    /// Whether two documents that share so many bytes are a link.
    fn linked(&self, part: &Part, a: u32, b: u32, shared: u64) -> bool {
        self.least.met(shared, part.smaller(a, b)) && (self.allowed)(a, b)
    }

    /// The documents of a part, until somebody wants an end of it.
    fn documents(&self, part: &Part) -> impl Iterator<Item = u32> {
        (0..part.len()).take_while(|document| !(document.is_multiple_of(CHECK_INTERVAL) && (self.stopped)()))
    }
}

/// Who represents whom.
pub fn cluster(part: &Part, rules: &LinkRules<'_>, linkage: Linkage) -> Vec<Assignment> {
    match linkage {
        Linkage::Star => stars(part, rules),
        Linkage::Single => components(part, rules),
    }
}

/// Each document joins the representative before it with which it shares most, or represents itself.
fn stars(part: &Part, rules: &LinkRules<'_>) -> Vec<Assignment> {
    let mut found = Vec::new();
    let mut search = Search::new(part, rules.by_size);
    for member in rules.documents(part) {
        let mut best: Option<Assignment> = None;
        if !(rules.pinned)(member) {
            search.look(member, rules.least, u32::MAX);
            for candidate in &search.promising {
                // the rest can share no more than this one
                if best.is_some_and(|best| candidate.at_most < best.shared) {
                    break;
                }
                let (representative, shared) = (candidate.document, part.shared(member, candidate.document));
                let better =
                    best.is_none_or(|b| shared > b.shared || shared == b.shared && representative < b.representative);
                if better && rules.linked(part, member, representative, shared) {
                    best = Some(Assignment { member, representative, shared });
                }
            }
        }
        match best {
            Some(assigned) => found.push(assigned),
            None => search.add(member),
        }
    }
    found
}

/// Connected components: the first of each represents.
fn components(part: &Part, rules: &LinkRules<'_>) -> Vec<Assignment> {
    let mut sets = UnionFind::new(part.len() as usize);
    let mut search = Search::new(part, rules.by_size);
    for document in rules.documents(part) {
        search.look(document, rules.least, u32::MAX);
        for candidate in &search.promising {
            let other = candidate.document;
            // what is connected already need not be compared
            if sets.find(document) != sets.find(other)
                && rules.linked(part, document, other, part.shared(document, other))
            {
                sets.union(document, other);
            }
        }
        search.add(document);
    }
    let assign = |member| {
        let representative = sets.find(member);
        let shared = part.shared(member, representative);
        let linked = rules.least.met(shared, part.smaller(member, representative));
        let shared = if linked { shared } else { 0 };
        (representative != member).then_some(Assignment { member, representative, shared })
    };
    (0..part.len()).filter_map(assign).collect()
}

/// Every pair that the rules accept, and whether all were found: chunks in more than `max_df` documents are not followed.
pub fn pairs(part: &Part, rules: &LinkRules<'_>, max_df: u32, mut each: impl FnMut(SharedPair)) -> bool {
    let mut search = Search::new(part, rules.by_size);
    let mut complete = true;
    for document in rules.documents(part) {
        complete &= search.look(document, rules.least, max_df);
        for candidate in &search.promising {
            let (other, shared) = (candidate.document, part.shared(document, candidate.document));
            if rules.linked(part, document, other, shared) {
                each(SharedPair { a: other, b: document, shared: shared as u32 });
            }
        }
        search.add(document);
    }
    complete
}

/// A document that may share enough with another.
#[derive(Clone, Copy, Debug)]
struct ChunkCandidate {
    document: u32,
    /// Shared bytes are no more.
    at_most: u64,
}

const NONE: u32 = u32::MAX;

/// Finds documents that share chunks with another, among those that were added.
struct Search<'a> {
    part: &'a Part,
    /// No document is smaller; none if those that were added are larger than the next.
    smallest: Option<u32>,
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
    promising: Vec<ChunkCandidate>,
    order: Vec<(u32, u32)>,
}

impl<'a> Search<'a> {
    fn new(part: &'a Part, by_size: bool) -> Self {
        let chunks = part.lengths.len();
        Self {
            part,
            smallest: if by_size { None } else { part.sizes.iter().min().copied() },
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

    /// Finds the added documents that may share enough with this one. Returns whether these are all: chunks that more than `max_df`
    /// documents have are not followed.
    fn look(&mut self, document: u32, least: Least, max_df: u32) -> bool {
        let part = self.part;
        let smaller = self.smallest.unwrap_or(part.sizes[document as usize]);
        let (needed, mut complete) = (least.needed(smaller), true);
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
            if *chain > 0 && part.degrees[held.chunk as usize] > max_df {
                complete = false;
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
            if at_most >= needed || !complete {
                self.promising.push(ChunkCandidate { document, at_most });
            }
        }
        self.promising.sort_unstable_by_key(|candidate| (Reverse(candidate.at_most), candidate.document));
        complete
    }
}

#[cfg(test)]
mod tests;
