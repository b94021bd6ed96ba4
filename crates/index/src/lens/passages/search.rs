//! Queries to an index of passages. Fingerprints lead to documents; what they share is found token by token.

use crate::lens::index_lens::QueryDocument;
use crate::lens::passages::passages_lens::Reader;
use crate::lens::passages::tokens::{self, StoredTokens};
use crate::search::{MatchedPassage, Matches, PassageMatch, PassageMatches, Position, QueryOptions, SearchResult};
use crate::segment::cluster_state::{ClusterState, GONE};
use crate::segment::layout::{has, spread, stored_fingerprint};
use crate::segment::snapshot::Snapshot;
use lookalike_core::passage::Passage;
use lookalike_core::recipe::MAX_GUARANTEE;
use lookalike_core::winnow::KgramFingerprint;
use lookalike_corpus::content_name;
use lookalike_engine::lens::passages::details::Details;
use lookalike_engine::lens::passages::family::{Method, Prepared, least_listed};
use lookalike_engine::lens::passages::frequencies::weight;
use lookalike_engine::lens::passages::reading::read_as;
use lookalike_engine::lens::passages::stream::{FULL, Stream, WeighedStream};
use lookalike_engine::lens::passages::stream_cache::weights;
use lookalike_engine::lens::passages::tokenizer::TokenizerScratch;
use lookalike_engine::lens::passages::weighing::{evidence_weight, similarity, without_ends};
use lookalike_engine::{Error, OptionName};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Documents that fingerprints may lead to, those that have several counted several times. The rarest come first.
const MAX_POSTINGS: usize = 1 << 20;
/// Documents that are compared at most, or 20 times those that are listed if that is more.
const MAX_COMPARED: usize = 1000;
/// Characters that are shown of a passage.
const MAX_EXCERPT: usize = 160;

/// What is known of the document that is asked for.
struct QueryTokens<'a> {
    id: &'a str,
    /// Content id and language together, as documents of the index are known by.
    content: u128,
    known: StoredTokens,
    text: Option<&'a str>,
}

/// What the fingerprints of a query lead to.
#[derive(Default)]
struct Candidates {
    /// How many documents have each fingerprint that was followed.
    frequencies: FxHashMap<u64, u64>,
    /// Documents, those that share most first.
    documents: Vec<u32>,
    unfollowed: u64,
    uncompared: u64,
}

impl Reader {
    pub(super) fn search(
        &self,
        snapshot: &Snapshot,
        query: QueryDocument<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        match query {
            QueryDocument::Body { id, body } => {
                let mut scratch = TokenizerScratch::default();
                let read = self.tokenizer.read(id, body, &mut scratch);
                let read = read.map_err(|reason| Error::Document { id: id.to_owned(), reason })?;
                let content = read_as(body.content_id(), read.details.language);
                let known = StoredTokens {
                    family: read.family,
                    tokens: read.ids,
                    spellings: read.spellings,
                    details: read.details,
                };
                self.answer(snapshot, QueryTokens { id, content, known, text: Some(&read.text) }, options)
            }
            QueryDocument::Stored { id, document } => {
                let (content, known) = (snapshot.content(document)?, stored_tokens(snapshot, document)?);
                self.answer(snapshot, QueryTokens { id, content, known, text: None }, options)
            }
        }
    }

