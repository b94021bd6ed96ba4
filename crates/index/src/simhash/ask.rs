//! Questions to an index of fingerprints: the tables of every segment tell what is near, the standing what is still there.

use super::answers::{SimhashAnswer, SimhashMatch, SimhashQuery};
use super::reading::SimhashReader;
use super::tables::{self, decode};
use crate::query::batch_query::{Queried, ask_all};
use crate::query::reader::Index;
use crate::segment::meta::Opened;
use crate::segment::standing::{GONE, Standing};
use lookalike_store::progress::Cancel;
use lookalike_engine::lens::simhash::{Idf, SimhashRecipe};
use crate::{CorpusOptions, Error, Input};
use lookalike_engine::run::document::read_document;
use lookalike_core::hamming::{Hit, Tables};
use lookalike_core::recipe::RecipeError;
use lookalike_corpus::{Body, content_name};
use lookalike_hamming::segment::Section;
use lookalike_hamming::{FingerprintBits, check_distance};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// An index of fingerprints, open for questions; it may be asked from many threads.
pub struct SimhashIndex {
    index: Index,
    reader: SimhashReader,
    tables: StoredTables,
}

/// The tables of each segment.
enum StoredTables {
    Narrow(Vec<Tables<u64, Section>>),
    Wide(Vec<Tables<u128, Section>>),
}

/// What is asked for.
struct Asked<'a, F> {
    id: &'a str,
    content: u128,
    fingerprint: F,
}

/// A document that is near, in the order of answers: by distance, the very document first, then by content.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Found<F> {
    distance: u32,
    other: bool,
    content: u128,
    document: u32,
    fingerprint: F,
}

impl SimhashIndex {
    /// Opens an index; `key` is the secret that it was made with (empty for none), `idf` the document frequencies.
    pub fn open(path: &Path, key: &str, idf: Option<Arc<Idf>>) -> Result<Self, Error> {
        let opened = Opened::open(path)?;
        let reader = SimhashReader::new(path, &opened.meta, key, idf)?;
        let segments = opened.shelf.views.iter().map(|view| &view.segment);
        let tables = match reader.recipe().bits {
            128 => StoredTables::Wide(segments.map(tables::open).collect::<Result<_, _>>()?),
            _ => StoredTables::Narrow(segments.map(tables::open).collect::<Result<_, _>>()?),
        };
        Ok(Self { index: Index::of_names(path, opened), reader, tables })
    }

    /// How the fingerprints of an index are made: for adding documents with the same recipe.
    pub fn recipe_of(path: &Path) -> Result<SimhashRecipe, Error> {
        let meta = Opened::open(path)?.meta;
        let wrong =
            |problem: RecipeError| Error::Index { path: path.display().to_string(), reason: problem.to_string() };
        if meta.simhash.is_none() {
            return Err(super::reading::no_fingerprints(path, &meta));
        }
        meta.recipe.parse().map_err(wrong)
    }

    /// Its names, sweeps and numbers.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Asks for a file; `-` is standard input.
    pub fn query_file(&self, path: &Path, max_size: u64, query: &SimhashQuery) -> Result<SimhashAnswer, Error> {
        let (id, body) = read_document(path, max_size)?;
        self.query_body(&id, &body, query)
    }

    /// Asks for a text.
    pub fn query_text(&self, id: &str, text: &str, query: &SimhashQuery) -> Result<SimhashAnswer, Error> {
        self.query_body(id, &Body::Text(Cow::Borrowed(text)), query)
    }

