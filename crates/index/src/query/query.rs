//! Questions about one document: where have I seen this before?

use crate::query::lookup::{Hit, Probe, Within};
use crate::query::reader::Index;
use lookalike_engine::run::content::{content_name};
use lookalike_engine::lens::shingles::sketcher::{Sketched};
use crate::answers::{Answer, Match, QueryOptions, Verified};
use crate::segment::standing::Standing;
use crate::options::Policy;
use lookalike_engine::run::filter::Filter;
use lookalike_engine::report::Class;
use crate::Error;
use lookalike_engine::run::document::read_document;
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::{Estimate, SampleOverlap, Sketch};
use lookalike_corpus::{Body, content_name};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::path::Path;

/// Documents that common features may lead to, those that have several counted several times.
const MOST_POSTINGS: u64 = 1 << 24;

/// Who has so much of a text that very many quote has all of it.
const ALL_OF_IT: f64 = 0.9;

/// What is known of the document that is asked for.
struct Asked {
    content: u128,
    lexical: u64,
    probe: Probe,
}

impl Index {
    /// Asks for a file; `-` is standard input.
    pub fn query_file(&self, path: &Path, max_size: u64, options: &QueryOptions) -> Result<Answer, Error> {
        let (id, body) = read_document(path, max_size)?;
        self.query_body(&id, &body, options)
    }

    /// Asks for a text; its format is told by what it looks like.
    pub fn query_text(&self, id: &str, text: &str, options: &QueryOptions) -> Result<Answer, Error> {
        self.query_body(id, &Body::Text(Cow::Borrowed(text)), options)
    }

    pub(crate) fn query_body(&self, id: &str, body: &Body<'_>, options: &QueryOptions) -> Result<Answer, Error> {
        let front = self.front()?;
        let sketched = front.sketch(id, body, &mut front.scratch());
        let sketched = sketched.map_err(|reason| Error::Document { id: id.to_owned(), reason })?;
        let Sketched { content, lexical, sketch, .. } = sketched;
        let asked = self.asked(content, lexical, sketch)?;
        self.answer(id, &asked, options, || Ok(front.set(id, body).ok()))
    }

    /// Asks for a document by its sketch alone.
    pub(crate) fn query_sketch(
        &self,
        id: &str,
        content: u128,
        lexical: u64,
        sketch: Sketch,
        options: &QueryOptions,
    ) -> Result<Answer, Error> {
        self.answer(id, &self.asked(content, lexical, sketch)?, options, || Ok(None))
    }

    fn asked(&self, content: u128, lexical: u64, mut sketch: Sketch) -> Result<Asked, Error> {
        crate::segment::layout::kept_sketch(&mut sketch, self.recipe.sampling);
        Ok(Asked { content, lexical, probe: Probe::new(sketch, self.standing.common()?) })
    }

    /// Asks for what a URL or id had when it was last seen.
    pub fn query_url(&self, url: &str, options: &QueryOptions) -> Result<Answer, Error> {
        let Some((_, document)) = self.find(url)?.pop() else {
            let reason = "was never seen by this index; check its spelling, or ask for a file".to_owned();
            return Err(Error::Document { id: url.to_owned(), reason });
        };
        let answer = self.query_document(document, options)?;
        Ok(Answer { query: url.to_owned(), ..answer })
    }

    /// Asks for a document of the index; it is itself among the answers.
    pub fn query_document(&self, document: u32, options: &QueryOptions) -> Result<Answer, Error> {
        let record = self.shelf.record(document)?;
        let content = record.content();
        let asked = Asked { content, lexical: record.lexical, probe: self.lookup().probe(document)? };
        self.answer(&content_name(content), &asked, options, || {
            let front = self.front()?;
            Ok(self.original(content)?.and_then(|(id, body)| front.set(&id, &body).ok()))
        })
    }

