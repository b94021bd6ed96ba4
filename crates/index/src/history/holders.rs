//! Everyone who holds a document or a part of it: whom to tell when it changes.

#[cfg(test)]
mod tests;

use crate::history::role::{Role, Scores, is_same};
use crate::history::url::host;
use crate::search::{QueryOptions, SearchResult, ShingleMatch, ShinglesQuery, Sighting};
use lookalike_core::sketch::Estimate;
use serde::Serialize;
use std::collections::BTreeMap;

/// Who counts as a holder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldersOptions {
    /// Least share of the document that a holder has.
    pub least: f64,
    /// From which resemblance on a holder is near.
    pub near: f64,
    /// From which share on a larger document has the whole of it.
    pub contained: f64,
    /// Count on the originals where they are still there.
    pub verify: bool,
    /// The largest file that is read, in bytes.
    pub max_size: u64,
}

impl Default for HoldersOptions {
    fn default() -> Self {
        Self { least: 0.1, near: 0.5, contained: 0.9, verify: false, max_size: QueryOptions::default().max_size }
    }
}

impl HoldersOptions {
    /// The query whose matches are all holders.
    pub(crate) fn query(&self) -> QueryOptions {
        let (least, verify) = (self.least, self.verify);
        let query = ShinglesQuery { threshold: least, contained: Some(least), verify, ..ShinglesQuery::default() };
        QueryOptions::from(query).with_limit(usize::MAX).with_max_size(self.max_size)
    }
}

/// Everyone who holds a document or a part of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Holders {
    /// What was asked for: a file, an id or a URL.
    pub query: String,
    /// The content id of the document.
    pub content: String,
    /// The least share of it that counted.
    pub least: f64,
    /// Holders that have it now.
    pub current: u64,
    /// Those that have it now first, then by how much they hold.
    pub holders: Vec<Holder>,
    /// Documents beyond the limit of the query: their URLs are not here.
    pub more: u64,
}

/// A URL that holds a document or a part of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Holder {
    /// The URL or id.
    pub url: String,
    /// Its host; empty for what is no URL.
    pub host: String,
    /// What it has.
    pub role: Role,
    /// When it was first seen with this.
    pub first: Option<String>,
    /// When it was last seen with this.
    pub last: Option<String>,
    /// It has it now.
    pub current: bool,
    /// The content id of what it has.
    pub content: String,
    /// Resemblance to the document.
    pub resemblance: Estimate,
    /// Share of the document that the holder has; `MIN` sketches cannot tell.
    pub query_in_document: Option<Estimate>,
    /// Share of what the holder has that is in the document.
    pub document_in_query: Option<Estimate>,
    /// The numbers were counted on the originals.
    pub verified: bool,
}

impl Holder {
    fn new(found: &ShingleMatch, seen: &Sighting, options: &HoldersOptions) -> Self {
        let scores = Scores::of(found);
        let (resemblance, held) = (scores.resemblance.value, scores.held().value);
        Self {
            url: seen.url.clone(),
            host: host(&seen.url).to_ascii_lowercase(),
            role: Role::of(is_same(found), resemblance, held, options.near, options.contained),
            first: seen.first.clone(),
            last: seen.last.clone(),
            current: seen.current,
            content: found.content.clone(),
            resemblance: scores.resemblance,
            query_in_document: scores.query_in_document,
            document_in_query: scores.document_in_query,
            verified: found.verified.is_some(),
        }
    }

    /// Share of the document that it has; at least the resemblance.
    pub fn held(&self) -> f64 {
        if self.role == Role::Copy { 1.0 } else { self.query_in_document.unwrap_or(self.resemblance).value }
    }
}

/// The holders among the matches of a query. A URL with several versions counts with what it has now, else with what it had last. The URL that was
/// asked for is not among them.
pub(crate) fn holders(result: &SearchResult, options: &HoldersOptions) -> Holders {
    let matches = result.matches.shingles().map_or(&[][..], |found| &found.matches);
    let mut by_url: BTreeMap<&str, (&ShingleMatch, &Sighting)> = BTreeMap::new();
    for found in matches.iter().filter(|m| is_same(m) || Scores::of(m).held().value >= options.least) {
        for seen in found.seen.iter().filter(|s| s.url != result.query) {
            let newer =
                |(_, other): &(&ShingleMatch, &Sighting)| (seen.current, &seen.last) > (other.current, &other.last);
            if by_url.get(seen.url.as_str()).is_none_or(newer) {
                by_url.insert(&seen.url, (found, seen));
            }
        }
    }
    let mut holders: Vec<Holder> = by_url.values().map(|(m, seen)| Holder::new(m, seen, options)).collect();
    holders.sort_by(|a, b| {
        let alike = b.resemblance.value.total_cmp(&a.resemblance.value);
        b.current.cmp(&a.current).then(b.held().total_cmp(&a.held())).then(alike).then_with(|| a.url.cmp(&b.url))
    });
    Holders {
        query: result.query.clone(),
        content: result.content.clone(),
        least: options.least,
        current: holders.iter().filter(|h| h.current).count() as u64,
        holders,
        more: result.more,
    }
}
