//! Finds the URLs that had something of a document after a moment.

use crate::history::archive::{Archive, History};
use crate::history::rank::Candidate;
use crate::history::role::{Scores, is_same};
use crate::Error;
use crate::answers::{Match, QueryOptions};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Documents that are looked at; those beyond share less.
const MOST: usize = 1000;
/// A URL that holds this much more of a document than it did before has taken it in.
const GAIN: f64 = 0.1;
/// An edited page that kept less than this is another page.
const KEPT: f64 = 0.1;

/// The candidates in no order. `least` is the share of the document that they have at least.
pub(crate) fn search(
    archive: &dyn Archive,
    lost: &str,
    document: u32,
    after: u32,
    least: f64,
) -> Result<Vec<Candidate>, Error> {
    let found = Found::new(archive, document, least)?;
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
    Ok(if kin.a_in_b.unwrap_or(kin.resemblance).value >= KEPT { last } else { c.now })
}

/// The documents that have something in common with one.
pub(crate) struct Found {
    matches: FxHashMap<u32, Match>,
}

impl Found {
    pub(crate) fn new(archive: &dyn Archive, document: u32, least: f64) -> Result<Self, Error> {
        let options = QueryOptions { threshold: least, contained: Some(least), limit: MOST, ..QueryOptions::default() };
        let answer = archive.query_document(document, &options)?;
        let enough = |found: &Match| is_same(found) || Scores::of(found).held().value >= least;
        Ok(Self { matches: answer.matches.into_iter().filter(enough).map(|m| (m.document, m)).collect() })
    }

    /// Every URL that ever had one of them, in order.
    pub(crate) fn urls(&self) -> impl Iterator<Item = &str> {
        let urls: BTreeSet<&str> = self.matches.values().flat_map(|m| m.seen.iter().map(|s| s.url.as_str())).collect();
        urls.into_iter()
    }

    /// What speaks for a URL: the best document that it had after the moment.
    pub(crate) fn candidate(&self, url: &str, history: &History, after: u32) -> Option<Candidate> {
        let of = |document: u32| self.matches.get(&document).map(|m| (is_same(m), Scores::of(m)));
        let (moment, document, same, scores) = history
            .iter()
            .filter(|(moment, _)| *moment > after)
            .filter_map(|(moment, document)| of(*document).map(|(same, scores)| (*moment, *document, same, scores)))
            .max_by(|a, b| {
                let values = (a.3.middle().value, b.3.middle().value);
                a.2.cmp(&b.2).then(values.0.total_cmp(&values.1)).then(a.0.cmp(&b.0))
            })?;
        let first = history.first()?.0;
        let before = history.iter().rev().find(|(moment, _)| *moment <= after);
        let held = before.map(|(_, old)| of(*old).map_or(0.0, |(_, scores)| scores.held().value));
        Some(Candidate {
            url: url.to_owned(),
            document,
            moment,
            same,
            scores,
            new: first > after,
            gained: held.is_some_and(|held| held + GAIN <= scores.held().value),
            first,
            now: (moment, document),
        })
    }
}
