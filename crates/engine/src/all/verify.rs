//! Pairs are compared by all lenses, and duplicates put under their representatives.
//!
//! A document that is a duplicate of one that meets many is not compared with what comes after it: its representative is. So most pairs of
//! a large clique are never compared. Pairs are taken in batches that fit in memory, compared on all threads, and applied in order, so that neither
//! threads nor memory show in the answer.

use crate::Error;
use crate::all::join::{Found, FoundPair};
use crate::compare::{KnownWords, PairComparer, PairRelation, PairScratch, PairSide, pair_memory};
use crate::report::relations::PairLeftOut;
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::loader::Loader;
use lookalike_core::cluster::{Linkage, StarClustering, UnionFind};
use lookalike_core::relation::{Disagreement, Relation, Rules};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Two documents that were compared, the earlier in the order of representatives first.
pub(super) struct ComparedDocuments {
    pub(super) documents: [u32; 2],
    pub(super) found: FoundPair,
    pub(super) related: PairRelation,
    pub(super) disagreement: Option<Disagreement>,
}

/// What comparing leaves.
#[derive(Default)]
pub(super) struct Verified {
    /// Pairs that are something to each other, or that a lens took for something.
    pub(super) pairs: Vec<ComparedDocuments>,
    /// Members and their representatives, as documents.
    pub(super) members: Vec<(u32, u32)>,
    pub(super) compared: u64,
    pub(super) represented: u64,
    /// Documents that changed or vanished since they were read.
    pub(super) lost: Vec<u32>,
    /// Pairs that take more memory than is allowed.
    pub(super) left_out: Vec<PairLeftOut>,
}

/// The duplicates of a document that meets at most so many later ones are compared with each other too.
const FEW: u32 = 8;
/// Pairs of a batch, at most: how far the progress is told at once.
const MAX_BATCH: usize = 4096;

/// Compares pairs and clusters their documents.
pub(super) struct Verifier<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) documents: &'a Documents,
    pub(super) comparer: &'a PairComparer,
    pub(super) rules: Rules,
    pub(super) linkage: Linkage,
    pub(super) bytes: &'a [u32],
    pub(super) fingerprints: &'a [u64],
}

/// Documents in memory.
#[derive(Default)]
struct Sides {
    /// By rank; none if it is no longer what it was.
    sides: BTreeMap<u32, Option<Arc<PairSide>>>,
    held: u64,
}

