//! Queries to an index of shingles: where was this document seen before?

use crate::clusters::lookup::{Hit, Probe, SearchScope};
use crate::lens::shingles::shingles_lens::ShinglesLens;
use crate::search::{Matches, QueryOptions, SearchResult, ShingleMatch, ShingleMatches};
use crate::segment::cluster_state::ClusterState;
use crate::segment::layout::stored_sketch;
use crate::segment::snapshot::Snapshot;
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::{Estimate, PairEstimate, SampleOverlap, Sketch};
use lookalike_corpus::{Body, content_name};
use lookalike_engine::Error;
use lookalike_engine::lens::shingles::sketcher::Sketched;
use lookalike_engine::report::against::CountedShares;
use lookalike_engine::report::cluster::Class;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::run::filter::{Filter, as_overlap};
use rustc_hash::FxHashSet;

/// Documents that frequent features may lead to, those that have several counted several times.
const MAX_POSTINGS: u64 = 1 << 24;

/// Who has so much of a text that very many quote has all of it.
const MIN_QUOTED_SHARE: f64 = 0.9;

/// What is known of the document that is asked for.
struct QuerySketch<'a> {
    id: &'a str,
    content: u128,
    lexical: u128,
    probe: Probe,
}

impl ShinglesLens {
    /// Asks for a document that was read.
    pub(super) fn search_body(
        &self,
        snapshot: &Snapshot,
        id: &str,
        body: &Body<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        let sketcher = self.sketcher()?;
        let sketched = sketcher.sketch(id, body, &mut sketcher.scratch());
        let sketched = sketched.map_err(|reason| Error::Document { id: id.to_owned(), reason })?;
        let Sketched { content, lexical, sketch, .. } = sketched;
        let query = self.query(snapshot, (id, content, lexical), sketch)?;
        self.answer(snapshot, &query, options, || Ok(sketcher.set(id, body).ok()))
    }

    /// Asks for a document by its name, content id, hash of words and sketch alone.
    pub(crate) fn search_sketch(
        &self,
        snapshot: &Snapshot,
        document: (&str, u128, u128),
        sketch: Sketch,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        self.answer(snapshot, &self.query(snapshot, document, sketch)?, options, || Ok(None))
    }

    fn query<'a>(
        &self,
        snapshot: &Snapshot,
        (id, content, lexical): (&'a str, u128, u128),
        mut sketch: Sketch,
    ) -> Result<QuerySketch<'a>, Error> {
        stored_sketch(&mut sketch, self.recipe.sampling);
        Ok(QuerySketch { id, content, lexical, probe: Probe::new(sketch, snapshot.state.frequent()?) })
    }

    /// Asks for a document of the index; it is itself among the matches.
    pub(super) fn search_document(
        &self,
        snapshot: &Snapshot,
        id: &str,
        document: u32,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        let record = snapshot.segments.record(document)?;
        let (content, lexical) = (record.content(), record.lexical());
        let query = QuerySketch { id, content, lexical, probe: self.lookup(snapshot).probe(document)? };
        self.answer(snapshot, &query, options, || {
            let sketcher = self.sketcher()?;
            Ok(snapshot.original(content)?.and_then(|(id, body)| sketcher.set(&id, &body).ok()))
        })
    }

    /// How two documents relate, estimated from their sketches.
    pub(crate) fn resemblance(&self, snapshot: &Snapshot, a: u32, b: u32) -> Result<PairEstimate, Error> {
        let lookup = self.lookup(snapshot);
        let probe = lookup.probe(a)?;
        // nothing would be left of a document that is boilerplate nearly throughout
        let whole = probe.is_boilerplate() || snapshot.state.is_boilerplate(b)?;
        let sample = lookup.compare(&probe, b, whole, &mut Sketch::default())?;
        Ok(sample.estimate(self.recipe.sampling))
    }

    fn answer(
        &self,
        snapshot: &Snapshot,
        query: &QuerySketch<'_>,
        options: &QueryOptions,
        set: impl Fn() -> Result<Option<Vec<u64>>, Error>,
    ) -> Result<SearchResult, Error> {
        let asked = &options.shingles;
        let policy = Policy { threshold: asked.threshold, contained: asked.contained, ..Policy::default() };
        policy.check()?;
        let filter = Filter { policy, sampling: self.recipe.sampling, estimate: true };
        let lookup = self.lookup(snapshot);
        let probe = &query.probe;
        let (own, all) = (probe.own.features.len(), probe.whole.features.len());
        // nothing would be left of a document that is boilerplate nearly throughout
        let whole = asked.include_boilerplate || probe.is_boilerplate();
        let quoted = !whole && asked.contained.is_some() && probe.is_quoted();
        let followed = if whole || quoted { followed(snapshot, probe)? } else { Vec::new() };
        let mut hits = if whole {
            lookup.whole_hits(probe, &followed, &filter)?
        } else {
            lookup.hits(probe, &filter, SearchScope::ALL)?
        };
        if quoted {
            let met: FxHashSet<u32> = hits.iter().map(|hit| hit.document).collect();
            let all_of_it = |hit: &Hit| f64::from(hit.sample.shared) >= MIN_QUOTED_SHARE * f64::from(hit.sample.a);
            let quoting = lookup.whole_hits(probe, &followed, &filter)?.into_iter();
            hits.extend(quoting.filter(|hit| all_of_it(hit) && !met.contains(&hit.document)));
        }
        let known = snapshot.document(query.content)?;
        if let Some(document) = known.filter(|document| hits.iter().all(|hit| hit.document != *document)) {
            let sample = lookup.compare(probe, document, true, &mut Sketch::default())?;
            hits.push(Hit { document, sample });
        }
        let mut scored = Vec::with_capacity(hits.len());
        for hit in hits {
            scored.push(scored_match(snapshot, query, hit, &filter)?);
        }
        scored.sort_by(order);
        let more = scored.len().saturating_sub(options.limit) as u64;
        scored.truncate(options.limit);
        if asked.verify {
            self.verify(snapshot, &mut scored, set()?.as_deref())?;
            scored.sort_by(order);
        }
        for found in &mut scored {
            found.seen = snapshot.seen(found.document)?;
        }
        let matches = ShingleMatches {
            features: if whole { all } else { own } as u32,
            frequent: if whole { 0 } else { all - own } as u32,
            unfollowed: if whole || quoted { all - followed.len() } else { 0 } as u32,
            matches: scored,
        };
        Ok(SearchResult {
            query: query.id.to_owned(),
            content: content_name(query.content),
            known: known.is_some(),
            more,
            matches: Matches::Shingles(matches),
        })
    }

    /// Counts on the originals, as far as they are still there.
    pub(crate) fn verify(
        &self,
        snapshot: &Snapshot,
        found: &mut [ShingleMatch],
        query: Option<&[u64]>,
    ) -> Result<(), Error> {
        let Some(query) = query else { return Ok(()) };
        for found in found {
            let content = snapshot.content(found.document)?;
            let Some((id, body)) = snapshot.original(content)? else { continue };
            let Ok(set) = self.sketcher()?.set(&id, &body) else { continue };
            let overlap = Overlap::of(query, &set);
            found.verified = Some(CountedShares {
                resemblance: overlap.resemblance(),
                query_in_document: overlap.a_in_b(),
                document_in_query: overlap.b_in_a(),
            });
        }
        Ok(())
    }
}

