//! Queries to an index of chunks. Chunks lead to documents, the rarest first; whole lists of chunks tell what is shared.

use crate::lens::chunks::frequency::ChunkFrequency;
use crate::lens::chunks::query_chunks::{QueryChunks, SharedBytes, stored_chunks};
use crate::search::{ChunkMatch, ChunkMatches, Matches, QueryOptions, SearchResult};
use crate::segment::cluster_state::{ClusterState, GONE};
use crate::segment::layout::spread;
use crate::segment::snapshot::Snapshot;
use lookalike_corpus::content_name;
use lookalike_engine::lens::chunks::solve::Least;
use lookalike_engine::report::cluster::Class;
use lookalike_engine::{Error, OptionName};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Documents that chunks may lead to, those that have several counted several times.
const MAX_POSTINGS: usize = 1 << 20;
/// Documents that are compared at most, or 20 times those that are listed if that is more.
const MAX_COMPARED: usize = 10_000;

/// A document that may share enough.
struct ChunkCandidate {
    /// Shared bytes are no more.
    at_most: u64,
    content: u128,
    document: u32,
}

/// A document that shares enough, in the order of matches: the very document, then by bytes in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SharingDocument {
    other: bool,
    shared: Reverse<u64>,
    /// Of two that share as much the smaller one is the nearer.
    bytes: u64,
    content: u128,
    document: u32,
}

pub(super) fn answer(
    snapshot: &Snapshot,
    mut query: QueryChunks<'_>,
    options: &QueryOptions,
) -> Result<SearchResult, Error> {
    let asked = &options.chunks;
    OptionName::Threshold.check_share(asked.threshold)?;
    OptionName::MaxDf.check_share(asked.max_df)?;
    let least = Least { share: asked.threshold, bytes: asked.min_shared };
    let whole = follow(snapshot, &mut query, least, asked.max_df)?;
    let known = snapshot.document(query.content)?;
    let mut candidates = candidates(snapshot, &query, least)?;
    let most = MAX_COMPARED.max(options.limit.saturating_mul(20));
    let uncompared = candidates.len().saturating_sub(most) as u64;
    candidates.truncate(most);
    // whatever was followed, the very document is found
    if let Some(document) = known.filter(|known| candidates.iter().all(|candidate| candidate.document != *known)) {
        candidates.push(ChunkCandidate { at_most: query.bytes, content: query.content, document });
    }
    let compared = candidates.par_iter().map(|candidate| compare(snapshot, &query, least, candidate));
    let mut found: Vec<SharingDocument> = compared.filter_map(Result::transpose).collect::<Result<_, Error>>()?;
    found.sort_unstable();
    let more = found.len().saturating_sub(options.limit) as u64;
    found.truncate(options.limit);
    let matches = found.iter().map(|found| matched(snapshot, &query, found, asked.threshold));
    let frequent = if whole { 0 } else { query.chunks.iter().filter(|chunk| chunk.is_frequent).count() as u64 };
    let unfollowed = query.chunks.iter().filter(|chunk| !chunk.is_followed).count() as u64 - frequent;
    let matches = ChunkMatches {
        bytes: query.bytes,
        chunks: query.all,
        frequent,
        unfollowed,
        uncompared,
        matches: matches.collect::<Result<_, Error>>()?,
    };
    Ok(SearchResult {
        query: query.id.to_owned(),
        content: content_name(query.content),
        known: known.is_some(),
        more,
        matches: Matches::Chunks(matches),
    })
}

