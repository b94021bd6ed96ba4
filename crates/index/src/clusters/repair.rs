//! Clusters kept up to date, by the one rule of a scan: documents are taken from the longest to the shortest, of equally long ones by part of
//! their content ids; each joins the most similar representative before it that links it, or represents itself.
//!
//! So the clusters are decided by the documents alone, whatever their order of coming. After a change only those are looked at again
//! that are new, lost their representative, or have other frequent features than before, and whoever is affected by these: always
//! in the order of rank, so that all better ones are settled.

use crate::clusters::lookup::{Hit, Lookup, Probe, SearchScope};
use crate::segment::cluster_state::WorkingState;
use crate::segment::segment_set::SegmentSet;
use lookalike_core::cluster::{BestRepresentative, Priority};
use lookalike_core::sketch::{SampleOverlap, Sketch};
use lookalike_engine::Error;
use lookalike_engine::run::filter::{Filter, as_overlap};
use lookalike_store::Cancel;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The place of a document in the order of representatives; better ones first.
pub(crate) type Rank = Priority<u128>;

/// Who may represent a document, and how similar the two are.
type Best = BestRepresentative<(Rank, u32), f64>;

/// Documents that are looked up at once, on all threads. In a new index few, since the better ones of them may take the others.
const BATCH: usize = 1024;
const FRESH_BATCH: usize = 64;

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
        while let Some((rank, document)) = self.pending.first().copied() {
            let boilerplate = self.state.boilerplate.contains(&document);
            if !boilerplate && !self.has_offer(document) && !self.hits.contains_key(&document) {
                self.look_up()?;
            }
            self.pending.pop_first();
            if boilerplate {
                self.settle_boilerplate(rank, document)?;
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

    fn settle(&mut self, rank: Rank, document: u32, hits: &[Hit]) -> Result<(), Error> {
        let mut best = Best::default();
        let mut worse = Vec::new();
        for hit in hits {
            let other = self.rank(hit.document)?;
            if other > rank {
                worse.extend(self.link(hit.sample).map(|similarity| (hit.document, similarity)));
            } else if self.state.representatives[hit.document as usize] == hit.document
                && let Some(similarity) = self.link(hit.sample.swapped())
            {
                best.offer((other, hit.document), similarity);
            }
        }
        if let Some(((_, representative), _)) = best.into_inner() {
            return self.join(document, representative);
        }
        if self.represent(document) {
            for (other, similarity) in worse {
                self.offer((rank, document), other, similarity)?;
            }
        }
        Ok(())
    }

    fn settle_boilerplate(&mut self, rank: Rank, document: u32) -> Result<(), Error> {
        self.cancel.check()?;
        let lookup = self.lookup();
        let probe = lookup.probe(document)?;
        let mut buffer = Sketch::default();
        let mut best = Best::default();
        for (other, representative) in self.boilerplate.range(..(rank, document)) {
            let sample = lookup.compare(&probe, *representative, true, &mut buffer)?;
            if let Some(similarity) = self.link(sample.swapped()) {
                best.offer((*other, *representative), similarity);
            }
        }
        if let Some(((_, representative), _)) = best.into_inner() {
            self.boilerplate.remove(&(rank, document));
            return self.join(document, representative);
        }
        self.boilerplate.insert((rank, document));
        // in a new index the others will ask for themselves
        if self.represent(document) && !self.fresh {
            for (other, similarity) in self.worse_boilerplate(rank, &probe)? {
                self.offer((rank, document), other, similarity)?;
            }
        }
        Ok(())
    }

    /// Boilerplate documents after `rank` that a document with this sketch may represent, and how similar they are.
    fn worse_boilerplate(&self, rank: Rank, probe: &Probe) -> Result<Vec<(u32, f64)>, Error> {
        let others: Vec<u32> = self.state.boilerplate.iter().copied().collect();
        let lookup = self.lookup();
        let hits = others.par_chunks(256).map(|others| {
            let mut worse = Vec::new();
            for other in others {
                if rank < self.rank(*other)? {
                    worse.push(*other);
                }
            }
            let hits = lookup.boilerplate_hits(probe, worse.into_iter(), &self.filter)?;
            let linked = |hit: Hit| self.link(hit.sample).map(|similarity| (hit.document, similarity));
            Ok(hits.into_iter().filter_map(linked).collect::<Vec<_>>())
        });
        Ok(hits.collect::<Result<Vec<_>, Error>>()?.concat())
    }

    /// Makes a document a representative; whether others must hear of it.
    fn represent(&mut self, document: u32) -> bool {
        let before = std::mem::replace(&mut self.state.representatives[document as usize], document);
        before != document || self.changed.contains(&document)
    }

    fn join(&mut self, document: u32, representative: u32) -> Result<(), Error> {
        let before = std::mem::replace(&mut self.state.representatives[document as usize], representative);
        if before == document {
            self.requeue_members(document)?;
        }
        Ok(())
    }

    /// A representative offers itself to a worse document that it links.
    fn offer(&mut self, (rank, representative): (Rank, u32), document: u32, similarity: f64) -> Result<(), Error> {
        if self.fresh {
            if self.offers.entry(document).or_default().offer((rank, representative), similarity) {
                self.state.representatives[document as usize] = representative;
            }
            return Ok(());
        }
        let current = self.state.representatives[document as usize];
        if current == document {
            return self.queue(document);
        }
        // a pending document will ask for itself
        if self.pending.contains(&(self.rank(document)?, document)) {
            return Ok(());
        }
        let mut best = Best::default();
        best.offer((self.rank(current)?, current), self.similarity(current, document)?);
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

/// The place of a document in the order of representatives.
pub(crate) fn rank(segments: &SegmentSet, document: u32) -> Result<Rank, Error> {
    let record = segments.record(document)?;
    Ok(Priority::new(u64::from(record.shingles), record.content() as u32, record.content()))
}
