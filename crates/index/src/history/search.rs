//! Finds the URLs that had something of a document after a sweep.

use crate::history::archive::{Archive, History};
use crate::history::rank::Candidate;
use crate::history::role::{Scores, is_same};
use crate::search::{QueryOptions, ShingleMatch, ShinglesQuery};
use lookalike_engine::Error;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Documents that are looked at; those beyond share less.
const MAX_DOCUMENTS: usize = 1000;
/// A URL that holds this much more of a document than it did before has taken it in.
const MIN_GAIN: f64 = 0.1;
/// An edited page that kept less than this is another page.
pub(crate) const MIN_REMAINING_SHARE: f64 = 0.1;

/// The candidates in no order. `least` is the share of the document that they have at least.
pub(crate) fn search(
    archive: &dyn Archive,
    lost: &str,
    document: u32,
    after: u32,
    least: f64,
) -> Result<Vec<Candidate>, Error> {
    let found = RelatedDocuments::new(archive, document, least)?;
    let mut candidates = Vec::new();
    for url in found.urls().filter(|url| *url != lost) {
        let history = archive.find(url)?;
        if let Some(mut candidate) = found.candidate(url, &history, after) {
            candidate.now = now(archive, &candidate, &history)?;
            candidates.push(candidate);
        }
    }
    Ok(candidates)
}

/// What the URL has now. Where a page was edited since, it is still that page; where something else took its place, it is not.
fn now(archive: &dyn Archive, c: &Candidate, history: &History) -> Result<(u32, u32), Error> {
    let last = history.last().copied().unwrap_or(c.now);
    if last.1 == c.document {
        return Ok(last);
    }
    let kin = archive.resemblance(c.document, last.1)?;
    Ok(if kin.a_in_b.unwrap_or(kin.resemblance).value >= MIN_REMAINING_SHARE { last } else { c.now })
}

/// The documents that have something in common with one.
pub(crate) struct RelatedDocuments {
    matches: FxHashMap<u32, ShingleMatch>,
}

impl RelatedDocuments {
    pub(crate) fn new(archive: &dyn Archive, document: u32, least: f64) -> Result<Self, Error> {
        let query = ShinglesQuery { threshold: least, contained: Some(least), ..ShinglesQuery::default() };
        let matches = archive.related(document, &QueryOptions::from(query).with_limit(MAX_DOCUMENTS))?;
        let enough = |found: &ShingleMatch| is_same(found) || Scores::of(found).held().value >= least;
        Ok(Self { matches: matches.into_iter().filter(enough).map(|m| (m.document, m)).collect() })
    }

    /// Every URL that ever had one of them, in order.
    pub(crate) fn urls(&self) -> impl Iterator<Item = &str> {
        let urls: BTreeSet<&str> = self.matches.values().flat_map(|m| m.seen.iter().map(|s| s.url.as_str())).collect();
        urls.into_iter()
    }

    /// What speaks for a URL: the best document that it had after the sweep.
    pub(crate) fn candidate(&self, url: &str, history: &History, after: u32) -> Option<Candidate> {
        let of = |document: u32| self.matches.get(&document).map(|m| (is_same(m), Scores::of(m)));
        let (sweep_index, document, same, scores) = history
            .iter()
            .filter(|(sweep_index, _)| *sweep_index > after)
            .filter_map(|(sweep_index, document)| {
                of(*document).map(|(same, scores)| (*sweep_index, *document, same, scores))
            })
            .max_by(|a, b| {
                let values = (a.3.middle().value, b.3.middle().value);
                a.2.cmp(&b.2).then(values.0.total_cmp(&values.1)).then(a.0.cmp(&b.0))
            })?;
        let first = history.first()?.0;
        let before = history.iter().rev().find(|(sweep_index, _)| *sweep_index <= after);
        let held = before.map(|(_, old)| of(*old).map_or(0.0, |(_, scores)| scores.held().value));
        Some(Candidate {
            url: url.to_owned(),
            document,
            sweep_index,
            same,
            scores,
            new: first > after,
            gained: held.is_some_and(|held| held + MIN_GAIN <= scores.held().value),
            first,
            now: (sweep_index, document),
        })
    }
}
