//! Documents by fingerprint and category, and which of these groups are near each other.
//!
//! Thousands of pages may have one fingerprint. Pairs are made of groups, not of documents, so what is kept grows with the fingerprints
//! that are near each other and not with the square of the documents.

use crate::Error;
use crate::lens::simhash::guards::Guards;
use crate::lens::simhash::reading::Fingerprints;
use crate::run::Session;
use crate::run::catalogue::Catalogue;
use crate::run::documents::Documents;
use bytemuck::{Pod, Zeroable};
use lookalike_core::bits::FingerprintBits;
use lookalike_hamming::for_each_near_pair;
use lookalike_store::{ExternalSort, Records};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::Mutex;

/// A document that takes part in pairs.
#[derive(Clone, Copy, Debug)]
pub struct NodeDocument {
    pub document: u32,
    pub words: u32,
}

/// Two groups that are near each other, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct NodeLink {
    pub a: u32,
    pub b: u32,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
}

/// Groups of documents with the same fingerprint and category.
pub struct Nodes {
    /// Documents group by group, the longest of a group first.
    documents: Vec<NodeDocument>,
    /// Where the documents of each group begin, and where those of the last end.
    starts: Vec<u32>,
    /// Places of all documents, in the order of representatives.
    offered: Vec<u32>,
    /// By place: where the document is in that order.
    positions: Vec<u32>,
    /// Hashes of the categories.
    categories: Vec<u64>,
    /// Groups within k of each other, each pair once, the first of the two first; sorted.
    pub links: Records<NodeLink>,
    /// Different fingerprints.
    pub distinct: u64,
    /// Pairs of documents that are near each other and may be linked.
    pub pairs: u64,
    pub guards: Guards,
}

/// Which documents are paired.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The greatest distance of their fingerprints.
    pub distance: u32,
    /// Those with fewer words have too little text.
    pub min_words: u32,
}