    fn answer(
        &self,
        snapshot: &Snapshot,
        query: QueryTokens<'_>,
        options: &QueryOptions,
    ) -> Result<SearchResult, Error> {
        let QueryTokens { id, content, known: StoredTokens { family, tokens, spellings, details }, text } = query;
        let asked = &options.passages;
        let method = &self.methods[family as usize];
        let t = asked.guarantee.unwrap_or(method.winnowing.t);
        if t < method.winnowing.t || t > MAX_GUARANTEE {
            let expected =
                format!("tokens from {}, the guarantee of the index, to {MAX_GUARANTEE}", method.winnowing.t);
            return OptionName::Guarantee.refuse(&expected, t);
        }
        let mut fingerprints = Vec::new();
        method.with_guarantee(t).fingerprints(&tokens, |fingerprint| {
            fingerprints.push(KgramFingerprint { hash: stored_fingerprint(fingerprint.hash), ..fingerprint });
        });
        let most = MAX_COMPARED.max(options.limit.saturating_mul(20));
        let candidates = candidates(snapshot, &fingerprints, most)?;
        let of_fingerprint = |hash: u64| {
            candidates.frequencies.get(&stored_fingerprint(hash)).map_or(1.0, |documents| weight(*documents))
        };
        let weights = weights(method, &tokens, of_fingerprint);
        let counted = tokens.len();
        let whole = without_ends(weights.iter().map(|weight| u64::from(*weight)).sum(), counted, method.winnowing.k);
        let stream = Stream::of(family, tokens, spellings);
        let comparison = Comparison {
            snapshot,
            method,
            fingerprints: &fingerprints,
            candidates: &candidates,
            stream,
            weights,
            details,
            whole,
            text,
        };
        let prepared = method.prepare(&comparison.stream);
        let (min, long) = least_listed(family, asked.min_similarity);
        let sources = candidates.documents.par_iter().map(|document| comparison.source(*document, &prepared));
        let mut sources: Vec<(PassageMatch, u32)> = sources.collect::<Result<_, Error>>()?;
        sources
            .retain(|(source, _)| source.similarity >= min && source.longest > 0 || source.longest >= u64::from(long));
        sources.sort_by(|(a, _), (b, _)| {
            let longest = || b.longest.cmp(&a.longest);
            b.similarity.total_cmp(&a.similarity).then_with(longest).then_with(|| a.content.cmp(&b.content))
        });
        let more = sources.len().saturating_sub(options.limit) as u64;
        sources.truncate(options.limit);
        let mut matches = Vec::with_capacity(sources.len());
        for (source, document) in sources {
            matches.push(PassageMatch { seen: snapshot.seen(document)?, ..source });
        }
        let language = comparison.details.language;
        let found = PassageMatches {
            language,
            tokens: counted as u64,
            guarantee: t,
            fingerprints: fingerprints.len() as u64,
            unfollowed: candidates.unfollowed,
            uncompared: candidates.uncompared,
            matches,
        };
        Ok(SearchResult {
            query: id.to_owned(),
            content: content_name(read_as(content, language)),
            known: snapshot.document(content)?.is_some(),
            more,
            matches: Matches::Passages(found),
        })
    }
}

fn stored_tokens(snapshot: &Snapshot, document: u32) -> Result<StoredTokens, Error> {
    tokens::check_build()?;
    let (view, local) = snapshot.segments.local(document)?;
    tokens::decode(view.payload(local)?).ok_or_else(|| view.corrupt("tokens that cannot be decoded").into())
}

/// Follows fingerprints to documents, the rarest first.
fn candidates(snapshot: &Snapshot, fingerprints: &[KgramFingerprint], most: usize) -> Result<Candidates, Error> {
    let mut different: Vec<u64> = fingerprints.iter().map(|fingerprint| fingerprint.hash).collect();
    lookalike_core::sets::into_set(&mut different);
    let mut counted = Vec::with_capacity(different.len());
    for fingerprint in different {
        let mut postings = 0;
        for view in &snapshot.segments.views {
            postings += view.postings(spread(fingerprint))?.len();
        }
        counted.push((postings, fingerprint));
    }
    counted.sort_unstable();
    let (mut found, mut room, mut lists) = (Candidates::default(), MAX_POSTINGS, Vec::new());
    for (postings, fingerprint) in counted {
        if postings > room {
            found.unfollowed += 1;
            continue;
        }
        room -= postings;
        lists.push((having(snapshot, fingerprint)?, fingerprint));
    }
    // in an order that does not depend on how the index came about, since sums do
    lists.sort_by_key(|(documents, fingerprint)| (documents.len(), *fingerprint));
    let mut shared: FxHashMap<u32, f64> = FxHashMap::default();
    for (documents, fingerprint) in &lists {
        found.frequencies.insert(*fingerprint, documents.len() as u64);
        for document in documents {
            *shared.entry(*document).or_default() += weight(documents.len() as u64);
        }
    }
    let content = |document: u32| Ok::<u128, Error>(snapshot.segments.record(document)?.content());
    let ranked = shared.into_iter().map(|(document, weight)| Ok((weight, content(document)?, document)));
    let mut ranked = ranked.collect::<Result<Vec<_>, Error>>()?;
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.uncompared = ranked.len().saturating_sub(most) as u64;
    found.documents = ranked.into_iter().take(most).map(|(_, _, document)| document).collect();
    Ok(found)
}

