//! Questions to an index of passages: where does this text come from?

use super::{Query, batch};
use crate::copies::share;
use crate::lens::refuse_other;
use crate::output;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::index::{Lens, PassageAnswer, PassageIndex, PassageQuery};
use lookalike_report::write_answer;

/// What is asked of an index of passages.
#[derive(Args)]
#[command(next_help_heading = "Passages")]
pub(super) struct PassageFlags {
    /// Guarantee of this question: what is shared of so many tokens in a row is found; more is faster [default: that of the index]
    #[arg(short, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    t: Option<u32>,
    /// Least similarity of a document that is listed [default: 0.1, of prose and bytes 0.01, and any with a long passage]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min: Option<f64>,
}

impl PassageFlags {
    pub(super) fn given(&self) -> [(&'static str, bool); 2] {
        [("-t", self.t.is_some()), ("--min", self.min.is_some())]
    }

    pub(super) fn run(&self, query: &Query) -> Result<u8> {
        refuse_other(Lens::Passages, Lens::Shingles, &query.given_of_shingles())?;
        refuse_other(Lens::Passages, Lens::Simhash, &query.simhash.given())?;
        if query.batch.is_asked() {
            bail!(
                "--batch is for an index of shingles; compare many texts at once with lookalike copies NEW --archive OLD"
            );
        }
        let index = PassageIndex::open(query.index.path(), query.index.key())?;
        let options = PassageQuery { t: self.t, min: self.min, limit: query.limit };
        let answer = match &query.file {
            Some(file) if super::is_name(index.index(), file) => return Err(super::no_file(file)),
            Some(file) if batch::is_jsonl(file) => {
                bail!("{}: JSON lines are many documents; ask for one of them as a file", file.display())
            }
            Some(file) => index.query_file(file, query.max_size, &options)?,
            None => index.query_url(query.url.as_deref().unwrap_or_default(), &options)?,
        };
        output::to(None, !query.json, |out| write_answer(out, &answer, query.json))?;
        Ok(query.code(is_elsewhere(&answer)))
    }
}

/// Whether anything was found but the document that was asked for, under its own name.
fn is_elsewhere(answer: &PassageAnswer) -> bool {
    answer.more > 0 || answer.sources.iter().any(|source| super::has_others(&source.seen, &answer.query))
}
