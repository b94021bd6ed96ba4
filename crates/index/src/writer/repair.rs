//! Clusters kept up to date.
//!
//! A document is a representative unless a better one links it; the better is the longer, of equals the one with the smaller content id.
//! So the clusters are decided by the documents alone, whatever their order of coming. After a change only those are looked at again
//! that are new, lost their representative, or have other common features than before, and whoever is affected by these: always
//! in the order of rank, so that all better ones are settled.

use crate::Error;
use crate::query::lookup::{Hit, Lookup, Probe, Within};
use crate::segment::shelf::Shelf;
use crate::segment::standing::Working;
use lookalike_engine::run::filter::{Filter, as_overlap};
use lookalike_store::progress::Cancel;
use lookalike_core::sketch::{SampleOverlap, Sketch};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Better ones first.
pub(crate) type Rank = (Reverse<u32>, u128);

/// Documents that are looked up at once, on all threads. In a new index few, since the better ones of them may take the others.
const TOGETHER: usize = 1024;
const TOGETHER_FRESH: usize = 64;

/// Repairs the clusters of a changed index.
pub(crate) struct Repair<'a> {
    shelf: &'a Shelf,
    filter: Filter,
    standing: &'a mut Working,
    cancel: &'a Cancel,
    /// No document stood here before the change.
    fresh: bool,
    /// New, or with other links than before.
    changed: FxHashSet<u32>,
    /// Where the new ones need to be looked up.
    within: FxHashMap<u32, Within>,
    pending: BTreeSet<(Rank, u32)>,
    crowd: BTreeSet<(Rank, u32)>,
    known: FxHashMap<u32, Vec<Hit>>,
}

impl<'a> Repair<'a> {
    pub(crate) fn new(
        shelf: &'a Shelf,
        filter: Filter,
        standing: &'a mut Working,
        cancel: &'a Cancel,
        fresh: bool,
    ) -> Self {
        Self {
            shelf,
            filter,
            standing,
            cancel,
            fresh,
            changed: FxHashSet::default(),
            within: FxHashMap::default(),
            pending: BTreeSet::new(),
            crowd: BTreeSet::new(),
            known: FxHashMap::default(),
        }
    }

    fn rank(&self, document: u32) -> Result<Rank, Error> {
        rank(self.shelf, document)
    }

    /// A document that was not there before; one that shares nothing with any other is alone.
    pub(crate) fn add(&mut self, document: u32, within: Within) -> Result<(), Error> {
        if within.segments == 0 {
            return Ok(());
        }
        self.within.insert(document, within);
        self.change(document)
    }

    /// A document whose links may have changed.
    pub(crate) fn change(&mut self, document: u32) -> Result<(), Error> {
        self.changed.insert(document);
        self.requeue_members(document)?;
        self.queue(document)
    }

    /// Those that stood under a document that has gone or changed.
    fn requeue_members(&mut self, document: u32) -> Result<(), Error> {
        let members: Vec<u32> = self.standing.members_before(document).collect();
        for member in members {
            if self.standing.leaders[member as usize] == document {
                self.queue(member)?;
            }
        }
        Ok(())
    }

    fn queue(&mut self, document: u32) -> Result<(), Error> {
        if self.standing.is_live(document) {
            self.pending.insert((self.rank(document)?, document));
        }
        Ok(())
    }

    /// Settles everything that is pending.
    pub(crate) fn run(mut self) -> Result<(), Error> {
        for document in &self.standing.crowd {
            let leads = self.standing.leaders[*document as usize] == *document;
            if leads && !self.changed.contains(document) {
                self.crowd.insert((self.rank(*document)?, *document));
            }
        }
        while let Some((rank, document)) = self.pending.first().copied() {
            let crowd = self.standing.crowd.contains(&document);
            if !crowd && !self.is_led(document) && !self.known.contains_key(&document) {
                self.look_up()?;
            }
            self.pending.pop_first();
            if crowd {
                self.settle_in_crowd(rank, document)?;
            } else if !self.is_led(document) {
                let hits = self.known.remove(&document).unwrap_or_default();
                self.settle(rank, document, &hits)?;
            }
            self.known.remove(&document);
        }
        Ok(())
    }

    /// In a new index all better ones are settled and have taken whom they link: nothing is left to decide.
    fn is_led(&self, document: u32) -> bool {
        self.fresh && self.standing.leaders[document as usize] != document
    }