/// The features of a probe that lead to documents when it is compared as a whole: all but the most frequent of very many documents.
fn followed(snapshot: &Snapshot, probe: &Probe) -> Result<Vec<u64>, Error> {
    let counts = snapshot.state.counts()?;
    let mut frequent = Vec::new();
    for feature in &probe.whole.features {
        if let Ok(at) = counts.binary_search_by_key(feature, |count| count[0]) {
            frequent.push((counts[at][1], *feature));
        }
    }
    frequent.sort_unstable();
    let mut room = MAX_POSTINGS;
    let frequent = frequent.into_iter().take_while(|(count, _)| {
        room = room.saturating_sub(*count);
        room > 0
    });
    let frequent: Vec<u64> = frequent.map(|(_, feature)| feature).collect();
    Ok([&probe.own.features[..], &frequent].concat())
}

fn scored_match(
    snapshot: &Snapshot,
    query: &QuerySketch<'_>,
    hit: Hit,
    filter: &Filter,
) -> Result<ShingleMatch, Error> {
    let record = snapshot.segments.record(hit.document)?;
    let mut estimate = hit.sample.estimate(filter.sampling);
    let class = if record.content() == query.content {
        Some(Class::Identical)
    } else if record.lexical() == query.lexical {
        Some(Class::Lexical)
    } else {
        class_of(hit.sample, filter)
    };
    if matches!(class, Some(Class::Identical | Class::Lexical)) {
        let one = Estimate::exact(1.0);
        estimate.resemblance = one;
        (estimate.a_in_b, estimate.b_in_a) = (Some(one), Some(one));
    }
    let representative = snapshot.state.representative(hit.document)?;
    Ok(ShingleMatch {
        seen: Vec::new(),
        content: content_name(record.content()),
        bytes: record.bytes,
        class,
        resemblance: estimate.resemblance,
        query_in_document: estimate.a_in_b,
        document_in_query: estimate.b_in_a,
        verified: None,
        cluster: content_name(snapshot.segments.record(representative)?.content()),
        document: hit.document,
    })
}

fn class_of(sample: SampleOverlap, filter: &Filter) -> Option<Class> {
    let overlap = as_overlap(sample);
    if overlap.resemblance() >= filter.policy.threshold {
        Some(Class::Near)
    } else if filter.links(overlap) {
        Some(Class::Contained)
    } else {
        None
    }
}

/// The best first; equals by content, which does not depend on how the index came about.
fn order(a: &ShingleMatch, b: &ShingleMatch) -> std::cmp::Ordering {
    let held = |m: &ShingleMatch| m.best_query_in_document().unwrap_or(0.0);
    let identical = |m: &ShingleMatch| m.class != Some(Class::Identical);
    (b.best_resemblance().total_cmp(&a.best_resemblance()))
        .then_with(|| identical(a).cmp(&identical(b)))
        .then_with(|| held(b).total_cmp(&held(a)))
        .then_with(|| a.content.cmp(&b.content))
}
