//! Phase two: `<feature, document>`, sorted by feature.

use super::Session;
use super::catalogue::Catalogue;
use super::equivalents::Equivalents;
use super::heavy::Heavy;
use super::seen::Seen;
use crate::Error;
use bytemuck::{Pod, Zeroable};
use lookalike_core::sets;
use lookalike_core::sketch::{Sketch, super_shingles, window_for};
use lookalike_store::{ExternalSort, Records};
use std::cmp::Ordering;

/// A feature (or super shingle) and a document that has it. Twelve bytes: there are many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Posting {
    high: u32,
    low: u32,
    document: u32,
}

impl Posting {
    fn new(feature: u64, document: u32) -> Self {
        Self { high: (feature >> 32) as u32, low: feature as u32, document }
    }

    fn feature(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }
}

impl Ord for Posting {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.feature(), self.document).cmp(&(other.feature(), other.document))
    }
}

impl PartialOrd for Posting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Sorted postings of all documents that stand for themselves, without features that one document alone has or that are
/// known to be common.
pub(crate) fn sort_features(
    session: &Session<'_>,
    catalogue: &Catalogue,
    equivalents: &Equivalents,
    seen: &Seen,
    heavy: &[Heavy],
) -> Result<Records<Posting>, Error> {
    let counted_apart = |f: &u64| heavy.binary_search_by_key(f, |h| h.feature).is_ok();
    sort(session, catalogue, equivalents, |sketch, features| {
        features.extend(sketch.features.iter().filter(|f| seen.twice(**f) && !counted_apart(f)));
    })
}

/// Sorted postings of super shingles, made of what is left of the sketches without their common features.
pub(crate) fn sort_super_shingles(
    session: &Session<'_>,
    catalogue: &Catalogue,
    equivalents: &Equivalents,
    common: &[u64],
) -> Result<Records<Posting>, Error> {
    let window = window_for(session.options.policy.threshold);
    sort(session, catalogue, equivalents, |sketch, features| {
        sets::subtract(&mut sketch.features, common);
        features.extend(super_shingles(&sketch.features, window, &session.front.fp));
    })
}

fn sort(
    session: &Session<'_>,
    catalogue: &Catalogue,
    equivalents: &Equivalents,
    mut choose: impl FnMut(&mut Sketch, &mut Vec<u64>),
) -> Result<Records<Posting>, Error> {
    let mut sort = ExternalSort::new(&session.space, "the postings", session.share(5));
    let mut features = Vec::new();
    catalogue.for_each_sketch(|document, sketch| {
        if document % 4096 == 0 {
            session.cancel.check()?;
            session.progress.advance(4096);
        }
        if equivalents.stands(document) {
            choose(sketch, &mut features);
            for feature in features.drain(..) {
                sort.push(Posting::new(feature, document))?;
            }
        }
        Ok::<_, Error>(())
    })?;
    Ok(sort.finish()?)
}

/// How many postings are of features that more than one document has.
pub(crate) fn shared(postings: &Records<Posting>) -> Result<u64, Error> {
    let mut shared = 0;
    for_each_list(postings, |_, documents| {
        shared += documents.len() as u64;
        Ok(())
    })?;
    Ok(shared)
}

/// Calls `each(feature, documents)` for every feature that more than one document has.
pub(crate) fn for_each_list(
    postings: &Records<Posting>,
    mut each: impl FnMut(u64, &[u32]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut feature = 0;
    let mut documents = Vec::new();
    for posting in postings.iter() {
        let posting = posting?;
        if posting.feature() != feature {
            if documents.len() > 1 {
                each(feature, &documents)?;
            }
            documents.clear();
            feature = posting.feature();
        }
        documents.push(posting.document);
    }
    if documents.len() > 1 { each(feature, &documents) } else { Ok(()) }
}
