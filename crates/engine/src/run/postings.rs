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

/// Samples are multiples of 2^i or the smallest of all: no bits of theirs divide them evenly, these do. The highest choose the part.
#[inline]
pub fn spread(feature: u64) -> u64 {
    feature.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Calls `each` with the postings of every feature that more than one posting has, in the order of documents, and of some that one has;
/// of the others tells the number. As many parts are sorted at once as there are threads, within `room` bytes.
pub fn for_each_sorted(
    cancel: &Cancel,
    parts: &Parts<Posting>,
    room: usize,
    mut each: impl FnMut(&[Posting]) -> Result<(), Error>,
) -> Result<u64, Error> {
    let threads = rayon::current_num_threads();
    let room = room / threads;
    // a part that is too large is read several times, each time a piece of it
    let pieces: Vec<(usize, u64, u32)> = (0..PARTS)
        .flat_map(|part| {
            let bits = (parts.bytes(part) * COPIES).div_ceil(room.max(1)).next_power_of_two().ilog2();
            (0..1u64 << bits).map(move |piece| (part, piece, bits))
        })
        .collect();
    let mut singletons = 0;
    for wave in pieces.chunks(threads) {
        cancel.check()?;
        let sorted: Vec<(u64, Vec<Posting>)> = wave
            .par_iter()
            .map(|(part, piece, bits)| {
                let wanted = |p: &Posting| spread(p.feature()) << 8 >> (64 - bits) == *piece;
                let postings = if *bits == 0 { parts.all(*part)? } else { parts.read(*part, wanted)? };
                let sorted = without_singletons(&postings, 8 + bits);
                Ok(((postings.len() - sorted.len()) as u64, sorted))
            })
            .collect::<Result<_, Error>>()?;
        for (dropped, postings) in &sorted {
            singletons += dropped;
            postings.chunk_by(|a, b| a.feature() == b.feature()).try_for_each(&mut each)?;
        }
    }
    Ok(singletons)
}

/// The postings, those of a feature together and in the order of documents, without most features that one posting alone has. They are
/// counted by the bits of their features behind those that all have in common, and filed by that; what meets there is sorted. A collision
/// only keeps a feature that could go.
fn without_singletons(postings: &[Posting], common: u32) -> Vec<Posting> {
    let bits = (postings.len() * 2).next_power_of_two().ilog2().max(8);
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
            together.sort_unstable_by_key(|p| (p.feature(), p.document));
        }
    }
    sorted
}

/// Beside the postings of a part there are those that are left, and a table that is as large as these at most, or a third larger.
const COPIES: usize = 3;

/// The place of what is dropped.
const SINGLETON: u32 = u32::MAX;

/// Calls `each(feature, documents)` for every list.
pub fn for_each_list(
    lists: &Records<Posting>,
    mut each: impl FnMut(u64, &[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut feature = 0;
    let mut documents = Vec::new();
    lists.for_each_block(|postings| {
        for posting in postings {
            if posting.feature() != feature {
                if !documents.is_empty() {
                    each(feature, &documents)?;
                }
                documents.clear();
                feature = posting.feature();
            }
            documents.push(posting.document);
        }
        Ok::<_, Error>(())
    })?;
    if documents.is_empty() { Ok(()) } else { each(feature, &documents) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn only_singleton_features_are_dropped(postings in prop::collection::vec((0u64..300, any::<u32>()), 0..400)) {
            let count = |feature: u64| postings.iter().filter(|p| p.0 == feature).count();
            let given: Vec<Posting> = postings.iter().map(|p| Posting::new(p.0 << 9, p.1)).collect();
            let kept = without_singletons(&given, 8);
            let lists: Vec<&[Posting]> = kept.chunk_by(|a, b| a.feature() == b.feature()).collect();
            let features: std::collections::BTreeSet<u64> = lists.iter().map(|list| list[0].feature()).collect();
            prop_assert_eq!(features.len(), lists.len(), "all postings of a feature are together");
            prop_assert!(lists.iter().all(|list| list.is_sorted_by_key(|p| p.document)));
            let shared: Vec<Posting> =
                postings.iter().filter(|p| count(p.0) > 1).map(|p| Posting::new(p.0 << 9, p.1)).collect();
            prop_assert!(shared.iter().all(|p| kept.contains(p)));
            let singletons = postings.iter().filter(|p| count(p.0) == 1).count();
            prop_assert!(kept.len() <= shared.len() + singletons);
        }
    }

    #[test]
    fn singleton_features_are_dropped_indeed() {
        let postings: Vec<Posting> = (0..10_000u32).map(|x| Posting::new(u64::from(x) << 7, x)).collect();
        let kept = without_singletons(&postings, 8).len();
        assert!(kept < 5000, "{kept} of 10000 are kept");
    }
}
