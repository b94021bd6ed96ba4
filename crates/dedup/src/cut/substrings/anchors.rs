//! Fingerprints that occur more than once: around them, and nowhere else, something is repeated.

use super::SubstringFinder;
use super::fingerprints::Fingerprint;
use crate::Error;
use crate::cut::step_files::{StepRecords, discard};
use bytemuck::{Pod, Zeroable};
use lookalike_store::{ExternalSort, Unit};

pub(super) const ANCHORS: &str = "anchors";

/// Where a repeated fingerprint is, by document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Anchor {
    pub(super) document: u32,
    /// The first word of the fingerprint.
    pub(super) position: u32,
}

/// Two equal N-grams that do not overlap hold the same least k-gram hash at two places, and at each of them it was selected.
pub(super) fn find(
    finder: &SubstringFinder<'_>,
    fingerprints: &mut StepRecords<Fingerprint>,
) -> Result<StepRecords<Anchor>, Error> {
    let session = finder.session;
    if let Some((anchors, ())) = StepRecords::finished(session, ANCHORS)? {
        return Ok(anchors);
    }
    let anchors = session.phase("anchors", Unit::Documents, None, |_| {
        let mut sort = ExternalSort::new(&session.space, "the anchors", session.share(4));
        let mut last: Option<Fingerprint> = None;
        let mut is_repeated = false;
        for (at, fingerprint) in fingerprints.open(session)?.iter().enumerate() {
            let fingerprint = fingerprint?;
            if at % (1 << 16) == 0 {
                session.cancel.check()?;
            }
            let same = last.filter(|last| last.hash == fingerprint.hash);
            if let Some(first) = same.filter(|_| !is_repeated) {
                sort.push(Anchor { document: first.document, position: first.position })?;
            }
            is_repeated = same.is_some();
            if is_repeated {
                sort.push(Anchor { document: fingerprint.document, position: fingerprint.position })?;
            }
            last = Some(fingerprint);
        }
        StepRecords::sorted(session, ANCHORS, sort, ())
    })?;
    discard(session, &[super::fingerprints::FINGERPRINTS]);
    Ok(anchors)
}