    /// Asks for every document of the inputs and calls `each` with the answers, in the order of reading.
    pub fn query_all(
        &self,
        inputs: Vec<Input>,
        corpus: &CorpusOptions,
        query: &SimhashQuery,
        threads: usize,
        cancel: &Cancel,
        each: &mut dyn FnMut(Queried<SimhashAnswer>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        ask_all(inputs, corpus, threads, cancel, |id, body| self.query_body(id, body, query), each)
    }

    fn query_body(&self, id: &str, body: &Body<'_>, query: &SimhashQuery) -> Result<SimhashAnswer, Error> {
        match &self.tables {
            StoredTables::Narrow(tables) => self.ask_body(tables, id, body, query),
            StoredTables::Wide(tables) => self.ask_body(tables, id, body, query),
        }
    }

    fn ask_body<F: FingerprintBits>(
        &self,
        tables: &[Tables<F, Section>],
        id: &str,
        body: &Body<'_>,
        query: &SimhashQuery,
    ) -> Result<SimhashAnswer, Error> {
        let fingerprint = self.reader.fingerprint(id, body)?;
        self.answer(tables, &Asked { id, content: body.content_id(), fingerprint }, query)
    }

    /// Asks for what a URL or id had when it was last seen; it is itself among the answers.
    pub fn query_url(&self, url: &str, query: &SimhashQuery) -> Result<SimhashAnswer, Error> {
        let Some((_, document)) = self.index.find(url)?.pop() else {
            let reason = "was never seen by this index; check its spelling, or ask for a file".to_owned();
            return Err(Error::Document { id: url.to_owned(), reason });
        };
        match &self.tables {
            StoredTables::Narrow(tables) => self.ask_document(tables, url, document, query),
            StoredTables::Wide(tables) => self.ask_document(tables, url, document, query),
        }
    }

    fn ask_document<F: FingerprintBits>(
        &self,
        tables: &[Tables<F, Section>],
        id: &str,
        document: u32,
        query: &SimhashQuery,
    ) -> Result<SimhashAnswer, Error> {
        let (view, local) = self.index.shelf.local(document)?;
        let fingerprint =
            decode(view.tokens(local)?).ok_or_else(|| view.senseless("a document without a fingerprint"))?;
        self.answer(tables, &Asked { id, content: view.record(local)?.content(), fingerprint }, query)
    }

    fn answer<F: FingerprintBits>(
        &self,
        tables: &[Tables<F, Section>],
        asked: &Asked<'_, F>,
        query: &SimhashQuery,
    ) -> Result<SimhashAnswer, Error> {
        let k = query.k;
        check_distance(k)?;
        let mut found = self.near(tables, asked, k)?;
        found.sort_unstable();
        let all = found.len() as u64;
        found.truncate(query.limit);
        let digits = F::DIGITS;
        let mut matches = Vec::with_capacity(found.len());
        for Found { distance, content, document, fingerprint, .. } in found {
            matches.push(SimhashMatch {
                distance,
                seen: self.index.seen(document)?,
                content: content_name(content),
                bytes: self.index.shelf.record(document)?.bytes,
                fingerprint: format!("{fingerprint:0digits$x}"),
            });
        }
        Ok(SimhashAnswer {
            query: asked.id.to_owned(),
            content: content_name(asked.content),
            known: self.index.document(asked.content)?.is_some(),
            fingerprint: format!("{:0digits$x}", asked.fingerprint),
            k,
            found: all,
            more: all - matches.len() as u64,
            matches,
        })
    }

    /// All documents within a distance that have not gone.
    fn near<F: FingerprintBits>(
        &self,
        tables: &[Tables<F, Section>],
        asked: &Asked<'_, F>,
        k: u32,
    ) -> Result<Vec<Found<F>>, Error> {
        let shelf = &self.index.shelf;
        let mut found = Vec::new();
        for (segment, tables) in tables.iter().enumerate() {
            let view = &shelf.views[segment];
            let mut take = |Hit { fingerprint, distance, rows }: Hit<F>| -> Result<(), Error> {
                for row in rows {
                    let local = u32::try_from(tables.id(row)?).ok().filter(|local| *local < view.len());
                    let local = local.ok_or_else(|| view.senseless("a fingerprint of no document"))?;
                    let document = shelf.base(segment) + local;
                    if self.index.standing.leader(document)? != GONE {
                        let content = view.record(local)?.content();
                        found.push(Found { distance, other: content != asked.content, content, document, fingerprint });
                    }
                }
                Ok(())
            };
            let mut failed = None;
            tables.near(asked.fingerprint, k, |hit| match take(hit) {
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
        Ok(found)
    }
}
