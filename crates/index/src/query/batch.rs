//! Many queries at once: documents in, results out, in the same order.

use crate::query::index::Index;
use crate::search::{QueryOptions, SearchResult};
use lookalike_corpus::{Body, Corpus, Input, Item, Options as CorpusOptions};
use lookalike_engine::Error;
use lookalike_engine::report::Skip;
use lookalike_store::{Cancel, resources};
use rayon::prelude::*;
use std::time::Instant;

/// A document that was asked for, and what became of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct QueryOutcome {
    /// Its id.
    pub id: String,
    /// What was found, or why nothing was asked.
    pub result: Result<SearchResult, Skip>,
    /// How long it took.
    pub seconds: f64,
}

impl Index {
    /// Asks for every document of the inputs on all threads and calls `each` with the results, in the order of reading.
    pub fn query_many(
        &self,
        inputs: Vec<Input>,
        corpus: &CorpusOptions,
        options: &QueryOptions,
        threads: usize,
        cancel: &Cancel,
        each: &mut dyn FnMut(QueryOutcome) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let plain_lines = corpus.plain_lines;
        let corpus = Corpus::open(inputs, corpus.clone())?;
        corpus.check_fields(false)?;
        let pool = resources::pool(threads)?;
        let mut reader = corpus.reader();
        while let Some(batch) = reader.next() {
            cancel.check()?;
            let mut items = Vec::new();
            batch?.read(&mut |item| items.push(item.into_owned()));
            let outcomes = pool.install(|| {
                items
                    .into_par_iter()
                    .map(|item| self.query_item(item, plain_lines, options))
                    .collect::<Result<Vec<_>, Error>>()
            });
            outcomes?.into_iter().try_for_each(&mut *each)?;
        }
        Ok(())
    }

    /// A line that is no document but the name of one: what the index knows by it is asked for.
    fn named_by(&self, line: &Body<'_>) -> Result<Option<(String, u32)>, Error> {
        let Body::Text(text) = line else { return Ok(None) };
        let name = text.trim();
        if name.contains(char::is_whitespace) {
            return Ok(None);
        }
        Ok(self.find(name)?.pop().map(|(_, document)| (name.to_owned(), document)))
    }

    fn query_item(&self, item: Item<'_>, plain_lines: bool, options: &QueryOptions) -> Result<QueryOutcome, Error> {
        let begin = Instant::now();
        let (id, result) = match item {
            Item::Document(document) => {
                let id = document.id.into_owned();
                // a line without an id
                let is_line = plain_lines && id.starts_with("-:");
                let named = if is_line { self.named_by(&document.body)? } else { None };
                let asked = match &named {
                    Some((url, stored)) => self.query_stored(url, *stored, options),
                    None => self.query_body(&id, &document.body, options),
                };
                let result = match asked {
                    Ok(result) => Ok(result),
                    // the document is at fault, not the index
                    Err(Error::Document { reason, .. }) => Err(Skip::because(id.clone(), reason)),
                    Err(error) => return Err(error),
                };
                (id, result)
            }
            Item::Skipped(skipped) => (skipped.id.clone(), Err(skipped.into())),
        };
        Ok(QueryOutcome { id, result, seconds: begin.elapsed().as_secs_f64() })
    }
}
