//! What the shingles say of documents whose fingerprints are near: every pair is compared on its whole sets.

use crate::Error;
use crate::lens::shingles::candidates::Candidate;
use crate::lens::simhash::nodes::{NodeDocument, NodeLink, Nodes};
use crate::run::Session;
use lookalike_core::sketch::SampleOverlap;
use lookalike_store::{Records, Sequence};

/// Of a fingerprint that more documents have than this, only the first so many (the longest) are paired with the others: pairs must not grow
/// with the square of pages that are all alike.
const MAX_PAIRED: usize = 256;
/// There are no samples: any pair may hold.
const UNKNOWN: SampleOverlap = SampleOverlap { a: 1, b: 1, shared: 1, is_exhaustive: false };

/// All pairs of documents that are near and fit, the boilerplate aside.
pub fn candidates(session: &Session<'_>, nodes: &Nodes) -> Result<Records<Candidate>, Error> {
    let mut candidates = Sequence::new(&session.space, "the candidates", session.share(8));
    let mut pair = |a: &NodeDocument, b: &NodeDocument| {
        let (a, b) = (a.document, b.document);
        candidates.push(Candidate::new(a.min(b), a.max(b), UNKNOWN))
    };
    let words = |one: &NodeDocument| one.words;
    for node in 0..nodes.len() {
        let all = nodes.of(node);
        for (at, a) in all.iter().enumerate().take(MAX_PAIRED) {
            let rest = &all[at + 1..];
            rest[nodes.guards.fitting(a.words, rest, words)].iter().try_for_each(|b| pair(a, b))?;
        }
    }
    for link in nodes.links.iter() {
        session.cancel.check()?;
        let NodeLink { a, b, .. } = link?;
        let (of_a, of_b) = (nodes.of(a), nodes.of(b));
        for (at, a) in of_a.iter().enumerate() {
            // the first of either side with all of the other
            let others = if at < MAX_PAIRED { of_b } else { &of_b[..of_b.len().min(MAX_PAIRED)] };
            others[nodes.guards.fitting(a.words, others, words)].iter().try_for_each(|b| pair(a, b))?;
        }
    }
    Ok(candidates.finish()?)
}
