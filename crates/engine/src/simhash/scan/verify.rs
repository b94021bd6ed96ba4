//! What the shingles say of documents whose fingerprints are near: every pair is compared on its whole sets.

use super::nodes::{NodeLink, Nodes, Standing};
use super::{Clustered, Simhash};
use crate::Error;
use crate::pipeline::filter::Filter;
use crate::pipeline::join::Candidate;
use crate::pipeline::loader::Sets;
use crate::pipeline::ranking::rank;
use crate::pipeline::{Session, assemble, clustering};
use crate::progress::Unit;
use crate::scan::Back;
use lookalike_core::sketch::SampleOverlap;
use lookalike_store::{Records, Sequence};

/// Of a fingerprint that more documents have than this, only the first so many (the longest) are paired with the others: pairs must not grow
/// with the square of pages that are all alike.
const CROWD: usize = 256;
/// There are no samples: any pair may hold.
const UNKNOWN: SampleOverlap = SampleOverlap { a: 1, b: 1, shared: 1, is_exhaustive: false };

/// Compares the pairs, and clusters those that hold; tells the report how many that are.
pub(super) fn verify(
    session: &Session<'_>,
    filter: &Filter,
    nodes: &Nodes,
    back: &Back<'_>,
    sets: &mut Sets<'_>,
    found: &mut Simhash,
) -> Result<Clustered, Error> {
    let candidates = candidates(session, nodes)?;
    let proposed = candidates.len();
    let candidates = back.decisions.without_forbidden(session, back.equivalents, candidates)?;
    session.phase("cluster", Unit::Pairs, Some(candidates.len()), |counts| {
        let sizes = &back.catalogue.sizes;
        let (ranking, ranked) = rank(&session.space, session.share(6), filter, back.catalogue, sizes, &candidates)?;
        let clustering = clustering::cluster(session, filter, &ranking, &ranked, sets)?;
        let (mut clusters, summary) = assemble::assemble(filter, clustering.links, back)?;
        let reviewed = back.decisions.apply(&mut clusters);
        let mut confirmed = 0;
        for judged in clustering.judged.iter().flat_map(Records::iter) {
            confirmed += u64::from(judged?.evidence().overlap().is_some_and(|overlap| filter.links(overlap)));
        }
        found.verified(candidates.len(), confirmed, proposed);
        counts.insert("verified", clustering.verified);
        counts.insert("confirmed", confirmed);
        counts.insert("clusters", clusters.len() as u64);
        Ok(Clustered { clusters, summary, ranking, judged: clustering.judged, reviewed })
    })
}

/// All pairs of documents that are near and fit, the crowd aside.
fn candidates(session: &Session<'_>, nodes: &Nodes) -> Result<Records<Candidate>, Error> {
    let mut candidates = Sequence::new(&session.space, "the candidates", session.share(8));
    let mut pair = |a: &Standing, b: &Standing| {
        let (a, b) = (a.document, b.document);
        candidates.push(Candidate::new(a.min(b), a.max(b), UNKNOWN))
    };
    let words = |one: &Standing| one.words;
    for node in 0..nodes.len() {
        let all = nodes.of(node);
        for (at, a) in all.iter().enumerate().take(CROWD) {
            let rest = &all[at + 1..];
            rest[nodes.guards.fitting(a.words, rest, words)].iter().try_for_each(|b| pair(a, b))?;
        }
    }
    for link in nodes.links.iter() {
        session.cancel.check()?;
        let NodeLink { a, b } = link?;
        let (of_a, of_b) = (nodes.of(a), nodes.of(b));
        for (at, a) in of_a.iter().enumerate() {
            // the first of either side with all of the other
            let others = if at < CROWD { of_b } else { &of_b[..of_b.len().min(CROWD)] };
            others[nodes.guards.fitting(a.words, others, words)].iter().try_for_each(|b| pair(a, b))?;
        }
    }
    Ok(candidates.finish()?)
}
