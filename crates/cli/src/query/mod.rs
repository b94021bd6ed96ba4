//! `lookalike query`: where have I seen this before?

mod batch;
mod passages;
mod simhash;
pub(crate) mod times;

use crate::flags::{IndexFlags, containment};
use crate::lens::refuse_other;
use crate::{numbers, output, sizes};
use anyhow::{Result, anyhow, bail};
use batch::BatchFlags;
use clap::{ArgGroup, Args};
use lookalike::Policy;
use lookalike::index::{Answer, Index, Lens, QueryOptions, Seen, lens};
use lookalike_report::write_answer;
use passages::PassageFlags;
use simhash::SimhashFlags;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Ask an index where it has seen a document before
///
/// Finds the documents of the index that resemble the one asked for, hold it, or are inside it, and tells all names under which they
/// were seen. The numbers are estimates with their 95 % intervals; --verify counts on the originals.
///
/// An index of passages tells which documents passages of it come from, and where they stand in both. An index of fingerprints tells
/// whose fingerprint differs from its own in at most -k bits, nearest first.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch of the command line")]
#[derive(Args)]
#[command(
    group = ArgGroup::new("asked").args(["file", "url", "batch"]).required(true),
    override_usage = "lookalike query [OPTIONS] <INDEX> <FILE>
       lookalike query [OPTIONS] <INDEX> --url <NAME>
       lookalike query [OPTIONS] <INDEX> --batch <FILE>",
    after_help = "Examples:
  lookalike query pages.index draft.html                            a file
  curl -s https://a.example/ | lookalike query pages.index -        standard input
  lookalike query pages.index --url https://a.example/faq.html      a document of the index
  lookalike query pages.index draft.html --threshold 0.9 --exit-code && publish draft.html
  lookalike query pages.index --batch new.jsonl > answers.jsonl     many at once
  lookalike query library.index essay.txt                           where do its passages come from?
  lookalike query seen.index page.html -k 3 --exit-code             was this page seen, or one much like it?"
)]
pub(crate) struct Query {
    #[command(flatten)]
    index: IndexFlags,
    /// The document to ask for; - is standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Ask for a document of the index, by its name: a URL or an id
    #[arg(long, value_name = "NAME", visible_alias = "id")]
    url: Option<String>,
    /// Least resemblance of a match, from 0 to 1 [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    threshold: Option<f64>,
    /// Also find documents of which at least this share is in the other, either way: off, or from 0 to 1 [default: 0.9]
    #[arg(long, value_name = "SHARE")]
    contained: Option<String>,
    /// Count on the originals, where they are still there and have not changed
    #[arg(long)]
    verify: bool,
    /// Compare whole documents: shingles that are common in the index count like any other
    #[arg(long)]
    whole: bool,
    /// Matches to give
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = numbers::at_least_one)]
    limit: usize,
    /// Largest document that is read
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = sizes::parse)]
    max_size: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Exit with code 1 if anything was found beside the document itself
    #[arg(long)]
    exit_code: bool,
    #[command(flatten)]
    batch: BatchFlags,
    #[command(flatten)]
    passages: PassageFlags,
    #[command(flatten)]
    simhash: SimhashFlags,
}

impl Query {
    pub(crate) fn run(&self) -> Result<u8> {
        match lens(self.index.path())? {
            Lens::Shingles => self.shingles(),
            Lens::Passages => self.passages.run(self),
            Lens::Simhash => self.simhash.run(self),
        }
    }

    /// Which flags were given that only an index of shingles knows.
    fn given_of_shingles(&self) -> [(&'static str, bool); 4] {
        [
            ("--threshold", self.threshold.is_some()),
            ("--contained", self.contained.is_some()),
            ("--verify", self.verify),
            ("--whole", self.whole),
        ]
    }

    fn shingles(&self) -> Result<u8> {
        refuse_other(Lens::Shingles, Lens::Passages, &self.passages.given())?;
        refuse_other(Lens::Shingles, Lens::Simhash, &self.simhash.given())?;
        let options = QueryOptions {
            threshold: self.threshold.unwrap_or(0.5),
            contained: containment(self.contained.as_deref().unwrap_or("0.9"))?,
            verify: self.verify,
            whole: self.whole,
            limit: self.limit,
        };
        let policy = Policy { threshold: options.threshold, contained: options.contained, ..Policy::default() };
        policy.check()?;
        let begin = Instant::now();
        let index = self.index.open()?;
        let opened = begin.elapsed();
        if self.batch.is_asked() {
            return self.batch.run(self, &index, &options, opened);
        }
        let answer = match &self.file {
            Some(_) if index.recipe().is_features() => bail!(
                "{} has features, not words: expected --url, or --batch with --features-field; found a file",
                self.index.path().display()
            ),
            Some(file) if is_name(&index, file) => return Err(no_file(file)),
            Some(file) if batch::is_jsonl(file) => {
                bail!("{0}: JSON lines are many documents; ask for all of them with --batch {0}", file.display())
            }
            Some(file) => index.query_file(file, self.max_size, &options)?,
            None => index.query_url(self.url.as_deref().unwrap_or_default(), &options)?,
        };
        output::to(None, !self.json, |out| write_answer(out, &answer, self.json))?;
        Ok(self.code(is_elsewhere(&answer)))
    }

    fn code(&self, found: bool) -> u8 {
        if self.exit_code && found { crate::FOUND } else { crate::SUCCESS }
    }
}

/// Whether there is no such file, but a document of that name in the index.
fn is_name(index: &Index, file: &Path) -> bool {
    let known = |name: &str| index.find(name).is_ok_and(|found| !found.is_empty());
    !file.exists() && file.to_str().is_some_and(known)
}

fn no_file(file: &Path) -> anyhow::Error {
    anyhow!("{0}: no such file, but the index has a document of that name; ask for it with --url {0}", file.display())
}

/// Whether anything was found but the document that was asked for, under its own name.
fn is_elsewhere(answer: &Answer) -> bool {
    answer.more > 0 || answer.matches.iter().any(|found| has_others(&found.seen, &answer.query))
}

/// Whether a document was seen under another name than that which was asked for.
fn has_others(seen: &[Seen], query: &str) -> bool {
    seen.iter().any(|seen| seen.url != query)
}
