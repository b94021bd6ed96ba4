//! Many questions: JSON lines in, JSON lines out, in the same order.

use super::times::Times;
use super::{Query, is_elsewhere, simhash};
use crate::output;
use crate::progress::cancel_on_signal;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::index::{Index, Queried, QueryOptions, SimhashIndex, SimhashQuery};
use lookalike::{CorpusOptions, Error, Input, StoreError};
use lookalike_report::clean;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Takes an answer.
type Each<'a, A> = &'a mut dyn FnMut(Queried<A>) -> Result<(), Error>;

/// Many questions.
#[derive(Args)]
#[command(next_help_heading = "Batch")]
pub(super) struct BatchFlags {
    /// Ask for every line of a JSONL file (also .gz or .zst), - is standard input: one JSON object a line, in the same order
    #[arg(long, value_name = "FILE")]
    batch: Option<PathBuf>,
    /// JSONL field with the id of a document
    #[arg(long, value_name = "FIELD", default_value = "id", conflicts_with_all = ["file", "url"])]
    id_field: String,
    /// JSONL field with the text
    #[arg(long, value_name = "FIELD", default_value = "text", conflicts_with_all = ["file", "url"])]
    text_field: String,
    /// JSONL field with the features, for an index of features
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["file", "url", "text_field"])]
    features_field: Option<String>,
    /// Threads; 0 is one for each core
    #[arg(long, short = 'j', value_name = "N", default_value_t = 0, conflicts_with_all = ["file", "url"])]
    threads: usize,
    /// After the last answer, tell how long they took: one JSON object on standard error
    #[arg(long, conflicts_with_all = ["file", "url"])]
    stats: bool,
}

impl BatchFlags {
    pub(super) fn is_asked(&self) -> bool {
        self.batch.is_some()
    }

    pub(super) fn run(&self, query: &Query, index: &Index, options: &QueryOptions, opened: Duration) -> Result<u8> {
        self.check_features(query, index)?;
        self.ask(query, opened, is_elsewhere, |inputs, corpus, each| {
            index.query_all(inputs, corpus, options, self.threads, &cancel_on_signal(), each)
        })
    }

    /// The same of an index of fingerprints.
    pub(super) fn run_simhash(
        &self,
        query: &Query,
        index: &SimhashIndex,
        options: &SimhashQuery,
        opened: Duration,
    ) -> Result<u8> {
        if let Some(field) = &self.features_field {
            let name = query.index.path().display();
            bail!("{name} has fingerprints of words, not features; leave out --features-field {field}");
        }
        self.ask(query, opened, simhash::is_elsewhere, |inputs, corpus, each| {
            index.query_all(inputs, corpus, options, self.threads, &cancel_on_signal(), each)
        })
    }

    /// Asks for every line and writes the answers.
    fn ask<A: Serialize>(
        &self,
        query: &Query,
        opened: Duration,
        is_elsewhere: fn(&A) -> bool,
        ask: impl FnOnce(Vec<Input>, &CorpusOptions, Each<'_, A>) -> Result<(), Error>,
    ) -> Result<u8> {
        let corpus = CorpusOptions {
            id_field: self.id_field.clone(),
            text_field: self.text_field.clone(),
            features_field: self.features_field.clone(),
            max_size: query.max_size,
            ..CorpusOptions::default()
        };
        let input = input(self.batch.as_deref().unwrap_or(Path::new("-")))?;
        let (mut out, mut seconds) = (Lines::new(), Vec::new());
        let (mut unanswered, mut found) = (0u64, false);
        let mut each = |queried: Queried<A>| {
            seconds.push(queried.seconds);
            match &queried.answer {
                Ok(answer) => {
                    found |= is_elsewhere(answer);
                    out.write(answer)
                }
                Err(skip) => {
                    unanswered += 1;
                    out.write(&Unanswered { query: &skip.id, error: &skip.reason })
                }
            }
        };
        ask(vec![input], &corpus, &mut each)?;
        out.flush()?;
        let all = seconds.len();
        if self.stats {
            // nobody is left to tell if standard error is closed
            let _ = writeln!(io::stderr(), "{}", serde_json::to_string(&Times::new(seconds, opened))?);
        }
        if unanswered > 0 {
            output::message(&format!(
                "warning: no answer for {unanswered} of {all}; look for \"error\" in what was written"
            ));
            return Ok(crate::WRONG);
        }
        Ok(query.code(found))
    }

    fn check_features(&self, query: &Query, index: &Index) -> Result<()> {
        let name = query.index.path().display();
        match (index.recipe().is_features(), &self.features_field) {
            (true, None) => bail!("{name} has features, not words; say with --features-field FIELD where they are"),
            (false, Some(field)) => bail!("{name} has words, not features; leave out --features-field {field}"),
            _ => Ok(()),
        }
    }
}

/// Whether a file has the name of one with JSON lines.
pub(super) fn is_jsonl(path: &Path) -> bool {
    let lines = [".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst"];
    let name = path.to_string_lossy().to_ascii_lowercase();
    lines.iter().any(|end| name.ends_with(end))
}

/// JSON lines, whatever the file is called.
fn input(path: &Path) -> Result<Input> {
    if path == Path::new("-") {
        return Ok(Input::Stdin);
    }
    if path.is_dir() {
        bail!("{} is a folder; expected a JSONL file, or - for standard input", path.display());
    }
    if path.to_str().is_none() || is_jsonl(path) {
        return Ok(Input::Path(path.to_owned()));
    }
    let file = File::open(path).map_err(|source| StoreError::Read { what: path.display().to_string(), source })?;
    Ok(Input::Stream(Box::new(file)))
}

#[derive(Serialize)]
struct Unanswered<'a> {
    query: &'a str,
    error: &'a str,
}

/// JSON lines on standard output.
struct Lines {
    out: BufWriter<io::Stdout>,
    terminal: bool,
}

impl Lines {
    fn new() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, io::stdout()), terminal: io::stdout().is_terminal() }
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), Error> {
        let line = serde_json::to_string(value).map_err(io::Error::from);
        // data that lands on a terminal is for a person: nothing in it may act on the terminal
        let written = line.and_then(|line| {
            let line = if self.terminal { clean(&line) } else { line.as_str().into() };
            writeln!(self.out, "{line}")
        });
        Ok(written.map_err(failed)?)
    }

    fn flush(&mut self) -> Result<(), Error> {
        Ok(self.out.flush().map_err(failed)?)
    }
}

fn failed(source: io::Error) -> StoreError {
    StoreError::Write { what: "to standard output".into(), source }
}
