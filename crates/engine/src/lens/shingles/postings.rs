//! Phase two: `<feature, document>`, divided by feature and sorted part by part.
//!
//! What comes out is what pairs are made of: the lists of features that more than one document has and not too many. Most features stand in
//! one document only and are dropped before anything is sorted; those that very many documents have are told apart.

use crate::Error;
use crate::lens::shingles::frequency_limits::FrequencyLimits;
use crate::lens::shingles::frequent_feature::{Draw, FrequentFeature};
use crate::run::Session;
use crate::run::catalogue::Catalogue;
use crate::run::duplicates::DuplicateGroups;
use crate::run::packed_postings::{PackedParts, PackedPostings};
use crate::run::postings::{Posting, PostingParts, for_each_sorted};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::members::Members;
use lookalike_core::sketch::{Sketch, super_shingles};
use lookalike_store::{Records, Sequence};

/// The lists, and the features that are in too many documents for one; sorted.
pub struct SharedFeatures {
    pub lists: Records<Posting>,
    pub frequent: Vec<FrequentFeature>,
}

/// The lists of the sampled features of all documents that stand for themselves. `postings` are those of all documents, if they were
/// collected while documents were read.
pub fn share_features(
    session: &Session<'_>,
    catalogue: &Catalogue,
    duplicates: &DuplicateGroups,
    postings: Option<PackedParts>,
    limits: &mut FrequencyLimits,
) -> Result<SharedFeatures, Error> {
    if let Some(postings) = postings {
        session.progress.advance(catalogue.len() as u64);
        return collect(session, catalogue, &postings.of(|document| duplicates.is_canonical(document)), limits);
    }
    divide(session, catalogue, duplicates, limits, |sketch, features| features.append(&mut sketch.features))
}

/// The lists of super shingles, made of what is left of the sketches without their frequent features.
pub fn share_super_shingles(
    session: &Session<'_>,
    hasher: &FeatureHasher,
    window: usize,
    catalogue: &Catalogue,
    duplicates: &DuplicateGroups,
    (ignored, limits): (&Members, &mut FrequencyLimits),
) -> Result<SharedFeatures, Error> {
    divide(session, catalogue, duplicates, limits, |sketch, features| {
        ignored.subtract_from(&mut sketch.features);
        features.extend(super_shingles(&sketch.features, window, hasher));
    })
}

fn divide(
    session: &Session<'_>,
    catalogue: &Catalogue,
    duplicates: &DuplicateGroups,
    limits: &mut FrequencyLimits,
    mut choose: impl FnMut(&mut Sketch, &mut Vec<u64>),
) -> Result<SharedFeatures, Error> {
    let postings = PackedPostings::new(&session.space, session.share(5));
    let mut postings = postings.expecting(catalogue.sketched_features());
    let mut features = Vec::new();
    catalogue.for_each_sketch(|document, sketch| {
        if document % 4096 == 0 {
            session.cancel.check()?;
            session.progress.advance(4096);
        }
        if duplicates.is_canonical(document) {
            choose(sketch, &mut features);
            for feature in features.drain(..) {
                postings.push(feature, document)?;
            }
        }
        Ok::<_, Error>(())
    })?;
    collect(session, catalogue, &postings.finish()?.of(|_| true), limits)
}

/// Sorts part by part, and tells the lists from what is in too many documents for one.
fn collect(
    session: &Session<'_>,
    catalogue: &Catalogue,
    parts: &impl PostingParts,
    limits: &mut FrequencyLimits,
) -> Result<SharedFeatures, Error> {
    let mut lists = Sequence::new(&session.space, "the lists", session.share(5));
    let mut frequent = Vec::new();
    for_each_sorted(session.cancel, parts, session.share(6), |list| {
        if limits.is_frequent(list) {
            let mut draw = Draw::default();
            for posting in list {
                draw.offer(catalogue.tie_breaks[posting.document as usize], posting.document);
            }
            let documents = list.len() as u64;
            frequent.push(FrequentFeature { feature: list[0].feature(), documents, drawn: draw.finish() });
        } else if list.len() > 1 {
            list.iter().try_for_each(|posting| lists.push(*posting))?;
        }
        Ok(())
    })?;
    frequent.sort_unstable_by_key(|h| h.feature);
    Ok(SharedFeatures { lists: lists.finish()?, frequent })
}