/// The documents that have a fingerprint and have not gone.
fn having(snapshot: &Snapshot, fingerprint: u64) -> Result<Vec<u32>, Error> {
    let segments = &snapshot.segments;
    let mut documents = Vec::new();
    for (segment, view) in segments.views.iter().enumerate() {
        for posting in view.postings(spread(fingerprint))? {
            let local = view.document_of(*posting);
            let document = segments.base(segment) + local;
            // a posting may be of another fingerprint
            if has(view.packed(local)?, fingerprint) && snapshot.state.representative(document)? != GONE {
                documents.push(document);
            }
        }
    }
    Ok(documents)
}

/// A query, ready to be compared with documents.
struct Comparison<'a> {
    snapshot: &'a Snapshot,
    method: &'a Method,
    fingerprints: &'a [KgramFingerprint],
    candidates: &'a Candidates,
    stream: Stream,
    /// How much each token tells.
    weights: Vec<u8>,
    details: Details,
    /// How much all of it tells.
    whole: f64,
    text: Option<&'a str>,
}

impl Comparison<'_> {
    /// What a document shares with it; where it was seen comes later.
    fn source(&self, number: u32, prepared: &Prepared<'_>) -> Result<(PassageMatch, u32), Error> {
        let StoredTokens { tokens, spellings, details, .. } = stored_tokens(self.snapshot, number)?;
        let length = tokens.len();
        let stream = Stream::of(self.method.family, tokens, spellings);
        let mut passages = self.method.matcher().passages(prepared, &stream);
        passages.sort_by_key(|passage| (passage.a.start, passage.b.start));
        let k = self.method.winnowing.k;
        let query = WeighedStream { stream: &self.stream, weights: &self.weights };
        let document = WeighedStream { stream: &stream, weights: &vec![FULL; length] };
        let evidence = evidence_weight(&passages, [query, document], k);
        // how rare the document's own part is nobody knows; what it shares is as rare as it is in the query
        let (weight, shared) = passages.iter().fold((0, 0), |(weight, shared), passage| {
            (weight + query.weight(&passage.a), shared + passage.a.len() as u64)
        });
        let own = (length as u64).saturating_sub(u64::from(evidence.overlap[1]));
        let document = own * u64::from(FULL) + weight * u64::from(evidence.overlap[1]) / shared.max(1);
        let document_whole = without_ends(document, length, k);
        let record = self.snapshot.segments.record(number)?;
        let share = |part: u32, of: usize| f64::from(part) / of.max(1) as f64;
        let source = PassageMatch {
            seen: Vec::new(),
            content: content_name(read_as(record.content(), details.language)),
            bytes: record.bytes,
            tokens: length as u64,
            similarity: similarity([evidence.weight[0]; 2], [self.whole, document_whole]),
            query_share: share(evidence.overlap[0], self.stream.tokens.len()),
            document_share: share(evidence.overlap[1], length),
            longest: passages.iter().map(length_of).max().unwrap_or(0),
            passages: passages.iter().map(|passage| self.matched(passage, &details)).collect(),
        };
        Ok((source, number))
    }

    fn matched(&self, passage: &Passage, details: &Details) -> MatchedPassage {
        let range = |tokens: &Range<u32>| tokens.start as usize..tokens.end as usize;
        let query = position(&self.details, range(&passage.a));
        let from = self.fingerprints.partition_point(|fingerprint| fingerprint.position < passage.a.start);
        let inside = |fingerprint: &&KgramFingerprint| fingerprint.position + self.method.winnowing.k <= passage.a.end;
        let inside = self.fingerprints[from..].iter().take_while(inside);
        // between words that were changed there may be fingerprints that nobody has
        let having = inside
            .filter_map(|fingerprint| self.candidates.frequencies.get(&fingerprint.hash).copied())
            .filter(|n| *n > 0);
        let text = self.text.and_then(|text| text.get(query.start as usize..query.end as usize));
        MatchedPassage {
            query,
            document: position(details, range(&passage.b)),
            tokens: length_of(passage),
            equal: u64::from(passage.equal),
            documents: having.min(),
            text: text.map(excerpt),
        }
    }
}

fn length_of(passage: &Passage) -> u64 {
    passage.a.len().max(passage.b.len()) as u64
}

fn position(details: &Details, tokens: Range<usize>) -> Position {
    let (bytes, [line, last_line]) = details.stretch(tokens);
    Position { start: bytes.start, end: bytes.end, line, last_line }
}

/// How a text begins, on one line.
fn excerpt(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut short = words.next().unwrap_or_default().to_owned();
    for word in words {
        if short.chars().count() + word.chars().count() >= MAX_EXCERPT {
            break;
        }
        short.push(' ');
        short.push_str(word);
    }
    match short.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => short[..end].to_owned(),
        None => short,
    }
}
