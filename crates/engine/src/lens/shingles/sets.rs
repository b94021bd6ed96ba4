//! The feature sets of documents, read again for verifying: only those that are asked for, each once while it is remembered. One that is
//! too large for that is sorted outside of memory.

use crate::Error;
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::feature_set::FeatureSet;
use crate::lens::shingles::pair_groups::{GroupPair, PairGroup};
use crate::lens::shingles::set_loader::SetLoader;
use lookalike_core::set_bits::SetBits;
use lookalike_core::set_table::SetTable;
use lookalike_core::sets::Overlap;
use lookalike_store::{ExternalSort, TempSpace};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a set outside of memory is taken for: it has blocks that are being read, and a file that is open.
const DISK_COST: usize = 2 << 20;

/// Sets that one is compared with, from which on a table of it is worth making.
const MIN_COMPARED: usize = 4;

/// Bytes of room for each feature of a group: two slots, two places, and bits that take no more than the sets.
const ROOM_PER_GROUP_FEATURE: usize = 64;
/// With more, what is looked up is no longer near.
const MAX_GROUP_FEATURES: usize = 1 << 19;

/// Sets that are read before progress is told.
const LOADED_AT_ONCE: usize = 4096;

/// Remembers feature sets without their frequent features, within a budget.
pub struct Sets<'a> {
    loader: &'a SetLoader<'a>,
    counted: &'a CountedFeatures,
    space: Arc<TempSpace>,
    budget: usize,
    held: usize,
    known: FxHashMap<u32, Option<FeatureSet>>,
    /// Documents that could not be read again as they were.
    lost: FxHashSet<u32>,
}

impl<'a> Sets<'a> {
    pub fn new(loader: &'a SetLoader<'a>, counted: &'a CountedFeatures, space: &Arc<TempSpace>, budget: usize) -> Self {
        let space = Arc::clone(space);
        Self { loader, counted, space, budget, held: 0, known: FxHashMap::default(), lost: FxHashSet::default() }
    }

    /// About how many bytes the set of a document takes.
    pub fn cost(&self, document: u32) -> usize {
        if self.is_large(document) { DISK_COST } else { self.bytes(document) }
    }

    fn bytes(&self, document: u32) -> usize {
        self.loader.catalogue.sizes[document as usize] as usize * size_of::<u64>() + 64
    }

    /// Four sets at least are in memory at once.
    fn is_large(&self, document: u32) -> bool {
        self.bytes(document) > (self.budget / 4).max(DISK_COST)
    }

    /// Whether what is counted of a document's sketch is what its set will hold.
    pub fn sample_tells(&self, document: u32) -> bool {
        self.counted.sample_tells(document)
    }

    /// Half of the budget is for the documents at hand.
    pub fn room(&self) -> usize {
        self.budget / 2
    }

    /// The features of a document that count: without the frequent ones, unless it is boilerplate.
    fn counted_set(&self, document: u32) -> Result<Option<FeatureSet>, Error> {
        let mut set = self.loader.set(document)?;
        if let Some(set) = set.as_mut().filter(|_| !self.counted.is_boilerplate(document)) {
            self.counted.frequent().subtract_from(set);
        }
        Ok(set.map(|set| FeatureSet::Memory(set.into())))
    }

    /// The same, outside of memory. Not to be called on many threads: it sorts on all of them.
    fn sorted_set(&self, document: u32) -> Result<Option<FeatureSet>, Error> {
        let Some((id, body)) = self.loader.body(document)? else { return Ok(None) };
        let mut features = ExternalSort::new(&self.space, "the features of a document", self.budget / 4);
        let mut pushed = Ok(());
        let each = |some: &[u64]| {
            if pushed.is_ok() {
                pushed = some.iter().try_for_each(|feature| features.push(*feature));
            }
        };
        if self.loader.sketcher.for_each_feature(&id, &body, each).is_err() {
            return Ok(None);
        }
        pushed?;
        drop(body);
        let all = self.counted.is_boilerplate(document);
        let counts = |feature| all || self.counted.frequent().place(feature).is_none();
        Ok(Some(FeatureSet::of_sorted(&self.space, features, counts)?))
    }