    fn answer(
        &self,
        query: &str,
        asked: &Asked,
        options: &QueryOptions,
        set: impl Fn() -> Result<Option<Vec<u64>>, Error>,
    ) -> Result<Answer, Error> {
        let policy = Policy { threshold: options.threshold, contained: options.contained, ..Policy::default() };
        policy.check()?;
        let filter = Filter { policy, sampling: self.recipe.sampling, estimate: true };
        let lookup = self.lookup();
        let probe = &asked.probe;
        let (own, all) = (probe.own.features.len(), probe.whole.features.len());
        // nothing would be left of a document that is common text nearly throughout
        let whole = options.whole || probe.is_crowd();
        let quoted = !whole && options.contained.is_some() && probe.is_quoted();
        let followed = if whole || quoted { self.followed(probe)? } else { Vec::new() };
        let mut hits = if whole {
            lookup.whole_hits(probe, &followed, &filter)?
        } else {
            lookup.hits(probe, &filter, Within::ALL)?
        };
        if quoted {
            let met: FxHashSet<u32> = hits.iter().map(|hit| hit.document).collect();
            let all_of_it = |hit: &Hit| f64::from(hit.sample.shared) >= ALL_OF_IT * f64::from(hit.sample.a);
            let quoting = lookup.whole_hits(probe, &followed, &filter)?.into_iter();
            hits.extend(quoting.filter(|hit| all_of_it(hit) && !met.contains(&hit.document)));
        }
        let known = self.document(asked.content)?;
        if let Some(document) = known.filter(|document| hits.iter().all(|hit| hit.document != *document)) {
            let sample = lookup.compare(probe, document, true, &mut Sketch::default())?;
            hits.push(Hit { document, sample });
        }
        let mut scored = Vec::with_capacity(hits.len());
        for hit in hits {
            let found = self.found(asked, hit, &filter)?;
            scored.push(found);
        }
        scored.sort_by(order);
        let more = scored.len().saturating_sub(options.limit) as u64;
        scored.truncate(options.limit);
        if options.verify {
            self.verify(&mut scored, set()?.as_deref())?;
            scored.sort_by(order);
        }
        for found in &mut scored {
            found.seen = self.seen(found.document)?;
        }
        Ok(Answer {
            query: query.to_owned(),
            content: content_name(asked.content),
            known: known.is_some(),
            features: if whole { all } else { own } as u32,
            common: if whole { 0 } else { all - own } as u32,
            unfollowed: if whole || quoted { all - followed.len() } else { 0 } as u32,
            matches: scored,
            more,
        })
    }

    /// The features of a probe that lead to documents when it is compared as a whole: all but the most common of very many documents.
    fn followed(&self, probe: &Probe) -> Result<Vec<u64>, Error> {
        let counts = self.standing.counts()?;
        let mut common = Vec::new();
        for feature in &probe.whole.features {
            if let Ok(at) = counts.binary_search_by_key(feature, |count| count[0]) {
                common.push((counts[at][1], *feature));
            }
        }
        common.sort_unstable();
        let mut room = MOST_POSTINGS;
        let common = common.into_iter().take_while(|(count, _)| {
            room = room.saturating_sub(*count);
            room > 0
        });
        let common: Vec<u64> = common.map(|(_, feature)| feature).collect();
        Ok([&probe.own.features[..], &common].concat())
    }

    fn found(&self, asked: &Asked, hit: Hit, filter: &Filter) -> Result<Match, Error> {
        let record = self.shelf.record(hit.document)?;
        let mut estimate = hit.sample.estimate(filter.sampling);
        let class = if record.content() == asked.content {
            Some(Class::Identical)
        } else if record.lexical == asked.lexical {
            Some(Class::Lexical)
        } else {
            class_of(hit.sample, filter)
        };
        if matches!(class, Some(Class::Identical | Class::Lexical)) {
            let one = Estimate::exact(1.0);
            estimate.resemblance = one;
            (estimate.a_in_b, estimate.b_in_a) = (Some(one), Some(one));
        }
        let leader = self.standing.leader(hit.document)?;
        Ok(Match {
            seen: Vec::new(),
            content: content_name(record.content()),
            bytes: record.bytes,
            class,
            resemblance: estimate.resemblance,
            query_in_document: estimate.a_in_b,
            document_in_query: estimate.b_in_a,
            verified: None,
            cluster: content_name(self.shelf.record(leader)?.content()),
            document: hit.document,
        })
    }

    /// Counts on the originals, as far as they are still there.
    pub(crate) fn verify(&self, found: &mut [Match], query: Option<&[u64]>) -> Result<(), Error> {
        let Some(query) = query else { return Ok(()) };
        for found in found {
            let content = self.shelf.record(found.document)?.content();
            let Some((id, body)) = self.original(content)? else { continue };
            let Ok(set) = self.front()?.set(&id, &body) else { continue };
            let overlap = Overlap::of(query, &set);
            found.verified = Some(Verified {
                resemblance: overlap.resemblance(),
                query_in_document: overlap.a_in_b(),
                document_in_query: overlap.b_in_a(),
            });
        }
        Ok(())
    }
}

fn class_of(sample: SampleOverlap, filter: &Filter) -> Option<Class> {
    let overlap = lookalike_engine::run::filter::as_overlap(sample);
    if overlap.resemblance() >= filter.policy.threshold {
        Some(Class::Near)
    } else if filter.links(overlap) {
        Some(Class::Contained)
    } else {
        None
    }
}

/// The best first; equals by content, which does not depend on how the index came about.
fn order(a: &Match, b: &Match) -> std::cmp::Ordering {
    let held = |m: &Match| m.best_query_in_document().unwrap_or(0.0);
    let identical = |m: &Match| m.class != Some(Class::Identical);
    (b.best_resemblance().total_cmp(&a.best_resemblance()))
        .then_with(|| identical(a).cmp(&identical(b)))
        .then_with(|| held(b).total_cmp(&held(a)))
        .then_with(|| a.content.cmp(&b.content))
}
