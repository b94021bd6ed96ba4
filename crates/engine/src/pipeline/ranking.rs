//! Who may represent whom: documents in the order in which they are offered as representatives.
//!
//! The document with the most likely links comes first, so that the middle of a chain leads and both ends join it; then the longer,
//! then the first by id. Where documents inside others are wanted, size comes before links: the container must lead.
//! Nothing here depends on the order of reading.

use super::filter::Filter;
use super::join::Candidate;
use crate::Error;
use lookalike_store::{ExternalSort, Records, TempSpace};
use std::cmp::Reverse;
use std::sync::Arc;

/// The order of representatives. Only documents with candidates have a rank.
pub(crate) struct Ranking {
    /// Documents, first offered first.
    pub(crate) documents: Vec<u32>,
}

/// What a rank is made of.
pub(crate) trait Rankable {
    /// A part of each content id.
    fn salts(&self) -> &[u32];
    /// The id of one.
    fn id(&self, document: u32) -> Result<String, Error>;
}

impl Rankable for super::catalogue::Catalogue {
    fn salts(&self) -> &[u32] {
        &self.salts
    }

    fn id(&self, document: u32) -> Result<String, Error> {
        Ok(self.entry(document)?.id)
    }
}

/// Ranks the documents, and gives the candidates by rank: `a` is offered before `b`; sorted. A pair that was
/// found in two ways is there twice, with either sample: which of them holds for another policy is not known yet.
pub(crate) fn rank(
    space: &Arc<TempSpace>,
    budget: usize,
    filter: &Filter,
    documents: &dyn Rankable,
    sizes: &[u32],
    candidates: &Records<Candidate>,
) -> Result<(Ranking, Records<Candidate>), Error> {
    const UNRANKED: u32 = u32::MAX;
    let mut degree = vec![UNRANKED; sizes.len()];
    for candidate in candidates.iter() {
        let candidate = candidate?;
        let likely = u32::from(filter.likely(candidate.sample()));
        for document in [candidate.a, candidate.b] {
            let degree = &mut degree[document as usize];
            *degree = likely + if *degree == UNRANKED { 0 } else { *degree };
        }
    }
    let mut keys = Vec::new();
    for document in (0..sizes.len() as u32).filter(|d| degree[*d as usize] != UNRANKED) {
        let (links, size) = (Reverse(degree[document as usize]), Reverse(sizes[document as usize]));
        let order = if filter.policy.contained.is_some() { (size.0, links.0) } else { (links.0, size.0) };
        keys.push((Reverse(order), documents.id(document)?, documents.salts()[document as usize], document));
    }
    keys.sort_unstable();
    let order: Vec<u32> = keys.into_iter().map(|key| key.3).collect();
    let mut rank = degree;
    for (at, document) in order.iter().enumerate() {
        rank[*document as usize] = at as u32;
    }
    let mut sort = ExternalSort::new(space, "the pairs", budget);
    for candidate in candidates.iter() {
        let c = candidate?;
        let ranked = Candidate { a: rank[c.a as usize], b: rank[c.b as usize], ..c };
        sort.push(if ranked.a < ranked.b { ranked } else { ranked.swapped() })?;
    }
    Ok((Ranking { documents: order }, sort.finish()?))
}
