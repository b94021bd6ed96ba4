//! Questions to an index of fingerprints: was this page seen, or one much like it?

use super::{Query, batch, has_others};
use crate::lens::refuse_other;
use crate::output;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::hamming::MAX_DISTANCE;
use lookalike::index::{Lens, SimhashAnswer, SimhashIndex, SimhashQuery};
use lookalike::simhash::read_idf;
use lookalike_report::write_answer;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// What is asked of an index of fingerprints.
#[derive(Args)]
#[command(next_help_heading = "Fingerprints")]
pub(super) struct SimhashFlags {
    /// Greatest distance: bits in which two fingerprints differ, from 0 to 7 [default: 3]
    #[arg(short, value_name = "BITS", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DISTANCE)))]
    k: Option<u32>,
    /// The document frequencies that the index was made with, if it was made with any
    #[arg(long, value_name = "FILE")]
    idf: Option<PathBuf>,
}

impl SimhashFlags {
    pub(super) fn given(&self) -> [(&'static str, bool); 2] {
        [("-k", self.k.is_some()), ("--idf", self.idf.is_some())]
    }

    pub(super) fn run(&self, query: &Query) -> Result<u8> {
        refuse_other(Lens::Simhash, Lens::Shingles, &query.given_of_shingles())?;
        refuse_other(Lens::Simhash, Lens::Passages, &query.passages.given())?;
        let usual = SimhashQuery::default();
        let options = SimhashQuery { k: self.k.unwrap_or(usual.k), limit: query.limit };
        let begin = Instant::now();
        let idf = self.idf.as_deref().map(read_idf).transpose()?.map(|(_, idf)| Arc::new(idf));
        let index = SimhashIndex::open(query.index.path(), query.index.key(), idf)?;
        let opened = begin.elapsed();
        if query.batch.is_asked() {
            return query.batch.run_simhash(query, &index, &options, opened);
        }
        let answer = match &query.file {
            Some(file) if super::is_name(index.index(), file) => return Err(super::no_file(file)),
            Some(file) if batch::is_jsonl(file) => {
                bail!("{0}: JSON lines are many documents; ask for all of them with --batch {0}", file.display())
            }
            Some(file) => index.query_file(file, query.max_size, &options)?,
            None => index.query_url(query.url.as_deref().unwrap_or_default(), &options)?,
        };
        output::to(None, !query.json, |out| write_answer(out, &answer, query.json))?;
        Ok(query.code(is_elsewhere(&answer)))
    }
}

/// Whether anything was found but the document that was asked for, under its own name.
pub(super) fn is_elsewhere(answer: &SimhashAnswer) -> bool {
    answer.more > 0 || answer.matches.iter().any(|near| has_others(&near.seen, &answer.query))
}
