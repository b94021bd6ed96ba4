//! Clusters kept up to date, by the one rule of a scan: documents are taken from the longest to the shortest, of equally long ones by part of
//! their content ids; each joins the most similar representative before it that links it, or represents itself.
//!
//! So the clusters are decided by the documents alone, whatever their order of coming. After a change only those are looked at again
//! that are new, lost their representative, or have other frequent features than before, and whoever is affected by these: always
//! in the order of rank, so that all better ones are settled.

use crate::clusters::containers::Containers;
use crate::clusters::lookup::{Hit, Lookup, SearchScope};
use crate::clusters::rank::{Rank, rank};
use crate::segment::cluster_state::WorkingState;
use crate::segment::segment_set::SegmentSet;
use lookalike_core::cluster::BestRepresentative;
use lookalike_core::sketch::{SampleOverlap, Sketch};
use lookalike_engine::Error;
use lookalike_engine::run::filter::{Filter, as_overlap};
use lookalike_store::Cancel;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Who may represent a document, and how similar the two are.
type Best = BestRepresentative<(Rank, u32), f64>;

/// Documents that are looked up at once, on all threads. In a new index few, since the better ones of them may take the others.
const BATCH: usize = 1024;
const FRESH_BATCH: usize = 64;

/// A worse document that a document is linked with.
#[derive(Clone, Copy)]
struct WorseLink {
    rank: Rank,
    document: u32,
    /// How similar the two are, if the better may represent the worse. If not, the better is inside the worse.
    similarity: Option<f64>,
}

/// Repairs the clusters of a changed index.
pub(crate) struct Repair<'a> {
    segments: &'a SegmentSet,
    filter: Filter,
    state: &'a mut WorkingState,
    cancel: &'a Cancel,
    /// No document was there before the change.
    fresh: bool,
    /// New, or with other links than before.
    changed: FxHashSet<u32>,
    /// Where the new ones need to be looked up.
    scopes: FxHashMap<u32, SearchScope>,
    /// Documents to settle.
    pending: BTreeSet<(Rank, u32)>,
    /// Boilerplate documents that represent.
    boilerplate: BTreeSet<(Rank, u32)>,
    /// What was found of pending documents.
    hits: FxHashMap<u32, Vec<Hit>>,
    /// In a new index, the best of the representatives that offered themselves to each document.
    offers: FxHashMap<u32, Best>,
    /// Who has joined a shorter document.
    containers: Containers,
    /// Pairs of a new document and a longer one inside it that was told so.
    told: FxHashSet<(u32, u32)>,
}

impl<'a> Repair<'a> {
    pub(crate) fn new(
        segments: &'a SegmentSet,
        filter: Filter,
        state: &'a mut WorkingState,
        cancel: &'a Cancel,
        fresh: bool,
    ) -> Self {
        Self {
            segments,
            filter,
            state,
            cancel,
            fresh,
            changed: FxHashSet::default(),
            scopes: FxHashMap::default(),
            pending: BTreeSet::new(),
            boilerplate: BTreeSet::new(),
            hits: FxHashMap::default(),
            offers: FxHashMap::default(),
            containers: Containers::default(),
            told: FxHashSet::default(),
        }
    }

    fn rank(&self, document: u32) -> Result<Rank, Error> {
        rank(self.segments, document)
    }

    /// A document that was not there before; one that shares nothing with any other is alone.
    pub(crate) fn add(&mut self, document: u32, scope: SearchScope) -> Result<(), Error> {
        if scope.segments == 0 {
            return Ok(());
        }
        self.scopes.insert(document, scope);
        self.change(document)
    }

    /// A document whose links may have changed.
    pub(crate) fn change(&mut self, document: u32) -> Result<(), Error> {
        self.changed.insert(document);
        self.requeue_members(document)?;
        self.queue(document)
    }

    /// The members of a document that has gone or changed.
    fn requeue_members(&mut self, document: u32) -> Result<(), Error> {
        let members: Vec<u32> = self.state.members_before(document).collect();
        for member in members {
            if self.state.representatives[member as usize] == document {
                self.queue(member)?;
            }
        }
        Ok(())
    }

    fn queue(&mut self, document: u32) -> Result<(), Error> {
        if self.state.is_live(document) {
            self.pending.insert((self.rank(document)?, document));
        }
        Ok(())
    }

    /// Settles everything that is pending.
    pub(crate) fn run(mut self) -> Result<(), Error> {
        for document in &self.state.boilerplate {
            let represents = self.state.representatives[*document as usize] == *document;
            if represents && !self.changed.contains(document) {
                self.boilerplate.insert((self.rank(*document)?, *document));
            }
        }
        // few documents are inside shorter ones; whether they still are depends on many others
        for document in self.state.insiders.clone() {
            let (rank, container) = (self.rank(document)?, self.state.representatives[document as usize]);
            if container != document && rank < self.rank(container)? {
                self.containers.insert(container, rank, document);
            }
            self.queue(document)?;
        }
        while let Some((rank, document)) = self.pending.first().copied() {
            let boilerplate = self.state.boilerplate.contains(&document);
            if !boilerplate && !self.has_offer(document) && !self.hits.contains_key(&document) {
                self.look_up()?;
            }
            self.pending.pop_first();
            if boilerplate {
                let hits = self.boilerplate_hits(rank, document)?;
                self.settle(rank, document, &hits)?;
            } else if !self.has_offer(document) {
                let hits = self.hits.remove(&document).unwrap_or_default();
                self.settle(rank, document, &hits)?;
            }
            self.hits.remove(&document);
            self.offers.remove(&document);
        }
        Ok(())
    }