impl Verifier<'_> {
    pub(super) fn run(&self, found: &Found) -> Result<Verified, Error> {
        let Found { pairs, ranked, degrees, .. } = found;
        let mut clustering = Clustering::new(self.linkage, ranked.len());
        let (mut verified, mut sides, mut lost) = (Verified::default(), Sides::default(), BTreeSet::new());
        let mut pairs = pairs.iter().peekable();
        loop {
            self.session.cancel.check()?;
            let (mut batch, mut pending, mut load) = (Vec::new(), FxHashSet::default(), 0);
            let mut needed = BTreeSet::new();
            while let Some(pair) = pairs.peek() {
                let Ok(pair) = *pair else { break };
                if clustering.represents(pair.a).is_some_and(|first| degrees[first as usize] > FEW) {
                    verified.represented += 1;
                    self.session.progress.advance(1);
                } else {
                    let more = [pair.a, pair.b];
                    let cost: u64 =
                        more.iter().filter(|rank| !needed.contains(*rank)).map(|rank| self.cost(ranked, *rank)).sum();
                    let is_full = load + cost > self.room() || batch.len() == MAX_BATCH;
                    // whether one that meets many represents it is being decided by this very batch
                    if !batch.is_empty() && (is_full || pending.contains(&pair.a)) {
                        break;
                    }
                    if let Some(pair) = self.unaffordable(more.map(|rank| ranked[rank as usize]))? {
                        verified.left_out.push(pair);
                        self.session.progress.advance(1);
                    } else {
                        load += cost;
                        needed.extend(more);
                        let meets_many = |first: u32| degrees[first as usize] > FEW;
                        if meets_many(pair.a) || clustering.represents(pair.b).is_some_and(meets_many) {
                            pending.insert(pair.b);
                        }
                        batch.push(pair);
                    }
                }
                pairs.next();
            }
            if let Some(Err(_)) = pairs.peek() {
                return Err(pairs.next().expect("peeked").expect_err("peeked").into());
            }
            if batch.is_empty() {
                verified.members = clustering.members(ranked);
                verified.lost = lost.into_iter().collect();
                return Ok(verified);
            }
            self.make_room(&mut sides, &needed, batch[0].a, ranked);
            lost.extend(self.load(&mut sides, &needed, ranked)?);
            for compared in self.compare(&sides, &batch, ranked)?.into_iter().flatten() {
                verified.compared += 1;
                let relation = compared.related.relation;
                if relation.is_duplicate() {
                    clustering.offer(compared.found, &compared.related);
                }
                let is_something = !matches!(relation, Relation::Unrelated | Relation::TooLittle);
                if is_something || compared.disagreement.is_some() {
                    verified.pairs.push(compared);
                }
            }
            self.session.progress.advance(batch.len() as u64);
        }
    }

    /// Bytes of documents in memory, beside what they take while they are read.
    fn room(&self) -> u64 {
        self.session.share(3) as u64
    }

    fn cost(&self, ranked: &[u32], rank: u32) -> u64 {
        self.memory(ranked[rank as usize])
    }

    fn memory(&self, document: u32) -> u64 {
        let at = document as usize;
        pair_memory(u64::from(self.bytes[at]), self.documents.catalogue.sizes[at])
    }

    /// A pair that takes more memory than is allowed: it is told, and the others are compared.
    fn unaffordable(&self, [a, b]: [u32; 2]) -> Result<Option<PairLeftOut>, Error> {
        let needed = self.memory(a) + self.memory(b);
        if needed <= self.session.options.resources.memory {
            return Ok(None);
        }
        let id = |document: u32| self.documents.catalogue.id(document);
        Ok(Some(PairLeftOut { a: id(a)?, b: id(b)?, needed }))
    }

    /// Lets go of documents that are in no later pair, since these begin with `first` or a later one; then, if there is too little room
    /// for those that are needed, of others, those that come last first.
    fn make_room(&self, Sides { sides, held }: &mut Sides, needed: &BTreeSet<u32>, first: u32, ranked: &[u32]) {
        let later = sides.split_off(&first);
        *held -= sides.keys().map(|rank| self.cost(ranked, *rank)).sum::<u64>();
        *sides = later;
        let missing = needed.iter().filter(|rank| !sides.contains_key(rank));
        let more: u64 = missing.map(|rank| self.cost(ranked, *rank)).sum();
        let mut over = (*held + more).saturating_sub(self.room());
        let mut dropped = Vec::new();
        for rank in sides.keys().rev().filter(|rank| !needed.contains(rank)) {
            if over == 0 {
                break;
            }
            let cost = self.cost(ranked, *rank);
            over = over.saturating_sub(cost);
            *held -= cost;
            dropped.push(*rank);
        }
        for rank in dropped {
            sides.remove(&rank);
        }
    }

    /// Reads documents that are not in memory. Those that are gone.
    fn load(&self, sides: &mut Sides, needed: &BTreeSet<u32>, ranked: &[u32]) -> Result<Vec<u32>, Error> {
        let missing: Vec<u32> = needed.iter().filter(|rank| !sides.sides.contains_key(rank)).copied().collect();
        let Documents { catalogue, corpus, .. } = self.documents;
        let loader = Loader::new(catalogue, corpus, self.comparer.extractor.clone());
        let read = missing.par_iter().map_init(PairScratch::default, |scratch, rank| {
            self.session.cancel.check()?;
            let document = ranked[*rank as usize];
            let permit = loader.admit(document)?;
            let known = self.known(document)?;
            let side = loader.body(document)?.map(|(id, body)| Arc::new(self.comparer.read(&id, body, known, scratch)));
            drop(permit);
            Ok((*rank, side))
        });
        let read = read.collect::<Result<Vec<_>, Error>>()?;
        let lost = read.iter().filter(|(_, side)| side.is_none()).map(|(rank, _)| ranked[*rank as usize]).collect();
        sides.held += missing.iter().map(|rank| self.cost(ranked, *rank)).sum::<u64>();
        sides.sides.extend(read);
        Ok(lost)
    }

    /// What reading learnt of the words of a document, if it has any.
    fn known(&self, document: u32) -> Result<Option<KnownWords>, Error> {
        let at = document as usize;
        let (count, fingerprint) = (self.documents.catalogue.sizes[at], self.fingerprints[at]);
        let lexical = self.documents.catalogue.entry(document)?.lexical;
        Ok((count > 0).then_some(KnownWords { count, lexical, fingerprint }))
    }

    /// Compares a batch; none of a pair of which one is gone.
    fn compare(
        &self,
        sides: &Sides,
        batch: &[FoundPair],
        ranked: &[u32],
    ) -> Result<Vec<Option<ComparedDocuments>>, Error> {
        let compared = batch.par_iter().map(|found| {
            self.session.cancel.check()?;
            let documents = [found.a, found.b].map(|rank| ranked[rank as usize]);
            let [Some(Some(a)), Some(Some(b))] = [found.a, found.b].map(|rank| sides.sides.get(&rank)) else {
                return Ok(None);
            };
            let related = self.comparer.compare(a, b);
            let disagreement = Disagreement::of(&related.evidence, related.relation, &self.rules);
            Ok(Some(ComparedDocuments { documents, found: *found, related, disagreement }))
        });
        compared.collect()
    }
}

/// Who represents whom so far, by rank.
enum Clustering {
    Stars(StarClustering<f64>),
    Components(UnionFind),
}

impl Clustering {
    fn new(linkage: Linkage, documents: usize) -> Self {
        match linkage {
            Linkage::Star => Self::Stars(StarClustering::new(documents)),
            Linkage::Single => Self::Components(UnionFind::new(documents)),
        }
    }

    /// The document that stands for another; none if that stands for itself, or if chains join them.
    fn represents(&self, rank: u32) -> Option<u32> {
        match self {
            Self::Stars(stars) => Some(stars.representative(rank)).filter(|first| *first != rank),
            Self::Components(_) => None,
        }
    }

    fn offer(&mut self, pair: FoundPair, related: &PairRelation) {
        match self {
            Self::Stars(stars) if !stars.is_representative(pair.a) => {}
            Self::Stars(stars) => {
                stars.offer(pair.a, pair.b, related.evidence.common().into_iter().sum());
            }
            Self::Components(joined) => {
                joined.union(pair.a, pair.b);
            }
        }
    }

    /// Members with their representatives, as documents.
    fn members(self, ranked: &[u32]) -> Vec<(u32, u32)> {
        let document = |rank: u32| ranked[rank as usize];
        match self {
            Self::Stars(stars) => {
                stars.members().map(|(member, first, _)| (document(member), document(first))).collect()
            }
            Self::Components(mut joined) => {
                let all = (0..ranked.len() as u32).map(|rank| (rank, joined.find(rank)));
                all.filter(|(rank, first)| rank != first)
                    .map(|(rank, first)| (document(rank), document(first)))
                    .collect()
            }
        }
    }
}
