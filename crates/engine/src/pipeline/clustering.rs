//! Phase four: candidates are verified on their whole sets, and links become clusters.
//!
//! A star needs only the pairs of a representative with documents that are still free, so most candidates of a clique are never
//! verified. Pairs are taken in batches that fit in memory: their documents are read together, compared
//! on all threads, and applied in order, so that neither threads nor memory show in the answer.

use super::Session;
use super::filter::{Filter, as_overlap};
use super::join::Candidate;
use super::loader::Sets;
use super::ranking::Ranking;
use crate::Error;
use crate::options::Linkage;
use crate::report::Intervals;
use bytemuck::{Pod, Zeroable};
use lookalike_core::cluster::{Stars, UnionFind};
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::{Estimate, SampleOverlap, Sampling};
use lookalike_store::{Error as StoreError, Records, Sequence};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Evidence {
    /// Counted on the whole sets.
    Exact(Overlap),
    /// Estimated from the samples.
    Estimate(SampleOverlap),
    /// Joined by a chain, never compared.
    Unknown,
}

impl Evidence {
    /// The 95 % intervals, where the numbers are estimates. `a` is the representative, or the first of a pair.
    pub(crate) fn intervals(self, sampling: Sampling) -> Option<Intervals> {
        let Self::Estimate(sample) = self else { return None };
        let estimate = sample.estimate(sampling);
        let range = |e: Estimate| [e.low, e.high];
        Some(Intervals {
            resemblance: range(estimate.resemblance),
            containment: estimate.b_in_a.map(range),
            contained_by: estimate.a_in_b.map(range),
        })
    }

    /// The same seen from the other document.
    fn swapped(self) -> Self {
        match self {
            Self::Exact(overlap) => Self::Exact(overlap.swapped()),
            Self::Estimate(sample) => Self::Estimate(sample.swapped()),
            Self::Unknown => Self::Unknown,
        }
    }

    pub(crate) fn overlap(self) -> Option<Overlap> {
        match self {
            Self::Exact(overlap) => Some(overlap),
            Self::Estimate(sample) => Some(as_overlap(sample)),
            Self::Unknown => None,
        }
    }
}

/// A document under its representative; the evidence sees the representative as `a`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) representative: u32,
    pub(crate) member: u32,
    pub(crate) evidence: Evidence,
}

/// A candidate (by rank) with its exact overlap; `verified` is zero where only the samples are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Judged {
    pub(crate) pair: Candidate,
    exact_a: u32,
    exact_b: u32,
    exact_common: u32,
    verified: u32,
}

impl Judged {
    pub(crate) fn new(pair: Candidate, exact: Option<Overlap>) -> Self {
        let o = exact.unwrap_or(Overlap { a: 0, b: 0, shared: 0 });
        Self { pair, exact_a: o.a, exact_b: o.b, exact_common: o.shared, verified: u32::from(exact.is_some()) }
    }

    /// Whether this can be a pair of `documents` documents: a saved run may have been forged.
    pub(crate) fn makes_sense(&self, documents: usize) -> bool {
        let counts = |a: u32, b: u32, common: u32| common <= a.min(b) && a.checked_add(b).is_some();
        let sample = self.pair.sample();
        self.pair.a != self.pair.b
            && (self.pair.a.max(self.pair.b) as usize) < documents
            && counts(sample.a, sample.b, sample.shared)
            && counts(self.exact_a, self.exact_b, self.exact_common)
    }

    pub(crate) fn evidence(&self) -> Evidence {
        if self.verified == 0 {
            return Evidence::Estimate(self.pair.sample());
        }
        Evidence::Exact(Overlap { a: self.exact_a, b: self.exact_b, shared: self.exact_common })
    }
}

/// Pairs and clusters of one scan.
pub(crate) struct Clustering {
    pub(crate) links: Vec<Link>,
    /// All judged pairs, by rank, if all were wanted.
    pub(crate) judged: Option<Records<Judged>>,
    pub(crate) verified: u64,
}

