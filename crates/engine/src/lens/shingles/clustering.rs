//! Phase four: candidates are verified on their whole sets, and links become clusters.
//!
//! A star needs only the pairs of a representative with documents that are still free, so most candidates of a clique are never
//! verified. Pairs are taken in batches that fit in memory: their documents are read together, compared
//! on all threads, and applied in order, so that neither threads nor memory show in the answer.

use crate::Error;
use crate::lens::shingles::candidates::Candidate;
use crate::lens::shingles::pair_groups;
use crate::lens::shingles::ranking::Ranking;
use crate::lens::shingles::sets::{GroupComparer, Sets};
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::filter::{Filter, as_overlap};
use crate::run::link::Evidence;
use crate::run::link::Link;
use bytemuck::{Pod, Zeroable};
use lookalike_core::cluster::Linkage;
use lookalike_core::cluster::{StarClustering, UnionFind};
use lookalike_core::sets::Overlap;
use lookalike_store::{Error as StoreError, Records, Sequence};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A candidate (by rank) with its exact overlap; `verified` is zero where only the samples are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct ScoredPair {
    pub pair: Candidate,
    exact_a: u32,
    exact_b: u32,
    exact_shared: u32,
    verified: u32,
}

impl ScoredPair {
    pub fn new(pair: Candidate, exact: Option<Overlap>) -> Self {
        let o = exact.unwrap_or(Overlap { a: 0, b: 0, shared: 0 });
        Self { pair, exact_a: o.a, exact_b: o.b, exact_shared: o.shared, verified: u32::from(exact.is_some()) }
    }

    /// Whether this can be a pair of `documents` documents: a saved run may have been forged.
    pub fn is_possible(&self, documents: usize) -> bool {
        let counts = |a: u32, b: u32, shared: u32| shared <= a.min(b) && a.checked_add(b).is_some();
        let sample = self.pair.sample();
        self.pair.a != self.pair.b
            && (self.pair.a.max(self.pair.b) as usize) < documents
            && counts(sample.a, sample.b, sample.shared)
            && counts(self.exact_a, self.exact_b, self.exact_shared)
    }

    pub fn evidence(&self) -> Evidence {
        if self.verified == 0 {
            return Evidence::Estimate(self.pair.sample());
        }
        Evidence::Exact(Overlap { a: self.exact_a, b: self.exact_b, shared: self.exact_shared })
    }
}

/// Links of one scan, and the pairs behind them.
pub struct Clustering {
    pub links: Vec<Link>,
    pub ranking: Ranking,
    /// All scored pairs, by rank, if all were wanted.
    pub pairs: Option<Records<ScoredPair>>,
    pub verified: u64,
    /// By document: the features that count.
    pub sizes: Vec<u32>,
}

pub fn cluster(
    session: &Session<'_>,
    filter: &Filter,
    all_pairs: bool,
    ranking: Ranking,
    candidates: &Records<Candidate>,
    sets: &mut Sets<'_>,
) -> Result<Clustering, Error> {
    let (mut links, pairs, verified) = match filter.policy.linkage {
        // an estimate costs nothing: all of them are taken
        linkage if all_pairs || linkage == Linkage::Single && filter.estimate => {
            let scored = score_all(session, filter, &ranking, candidates, sets)?;
            let verified = if filter.estimate { 0 } else { scored.len() };
            (links_of(filter, &ranking, &scored)?, Some(scored), verified)
        }
        Linkage::Star => {
            let (links, verified) = stars_of_candidates(session, filter, &ranking, candidates, sets)?;
            (links, None, verified)
        }
        Linkage::Single => {
            let (links, verified) = components_of_candidates(session, filter, &ranking, candidates, sets)?;
            (links, None, verified)
        }
    };
    if !filter.estimate {
        // a chain joins documents that were never compared: compare each with its representative
        complete(session, &mut links, sets)?;
    }
    Ok(Clustering { links, ranking, pairs, verified, sizes: Vec::new() })
}

