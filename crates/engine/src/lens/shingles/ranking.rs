//! Candidates in the order of representatives.

use crate::Error;
use crate::lens::shingles::candidates::Candidate;
use crate::run::catalogue::Catalogue;
use crate::run::filter::Filter;
use crate::run::order::RepresentativeOrder;
use lookalike_store::{ExternalSort, Records, TempSpace};
use std::sync::Arc;

/// Documents in the order in which they are offered as representatives. Only documents with candidates have a rank.
#[derive(Default)]
pub struct Ranking {
    pub documents: Vec<u32>,
    /// By rank: the document must stay. Empty if all may go.
    pub fixed: Vec<bool>,
    /// By rank: a part of the content hash. Empty where nobody asks.
    pub tie_breaks: Vec<u32>,
}

impl Ranking {
    /// The document of a rank.
    pub fn document(&self, rank: u32) -> u32 {
        self.documents[rank as usize]
    }

    /// Whether the document of a rank must stay.
    pub fn is_fixed(&self, rank: u32) -> bool {
        self.fixed.get(rank as usize).copied().unwrap_or(false)
    }
}

impl Ranking {
    /// Whether a pair that resembles enough would be found with the bands of the policy, if it has any.
    pub fn is_drawn(&self, filter: &Filter, a: u32, b: u32, resemblance: f64) -> bool {
        let hash = |rank: u32| self.tie_breaks.get(rank as usize).copied().unwrap_or_default();
        filter.policy.banding.is_none_or(|banding| banding.finds(hash(a), hash(b), resemblance))
    }
}

/// Ranks the documents of candidates, and gives the candidates by rank: `a` is offered before `b`; sorted. A pair that was found in two ways
/// is there twice, with either sample: which of them holds for another policy is not known yet.
pub fn rank(
    space: &Arc<TempSpace>,
    budget: usize,
    order: &RepresentativeOrder,
    catalogue: &Catalogue,
    candidates: &Records<Candidate>,
) -> Result<(Ranking, Records<Candidate>), Error> {
    const UNRANKED: u32 = u32::MAX;
    let mut ranks = vec![UNRANKED; catalogue.len()];
    for candidate in candidates.iter() {
        let candidate = candidate?;
        (ranks[candidate.a as usize], ranks[candidate.b as usize]) = (0, 0);
    }
    let documents = (0..catalogue.len() as u32).filter(|d| ranks[*d as usize] != UNRANKED);
    let documents = order.sorted(catalogue, documents, &catalogue.sizes)?;
    for (at, document) in documents.iter().enumerate() {
        ranks[*document as usize] = at as u32;
    }
    let mut sort = ExternalSort::new(space, "the pairs", budget);
    for candidate in candidates.iter() {
        let c = candidate?;
        let ranked = Candidate { a: ranks[c.a as usize], b: ranks[c.b as usize], ..c };
        sort.push(if ranked.a < ranked.b { ranked } else { ranked.swapped() })?;
    }
    let origins = &catalogue.origins;
    let fixed = if origins.has_fixed() { documents.iter().map(|d| origins.is_fixed(*d)).collect() } else { Vec::new() };
    let tie_breaks = documents.iter().map(|d| catalogue.tie_breaks[*d as usize]).collect();
    Ok((Ranking { documents, fixed, tie_breaks }, sort.finish()?))
}
