//! Many questions at once: documents in, answers out, in the same order.

use crate::query::reader::Index;
use crate::answers::{Answer, QueryOptions};
use lookalike_store::progress::Cancel;
use lookalike_engine::report::Skip;
use crate::{CorpusOptions, Error, Input, resources};
use lookalike_corpus::{Body, Corpus, Item};
use rayon::prelude::*;
use std::time::Instant;

/// A document that was asked for, and what became of it.
#[derive(Clone, Debug)]
pub struct Queried<A = Answer> {
    /// Its id.
    pub id: String,
    /// The answer, or why there is none.
    pub answer: Result<A, Skip>,
    /// How long it took.
    pub seconds: f64,
}

impl Index {
    /// Asks for every document of the inputs and calls `each` with the answers, in the order of reading.
    pub fn query_all(
        &self,
        inputs: Vec<Input>,
        corpus: &CorpusOptions,
        options: &QueryOptions,
        threads: usize,
        cancel: &Cancel,
        each: &mut dyn FnMut(Queried) -> Result<(), Error>,
    ) -> Result<(), Error> {
        ask_all(inputs, corpus, threads, cancel, |id, body| self.query_body(id, body, options), each)
    }
}

/// Asks for every document on all threads and calls `each` with the answers, in the order of reading.
pub(crate) fn ask_all<A: Send>(
    inputs: Vec<Input>,
    corpus: &CorpusOptions,
    threads: usize,
    cancel: &Cancel,
    ask: impl Fn(&str, &Body<'_>) -> Result<A, Error> + Sync,
    each: &mut dyn FnMut(Queried<A>) -> Result<(), Error>,
) -> Result<(), Error> {
    let corpus = Corpus::open(inputs, corpus.clone())?;
    let pool = resources::pool(threads)?;
    let mut reader = corpus.reader();
    while let Some(batch) = reader.next() {
        cancel.check()?;
        let mut items = Vec::new();
        batch?.read(&mut |item| items.push(item.into_owned()));
        let answers: Vec<Queried<A>> =
            pool.install(|| items.into_par_iter().map(|item| ask_one(item, &ask)).collect::<Result<_, _>>())?;
        answers.into_iter().try_for_each(&mut *each)?;
    }
    Ok(())
}

fn ask_one<A>(item: Item<'_>, ask: impl Fn(&str, &Body<'_>) -> Result<A, Error>) -> Result<Queried<A>, Error> {
    let begin = Instant::now();
    let (id, answer) = match item {
        Item::Document(document) => {
            let id = document.id.into_owned();
            let answer = match ask(&id, &document.body) {
                Ok(answer) => Ok(answer),
                // the document is at fault, not the index
                Err(Error::Document { reason, .. }) => {
                    Err(Skip { id: id.clone(), kind: reason.clone(), reason, damage: false })
                }
                Err(error) => return Err(error),
            };
            (id, answer)
        }
        Item::Skipped(skipped) => (skipped.id.clone(), Err(skipped.into())),
    };
    Ok(Queried { id, answer, seconds: begin.elapsed().as_secs_f64() })
}
