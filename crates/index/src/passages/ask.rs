//! Questions to an index of passages. Fingerprints lead to documents; what they share is found token by token.

use crate::passages::answers::{FoundPassage, PassageAnswer, PassageQuery, PassageSource, Position};
use crate::passages::reading::PassageReader;
use crate::passages::tokens;
use crate::passages::tokens::StoredTokens;
use lookalike_engine::lens::passages::details::Details;
use lookalike_engine::lens::passages::family::{Buffers, Method, Prepared};
use lookalike_engine::lens::passages::tokenizer::Scratch;
use lookalike_engine::lens::passages::frequencies::weight;
use lookalike_engine::lens::passages::reading::read_as;
use lookalike_engine::lens::passages::streams::{FULL, Stream, weights};
use lookalike_engine::lens::passages::weighing::{similarity, tells, without_ends};
use lookalike_corpus::content_name;
use crate::query::reader::{Index, wrong_key};
use crate::segment::layout::{has, spread, stored_fingerprint};
use crate::segment::meta::Opened;
use crate::segment::standing::{GONE, Standing};
use crate::Error;
use lookalike_engine::run::document::read_document;
use lookalike_core::passage::Passage;
use lookalike_core::winnow::KgramFingerprint;
use lookalike_corpus::{Body, content_name};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

/// Documents that fingerprints may lead to, those that have several counted several times. The rarest come first.
const MOST_POSTINGS: usize = 1 << 20;
/// Documents that are compared at most, or 20 times those that are listed if that is more.
const MOST_COMPARED: usize = 1000;
/// Characters that are shown of a passage.
const SHOWN: usize = 160;

/// An index of passages, open for questions; it may be asked from many threads.
pub struct PassageIndex {
    index: Index,
    reader: PassageReader,
}

/// What is asked for.
struct Asked<'a> {
    id: &'a str,
    /// Content id and language together, as documents of the index are known by.
    content: u128,
    known: StoredTokens,
    text: Option<Cow<'a, str>>,
}

/// What the fingerprints of a question lead to.
#[derive(Default)]
struct Led {
    /// How many documents have each fingerprint that was followed.
    having: FxHashMap<u64, u64>,
    /// Documents, those that share most first.
    documents: Vec<u32>,
    unfollowed: u64,
    uncompared: u64,
}

impl PassageIndex {
    /// Opens an index; `key` is the secret that it was made with, empty for none.
    pub fn open(path: &Path, key: &str) -> Result<Self, Error> {
        let opened = Opened::open(path)?;
        let wrong = |reason: String| Error::Index { path: path.display().to_string(), reason };
        let Some(meta) = &opened.meta.passages else {
            return Err(wrong(format!(
                "has {}, not passages; build one with lookalike index build --lens passages",
                opened.meta.lens().kept()
            )));
        };
        let reader = PassageReader::new(meta, key)?;
        let (expected, found) = (&opened.meta.recipe, reader.recipe());
        if *expected != found {
            let fits =
                (!key.is_empty()).then(|| lookalike_core::feature_hash::FeatureHasher::key_name(key)) == meta.key;
            return Err(wrong(if fits {
                format!("was made by another version: expected {expected}, found {found}; build it again")
            } else {
                wrong_key(meta.key.as_deref())
            }));
        }
        Ok(Self { index: Index::of_names(path, opened), reader })
    }

    /// Its names, sweeps and numbers.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Asks for a file; `-` is standard input.
    pub fn query_file(&self, path: &Path, max_size: u64, query: &PassageQuery) -> Result<PassageAnswer, Error> {
        let (id, body) = read_document(path, max_size)?;
        self.query_body(&id, &body, query)
    }

    /// Asks for a text. What it is read as is told by its id, then by what it looks like.
    pub fn query_text(&self, id: &str, text: &str, query: &PassageQuery) -> Result<PassageAnswer, Error> {
        self.query_body(id, &Body::Text(Cow::Borrowed(text)), query)
    }

    fn query_body(&self, id: &str, body: &Body<'_>, query: &PassageQuery) -> Result<PassageAnswer, Error> {
        let mut scratch = Scratch::default();
        let read = self.reader.front.read(id, body, &mut scratch);
        let read = read.map_err(|reason| Error::Document { id: id.to_owned(), reason })?;
        let content = read_as(body.content_id(), read.details.language);
        let known =
            StoredTokens { family: read.family, tokens: read.ids, spellings: read.spellings, details: read.details };
        self.answer(Asked { id, content, known, text: Some(read.text) }, query)
    }

