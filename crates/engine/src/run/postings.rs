//! Postings: `<feature, document>`, divided by feature and sorted part by part, outside of memory.

use crate::Error;
use bytemuck::{Pod, Zeroable};
use lookalike_store::{Cancel, PARTS, Parts, Records};
use rayon::prelude::*;

/// A feature (or super shingle) and a document that has it. Twelve bytes: there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Posting {
    high: u32,
    low: u32,
    pub document: u32,
}

impl Posting {
    pub fn new(feature: u64, document: u32) -> Self {
        Self { high: (feature >> 32) as u32, low: feature as u32, document }
    }

    pub fn feature(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
}

const SPREADER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Samples are multiples of 2^i or the smallest of all: no bits of theirs divide them evenly, these do. The highest choose the part.
#[inline]
pub fn spread(feature: u64) -> u64 {
    feature.wrapping_mul(SPREADER)
}

/// The feature that is spread like this.
#[inline]
pub fn unspread(spread: u64) -> u64 {
    const INVERSE: u64 = {
        // each step doubles the bits that are right, of three at first
        let (mut inverse, mut step) = (SPREADER, 0);
        while step < 5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(SPREADER.wrapping_mul(inverse)));
            step += 1;
        }
        inverse
    };
    spread.wrapping_mul(INVERSE)
}

/// A piece of a part: the features whose bits behind those of the part are a number.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub bits: u32,
    pub number: u64,
}

impl Piece {
    /// Whether a feature, spread, is in it.
    #[inline]
    pub fn has(self, spread: u64) -> bool {
        self.bits == 0 || spread << PART_BITS >> (64 - self.bits) == self.number
    }
}

/// The postings of each part of all features, those of a feature in the order of documents.
pub trait PostingParts: Sync {
    /// About how many postings a part has.
    fn len(&self, part: usize) -> usize;

    /// Calls `each` with those of a piece of a part, and with their features, spread.
    fn for_each(&self, part: usize, piece: Piece, each: impl FnMut(u64, Posting)) -> Result<(), Error>;
}

impl PostingParts for Parts<Posting> {
    fn len(&self, part: usize) -> usize {
        self.bytes(part) / size_of::<Posting>()
    }

    fn for_each(&self, part: usize, piece: Piece, mut each: impl FnMut(u64, Posting)) -> Result<(), Error> {
        let mut each = |posting: &Posting| {
            let spread = spread(posting.feature());
            if piece.has(spread) {
                each(spread, *posting);
            }
        };
        Ok(self.for_each_block(part, |block| block.iter().for_each(&mut each))?)
    }
}

/// Calls `each` with the postings of every feature that more than one posting has, in the order of documents, and of some that one has;
/// of the others tells the number. As many parts are sorted at once as there are threads, within `room` bytes.
pub fn for_each_sorted(
    cancel: &Cancel,
    parts: &impl PostingParts,
    room: usize,
    mut each: impl FnMut(&[Posting]) -> Result<(), Error>,
) -> Result<u64, Error> {
    for_each_bucket(cancel, parts, room, |sorted| lists(sorted).try_for_each(&mut each))
}

/// The postings of each feature.
pub fn lists(sorted: &[Posting]) -> impl Iterator<Item = &[Posting]> {
    sorted.chunk_by(|a, b| a.feature() == b.feature())
}

/// The same, but calls `each` with what is sorted at once: the [`lists`] of many features, in the order of their [`spread`].
pub fn for_each_bucket(
    cancel: &Cancel,
    parts: &impl PostingParts,
    room: usize,
    mut each: impl FnMut(&[Posting]) -> Result<(), Error>,
) -> Result<u64, Error> {
    let threads = rayon::current_num_threads();
    let room = room / threads;
    // a part that is too large is read several times, each time a piece of it
    let pieces: Vec<(usize, Piece)> = (0..PARTS)
        .flat_map(|part| {
            let needed = parts.len(part) * size_of::<Posting>() / 4 * SORTED_QUARTERS;
            let bits = needed.div_ceil(room.max(1)).next_power_of_two().ilog2();
            (0..1u64 << bits).map(move |number| (part, Piece { bits, number }))
        })
        .collect();
    let mut singletons = 0;
    for wave in pieces.chunks(threads) {
        cancel.check()?;
        let sorted: Vec<(u64, Vec<Vec<Posting>>)> =
            wave.par_iter().map(|(part, piece)| sorted(parts, *part, *piece)).collect::<Result<_, Error>>()?;
        for (dropped, buckets) in &sorted {
            singletons += dropped;
            buckets.iter().try_for_each(|sorted| each(sorted))?;
        }
    }
    Ok(singletons)
}