    /// In a new index all better representatives have offered themselves to whom they link: nothing is left to decide.
    fn has_offer(&self, document: u32) -> bool {
        self.fresh && self.state.representatives[document as usize] != document
    }

    /// Looks up the next that are pending.
    fn look_up(&mut self) -> Result<(), Error> {
        self.cancel.check()?;
        let wanted = self.pending.iter().map(|next| next.1).filter(|document| {
            !self.state.boilerplate.contains(document)
                && !self.has_offer(*document)
                && !self.hits.contains_key(document)
        });
        let wanted: Vec<u32> = wanted.take(if self.fresh { FRESH_BATCH } else { BATCH }).collect();
        let lookup = self.lookup();
        // candidates as the policy sees them from either side
        let found = wanted.par_iter().map(|document| {
            let scope = self.scopes.get(document).copied().unwrap_or(SearchScope::ALL);
            let hits = lookup.hits(&lookup.probe(*document)?, &self.filter, scope)?;
            Ok((*document, hits.into_iter().filter(|hit| hit.document != *document).collect()))
        });
        let found: Vec<(u32, Vec<Hit>)> = found.collect::<Result<_, Error>>()?;
        self.hits.extend(found);
        Ok(())
    }

    fn lookup(&self) -> Lookup<'_, WorkingState> {
        Lookup { segments: self.segments, state: &*self.state, sampling: self.filter.sampling }
    }

    /// What a boilerplate document has in common with the better ones that represent, and with the worse ones where they matter.
    fn boilerplate_hits(&self, rank: Rank, document: u32) -> Result<Vec<Hit>, Error> {
        self.cancel.check()?;
        let lookup = self.lookup();
        let probe = lookup.probe(document)?;
        let compare = |others: &[u32]| {
            let hits = others
                .par_chunks(256)
                .map(|others| lookup.boilerplate_hits(&probe, others.iter().copied(), &self.filter));
            Ok::<_, Error>(hits.collect::<Result<Vec<_>, Error>>()?.concat())
        };
        let better: Vec<u32> = self.boilerplate.range(..(rank, document)).map(|better| better.1).collect();
        let mut hits = compare(&better)?;
        let joins = hits.iter().any(|hit| self.link(hit.sample.swapped()).is_some());
        // in a new index the worse ones will ask for themselves, unless they may hold this one
        if self.filter.policy.contained.is_some() || !joins && !self.fresh {
            let mut worse = Vec::new();
            for other in &self.state.boilerplate {
                if rank < self.rank(*other)? {
                    worse.push(*other);
                }
            }
            hits.extend(compare(&worse)?);
        }
        Ok(hits)
    }

    fn settle(&mut self, rank: Rank, document: u32, hits: &[Hit]) -> Result<(), Error> {
        let mut best = Best::default();
        let mut worse = Vec::new();
        for hit in hits {
            let (other, represents) = (self.rank(hit.document)?, self.link(hit.sample));
            if other > rank {
                if represents.is_some() || self.link(hit.sample.swapped()).is_some() {
                    worse.push(WorseLink { rank: other, document: hit.document, similarity: represents });
                }
                continue;
            }
            match self.link(hit.sample.swapped()) {
                Some(similarity) if self.represents(hit.document) => {
                    best.offer((other, hit.document), similarity);
                }
                // a better one is inside this one, and may not know it yet
                None if represents.is_some() => self.tell(document, hit.document)?,
                _ => {}
            }
        }
        worse.sort_unstable_by_key(|link| (link.rank, link.document));
        if worse.iter().any(|link| link.similarity.is_none()) {
            self.state.insiders.insert(document);
        } else {
            self.state.insiders.remove(&document);
        }
        if self.containers.has_before(document, rank) {
            return self.represent(rank, document, &worse);
        }
        if let Some(((_, representative), _)) = best.into_inner() {
            return self.set_representative(rank, document, representative);
        }
        match self.container(rank, document, &worse)? {
            Some(container) => self.set_representative(rank, document, container),
            None => self.represent(rank, document, &worse),
        }
    }

    fn represents(&self, document: u32) -> bool {
        self.state.representatives[document as usize] == document
    }

    /// Lets a better document that is inside a new one decide again, once.
    fn tell(&mut self, document: u32, inside: u32) -> Result<(), Error> {
        let is_news = !self.fresh && self.changed.contains(&document) && self.told.insert((document, inside));
        if is_news { self.queue(inside) } else { Ok(()) }
    }

    /// The first worse document that this one is inside of, if it is not represented by a better one, and this one represents none before it.
    fn container(&self, rank: Rank, document: u32, worse: &[WorseLink]) -> Result<Option<u32>, Error> {
        if worse.iter().all(|link| link.similarity.is_some()) {
            return Ok(None);
        }
        for link in worse {
            let offers = self.offers_before(rank, link.document)?;
            match link.similarity {
                Some(similarity) => {
                    let taken = !self.containers.has_before(link.document, rank);
                    if taken && offers.can_improve(&(rank, document), &similarity) {
                        return Ok(None);
                    }
                }
                None if offers.get().is_none() => return Ok(Some(link.document)),
                None => {}
            }
        }
        Ok(None)
    }

    /// The best representative of a document among those before a rank.
    fn offers_before(&self, rank: Rank, document: u32) -> Result<Best, Error> {
        let boilerplate = self.state.boilerplate.contains(&document);
        if self.fresh && !boilerplate {
            return Ok(self.offers.get(&document).copied().unwrap_or_default());
        }
        let lookup = self.lookup();
        let probe = lookup.probe(document)?;
        let hits = if boilerplate {
            let better = self.boilerplate.range(..(rank, 0)).map(|better| better.1);
            lookup.boilerplate_hits(&probe, better, &self.filter)?
        } else {
            lookup.hits(&probe, &self.filter, SearchScope::ALL)?
        };
        let mut best = Best::default();
        for hit in hits {
            let other = self.rank(hit.document)?;
            if other < rank
                && self.represents(hit.document)
                && let Some(similarity) = self.link(hit.sample.swapped())
            {
                best.offer((other, hit.document), similarity);
            }
        }
        Ok(best)
    }

    /// Makes a document a representative. If that is new it offers itself to the worse ones that it links.
    fn represent(&mut self, rank: Rank, document: u32, worse: &[WorseLink]) -> Result<(), Error> {
        let before = self.state.representatives[document as usize];
        self.set_representative(rank, document, document)?;
        // in a new index boilerplate documents ask for themselves
        let silent = self.fresh && self.state.boilerplate.contains(&document);
        if silent || before == document && !self.changed.contains(&document) {
            return Ok(());
        }
        for link in worse {
            if let Some(similarity) = link.similarity {
                self.offer((rank, document), link.document, similarity)?;
            }
        }
        Ok(())
    }

    fn set_representative(&mut self, rank: Rank, document: u32, representative: u32) -> Result<(), Error> {
        if self.state.boilerplate.contains(&document) {
            if representative == document {
                self.boilerplate.insert((rank, document));
            } else {
                self.boilerplate.remove(&(rank, document));
            }
        }
        let before = std::mem::replace(&mut self.state.representatives[document as usize], representative);
        if before == representative {
            return Ok(());
        }
        if before == document {
            self.requeue_members(document)?;
        } else if rank < self.rank(before)? {
            self.containers.remove(before, rank, document);
            self.queue(before)?;
        }
        if rank < self.rank(representative)? {
            self.containers.insert(representative, rank, document);
            self.queue(representative)?;
        }
        if !self.fresh && self.state.insiders.contains(&document) {
            for other in self.state.insiders.clone() {
                if rank < self.rank(other)? {
                    self.queue(other)?;
                }
            }
        }
        Ok(())
    }

    /// A representative offers itself to a worse document that it links.
    fn offer(&mut self, (rank, representative): (Rank, u32), document: u32, similarity: f64) -> Result<(), Error> {
        if self.containers.has_before(document, rank) {
            return Ok(());
        }
        if self.fresh {
            if self.offers.entry(document).or_default().offer((rank, representative), similarity) {
                self.state.representatives[document as usize] = representative;
            }
            return Ok(());
        }
        let (own, current) = (self.rank(document)?, self.state.representatives[document as usize]);
        let current_rank = self.rank(current)?;
        if current_rank >= own {
            return self.queue(document);
        }
        // a pending document will ask for itself
        if self.pending.contains(&(own, document)) {
            return Ok(());
        }
        let mut best = Best::default();
        best.offer((current_rank, current), self.similarity(current, document)?);
        if best.offer((rank, representative), similarity) {
            self.state.representatives[document as usize] = representative;
        }
        Ok(())
    }

    /// How similar a document and its representative are.
    fn similarity(&self, representative: u32, document: u32) -> Result<f64, Error> {
        let lookup = self.lookup();
        let whole = self.state.boilerplate.contains(&document);
        let sample = lookup.compare(&lookup.probe(representative)?, document, whole, &mut Sketch::default())?;
        Ok(as_overlap(sample).resemblance())
    }

    /// How similar two documents are, if the first may represent the second.
    fn link(&self, sample: SampleOverlap) -> Option<f64> {
        let overlap = as_overlap(sample);
        (self.filter.candidate(sample) && self.filter.accepts(overlap)).then(|| overlap.resemblance())
    }
}
