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

/// Calls `each` with the sorted postings of every feature that more than one posting has, and some that one has; of the others tells
/// the number. As many parts are sorted at once as there are threads, within `room` bytes.
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
            let bits = parts.bytes(part).div_ceil(room.max(1)).next_power_of_two().ilog2();
            (0..1u64 << bits).map(move |piece| (part, piece, bits))
        })
        .collect();
    let mut singletons = 0;
    for wave in pieces.chunks(threads) {
        cancel.check()?;
        let sorted: Vec<(u64, Vec<Posting>)> = wave
            .par_iter()
            .map(|(part, piece, bits)| {
                let wanted = |p: &Posting| *bits == 0 || spread(p.feature()) << 8 >> (64 - bits) == *piece;
                let mut postings = parts.read(*part, wanted)?;
                let all = postings.len();
                drop_singletons(&mut postings);
                let dropped = (all - postings.len()) as u64;
                postings.sort_unstable_by_key(|p| (p.feature(), p.document));
                Ok((dropped, postings))
            })
            .collect::<Result<_, Error>>()?;
        for (dropped, postings) in &sorted {
            singletons += dropped;
            postings.chunk_by(|a, b| a.feature() == b.feature()).try_for_each(&mut each)?;
        }
    }
    Ok(singletons)
}

/// Drops most features that one document alone has, by counting in a small table. A collision only keeps a feature that could go.
fn drop_singletons(postings: &mut Vec<Posting>) {
    let bits = (postings.len() * 2).next_power_of_two().ilog2().max(8);
    let slot = |p: &Posting| (spread(p.feature()) << 8 >> (64 - bits)) as usize;
    let mut counts = vec![0u8; 1 << bits];
    for posting in postings.iter() {
        let count = &mut counts[slot(posting)];
        *count = count.saturating_add(1);
    }
    postings.retain(|posting| counts[slot(posting)] > 1);
}

/// Calls `each(feature, documents)` for every list.
pub fn for_each_list(
    lists: &Records<Posting>,
    mut each: impl FnMut(u64, &[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut feature = 0;
    let mut documents = Vec::new();
    for posting in lists.iter() {
        let posting = posting?;
        if posting.feature() != feature {
            if !documents.is_empty() {
                each(feature, &documents)?;
            }
            documents.clear();
            feature = posting.feature();
        }
        documents.push(posting.document);
    }
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
            let mut kept: Vec<Posting> = postings.iter().map(|p| Posting::new(p.0 << 9, p.1)).collect();
            drop_singletons(&mut kept);
            let shared: Vec<Posting> =
                postings.iter().filter(|p| count(p.0) > 1).map(|p| Posting::new(p.0 << 9, p.1)).collect();
            prop_assert!(shared.iter().all(|p| kept.contains(p)));
            let singletons = postings.iter().filter(|p| count(p.0) == 1).count();
            prop_assert!(kept.len() <= shared.len() + singletons);
        }
    }

    #[test]
    fn singleton_features_are_dropped_indeed() {
        let mut postings: Vec<Posting> = (0..10_000u32).map(|x| Posting::new(u64::from(x) << 7, x)).collect();
        drop_singletons(&mut postings);
        assert!(postings.len() < 5000, "{} of 10000 are kept", postings.len());
    }
}