/// Bits of [`spread`] that all postings of a part have in common.
const PART_BITS: u32 = PARTS.ilog2();

/// Postings that are filed at once: they, what becomes of them and the table that counts them stay in a near cache.
const BUCKET: usize = 1 << 14;
/// Quarters of the bytes of a part that sorting it takes: buckets and what is sorted of them are there only in turns, and buckets differ by chance.
const SORTED_QUARTERS: usize = 5;

/// The postings of a piece, sorted bucket by bucket, and how many were dropped.
fn sorted(parts: &impl PostingParts, part: usize, piece: Piece) -> Result<(u64, Vec<Vec<Posting>>), Error> {
    let about = parts.len(part) >> piece.bits;
    let bits = about.div_ceil(BUCKET).next_power_of_two().ilog2();
    let (common, mean) = (PART_BITS + piece.bits, about >> bits);
    // by chance some have more: four deviations and the few of a small part
    let expected = mean + 4 * mean.isqrt() + 16;
    let mut buckets: Vec<Vec<Posting>> = (0..1usize << bits).map(|_| Vec::with_capacity(expected)).collect();
    parts.for_each(part, piece, |spread, posting| {
        // of no bits there is one bucket
        buckets[(spread << common >> 1 >> (63 - bits)) as usize].push(posting);
    })?;
    let mut dropped = 0;
    for bucket in &mut buckets {
        let sorted = without_singletons(bucket, common + bits);
        dropped += (bucket.len() - sorted.len()) as u64;
        *bucket = sorted;
    }
    Ok((dropped, buckets))
}

/// The postings, those of a feature together and in the order of documents, without most features that one posting alone has. They are
/// counted by the bits of their features behind those that all have in common, and filed by that; what meets there is sorted. A collision
/// only keeps a feature that could go.
fn without_singletons(postings: &[Posting], common: u32) -> Vec<Posting> {
    // a bucket is larger where very many have one feature: it needs no larger table
    let bits = (postings.len() * 2).next_power_of_two().ilog2().clamp(8, MAX_SLOT_BITS);
    let slot = |p: &Posting| (spread(p.feature()) << common >> (64 - bits)) as usize;
    let mut places = vec![0u32; 1 << bits];
    for posting in postings {
        places[slot(posting)] += 1;
    }
    let mut kept = 0;
    for place in &mut places {
        let count = std::mem::replace(place, kept);
        if count > 1 {
            kept += count;
        } else {
            *place = SINGLETON;
        }
    }
    let mut sorted = vec![Posting::zeroed(); kept as usize];
    for posting in postings {
        let place = &mut places[slot(posting)];
        if *place != SINGLETON {
            sorted[*place as usize] = *posting;
            *place += 1;
        }
    }
    for together in sorted.chunk_by_mut(|a, b| slot(a) == slot(b)) {
        // mostly they are of one feature, and came in order
        if !together.is_sorted_by_key(|p| (p.feature(), p.document)) {
            // a feature that very many have is one long run, with few others between
            together.sort_by_key(|p| (p.feature(), p.document));
        }
    }
    sorted
}

/// Slots of the table in which postings are counted, at most: twice as many as a bucket has postings, and some more.
const MAX_SLOT_BITS: u32 = BUCKET.ilog2() + 2;

/// The place of what is dropped.
const SINGLETON: u32 = u32::MAX;