impl Nodes {
    /// Finds the groups and who is near whom.
    pub fn find<F: FingerprintBits>(
        session: &Session<'_>,
        limits: Limits,
        documents: &Documents,
        fingerprints: &Fingerprints<F>,
        guards: Guards,
    ) -> Result<Self, Error> {
        let Documents { catalogue, duplicates, .. } = documents;
        let Fingerprints { fingerprints, categories, .. } = fingerprints;
        let is_long = |document: &u32| catalogue.sizes[*document as usize] >= limits.min_words;
        let all = (0..catalogue.len() as u32).filter(|document| duplicates.is_canonical(*document)).filter(is_long);
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
        let words = |document: u32| NodeDocument { document, words: catalogue.sizes[document as usize] };
        let documents = order.into_iter().map(words).collect();
        let found = Mutex::new(ExternalSort::new(&session.space, "the pairs", session.share(8)));
        for_each_near_pair(&distinct, limits.distance, session.progress, session.cancel, &|near| {
            let mut found = found.lock().expect("no panic with the lock");
            for (a, b, distance) in near {
                let nodes = |fingerprint: u32| first_nodes[fingerprint as usize]..first_nodes[fingerprint as usize + 1];
                let (mut of_a, mut of_b) = (nodes(*a).peekable(), nodes(*b).peekable());
                // both in the order of categories
                while let (Some(a), Some(b)) = (of_a.peek().copied(), of_b.peek().copied()) {
                    if kinds[a] == kinds[b] {
                        found.push(NodeLink { a: a as u32, b: b as u32, distance: *distance })?;
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
        let (offered, positions) = (Vec::new(), Vec::new());
        let mut nodes =
            Self { documents, starts, offered, positions, categories: kinds, links, distinct, pairs: 0, guards };
        let mut pairs: u64 = (0..nodes.len()).map(|node| guards.within(nodes.of(node), |one| one.words)).sum();
        for link in nodes.links.iter() {
            let link = link?;
            pairs += guards.between(nodes.of(link.a), nodes.of(link.b), |one| one.words);
        }
        nodes.pairs = pairs;
        Ok(nodes)
    }

    /// How many groups there are.
    pub fn len(&self) -> u32 {
        self.categories.len() as u32
    }

    /// The documents of a group, the longest first.
    pub fn of(&self, node: u32) -> &[NodeDocument] {
        let at = node as usize;
        &self.documents[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Where the documents of a group begin among all.
    pub fn start(&self, node: u32) -> u32 {
        self.starts[node as usize]
    }

    /// All documents, group by group.
    pub fn documents(&self) -> &[NodeDocument] {
        &self.documents
    }

    /// The places of all documents, in the order in which they are offered as representatives.
    pub fn offered(&self) -> &[u32] {
        &self.offered
    }

    /// Where the document of a place is in the order of representatives.
    pub fn position(&self, place: u32) -> u32 {
        self.positions[place as usize]
    }

    /// The positions of the documents of each group, group by group, in order.
    pub fn sorted_positions(&self) -> Vec<u32> {
        let mut positions = self.positions.clone();
        (0..self.len() as usize)
            .for_each(|node| positions[self.starts[node] as usize..self.starts[node + 1] as usize].sort_unstable());
        positions
    }

    /// By group: the positions of the documents that may represent, and the last position of all. Documents of one length in a group are
    /// linked with the same others, so only the first of them can represent; where lengths do not matter, only the first of the group.
    pub fn offers(&self) -> NodeOffers {
        let mut offers = NodeOffers { positions: Vec::new(), starts: vec![0], last: Vec::new() };
        let same_run = |a: &NodeDocument, b: &NodeDocument| self.guards.are_open() || a.words == b.words;
        let mut place = 0;
        for node in 0..self.len() {
            let mut last = 0;
            for run in self.of(node).chunk_by(same_run) {
                let positions = &self.positions[place..place + run.len()];
                offers.positions.extend(positions.iter().min());
                last = positions.iter().fold(last, |last, position| last.max(*position));
                place += run.len();
            }
            offers.starts.push(offers.positions.len() as u32);
            offers.last.push(last);
        }
        offers
    }

    /// Puts groups in the order of representatives, by the first document of each, and drops those that are near no other document.
    pub fn rank(&mut self, session: &Session<'_>, catalogue: &Catalogue) -> Result<(), Error> {
        let mut has_neighbours: Vec<bool> = (0..self.len()).map(|node| self.of(node).len() > 1).collect();
        for link in self.links.iter() {
            let NodeLink { a, b, .. } = link?;
            (has_neighbours[a as usize], has_neighbours[b as usize]) = (true, true);
        }
        let kept = || (0..self.len()).filter(|node| has_neighbours[*node as usize]);
        let order = session.order.sorted(
            catalogue,
            kept().flat_map(|n| self.of(n)).map(|one| one.document),
            &catalogue.sizes,
        )?;
        let mut position_of = vec![u32::MAX; catalogue.len()];
        for (position, document) in (0..).zip(&order) {
            position_of[*document as usize] = position;
        }
        let position = |one: &NodeDocument| position_of[one.document as usize];
        let mut ranked: Vec<(Option<u32>, u32)> = kept().map(|n| (self.of(n).iter().map(position).min(), n)).collect();
        ranked.par_sort_unstable();
        let mut rank_of = vec![u32::MAX; self.len() as usize];
        let (mut documents, mut starts, mut categories) = (Vec::with_capacity(order.len()), Vec::new(), Vec::new());
        for (rank, (_, node)) in (0..).zip(ranked) {
            rank_of[node as usize] = rank;
            let start = documents.len();
            starts.push(start as u32);
            categories.push(self.categories[node as usize]);
            documents.extend_from_slice(self.of(node));
            // neither lengths nor the order of reading decide between documents of one length
            documents[start..].sort_unstable_by_key(|one| (Reverse(one.words), position(one)));
        }
        starts.push(documents.len() as u32);
        let mut links = ExternalSort::new(&session.space, "the pairs", session.share(6));
        for link in self.links.iter() {
            let NodeLink { a, b, distance } = link?;
            let (a, b) = (rank_of[a as usize], rank_of[b as usize]);
            links.push(NodeLink { a: a.min(b), b: a.max(b), distance })?;
        }
        self.positions = documents.iter().map(position).collect();
        self.offered = vec![0; documents.len()];
        for (place, position) in (0..).zip(&self.positions) {
            self.offered[*position as usize] = place;
        }
        (self.documents, self.starts, self.categories, self.links) = (documents, starts, categories, links.finish()?);
        Ok(())
    }
}

/// Which documents of each group may represent.
pub struct NodeOffers {
    positions: Vec<u32>,
    starts: Vec<u32>,
    last: Vec<u32>,
}

impl NodeOffers {
    /// The positions of documents of a group that may represent documents of another, or of the same.
    pub fn between(&self, node: u32, other: u32) -> impl Iterator<Item = u32> {
        let (from, to, last) = (self.starts[node as usize], self.starts[node as usize + 1], self.last[other as usize]);
        self.positions[from as usize..to as usize].iter().copied().filter(move |position| *position < last)
    }
}