pub(crate) fn cluster(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    candidates: &Records<Candidate>,
    sets: &mut Sets<'_>,
) -> Result<Clustering, Error> {
    let (mut links, judged, verified) = match filter.policy.linkage {
        // an estimate costs nothing: all of them are taken
        linkage if session.options.all_pairs || linkage == Linkage::Single && filter.estimate => {
            let judged = judge_all(session, filter, ranking, candidates, sets)?;
            let verified = if filter.estimate { 0 } else { judged.len() };
            (links_of(filter, ranking, &judged)?, Some(judged), verified)
        }
        Linkage::Star => {
            let (links, verified) = stars_of_candidates(session, filter, ranking, candidates, sets)?;
            (links, None, verified)
        }
        Linkage::Single => {
            let (links, verified) = components_of_candidates(session, filter, ranking, candidates, sets)?;
            (links, None, verified)
        }
    };
    if !filter.estimate {
        // a chain joins documents that were never compared: compare each with its representative
        complete(session, &mut links, sets)?;
    }
    Ok(Clustering { links, judged, verified })
}

/// Clusters from pairs that are all judged already.
pub(crate) fn links_of(filter: &Filter, ranking: &Ranking, judged: &Records<Judged>) -> Result<Vec<Link>, Error> {
    match filter.policy.linkage {
        Linkage::Star => stars_of_judged(filter, ranking, judged),
        Linkage::Single => components(filter, ranking, judged),
    }
}

/// Lends the pairs of a sorted list in batches; `take` decides whether a pair is wanted, and where a batch must end.
struct Batches<'a> {
    pairs: std::iter::Peekable<Box<dyn Iterator<Item = Result<Candidate, StoreError>> + 'a>>,
}

enum Take {
    Want,
    Skip,
    EndBefore,
}

impl<'a> Batches<'a> {
    fn new(candidates: &'a Records<Candidate>) -> Self {
        let pairs: Box<dyn Iterator<Item = _> + 'a> = Box::new(candidates.iter());
        Self { pairs: pairs.peekable() }
    }

    fn next(&mut self, mut take: impl FnMut(&Candidate) -> Take) -> Result<Vec<Candidate>, Error> {
        let mut batch = Vec::new();
        while let Some(peeked) = self.pairs.peek() {
            let pair = match peeked {
                Ok(pair) => *pair,
                Err(_) => return Err(self.pairs.next().expect("peeked").expect_err("peeked").into()),
            };
            match take(&pair) {
                Take::EndBefore if !batch.is_empty() => break,
                Take::Skip => {}
                Take::Want | Take::EndBefore => batch.push(pair),
            }
            self.pairs.next();
        }
        Ok(batch)
    }
}

/// Reads what a batch needs and compares it.
fn judge(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    batch: &[Candidate],
    sets: &mut Sets<'_>,
) -> Result<Vec<Judged>, Error> {
    session.cancel.check()?;
    if filter.estimate {
        return Ok(batch.iter().map(|pair| Judged::new(*pair, None)).collect());
    }
    let document = |rank: u32| ranking.documents[rank as usize];
    // a sample that is the whole set was counted in full already, unless it is of the crowd, which keeps more than is counted
    let known = |pair: &Candidate, sets: &Sets<'_>| {
        pair.sample().is_exhaustive && [pair.a, pair.b].iter().all(|rank| sets.sample_tells(document(*rank)))
    };
    let unknown = batch.iter().filter(|pair| !known(pair, sets));
    let documents: Vec<u32> = unknown.flat_map(|pair| [document(pair.a), document(pair.b)]).collect();
    sets.load(&documents)?;
    let sets = &*sets;
    let judged = batch.par_iter().with_min_len(16).map(|pair| {
        if known(pair, sets) {
            return Judged::new(*pair, Some(as_overlap(pair.sample())));
        }
        // a document that changed meanwhile has nothing in common with anything
        let lost = Overlap { a: 0, b: 0, shared: 0 };
        Judged::new(*pair, Some(sets.overlap(document(pair.a), document(pair.b)).unwrap_or(lost)))
    });
    let judged = judged.collect();
    session.progress.advance(batch.len() as u64);
    Ok(judged)
}