/// Calls `each(feature, documents)` for every list.
pub fn for_each_list(
    lists: &Records<Posting>,
    mut each: impl FnMut(u64, &[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut list = ListAtHand::default();
    lists.for_each_block(|postings| list.take(postings, &mut each))?;
    list.finish(each)
}

/// The same for the lists of a part.
pub fn for_each_list_of_part(
    parts: &Parts<Posting>,
    part: usize,
    mut each: impl FnMut(u64, &[u32]),
) -> Result<(), Error> {
    let mut each = |feature, documents: &[u32]| {
        each(feature, documents);
        Ok(())
    };
    let (mut list, mut taken) = (ListAtHand::default(), Ok(()));
    parts.for_each_block(part, |postings| {
        if taken.is_ok() {
            taken = list.take(postings, &mut each);
        }
    })?;
    taken?;
    list.finish(each)
}

/// The documents of a feature, until the next one comes.
#[derive(Default)]
struct ListAtHand {
    feature: u64,
    documents: Vec<u32>,
}

impl ListAtHand {
    fn take(
        &mut self,
        postings: &[Posting],
        mut each: impl FnMut(u64, &[u32]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for posting in postings {
            if posting.feature() != self.feature {
                if !self.documents.is_empty() {
                    each(self.feature, &self.documents)?;
                }
                self.documents.clear();
                self.feature = posting.feature();
            }
            self.documents.push(posting.document);
        }
        Ok(())
    }

    fn finish(self, mut each: impl FnMut(u64, &[u32]) -> Result<(), Error>) -> Result<(), Error> {
        if self.documents.is_empty() { Ok(()) } else { each(self.feature, &self.documents) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_store::{Partitions, TempSpace};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    proptest! {
        #[test]
        fn only_singleton_features_are_dropped(postings in prop::collection::vec((0u64..300, any::<u32>()), 0..400)) {
            let count = |feature: u64| postings.iter().filter(|p| p.0 == feature).count();
            let given: Vec<Posting> = postings.iter().map(|p| Posting::new(p.0 << 9, p.1)).collect();
            let kept = without_singletons(&given, 8);
            prop_assert!(given.iter().all(|p| unspread(spread(p.feature())) == p.feature()));
            let lists: Vec<&[Posting]> = kept.chunk_by(|a, b| a.feature() == b.feature()).collect();
            let features: BTreeSet<u64> = lists.iter().map(|list| list[0].feature()).collect();
            prop_assert_eq!(features.len(), lists.len(), "all postings of a feature are together");
            prop_assert!(lists.iter().all(|list| list.is_sorted_by_key(|p| p.document)));
            let shared: Vec<Posting> =
                postings.iter().filter(|p| count(p.0) > 1).map(|p| Posting::new(p.0 << 9, p.1)).collect();
            prop_assert!(shared.iter().all(|p| kept.contains(p)));
            let singletons = postings.iter().filter(|p| count(p.0) == 1).count();
            prop_assert!(kept.len() <= shared.len() + singletons);
        }
    }

    /// The lists of more than one posting, in the order of features, and how many features there are.
    fn lists(postings: &[(u64, u32)], budget: usize, room: usize) -> (BTreeMap<u64, Vec<u32>>, u64) {
        let space = Arc::new(TempSpace::new(None).unwrap());
        let mut parts = Partitions::new(&space, "postings", budget);
        for (feature, document) in postings {
            parts.push((spread(*feature) >> 56) as usize, Posting::new(*feature, *document)).unwrap();
        }
        let (mut found, mut alone) = (BTreeMap::new(), 0);
        let each = |list: &[Posting]| {
            alone += u64::from(list.len() == 1);
            if list.len() > 1 {
                let documents = list.iter().map(|p| p.document).collect();
                assert_eq!(found.insert(list[0].feature(), documents), None, "all of a feature come at once");
            }
            Ok(())
        };
        let dropped = for_each_sorted(&Cancel::default(), &parts.finish().unwrap(), room, each).unwrap();
        let features = dropped + alone + found.len() as u64;
        (found, features)
    }

    proptest! {
        #[test]
        fn pieces_and_buckets_change_nothing(postings in prop::collection::vec((0u64..2000, any::<u32>()), 0..3000), common in 0u32..20_000) {
            let mut given: Vec<(u64, u32)> = postings.iter().map(|p| (p.0 << 40, p.1)).collect();
            // a feature that very many have, more than a bucket holds
            given.extend((0..common).map(|document| (7, document)));
            given.sort_by_key(|p| p.1);
            let mut expected: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            for (feature, document) in &given {
                expected.entry(*feature).or_default().push(*document);
            }
            let features = expected.len() as u64;
            expected.retain(|_, documents| documents.len() > 1);
            for (budget, room) in [(1 << 30, 1 << 30), (0, 1 << 30), (0, 50_000), (1 << 30, 20_000)] {
                prop_assert_eq!(&lists(&given, budget, room), &(expected.clone(), features));
            }
        }
    }

    #[test]
    fn large_parts_are_divided() {
        // all of one part, which has many buckets
        let features = (0..10_000_000u64).filter(|feature| spread(*feature) >> 56 == 3);
        let mut in_part: Vec<(u64, u32)> =
            features.zip(0..).flat_map(|(feature, at)| (0..=at % 5).map(move |more| (feature, at + more))).collect();
        in_part.sort_by_key(|p| p.1);
        assert!(in_part.len() > 4 * BUCKET);
        let whole = lists(&in_part, 1 << 30, 1 << 30);
        assert_eq!(lists(&in_part, 1 << 30, 400_000), whole);
        let distinct: BTreeSet<u64> = in_part.iter().map(|p| p.0).collect();
        assert_eq!(whole.1, distinct.len() as u64);
    }

    #[test]
    fn singleton_features_are_dropped_indeed() {
        let postings: Vec<Posting> = (0..10_000u32).map(|x| Posting::new(u64::from(x) << 7, x)).collect();
        let kept = without_singletons(&postings, 8).len();
        assert!(kept < 5000, "{kept} of 10000 are kept");
    }
}