    /// Asks for what a URL or id had when it was last seen; it is itself among the answers.
    pub fn query_url(&self, url: &str, query: &PassageQuery) -> Result<PassageAnswer, Error> {
        let Some((_, document)) = self.index.find(url)?.pop() else {
            let reason = "was never seen by this index; check its spelling, or ask for a file".to_owned();
            return Err(Error::Document { id: url.to_owned(), reason });
        };
        let content = self.index.shelf.record(document)?.content();
        self.answer(Asked { id: url, content, known: self.tokens(document)?, text: None }, query)
    }

    fn tokens(&self, document: u32) -> Result<StoredTokens, Error> {
        let (view, local) = self.index.shelf.local(document)?;
        tokens::decode(view.tokens(local)?).ok_or_else(|| view.senseless("tokens that make no sense").into())
    }

    fn answer(&self, asked: Asked<'_>, query: &PassageQuery) -> Result<PassageAnswer, Error> {
        let Asked { id, content, known: StoredTokens { family, tokens, spellings, details }, text } = asked;
        let method = &self.reader.methods[family as usize];
        let t = query.t.unwrap_or(method.winnowing.t);
        if t < method.winnowing.t || t > 10_000 {
            let least = method.winnowing.t;
            return Err(Error::Options(format!(
                "-t: expected a guarantee from {least}, that of the index, to 10000 tokens, found {t}; a smaller one needs an \
                 index that was built with it"
            )));
        }
        let mut fingerprints = Vec::new();
        method.with_guarantee(t).fingerprints(&mut Buffers::default(), &tokens, |fingerprint| {
            fingerprints.push(KgramFingerprint { hash: stored_fingerprint(fingerprint.hash), ..fingerprint });
        });
        let most = MOST_COMPARED.max(query.limit.saturating_mul(20));
        let led = self.lead(&fingerprints, most)?;
        let of_fingerprint =
            |hash: u64| led.having.get(&stored_fingerprint(hash)).map_or(1.0, |having| weight(*having));
        let weights = weights(method, &tokens, of_fingerprint);
        let counted = tokens.len();
        let whole = without_ends(weights.iter().map(|weight| u64::from(*weight)).sum(), counted, method.winnowing.k);
        let stream = Stream::of(family, tokens, spellings, weights);
        let question =
            Question { index: self, method, fingerprints: &fingerprints, led: &led, stream, details, whole, text };
        let prepared = method.prepare(&question.stream);
        let (min, long) = family.least(query.min);
        let sources = led.documents.par_iter().map(|document| question.source(*document, &prepared));
        let mut sources: Vec<(PassageSource, u32)> = sources.collect::<Result<_, Error>>()?;
        sources
            .retain(|(source, _)| source.similarity >= min && source.longest > 0 || source.longest >= u64::from(long));
        sources.sort_by(|(a, _), (b, _)| {
            let longest = || b.longest.cmp(&a.longest);
            b.similarity.total_cmp(&a.similarity).then_with(longest).then_with(|| a.content.cmp(&b.content))
        });
        let more = sources.len().saturating_sub(query.limit) as u64;
        sources.truncate(query.limit);
        let mut told = Vec::with_capacity(sources.len());
        for (source, document) in sources {
            told.push(PassageSource { seen: self.index.seen(document)?, ..source });
        }
        Ok(PassageAnswer {
            query: id.to_owned(),
            content: content_name(read_as(content, question.details.language)),
            language: question.details.language,
            known: self.index.document(content)?.is_some(),
            tokens: counted as u64,
            t,
            fingerprints: fingerprints.len() as u64,
            unfollowed: led.unfollowed,
            uncompared: led.uncompared,
            sources: told,
            more,
        })
    }

    /// Follows fingerprints to documents, the rarest first.
    fn lead(&self, fingerprints: &[KgramFingerprint], most: usize) -> Result<Led, Error> {
        let mut different: Vec<u64> = fingerprints.iter().map(|fingerprint| fingerprint.hash).collect();
        lookalike_core::sets::into_set(&mut different);
        let mut counted = Vec::with_capacity(different.len());
        for fingerprint in different {
            let mut postings = 0;
            for view in &self.index.shelf.views {
                postings += view.postings(spread(fingerprint))?.len();
            }
            counted.push((postings, fingerprint));
        }
        counted.sort_unstable();
        let (mut led, mut room, mut lists) = (Led::default(), MOST_POSTINGS, Vec::new());
        for (postings, fingerprint) in counted {
            if postings > room {
                led.unfollowed += 1;
                continue;
            }
            room -= postings;
            lists.push((self.having(fingerprint)?, fingerprint));
        }
        // in an order that does not depend on how the index came about, since sums do
        lists.sort_by_key(|(documents, fingerprint)| (documents.len(), *fingerprint));
        let mut shared: FxHashMap<u32, f64> = FxHashMap::default();
        for (documents, fingerprint) in &lists {
            led.having.insert(*fingerprint, documents.len() as u64);
            for document in documents {
                *shared.entry(*document).or_default() += weight(documents.len() as u64);
            }
        }
        let content = |document: u32| Ok::<u128, Error>(self.index.shelf.record(document)?.content());
        let ranked = shared.into_iter().map(|(document, weight)| Ok((weight, content(document)?, document)));
        let mut ranked = ranked.collect::<Result<Vec<_>, Error>>()?;
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        led.uncompared = ranked.len().saturating_sub(most) as u64;
        led.documents = ranked.into_iter().take(most).map(|(_, _, document)| document).collect();
        Ok(led)
    }