/// The candidates without those that people told apart.
pub fn without_forbidden(
    session: &Session<'_>,
    documents: &Documents,
    candidates: Records<Candidate>,
) -> Result<Records<Candidate>, Error> {
    let Documents { decisions, duplicates, .. } = documents;
    if !decisions.forbids() {
        return Ok(candidates);
    }
    filtered(session, &candidates, |pair| !decisions.forbid_all(pair.a, pair.b, duplicates))
}

/// The candidates that are wanted.
pub fn filtered(
    session: &Session<'_>,
    candidates: &Records<Candidate>,
    is_wanted: impl Fn(&Candidate) -> bool,
) -> Result<Records<Candidate>, Error> {
    let mut wanted = Sequence::new(&session.space, "the candidates", session.share(8));
    for candidate in candidates.iter() {
        let candidate = candidate?;
        if is_wanted(&candidate) {
            wanted.push(candidate)?;
        }
    }
    Ok(wanted.finish()?)
}

/// Clusters from pairs that are all scored already.
pub fn links_of(filter: &Filter, ranking: &Ranking, scored: &Records<ScoredPair>) -> Result<Vec<Link>, Error> {
    match filter.policy.linkage {
        Linkage::Star => stars_of_scored(filter, ranking, scored),
        Linkage::Single => components(filter, ranking, scored),
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
fn score(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    batch: &[Candidate],
    sets: &mut Sets<'_>,
) -> Result<Vec<ScoredPair>, Error> {
    session.cancel.check()?;
    if filter.estimate {
        return Ok(batch.iter().map(|pair| ScoredPair::new(*pair, None)).collect());
    }
    let document = |rank: u32| ranking.document(rank);
    // a sample that is the whole set was counted in full already, unless it is boilerplate, which keeps more than is counted
    let known = |pair: &Candidate, sets: &Sets<'_>| {
        pair.sample().is_exhaustive && [pair.a, pair.b].iter().all(|rank| sets.sample_tells(document(*rank)))
    };
    let unknown: Vec<u32> = (0..).zip(batch).filter(|(_, pair)| !known(pair, sets)).map(|(at, _)| at).collect();
    let pairs = unknown.iter().map(|at| &batch[*at as usize]);
    let documents: Vec<u32> = pairs.flat_map(|pair| [document(pair.a), document(pair.b)]).collect();
    // reading is most of the work: pairs count as done while their documents are read
    let mut told = 0;
    sets.load(&documents, |read, of| {
        let now = batch.len() * read / of;
        session.progress.advance((now - told) as u64);
        told = now;
        Ok(session.cancel.check()?)
    })?;
    let sets = &*sets;
    let groups = pair_groups::divide(batch, &unknown, |rank| sets.size(document(rank)), sets.room_of_group());
    let overlaps = groups.par_iter().map_init(GroupComparer::default, |comparer, group| {
        session.cancel.check()?;
        let members: Vec<u32> = group.members.iter().map(|rank| document(*rank)).collect();
        comparer.overlaps(sets, &members, group)
    });
    let overlaps = overlaps.collect::<Result<Vec<Vec<Option<Overlap>>>, Error>>()?;
    let mut scored: Vec<ScoredPair> =
        batch.iter().map(|pair| ScoredPair::new(*pair, Some(as_overlap(pair.sample())))).collect();
    for (group, overlaps) in groups.iter().zip(overlaps) {
        for (pair, overlap) in group.pairs.iter().zip(overlaps) {
            // a document that changed meanwhile has nothing in common with anything
            let overlap = overlap.unwrap_or(Overlap { a: 0, b: 0, shared: 0 });
            scored[pair.at as usize] = ScoredPair::new(batch[pair.at as usize], Some(overlap));
        }
    }
    session.progress.advance((batch.len() - told) as u64);
    Ok(scored)
}

/// Offers every representative to those that it may represent. Pairs come in the order of their first documents, so whether a document
/// represents is known when its pairs are reached: every representative before it has made its offer.
fn stars_of_candidates(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    candidates: &Records<Candidate>,
    sets: &mut Sets<'_>,
) -> Result<(Vec<Link>, u64), Error> {
    let mut stars = Stars::new(ranking.documents.len());
    let mut batches = Batches::new(candidates);
    let mut verified = 0;
    loop {
        let mut pending: FxHashSet<u32> = FxHashSet::default();
        let (mut load, mut skipped) = (0, 0);
        let batch = batches.next(|pair| {
            if !stars.is_representative(pair.a) {
                skipped += 1;
                return Take::Skip;
            }
            // whether it represents is being decided by this very batch
            if pending.contains(&pair.a) || load > sets.room() {
                return Take::EndBefore;
            }
            pending.insert(pair.b);
            load += sets.cost(ranking.document(pair.a)) + sets.cost(ranking.document(pair.b));
            Take::Want
        })?;
        session.progress.advance(skipped);
        if batch.is_empty() {
            return Ok((stars.links(ranking), verified));
        }
        for scored in score(session, filter, ranking, &batch, sets)? {
            // pairs of a document that was put inside another meanwhile do not count: how many there are depends on the batch
            verified += u64::from(!filter.estimate && stars.is_representative(scored.pair.a));
            stars.offer(filter, ranking, &scored);
        }
    }
}

fn stars_of_scored(filter: &Filter, ranking: &Ranking, scored: &Records<ScoredPair>) -> Result<Vec<Link>, Error> {
    let mut stars = Stars::new(ranking.documents.len());
    for scored in scored.iter() {
        let scored = scored?;
        if filter.candidate(scored.pair.sample()) {
            stars.offer(filter, ranking, &scored);
        }
    }
    Ok(stars.links(ranking))
}

/// Who represents whom so far, by rank, with the evidence.
struct Stars {
    clustering: StarClustering<f64>,
    evidence: Vec<Option<Evidence>>,
    /// By rank: the shorter document that this one is inside of, if so. See [`Stars::put_inside`].
    container: Vec<Option<u32>>,
    is_container: Vec<bool>,
    has_members: Vec<bool>,
}

impl Stars {
    fn new(documents: usize) -> Self {
        Self {
            clustering: StarClustering::new(documents),
            evidence: vec![None; documents],
            container: vec![None; documents],
            is_container: vec![false; documents],
            has_members: vec![false; documents],
        }
    }

    fn is_representative(&self, rank: u32) -> bool {
        self.clustering.is_representative(rank) && self.container[rank as usize].is_none()
    }

    /// Puts the second of a pair under the first if the policy accepts it, it may go and has no better representative.
    fn offer(&mut self, filter: &Filter, ranking: &Ranking, scored: &ScoredPair) {
        let (a, b) = (scored.pair.a, scored.pair.b);
        let evidence = scored.evidence();
        let Some(overlap) = evidence.overlap().filter(|_| self.is_representative(a)) else { return };
        if !filter.accepts(overlap) {
            if filter.accepts(overlap.swapped()) && !ranking.is_fixed(a) {
                self.put_inside(a, b, evidence.swapped());
            }
        } else if !ranking.is_fixed(b)
            && !self.is_container[b as usize]
            && ranking.is_drawn(filter, a, b, overlap.resemblance())
            && self.clustering.offer(a, b, overlap.resemblance())
        {
            self.has_members[a as usize] = true;
            self.evidence[b as usize] = Some(evidence);
        }
    }

    /// The longer of two documents is inside the shorter, since it repeats itself or is longer by what does not count. It joins the shorter
    /// one, if neither has another place yet: a document never represents what it is a part of.
    fn put_inside(&mut self, a: u32, b: u32, evidence: Evidence) {
        if !self.has_members[a as usize] && !self.is_container[a as usize] && self.is_representative(b) {
            self.container[a as usize] = Some(b);
            self.is_container[b as usize] = true;
            self.evidence[a as usize] = Some(evidence);
        }
    }

    fn links(self, ranking: &Ranking) -> Vec<Link> {
        let link = |(representative, member): (u32, u32)| Link {
            representative: ranking.document(representative),
            member: ranking.document(member),
            evidence: self.evidence[member as usize].unwrap_or(Evidence::Unknown),
        };
        let inside = (0..).zip(&self.container).filter_map(|(member, container)| container.map(|c| (c, member)));
        let joined = self.clustering.members().map(|(member, representative, _)| (representative, member));
        joined.chain(inside).map(link).collect()
    }
}

fn score_all(
    session: &Session<'_>,
    filter: &Filter,
    ranking: &Ranking,
    candidates: &Records<Candidate>,
    sets: &mut Sets<'_>,
) -> Result<Records<ScoredPair>, Error> {
    let mut all = Sequence::new(&session.space, "the scored pairs", session.share(8));
    let mut batches = Batches::new(candidates);
    loop {
        let (mut load, mut seen) = (0, FxHashSet::default());
        let batch = batches.next(|pair| {
            load += size_of::<ScoredPair>();
            if load > sets.room() {
                return Take::EndBefore;
            }
            for document in [pair.a, pair.b] {
                if seen.insert(document) {
                    load += sets.cost(ranking.document(document));
                }
            }
            Take::Want
        })?;
        if batch.is_empty() {
            return Ok(all.finish()?);
        }
        for scored in score(session, filter, ranking, &batch, sets)? {
            all.push(scored)?;
        }
    }
}

/// Pairs that are compared before it is looked again what they have connected.
const BATCH_PAIRS: usize = 2048;

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
            if load > sets.room() || many == BATCH_PAIRS {
                return Take::EndBefore;
            }
            many += 1;
            load += sets.cost(ranking.document(pair.a)) + sets.cost(ranking.document(pair.b));
            Take::Want
        })?;
        if batch.is_empty() {
            let known = |rank: u32, root: u32| known.get(&rank).filter(|known| known.0 == root).map(|known| known.1);
            return Ok((component_links(ranking, &mut joined, known), verified));
        }
        for scored in score(session, filter, ranking, &batch, sets)? {
            let (a, b) = (scored.pair.a, scored.pair.b);
            let is_link = |o: Overlap| filter.links(o) && ranking.is_drawn(filter, a, b, o.resemblance());
            if scored.evidence().overlap().is_some_and(is_link) {
                // which other pairs were compared depends on the room for them; the answer does not
                verified += u64::from(joined.union(a, b));
                known.entry(b).or_insert((a, scored.evidence()));
            }
        }
    }
}

