//! Phase two: `<feature, document>`, sorted by feature.

use super::Session;
use super::catalogue::Catalogue;
use super::equivalents::Equivalents;
use super::heavy::Heavy;
use super::seen::Seen;
use crate::Error;
use crate::options::Candidates;
use bytemuck::{Pod, Zeroable};
use lookalike_core::sketch::{super_shingles, window_for};
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
pub(crate) fn sort_postings(
    session: &Session<'_>,
    catalogue: &Catalogue,
    equivalents: &Equivalents,
    seen: &Seen,
    heavy: &[Heavy],
) -> Result<Records<Posting>, Error> {
    let mut sort = ExternalSort::new(&session.space, "the postings", session.share(4));
    let by_super = session.options.candidates == Candidates::Super;
    let window = window_for(session.options.policy.threshold);
    catalogue.for_each_sketch(|document, sketch| {
        if document % 4096 == 0 {
            session.cancel.check()?;
            session.progress.advance(4096);
        }
        if !equivalents.stands(document) {
            return Ok(());
        }
        if by_super {
            for feature in super_shingles(&sketch.features, window, &session.front.fp) {
                sort.push(Posting::new(feature, document))?;
            }
        } else {
            let sorted_apart = |f: &u64| heavy.binary_search_by_key(f, |h| h.feature).is_ok();
            for feature in sketch.features.iter().filter(|f| seen.twice(**f) && !sorted_apart(f)) {
                sort.push(Posting::new(*feature, document))?;
            }
        }
        Ok::<_, Error>(())
    })?;
    Ok(sort.finish()?)
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
