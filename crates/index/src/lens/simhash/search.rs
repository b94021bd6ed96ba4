//! Queries to an index of fingerprints: the tables of every segment tell what is near, the state what is still there.

use crate::lens::index_lens::QueryDocument;
use crate::lens::simhash::simhash_lens::SimhashLens;
use crate::lens::simhash::tables::{OpenTables, decode};
use crate::search::{Matches, QueryOptions, SearchResult, SimhashMatch, SimhashMatches};
use crate::segment::cluster_state::{ClusterState, GONE};
use crate::segment::snapshot::Snapshot;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::{Hit, Tables};
use lookalike_corpus::content_name;
use lookalike_engine::Error;
use lookalike_engine::lens::simhash::fingerprinter::FingerprintScratch;
use lookalike_hamming::check_distance;
use lookalike_hamming::segment::Section;
use std::ops::ControlFlow;

/// What is known of the document that is asked for.
struct QueryFingerprint<'a, F> {
    id: &'a str,
    content: u128,
    fingerprint: F,
}

/// A document that is near, in the order of matches: by distance, the very document first, then by content.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct NearDocument<F> {
    distance: u32,
    other: bool,
    content: u128,
    document: u32,
    fingerprint: F,
}

impl SimhashLens {
    pub(super) fn search_in(
        &self,
        tables: &OpenTables,
        snapshot: &Snapshot,
        query: QueryDocument<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        match tables {
            OpenTables::Narrow(tables) => answer(tables, snapshot, &self.query(snapshot, query)?, options),
            OpenTables::Wide(tables) => answer(tables, snapshot, &self.query(snapshot, query)?, options),
        }
    }

    fn query<'a, F: FingerprintBits>(
        &self,
        snapshot: &Snapshot,
        query: QueryDocument<'a>,
    ) -> Result<QueryFingerprint<'a, F>, Error> {
        match query {
            QueryDocument::Body { id, body } => {
                let made = self.fingerprinter()?.fingerprint(id, body, &mut FingerprintScratch::default());
                let fingerprint = made.map_err(|reason| Error::Document { id: id.to_owned(), reason })?;
                Ok(QueryFingerprint { id, content: body.content_id(), fingerprint })
            }
            QueryDocument::Stored { id, document } => {
                let (view, local) = snapshot.segments.local(document)?;
                let fingerprint = decode(view.payload(local)?);
                let fingerprint = fingerprint.ok_or_else(|| view.corrupt("a document without a fingerprint"))?;
                Ok(QueryFingerprint { id, content: view.record(local)?.content(), fingerprint })
            }
        }
    }
}

fn answer<F: FingerprintBits>(
    tables: &[Tables<F, Section>],
    snapshot: &Snapshot,
    query: &QueryFingerprint<'_, F>,
    options: &QueryOptions,
) -> Result<SearchResult, Error> {
    let most = options.simhash.distance;
    check_distance(most)?;
    let mut near = near(tables, snapshot, query, most)?;
    near.sort_unstable();
    let found = near.len() as u64;
    near.truncate(options.limit);
    let digits = F::DIGITS;
    let mut matches = Vec::with_capacity(near.len());
    for NearDocument { distance, content, document, fingerprint, .. } in near {
        matches.push(SimhashMatch {
            distance,
            seen: snapshot.seen(document)?,
            content: content_name(content),
            bytes: snapshot.segments.record(document)?.bytes,
            fingerprint: format!("{fingerprint:0digits$x}"),
        });
    }
    let fingerprint = format!("{:0digits$x}", query.fingerprint);
    Ok(SearchResult {
        query: query.id.to_owned(),
        content: content_name(query.content),
        known: snapshot.document(query.content)?.is_some(),
        more: found - matches.len() as u64,
        matches: Matches::Simhash(SimhashMatches { fingerprint, distance: most, found, matches }),
    })
}

/// All documents within a distance that have not gone.
fn near<F: FingerprintBits>(
    tables: &[Tables<F, Section>],
    snapshot: &Snapshot,
    query: &QueryFingerprint<'_, F>,
    most: u32,
) -> Result<Vec<NearDocument<F>>, Error> {
    let Snapshot { segments, state, .. } = snapshot;
    let mut near = Vec::new();
    for (segment, tables) in tables.iter().enumerate() {
        let view = &segments.views[segment];
        let mut take = |Hit { fingerprint, distance, rows }: Hit<F>| -> Result<(), Error> {
            for row in rows {
                let local = u32::try_from(tables.id(row)?).ok().filter(|local| *local < view.len());
                let local = local.ok_or_else(|| view.corrupt("a fingerprint of no document"))?;
                let document = segments.base(segment) + local;
                if state.representative(document)? != GONE {
                    let content = view.record(local)?.content();
                    let other = content != query.content;
                    near.push(NearDocument { distance, other, content, document, fingerprint });
                }
            }
            Ok(())
        };
        let mut failed = None;
        tables.near(query.fingerprint, most, |hit| match take(hit) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    Ok(near)
}
