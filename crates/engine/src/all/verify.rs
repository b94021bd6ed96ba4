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
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
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
    /// By document; none if it is no longer what it was.
    sides: FxHashMap<u32, Option<Arc<PairSide>>>,
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
            let mut needed = FxHashSet::default();
            while let Some(pair) = pairs.peek() {
                let Ok(pair) = *pair else { break };
                if clustering.represents(pair.a).is_some_and(|first| degrees[first as usize] > FEW) {
                    verified.represented += 1;
                    self.session.progress.advance(1);
                } else {
                    let more = [pair.a, pair.b].map(|rank| ranked[rank as usize]);
                    let cost: u64 = more.iter().filter(|d| !needed.contains(*d)).map(|d| self.cost(*d)).sum();
                    let is_full = load + cost > self.room() || batch.len() == MAX_BATCH;
                    // whether one that meets many represents it is being decided by this very batch
                    if !batch.is_empty() && (is_full || pending.contains(&pair.a)) {
                        break;
                    }
                    if let Some(pair) = self.unaffordable(more)? {
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
            lost.extend(self.load(&mut sides, &needed)?);
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

    fn cost(&self, document: u32) -> u64 {
        let at = document as usize;
        pair_memory(u64::from(self.bytes[at]), self.documents.catalogue.sizes[at])
    }

    /// A pair that takes more memory than is allowed: it is told, and the others are compared.
    fn unaffordable(&self, [a, b]: [u32; 2]) -> Result<Option<PairLeftOut>, Error> {
        let needed = self.cost(a) + self.cost(b);
        if needed <= self.session.options.resources.memory {
            return Ok(None);
        }
        let id = |document: u32| self.documents.catalogue.id(document);
        Ok(Some(PairLeftOut { a: id(a)?, b: id(b)?, needed }))
    }

    /// Reads documents that are not in memory. Those that are gone.
    fn load(&self, sides: &mut Sides, needed: &FxHashSet<u32>) -> Result<Vec<u32>, Error> {
        let is_missing = |document: &&u32| !sides.sides.contains_key(*document);
        let mut missing: Vec<u32> = needed.iter().filter(is_missing).copied().collect();
        missing.sort_unstable();
        let more: u64 = missing.iter().map(|document| self.cost(*document)).sum();
        if sides.held + more > self.room() {
            sides.sides.retain(|document, _| needed.contains(document));
            sides.held = sides.sides.keys().map(|document| self.cost(*document)).sum();
        }
        let Documents { catalogue, corpus, .. } = self.documents;
        let loader = Loader::new(catalogue, corpus, self.comparer.extractor.clone());
        let read = missing.par_iter().map_init(PairScratch::default, |scratch, document| {
            self.session.cancel.check()?;
            let permit = loader.admit(*document)?;
            let known = self.known(*document)?;
            let side =
                loader.body(*document)?.map(|(id, body)| Arc::new(self.comparer.read(&id, body, known, scratch)));
            drop(permit);
            Ok((*document, side))
        });
        let read = read.collect::<Result<Vec<_>, Error>>()?;
        let lost = read.iter().filter(|(_, side)| side.is_none()).map(|(document, _)| *document).collect();
        sides.held += more;
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
            let [Some(Some(a)), Some(Some(b))] = documents.map(|document| sides.sides.get(&document)) else {
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