    /// The documents that have a fingerprint and have not gone.
    fn having(&self, fingerprint: u64) -> Result<Vec<u32>, Error> {
        let shelf = &self.index.shelf;
        let mut documents = Vec::new();
        for (segment, view) in shelf.views.iter().enumerate() {
            for posting in view.postings(spread(fingerprint))? {
                let local = view.document_of(*posting);
                let document = shelf.base(segment) + local;
                // a posting may be of another fingerprint
                if has(view.packed(local)?, fingerprint) && self.index.standing.leader(document)? != GONE {
                    documents.push(document);
                }
            }
        }
        Ok(documents)
    }
}

/// A question, ready to be held against documents.
struct Question<'a> {
    index: &'a PassageIndex,
    method: &'a Method,
    fingerprints: &'a [KgramFingerprint],
    led: &'a Led,
    stream: Stream,
    details: Details,
    /// How much all of it tells.
    whole: f64,
    text: Option<Cow<'a, str>>,
}

impl Question<'_> {
    /// What a document shares with it; where it was seen comes later.
    fn source(&self, number: u32, prepared: &Prepared<'_>) -> Result<(PassageSource, u32), Error> {
        let StoredTokens { tokens, spellings, details, .. } = self.index.tokens(number)?;
        let length = tokens.len();
        let stream = Stream::of(self.method.family, tokens, spellings, vec![FULL; length]);
        let mut passages = self.method.matcher().passages(prepared, &stream);
        passages.sort_by_key(|passage| (passage.a.start, passage.b.start));
        let k = self.method.winnowing.k;
        let told = tells(&passages, [&self.stream, &stream], k);
        // how rare the document's own part is nobody knows; what it shares is as rare as it is in the query
        let (weight, shared) = passages.iter().fold((0, 0), |(weight, shared), passage| {
            (weight + self.stream.weight(&passage.a), shared + passage.a.len() as u64)
        });
        let own = (length as u64).saturating_sub(u64::from(told.overlap[1]));
        let document = own * u64::from(FULL) + weight * u64::from(told.overlap[1]) / shared.max(1);
        let document_whole = without_ends(document, length, k);
        let record = self.index.index.shelf.record(number)?;
        let share = |part: u32, of: usize| f64::from(part) / of.max(1) as f64;
        let source = PassageSource {
            seen: Vec::new(),
            content: content_name(read_as(record.content(), details.language)),
            bytes: record.bytes,
            tokens: length as u64,
            similarity: similarity([told.weight[0]; 2], [self.whole, document_whole]),
            query_share: share(told.overlap[0], self.stream.tokens.len()),
            document_share: share(told.overlap[1], length),
            longest: passages.iter().map(length_of).max().unwrap_or(0),
            passages: passages.iter().map(|passage| self.found(passage, &details)).collect(),
        };
        Ok((source, number))
    }

    fn found(&self, passage: &Passage, details: &Details) -> FoundPassage {
        let range = |tokens: &Range<u32>| tokens.start as usize..tokens.end as usize;
        let query = position(&self.details, range(&passage.a));
        let from = self.fingerprints.partition_point(|fingerprint| fingerprint.position < passage.a.start);
        let inside = |fingerprint: &&KgramFingerprint| fingerprint.position + self.method.winnowing.k <= passage.a.end;
        let inside = self.fingerprints[from..].iter().take_while(inside);
        // between words that were changed there may be fingerprints that nobody has
        let having =
            inside.filter_map(|fingerprint| self.led.having.get(&fingerprint.hash).copied()).filter(|n| *n > 0);
        let text = self.text.as_ref().and_then(|text| text.get(query.start as usize..query.end as usize));
        FoundPassage {
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
        if short.chars().count() + word.chars().count() >= SHOWN {
            break;
        }
        short.push(' ');
        short.push_str(word);
    }
    match short.char_indices().nth(SHOWN) {
        Some((end, _)) => short[..end].to_owned(),
        None => short,
    }
}