fn stars_of_candidates(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    candidates: &Records<Candidate>,
    sets: &mut Sets<'_>,
) -> Result<(Vec<Link>, u64), Error> {
    let mut stars = Stars::new(ranking.documents.len());
    let mut batches = Batches::new(candidates);
    let (mut links, mut verified) = (Vec::new(), 0);
    loop {
        let mut pending: FxHashSet<u32> = FxHashSet::default();
        let mut load = 0;
        let batch = batches.next(|pair| {
            if !stars.can_lead(pair.a) || !stars.is_free(pair.b) {
                return Take::Skip;
            }
            // whether it may lead is being decided by this very batch
            if pending.contains(&pair.a) || load > sets.room() {
                return Take::EndBefore;
            }
            pending.insert(pair.b);
            load += sets.cost(ranking.documents[pair.a as usize]) + sets.cost(ranking.documents[pair.b as usize]);
            Take::Want
        })?;
        if batch.is_empty() {
            return Ok((links, verified));
        }
        for judged in judge(session, filter, ranking, &batch, sets)? {
            // what an earlier pair of the batch has settled was compared in vain and does not count
            if stars.can_lead(judged.pair.a) && stars.is_free(judged.pair.b) {
                verified += u64::from(!filter.estimate);
                offer(filter, ranking, &mut stars, &judged, &mut links);
            }
        }
    }
}

fn stars_of_judged(filter: &Filter, ranking: &Ranking, judged: &Records<Judged>) -> Result<Vec<Link>, Error> {
    let mut stars = Stars::new(ranking.documents.len());
    let mut links = Vec::new();
    for judged in judged.iter() {
        let judged = judged?;
        if filter.candidate(judged.pair.sample()) && stars.can_lead(judged.pair.a) && stars.is_free(judged.pair.b) {
            offer(filter, ranking, &mut stars, &judged, &mut links);
        }
    }
    Ok(links)
}

/// Puts the second of a pair under the first if the policy accepts it, or else the first under the second.
fn offer(filter: &Filter, ranking: &Ranking, stars: &mut Stars, judged: &Judged, links: &mut Vec<Link>) {
    let evidence = judged.evidence();
    let Some(overlap) = evidence.overlap() else { return };
    let (a, b) = (judged.pair.a, judged.pair.b);
    let document = |rank: u32| ranking.documents[rank as usize];
    if filter.accepts(overlap) {
        stars.join(b, a);
        links.push(Link { representative: document(a), member: document(b), evidence });
    } else if filter.accepts(overlap.swapped()) && stars.is_free(a) {
        // the first is inside the second, and leads nobody yet
        stars.join(a, b);
        links.push(Link { representative: document(b), member: document(a), evidence: evidence.swapped() });
    }
}

fn judge_all(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    candidates: &Records<Candidate>,
    sets: &mut Sets<'_>,
) -> Result<Records<Judged>, Error> {
    let mut all = Sequence::new(&session.space, "the judged pairs", session.share(8));
    let mut batches = Batches::new(candidates);
    loop {
        let (mut load, mut seen) = (0, FxHashSet::default());
        let batch = batches.next(|pair| {
            load += size_of::<Judged>();
            if load > sets.room() {
                return Take::EndBefore;
            }
            for document in [pair.a, pair.b] {
                if seen.insert(document) {
                    load += sets.cost(ranking.documents[document as usize]);
                }
            }
            Take::Want
        })?;
        if batch.is_empty() {
            return Ok(all.finish()?);
        }
        for judged in judge(session, filter, ranking, &batch, sets)? {
            all.push(judged)?;
        }
    }
}

/// Pairs that are compared before it is looked again what they have connected.
const LOOK_AGAIN: usize = 2048;

