//! Documents by fingerprint and category, and which of these groups are near each other.
//!
//! Thousands of pages may have one fingerprint. Pairs are made of groups, not of documents, so what is kept grows with the fingerprints
//! that are near each other and not with the square of the documents.

use super::guards::Guards;
use super::reading::Documents;
use crate::Error;
use crate::pipeline::Session;
use crate::pipeline::catalogue::Catalogue;
use bytemuck::{Pod, Zeroable};
use lookalike_core::bits::FingerprintBits;
use lookalike_hamming::for_each_near_pair;
use lookalike_store::{ExternalSort, Records};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::Mutex;

/// A document that takes part in pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) document: u32,
    pub(super) words: u32,
}

/// Two groups that are near each other, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(super) struct NodeLink {
    pub(super) a: u32,
    pub(super) b: u32,
}

/// Groups of documents with the same fingerprint and category.
pub(super) struct Nodes {
    /// Documents group by group, the longest of a group first.
    standing: Vec<Standing>,
    /// Where the documents of each group begin, and where those of the last end.
    starts: Vec<u32>,
    /// Hashes of the categories.
    categories: Vec<u64>,
    /// Groups within k of each other, each pair once, the first of the two first; sorted.
    pub(super) links: Records<NodeLink>,
    /// Different fingerprints.
    pub(super) distinct: u64,
    /// Pairs of documents that are near each other and may be linked.
    pub(super) pairs: u64,
    pub(super) guards: Guards,
}

impl Nodes {
    /// Finds the groups and who is near whom.
    pub(super) fn find<F: FingerprintBits>(
        session: &Session<'_>,
        distance: u32,
        documents: &Documents<F>,
        guards: Guards,
    ) -> Result<Self, Error> {
        let Documents { catalogue, equivalents, fingerprints, categories } = documents;
        let all = (0..catalogue.len() as u32).filter(|document| equivalents.stands(*document));
        let mut order: Vec<u32> = all.collect();
        let key =
            |d: &u32| (fingerprints[*d as usize], categories[*d as usize], Reverse(catalogue.sizes[*d as usize]), *d);
        order.par_sort_unstable_by_key(key);
        let (mut distinct, mut first_nodes, mut starts, mut kinds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, document) in order.iter().enumerate() {
            let (fingerprint, category) = (fingerprints[*document as usize], categories[*document as usize]);
            let new = distinct.last() != Some(&fingerprint);
            if new {
                distinct.push(fingerprint);
                first_nodes.push(starts.len());
            }
            if new || kinds.last() != Some(&category) {
                starts.push(at as u32);
                kinds.push(category);
            }
        }
        first_nodes.push(starts.len());
        starts.push(order.len() as u32);
        let words = |document: u32| Standing { document, words: catalogue.sizes[document as usize] };
        let standing = order.into_iter().map(words).collect();
        let found = Mutex::new(ExternalSort::new(&session.space, "the pairs", session.share(8)));
        for_each_near_pair(&distinct, distance, session.progress, session.cancel, &|near| {
            let mut found = found.lock().expect("no panic with the lock");
            for (a, b, _) in near {
                let nodes = |fingerprint: u32| first_nodes[fingerprint as usize]..first_nodes[fingerprint as usize + 1];
                let (mut of_a, mut of_b) = (nodes(*a).peekable(), nodes(*b).peekable());
                // both in the order of categories
                while let (Some(a), Some(b)) = (of_a.peek().copied(), of_b.peek().copied()) {
                    if kinds[a] == kinds[b] {
                        found.push(NodeLink { a: a as u32, b: b as u32 })?;
                    }
                    if kinds[a] <= kinds[b] {
                        of_a.next();
                    }
                    if kinds[b] <= kinds[a] {
                        of_b.next();
                    }
                }
            }
            Ok::<_, Error>(())
        })?;
        let links = found.into_inner().expect("no panic with the lock").finish()?;
        let distinct = distinct.len() as u64;
        let mut nodes = Self { standing, starts, categories: kinds, links, distinct, pairs: 0, guards };
        let mut pairs: u64 = (0..nodes.len()).map(|node| guards.within(nodes.of(node), |one| one.words)).sum();
        for link in nodes.links.iter() {
            let link = link?;
            pairs += guards.between(nodes.of(link.a), nodes.of(link.b), |one| one.words);
        }
        nodes.pairs = pairs;
        Ok(nodes)
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> u32 {
        self.categories.len() as u32
    }

    /// The documents of a group, the longest first.
    pub(super) fn of(&self, node: u32) -> &[Standing] {
        let at = node as usize;
        &self.standing[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Where the documents of a group begin among all.
    pub(super) fn start(&self, node: u32) -> u32 {
        self.starts[node as usize]
    }

    /// All documents, group by group.
    pub(super) fn standing(&self) -> &[Standing] {
        &self.standing
    }

    /// Puts groups in the order in which their documents are offered as representatives, and drops those that are near nobody: who is near
    /// the most documents comes first, then the longer, then the first by id. Nothing depends on the order of reading.
    pub(super) fn rank(&mut self, session: &Session<'_>, catalogue: &Catalogue) -> Result<(), Error> {
        let mut degrees: Vec<u64> = (0..self.len()).map(|node| self.of(node).len() as u64 - 1).collect();
        for link in self.links.iter() {
            let NodeLink { a, b } = link?;
            degrees[a as usize] += self.of(b).len() as u64;
            degrees[b as usize] += self.of(a).len() as u64;
        }
        let mut ranked = Vec::new();
        for node in (0..self.len()).filter(|node| degrees[*node as usize] > 0) {
            let mut named = Vec::with_capacity(self.of(node).len());
            for one in self.of(node) {
                let salt = catalogue.salts[one.document as usize];
                named.push((Reverse(one.words), catalogue.id(one.document)?, salt, one.document));
            }
            named.sort_unstable();
            let order: Vec<u32> = named.iter().map(|(.., document)| *document).collect();
            let (words, id, salt, _) = named.swap_remove(0);
            let degree = Reverse(degrees[node as usize]);
            ranked.push(((degree, words, id, salt, self.categories[node as usize]), node, order));
        }
        ranked.sort_unstable();
        let mut rank_of = vec![u32::MAX; self.len() as usize];
        let (mut standing, mut starts, mut categories) = (Vec::new(), Vec::new(), Vec::new());
        for (rank, (key, node, order)) in (0..).zip(ranked) {
            rank_of[node as usize] = rank;
            starts.push(standing.len() as u32);
            categories.push(key.4);
            let words = |document: u32| Standing { document, words: catalogue.sizes[document as usize] };
            standing.extend(order.into_iter().map(words));
        }
        starts.push(standing.len() as u32);
        let mut links = ExternalSort::new(&session.space, "the pairs", session.share(6));
        for link in self.links.iter() {
            let NodeLink { a, b } = link?;
            let (a, b) = (rank_of[a as usize], rank_of[b as usize]);
            links.push(NodeLink { a: a.min(b), b: a.max(b) })?;
        }
        (self.standing, self.starts, self.categories, self.links) = (standing, starts, categories, links.finish()?);
        Ok(())
    }
}
