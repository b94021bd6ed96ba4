//! Phase two: `<feature, document>`, divided by feature and sorted part by part.
//!
//! What comes out is what pairs are made of: the lists of features that more than one document has and not too many. Most features stand in
//! one document only and are dropped before anything is sorted; those that very many documents have are told apart.

use crate::lens::shingles::frequent_feature::{Draw, FrequentFeature};
use crate::run::Session;
use crate::run::catalogue::Catalogue;
use crate::run::duplicates::DuplicateGroups;
use crate::{Cancel, Error};
use bytemuck::{Pod, Zeroable};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::members::Members;
use lookalike_core::sketch::{Sketch, super_shingles};
use lookalike_store::{PARTS, Partitions, Parts, Records, Sequence};
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

/// The lists, and the features that are in too many documents for one; sorted.
pub struct Shared {
    pub lists: Records<Posting>,
    pub frequent: Vec<FrequentFeature>,
}

/// Samples are multiples of 2^i or the smallest of all: no bits of theirs divide them evenly, these do. The highest choose the part.
#[inline]
pub fn spread(feature: u64) -> u64 {
    feature.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The lists of the sampled features of all documents that stand for themselves.
pub fn share_features(
    session: &Session<'_>,
    catalogue: &Catalogue,
    duplicates: &DuplicateGroups,
    max_df: u32,
) -> Result<Shared, Error> {
    divide(session, catalogue, duplicates, max_df, |sketch, features| features.append(&mut sketch.features))
}

/// The lists of super shingles, made of what is left of the sketches without their common features.
pub fn share_super_shingles(
    session: &Session<'_>,
    hasher: &FeatureHasher,
    window: usize,
    catalogue: &Catalogue,
    duplicates: &DuplicateGroups,
    (ignored, max_df): (&Members, u32),
) -> Result<Shared, Error> {
    divide(session, catalogue, duplicates, max_df, |sketch, features| {
        ignored.subtract_from(&mut sketch.features);
        features.extend(super_shingles(&sketch.features, window, hasher));
    })
}

fn divide(
    session: &Session<'_>,
    catalogue: &Catalogue,
    duplicates: &DuplicateGroups,
    max_df: u32,
    mut choose: impl FnMut(&mut Sketch, &mut Vec<u64>),
) -> Result<Shared, Error> {
    let mut parts = Partitions::new(&session.space, "the postings", session.share(5));
    let mut features = Vec::new();
    catalogue.for_each_sketch(|document, sketch| {
        if document % 4096 == 0 {
            session.cancel.check()?;
            session.progress.advance(4096);
        }
        if duplicates.is_canonical(document) {
            choose(sketch, &mut features);
            for feature in features.drain(..) {
                parts.push((spread(feature) >> 56) as usize, Posting::new(feature, document))?;
            }
        }
        Ok::<_, Error>(())
    })?;
    collect(session, &catalogue.tie_breaks, &parts.finish()?, max_df)
}

/// Sorts part by part, and tells the lists from what is in too many documents for one.
fn collect(session: &Session<'_>, tie_breaks: &[u32], parts: &Parts<Posting>, max_df: u32) -> Result<Shared, Error> {
    let mut lists = Sequence::new(&session.space, "the lists", session.share(5));
    let mut frequent = Vec::new();
    for_each_sorted(session.cancel, parts, session.share(6), |list| {
        if list.len() > max_df as usize {
            let mut draw = Draw::default();
            for posting in list {
                draw.offer(tie_breaks[posting.document as usize], posting.document);
            }
            let documents = list.len() as u64;
            frequent.push(FrequentFeature { feature: list[0].feature(), documents, drawn: draw.finish() });
        } else if list.len() > 1 {
            list.iter().try_for_each(|posting| lists.push(*posting))?;
        }
        Ok(())
    })?;
    frequent.sort_unstable_by_key(|h| h.feature);
    Ok(Shared { lists: lists.finish()?, frequent })
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
    let mut lonely = 0;
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
            lonely += dropped;
            postings.chunk_by(|a, b| a.feature() == b.feature()).try_for_each(&mut each)?;
        }
    }
    Ok(lonely)
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
        fn only_lonely_features_are_dropped(postings in prop::collection::vec((0u64..300, any::<u32>()), 0..400)) {
            let count = |feature: u64| postings.iter().filter(|p| p.0 == feature).count();
            let mut kept: Vec<Posting> = postings.iter().map(|p| Posting::new(p.0 << 9, p.1)).collect();
            drop_singletons(&mut kept);
            let shared: Vec<Posting> =
                postings.iter().filter(|p| count(p.0) > 1).map(|p| Posting::new(p.0 << 9, p.1)).collect();
            prop_assert!(shared.iter().all(|p| kept.contains(p)));
            let lonely = postings.iter().filter(|p| count(p.0) == 1).count();
            prop_assert!(kept.len() <= shared.len() + lonely);
        }
    }

    #[test]
    fn lonely_features_are_dropped_indeed() {
        let mut postings: Vec<Posting> = (0..10_000u32).map(|x| Posting::new(u64::from(x) << 7, x)).collect();
        drop_singletons(&mut postings);
        assert!(postings.len() < 5000, "{} of 10000 are kept", postings.len());
    }
}