    /// Makes sure of the sets of these documents. Tells how many of those that it reads it has read; who is told may stop it.
    pub fn load(
        &mut self,
        documents: &[u32],
        mut tell: impl FnMut(usize, usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut missing: Vec<u32> = documents.iter().copied().filter(|d| !self.known.contains_key(d)).collect();
        missing.sort_unstable();
        missing.dedup();
        let more: usize = missing.iter().map(|d| self.cost(*d)).sum();
        if self.held + more > self.budget {
            let keep: FxHashSet<u32> = documents.iter().copied().collect();
            self.known.retain(|document, _| keep.contains(document));
            self.held = keep.iter().filter(|d| self.known.contains_key(d)).map(|d| self.cost(*d)).sum();
        }
        let (large, small): (Vec<u32>, Vec<u32>) = missing.into_iter().partition(|d| self.is_large(*d));
        let all = small.len() + large.len();
        let mut loaded: Vec<(u32, Option<FeatureSet>)> = Vec::with_capacity(all);
        for some in small.chunks(LOADED_AT_ONCE) {
            let sets = some.par_iter().map(|d| Ok((*d, self.counted_set(*d)?)));
            loaded.extend(sets.collect::<Result<Vec<_>, Error>>()?);
            tell(loaded.len(), all)?;
        }
        for document in large {
            loaded.push((document, self.sorted_set(document)?));
            tell(loaded.len(), all)?;
        }
        for (document, set) in loaded {
            self.held += self.cost(document);
            if set.is_none() {
                self.lost.insert(document);
            }
            self.known.insert(document, set);
        }
        Ok(())
    }

    fn known(&self, document: u32) -> Option<&FeatureSet> {
        self.known.get(&document).and_then(Option::as_ref)
    }

    /// The exact overlap of two loaded documents; none if one is lost.
    pub fn overlap(&self, a: u32, b: u32) -> Result<Option<Overlap>, Error> {
        let (Some(a), Some(b)) = (self.known(a), self.known(b)) else { return Ok(None) };
        Ok(Some(a.overlap(b)?))
    }

    /// The same of one document with others, in their order.
    fn overlaps(
        &self,
        a: u32,
        others: impl ExactSizeIterator<Item = u32>,
        table: &mut SetTable,
    ) -> Result<Vec<Option<Overlap>>, Error> {
        let Some(set) = self.in_memory(a).filter(|_| others.len() >= MIN_COMPARED) else {
            return others.map(|b| self.overlap(a, b)).collect();
        };
        table.fill(set);
        let overlap = |b: u32| match self.in_memory(b) {
            Some(other) => {
                let shared = table.shared(other) as u32;
                Ok(Some(Overlap { a: set.len() as u32, b: other.len() as u32, shared }))
            }
            None => self.overlap(a, b),
        };
        others.map(overlap).collect()
    }

    fn in_memory(&self, document: u32) -> Option<&[u64]> {
        match self.known(document)? {
            FeatureSet::Memory(set) => Some(set),
            FeatureSet::Disk(_) => None,
        }
    }

    /// About how many features a loaded document has; many, if they are not in memory.
    pub fn size(&self, document: u32) -> usize {
        self.in_memory(document).map_or(usize::MAX / 4, <[u64]>::len)
    }

    /// Features of a group of documents that each thread may compare at once: their table and bits take a part of the room that they have
    /// themselves.
    pub fn room_of_group(&self) -> usize {
        (self.room() / ROOM_PER_GROUP_FEATURE / rayon::current_num_threads()).min(MAX_GROUP_FEATURES)
    }

    /// Documents that changed or vanished since they were sketched, in order.
    pub fn lost(&self) -> Vec<u32> {
        let mut lost: Vec<u32> = self.lost.iter().copied().collect();
        lost.sort_unstable();
        lost
    }
}

/// Compares the pairs of groups, one after the other.
#[derive(Default)]
pub struct GroupComparer {
    table: SetTable,
    bits: SetBits,
}

impl GroupComparer {
    /// The exact overlaps of the pairs of a group, whose members are these documents, all loaded; none where one is lost.
    pub fn overlaps(
        &mut self,
        sets: &Sets<'_>,
        members: &[u32],
        group: &PairGroup,
    ) -> Result<Vec<Option<Overlap>>, Error> {
        if group.is_dense() {
            let features: Option<Vec<&[u64]>> = members.iter().map(|document| sets.in_memory(*document)).collect();
            if let Some(features) = features.filter(|features| self.bits.fill(features)) {
                let overlap = |pair: &GroupPair| {
                    let [a, b] = [pair.a as usize, pair.b as usize];
                    let shared = self.bits.shared(a, b) as u32;
                    Some(Overlap { a: features[a].len() as u32, b: features[b].len() as u32, shared })
                };
                return Ok(group.pairs.iter().map(overlap).collect());
            }
        }
        let mut overlaps = Vec::with_capacity(group.pairs.len());
        for row in group.pairs.chunk_by(|p, q| p.a == q.a) {
            let others = row.iter().map(|pair| members[pair.b as usize]);
            overlaps.extend(sets.overlaps(members[row[0].a as usize], others, &mut self.table)?);
        }
        Ok(overlaps)
    }
}
