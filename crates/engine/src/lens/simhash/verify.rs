//! What the shingles say of documents whose fingerprints are near: pairs are compared on their whole sets.

use crate::Error;
use crate::lens::shingles::candidates::Candidate;
use crate::lens::simhash::nodes::{NodeLink, Nodes};
use crate::run::Session;
use lookalike_core::sketch::SampleOverlap;
use lookalike_store::{ExternalSort, Records, Sequence};

/// Documents that one is compared with at most: those that are near and come before it in the order of representatives, the first of them.
/// Pairs must not grow with the square of pages that are all alike.
const MAX_COMPARED: usize = 64;
/// There are no samples: any pair may hold.
const UNKNOWN: SampleOverlap = SampleOverlap { a: 1, b: 1, shared: 1, is_exhaustive: false };

/// The pairs of documents that are near and fit: of each document with the first representatives that it may have.
pub fn candidates(session: &Session<'_>, nodes: &Nodes) -> Result<Records<Candidate>, Error> {
    let mut candidates = Sequence::new(&session.space, "the candidates", session.share(8));
    let mut links = ExternalSort::new(&session.space, "the pairs", session.share(8));
    for link in nodes.links.iter() {
        let NodeLink { a, b, distance } = link?;
        links.push(NodeLink { a, b, distance })?;
        links.push(NodeLink { a: b, b: a, distance })?;
    }
    for node in 0..nodes.len() {
        links.push(NodeLink { a: node, b: node, distance: 0 })?;
    }
    let document = |position: u32| nodes.documents()[nodes.offered()[position as usize] as usize];
    let positions = nodes.sorted_positions();
    let of = |node: u32| &positions[nodes.start(node) as usize..][..nodes.of(node).len()];
    let (mut near, mut earlier): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    let links = links.finish()?;
    let mut links = links.iter().peekable();
    while let Some(link) = links.next() {
        session.cancel.check()?;
        let NodeLink { a: node, b, .. } = link?;
        // groups come in the order of their first documents
        near.push(b);
        if matches!(links.peek(), Some(Ok(next)) if next.a == node) {
            continue;
        }
        for position in of(node) {
            let one = document(*position);
            earlier.clear();
            for group in near.iter().map(|group| of(*group)) {
                if earlier.len() == MAX_COMPARED && group[0] > earlier[MAX_COMPARED - 1] {
                    break;
                }
                let before = group.iter().take_while(|other| *other < position);
                let fitting = before.filter(|other| nodes.guards.fits(one.words, document(**other).words));
                earlier.extend(fitting.take(MAX_COMPARED));
                earlier.sort_unstable();
                earlier.truncate(MAX_COMPARED);
            }
            for other in &earlier {
                let (a, b) = (one.document, document(*other).document);
                candidates.push(Candidate::new(a.min(b), a.max(b), UNKNOWN))?;
            }
        }
        near.clear();
    }
    Ok(candidates.finish()?)
}