/// Decides which chunks lead to documents. Frequent ones do so only if the query is made of them to the least share of a match: nothing
/// would be left of it else. Gives whether they do.
fn follow(snapshot: &Snapshot, query: &mut QueryChunks<'_>, least: Least, max_df: f64) -> Result<bool, Error> {
    let mut frequency = ChunkFrequency::new(snapshot, max_df);
    let mut frequent = 0;
    for chunk in &mut query.chunks {
        for view in &snapshot.segments.views {
            chunk.postings += view.postings(spread(chunk.feature()))?.len();
        }
        chunk.is_frequent = frequency.is_frequent(chunk.feature(), chunk.postings)?;
        frequent += if chunk.is_frequent { chunk.bytes() } else { 0 };
    }
    let whole = least.met(frequent, size(query.bytes));
    let mut order: Vec<usize> = (0..query.chunks.len()).filter(|at| whole || !query.chunks[*at].is_frequent).collect();
    order.sort_by_key(|at| (query.chunks[*at].postings, query.chunks[*at].chunk));
    let mut room = MAX_POSTINGS;
    for at in order {
        let chunk = &mut query.chunks[at];
        chunk.is_followed = chunk.postings <= room;
        room -= if chunk.is_followed { chunk.postings } else { 0 };
    }
    Ok(whole)
}

/// The documents that chunks lead to and that may share enough, those that may share most first.
fn candidates(snapshot: &Snapshot, query: &QueryChunks<'_>, least: Least) -> Result<Vec<ChunkCandidate>, Error> {
    let segments = &snapshot.segments;
    let mut seen: FxHashMap<u32, u64> = FxHashMap::default();
    let mut left_out = 0;
    for chunk in &query.chunks {
        if !chunk.is_followed {
            left_out += chunk.bytes();
            continue;
        }
        for (segment, view) in segments.views.iter().enumerate() {
            for posting in view.postings(spread(chunk.feature()))? {
                // one of another chunk only makes it more
                *seen.entry(segments.base(segment) + view.document_of(*posting)).or_default() += chunk.bytes();
            }
        }
    }
    let candidate = |(document, bytes): (u32, u64)| {
        let (at_most, record) = (bytes + left_out, segments.record(document)?);
        let enough = at_most >= least.needed(size(query.bytes.min(record.bytes)));
        let there = enough && snapshot.state.representative(document)? != GONE;
        Ok(there.then(|| ChunkCandidate { at_most, content: record.content(), document }))
    };
    let found = seen.into_iter().map(candidate).filter_map(Result::transpose);
    let mut found: Vec<ChunkCandidate> = found.collect::<Result<_, Error>>()?;
    found.sort_by_key(|candidate| (Reverse(candidate.at_most), candidate.content));
    Ok(found)
}

/// What a document shares, if it is enough, or the very document.
fn compare(
    snapshot: &Snapshot,
    query: &QueryChunks<'_>,
    least: Least,
    candidate: &ChunkCandidate,
) -> Result<Option<SharingDocument>, Error> {
    let ChunkCandidate { content, document, .. } = *candidate;
    let mut list = Vec::new();
    stored_chunks(snapshot, document, &mut list)?;
    let SharedBytes { bytes: shared, is_followed } = query.shared(&list);
    let (bytes, other) = (snapshot.segments.record(document)?.bytes, content != query.content);
    let enough = is_followed && least.met(shared, size(query.bytes.min(bytes)));
    Ok((enough || !other).then_some(SharingDocument { other, shared: Reverse(shared), bytes, content, document }))
}

fn matched(
    snapshot: &Snapshot,
    query: &QueryChunks<'_>,
    found: &SharingDocument,
    threshold: f64,
) -> Result<ChunkMatch, Error> {
    let SharingDocument { other, shared: Reverse(shared), bytes, content, document } = *found;
    let share = |of: u64| shared as f64 / of.max(1) as f64;
    let class = if !other {
        Class::Identical
    } else if share(query.bytes + bytes - shared) >= threshold {
        Class::Near
    } else {
        Class::Contained
    };
    Ok(ChunkMatch {
        seen: snapshot.seen(document)?,
        content: content_name(content),
        bytes,
        class,
        shared_bytes: shared,
        query_share: share(query.bytes),
        document_share: share(bytes),
    })
}

/// A size as links are decided by.
fn size(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