/// Connected components; the first in rank represents. Pairs with the representative keep their evidence.
fn components(filter: &Filter, ranking: &Ranking, scored: &Records<ScoredPair>) -> Result<Vec<Link>, Error> {
    let mut joined = UnionFind::new(ranking.documents.len());
    let linked = |scored: &ScoredPair| {
        filter.candidate(scored.pair.sample()) && scored.evidence().overlap().is_some_and(|o| filter.links(o))
    };
    for scored in scored.iter() {
        let scored = scored?;
        if linked(&scored) {
            joined.union(scored.pair.a, scored.pair.b);
        }
    }
    let mut known: FxHashMap<u32, Evidence> = FxHashMap::default();
    for scored in scored.iter() {
        let scored = scored?;
        if joined.find(scored.pair.b) == scored.pair.a {
            known.insert(scored.pair.b, scored.evidence());
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
                representative: ranking.document(root),
                member: ranking.document(rank),
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
        sets.load(&documents, |_, _| Ok(session.cancel.check()?))?;
        let lent = &*sets;
        some.par_iter_mut().try_for_each(|link| {
            if let Some(overlap) = lent.overlap(link.representative, link.member)? {
                link.evidence = Evidence::Exact(overlap);
            }
            Ok::<_, Error>(())
        })?;
        rest = more;
    }
    Ok(())
}