    /// Looks up the next that are pending.
    fn look_up(&mut self) -> Result<(), Error> {
        self.cancel.check()?;
        let wanted = self.pending.iter().map(|next| next.1).filter(|document| {
            !self.standing.crowd.contains(document) && !self.is_led(*document) && !self.known.contains_key(document)
        });
        let wanted: Vec<u32> = wanted.take(if self.fresh { TOGETHER_FRESH } else { TOGETHER }).collect();
        let lookup = Lookup { shelf: self.shelf, standing: &*self.standing, sampling: self.filter.sampling };
        // candidates as the policy sees them from either side
        let found = wanted.par_iter().map(|document| {
            let within = self.within.get(document).copied().unwrap_or(Within::ALL);
            let hits = lookup.hits(&lookup.probe(*document)?, &self.filter, within)?;
            Ok((*document, hits.into_iter().filter(|hit| hit.document != *document).collect()))
        });
        let found: Vec<(u32, Vec<Hit>)> = found.collect::<Result<_, Error>>()?;
        self.known.extend(found);
        Ok(())
    }

    fn settle(&mut self, rank: Rank, document: u32, hits: &[Hit]) -> Result<(), Error> {
        let mut best: Option<(Rank, u32)> = None;
        let mut worse = Vec::new();
        for hit in hits {
            let other = self.rank(hit.document)?;
            if other > rank {
                if self.links(hit.sample) {
                    worse.push(hit.document);
                }
            } else if self.standing.leaders[hit.document as usize] == hit.document
                && best.is_none_or(|best| other < best.0)
                && self.links(hit.sample.swapped())
            {
                best = Some((other, hit.document));
            }
        }
        if let Some((_, leader)) = best {
            return self.put_under(document, leader);
        }
        if self.lead(document) {
            for other in worse {
                self.offer(rank, document, other)?;
            }
        }
        Ok(())
    }

    fn settle_in_crowd(&mut self, rank: Rank, document: u32) -> Result<(), Error> {
        self.cancel.check()?;
        let lookup = Lookup { shelf: self.shelf, standing: &*self.standing, sampling: self.filter.sampling };
        let probe = lookup.probe(document)?;
        let mut buffer = Sketch::default();
        for (_, leader) in self.crowd.range(..(rank, document)) {
            let sample = lookup.compare(&probe, *leader, true, &mut buffer)?;
            if self.links(sample.swapped()) {
                let leader = *leader;
                self.crowd.remove(&(rank, document));
                return self.put_under(document, leader);
            }
        }
        self.crowd.insert((rank, document));
        // in a new index the others will ask for themselves
        if self.lead(document) && !self.fresh {
            for other in self.worse_in_crowd(rank, &probe)? {
                self.offer(rank, document, other)?;
            }
        }
        Ok(())
    }

    /// Documents of the crowd after `rank` that a document with this sketch would lead.
    fn worse_in_crowd(&self, rank: Rank, probe: &Probe) -> Result<Vec<u32>, Error> {
        let others: Vec<u32> = self.standing.crowd.iter().copied().collect();
        let lookup = Lookup { shelf: self.shelf, standing: &*self.standing, sampling: self.filter.sampling };
        let hits = others.par_chunks(256).map(|others| {
            let mut worse = Vec::new();
            for other in others {
                if rank < self.rank(*other)? {
                    worse.push(*other);
                }
            }
            let hits = lookup.crowd_hits(probe, worse.into_iter(), &self.filter)?;
            Ok(hits.into_iter().filter(|hit| self.links(hit.sample)).map(|hit| hit.document).collect::<Vec<_>>())
        });
        Ok(hits.collect::<Result<Vec<_>, Error>>()?.concat())
    }

    /// Makes a document a representative; whether others must hear of it.
    fn lead(&mut self, document: u32) -> bool {
        let before = std::mem::replace(&mut self.standing.leaders[document as usize], document);
        before != document || self.changed.contains(&document)
    }

    fn put_under(&mut self, document: u32, leader: u32) -> Result<(), Error> {
        let before = std::mem::replace(&mut self.standing.leaders[document as usize], leader);
        if before == document {
            self.requeue_members(document)?;
        }
        Ok(())
    }

    /// A representative offers itself to a worse document that it links.
    fn offer(&mut self, rank: Rank, leader: u32, document: u32) -> Result<(), Error> {
        let current = self.standing.leaders[document as usize];
        if self.fresh {
            if current == document {
                self.standing.leaders[document as usize] = leader;
            }
        } else if current == document {
            self.queue(document)?;
        } else if rank < self.rank(current)? && !self.pending.contains(&(self.rank(document)?, document)) {
            self.standing.leaders[document as usize] = leader;
        }
        Ok(())
    }

    /// Whether the first may represent the second.
    fn links(&self, sample: SampleOverlap) -> bool {
        self.filter.candidate(sample) && self.filter.accepts(as_overlap(sample))
    }
}

pub(crate) fn rank(shelf: &Shelf, document: u32) -> Result<Rank, Error> {
    let record = shelf.record(document)?;
    Ok((Reverse(record.shingles), record.content()))
}