/// Connected components, with few comparisons: what is connected already need not be compared.
fn components_of_candidates(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    candidates: &Records<Candidate>,
    sets: &mut Sets<'_>,
) -> Result<(Vec<Link>, u64), Error> {
    let mut joined = UnionFind::new(ranking.documents.len());
    let mut known: FxHashMap<u32, (u32, Evidence)> = FxHashMap::default();
    let mut batches = Batches::new(candidates);
    let mut verified = 0;
    loop {
        let (mut load, mut many) = (0, 0);
        let batch = batches.next(|pair| {
            if joined.find(pair.a) == joined.find(pair.b) {
                return Take::Skip;
            }
            if load > sets.room() || many == LOOK_AGAIN {
                return Take::EndBefore;
            }
            many += 1;
            load += sets.cost(ranking.documents[pair.a as usize]) + sets.cost(ranking.documents[pair.b as usize]);
            Take::Want
        })?;
        if batch.is_empty() {
            let known = |rank: u32, root: u32| known.get(&rank).filter(|known| known.0 == root).map(|known| known.1);
            return Ok((component_links(ranking, &mut joined, known), verified));
        }
        for judged in judge(session, filter, ranking, &batch, sets)? {
            let (a, b) = (judged.pair.a, judged.pair.b);
            if judged.evidence().overlap().is_some_and(|o| filter.links(o)) {
                // which other pairs were compared depends on the room for them; the answer does not
                verified += u64::from(joined.union(a, b));
                known.entry(b).or_insert((a, judged.evidence()));
            }
        }
    }
}

/// Connected components; the first in rank represents. Pairs with the representative keep their evidence.
fn components(filter: &Filter, ranking: &Ranking, judged: &Records<Judged>) -> Result<Vec<Link>, Error> {
    let mut joined = UnionFind::new(ranking.documents.len());
    let linked = |judged: &Judged| {
        filter.candidate(judged.pair.sample()) && judged.evidence().overlap().is_some_and(|o| filter.links(o))
    };
    for judged in judged.iter() {
        let judged = judged?;
        if linked(&judged) {
            joined.union(judged.pair.a, judged.pair.b);
        }
    }
    let mut known: FxHashMap<u32, Evidence> = FxHashMap::default();
    for judged in judged.iter() {
        let judged = judged?;
        if joined.find(judged.pair.b) == judged.pair.a {
            known.insert(judged.pair.b, judged.evidence());
        }
    }
    Ok(component_links(ranking, &mut joined, |rank, _| known.get(&rank).copied()))
}

/// Every document of a component under the first of it, with what is known of the two.
fn component_links(
    ranking: &Ranking,
    joined: &mut UnionFind,
    known: impl Fn(u32, u32) -> Option<Evidence>,
) -> Vec<Link> {
    let mut links = Vec::new();
    for rank in 0..ranking.documents.len() as u32 {
        let root = joined.find(rank);
        if root != rank {
            links.push(Link {
                representative: ranking.documents[root as usize],
                member: ranking.documents[rank as usize],
                evidence: known(rank, root).unwrap_or(Evidence::Unknown),
            });
        }
    }
    links
}

/// Compares those that never were, as many at once as there is room for.
fn complete(session: &Session<'_>, links: &mut [Link], sets: &mut Sets<'_>) -> Result<(), Error> {
    let mut unknown: Vec<&mut Link> = links.iter_mut().filter(|link| link.evidence == Evidence::Unknown).collect();
    let mut rest = &mut unknown[..];
    while !rest.is_empty() {
        session.cancel.check()?;
        let (mut load, mut many) = (0, 0);
        while many < rest.len() && (many == 0 || load < sets.room()) {
            load += sets.cost(rest[many].representative) + sets.cost(rest[many].member);
            many += 1;
        }
        let (some, more) = rest.split_at_mut(many);
        let documents: Vec<u32> = some.iter().flat_map(|link| [link.representative, link.member]).collect();
        sets.load(&documents)?;
        let lent = &*sets;
        some.par_iter_mut().for_each(|link| {
            if let Some(overlap) = lent.overlap(link.representative, link.member) {
                link.evidence = Evidence::Exact(overlap);
            }
        });
        rest = more;
    }
    Ok(())
}
