//! `lookalike query`: where have I seen this before? One document, or many: JSON lines in, JSON lines out, in the same order.

use super::index::{LENSES, lens_of, open, path};
use crate::args::{Args, Source, Spec};
use crate::lens::Lens;
use crate::output;
use crate::progress::cancel_on_signal;
use crate::recipes::key;
use crate::times::Times;
use crate::verb::Verb;
use anyhow::{Result, anyhow, bail};
use lookalike::index::{
    Answer, Index, PassageAnswer, PassageIndex, PassageQuery, Queried, QueryOptions, Seen, SimhashAnswer, SimhashIndex,
    SimhashQuery,
};
use lookalike::simhash::read_idf;
use lookalike::{CorpusOptions, Error, Input, Policy, StoreError};
use lookalike_report::clean;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) const SPEC: Spec =
    Spec::new(Verb::Query, "query", "Ask an index where it has seen a document before", run)
        .lenses(LENSES)
        .one_of("question")
        .usage(
            "lookalike query [OPTIONS] <INDEX> <FILE>
       lookalike query [OPTIONS] <INDEX> --url <NAME>
       lookalike query [OPTIONS] <INDEX> --batch <FILE>",
        )
        .long(
            "Finds the documents of the index that resemble the one asked for, hold it, or are inside it, and tells all names under \
             which they were seen. The numbers are estimates with their 95 % intervals; --verify counts on the originals.

An index of passages tells which documents passages of it come from, and where they stand in both. An index of fingerprints tells whose \
             fingerprint differs from its own in at most --distance bits, nearest first.",
        )
        .after(
            "Examples:
  lookalike query pages.index draft.html                            a file
  curl -s https://a.example/ | lookalike query pages.index -        standard input
  lookalike query pages.index --url https://a.example/faq.html      a document of the index
  lookalike query pages.index draft.html --threshold 0.9 --exit-code && publish draft.html
  lookalike query pages.index --batch new.jsonl > answers.jsonl     many at once
  lookalike query library.index essay.txt                           where do its passages come from?
  lookalike query seen.index page.html --distance 3 --exit-code     was this page seen, or one much like it?",
        );

fn run(args: &Args) -> Result<u8> {
    let path = path(args);
    let lens = lens_of(&path)?;
    let args = &args.with_lens(lens, &Source::File(&path))?;
    match lens {
        Lens::Passages => passages(args),
        Lens::Simhash => simhash(args),
        Lens::Shingles | Lens::Chunks => shingles(args),
    }
}

fn shingles(args: &Args) -> Result<u8> {
    let options = QueryOptions {
        threshold: args.value("threshold"),
        contained: args.value("contained"),
        verify: args.has("verify"),
        whole: args.has("include-boilerplate"),
        limit: args.value("limit"),
    };
    Policy { threshold: options.threshold, contained: options.contained, ..Policy::default() }.check()?;
    let begin = Instant::now();
    let index = open(args)?;
    let opened = begin.elapsed();
    if args.path("batch").is_some() {
        check_features(args, &index)?;
        return batch(args, opened, is_elsewhere, |inputs, corpus, each| {
            index.query_all(inputs, corpus, &options, args.value("threads"), &cancel_on_signal(), each)
        });
    }
    if args.path("document").is_some() && index.recipe().is_features() {
        bail!(
            "{} has features, not words: expected --url, or --batch with --features-field; found a file",
            path(args).display()
        );
    }
    let answer = match question(args, &index, ALL_LINES)? {
        Question::File(file) => index.query_file(&file, args.value("max-size"), &options)?,
        Question::Url(url) => index.query_url(&url, &options)?,
    };
    output::answer(args, &answer)?;
    Ok(code(args, is_elsewhere(&answer)))
}

fn passages(args: &Args) -> Result<u8> {
    if args.path("batch").is_some() {
        bail!(
            "--batch is for an index of shingles; compare many texts at once with lookalike copies NEW --archive OLD"
        );
    }
    let index = PassageIndex::open(&path(args), &key(args))?;
    let options =
        PassageQuery { t: args.get("guarantee"), min: args.get("min-similarity"), limit: args.value("limit") };
    let answer: PassageAnswer = match question(args, index.index(), "ask for one of them as a file")? {
        Question::File(file) => index.query_file(&file, args.value("max-size"), &options)?,
        Question::Url(url) => index.query_url(&url, &options)?,
    };
    output::answer(args, &answer)?;
    let elsewhere = answer.more > 0 || answer.sources.iter().any(|source| has_others(&source.seen, &answer.query));
    Ok(code(args, elsewhere))
}

fn simhash(args: &Args) -> Result<u8> {
    let options = SimhashQuery { k: args.value("distance"), limit: args.value("limit") };
    let begin = Instant::now();
    let idf = args.path("idf").map(|path| read_idf(&path)).transpose()?.map(|(_, idf)| Arc::new(idf));
    let index = SimhashIndex::open(&path(args), &key(args), idf)?;
    let opened = begin.elapsed();
    let is_elsewhere = |answer: &SimhashAnswer| {
        answer.more > 0 || answer.matches.iter().any(|near| has_others(&near.seen, &answer.query))
    };
    if args.path("batch").is_some() {
        return batch(args, opened, is_elsewhere, |inputs, corpus, each| {
            index.query_all(inputs, corpus, &options, args.value("threads"), &cancel_on_signal(), each)
        });
    }
    let answer = match question(args, index.index(), ALL_LINES)? {
        Question::File(file) => index.query_file(&file, args.value("max-size"), &options)?,
        Question::Url(url) => index.query_url(&url, &options)?,
    };
    output::answer(args, &answer)?;
    Ok(code(args, is_elsewhere(&answer)))
}

/// The document that is asked for.
enum Question {
    File(PathBuf),
    Url(String),
}

/// What to do about a file of JSON lines.
const ALL_LINES: &str = "ask for all of them with --batch";

fn question(args: &Args, index: &Index, lines: &str) -> Result<Question> {
    let Some(file) = args.path("document") else { return Ok(Question::Url(args.value("url"))) };
    let known = |name: &str| index.find(name).is_ok_and(|found| !found.is_empty());
    if !file.exists() && file.to_str().is_some_and(known) {
        return Err(anyhow!(
            "{0}: no such file, but the index has a document of that name; ask for it with --url {0}",
            file.display()
        ));
    }
    if is_jsonl(&file) {
        let which = if lines == ALL_LINES { format!(" {}", file.display()) } else { String::new() };
        bail!("{}: JSON lines are many documents; {lines}{which}", file.display());
    }
    Ok(Question::File(file))
}

fn code(args: &Args, found: bool) -> u8 {
    if args.has("exit-code") && found { crate::FOUND } else { crate::SUCCESS }
}

/// Whether anything was found but the document that was asked for, under its own name.
fn is_elsewhere(answer: &Answer) -> bool {
    answer.more > 0 || answer.matches.iter().any(|found| has_others(&found.seen, &answer.query))
}

/// Whether a document was seen under another name than that which was asked for.
fn has_others(seen: &[Seen], query: &str) -> bool {
    seen.iter().any(|seen| seen.url != query)
}

/// Takes an answer.
type Each<'a, A> = &'a mut dyn FnMut(Queried<A>) -> Result<(), Error>;

/// Asks for every line and writes the answers.
fn batch<A: Serialize>(
    args: &Args,
    opened: Duration,
    is_elsewhere: impl Fn(&A) -> bool,
    ask: impl FnOnce(Vec<Input>, &CorpusOptions, Each<'_, A>) -> Result<(), Error>,
) -> Result<u8> {
    let corpus = CorpusOptions {
        id_field: args.value("id-field"),
        text_field: args.value("text-field"),
        features_field: args.get("features-field"),
        max_size: args.value("max-size"),
        ..CorpusOptions::default()
    };
    let input = input(&args.value::<PathBuf>("batch"))?;
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
    if args.has("stats") {
        // nobody is left to tell if standard error is closed
        let _ = writeln!(io::stderr(), "{}", serde_json::to_string(&Times::new(seconds, opened))?);
    }
    if unanswered > 0 {
        output::message(&format!(
            "warning: no answer for {unanswered} of {all}; look for \"error\" in what was written"
        ));
        return Ok(crate::WRONG);
    }
    Ok(code(args, found))
}

fn check_features(args: &Args, index: &Index) -> Result<()> {
    let (path, field) = (path(args), args.get::<String>("features-field"));
    match (index.recipe().is_features(), field) {
        (true, None) => {
            bail!("{} has features, not words; say with --features-field FIELD where they are", path.display())
        }
        (false, Some(field)) => {
            bail!("{} has words, not features; leave out --features-field {field}", path.display())
        }
        _ => Ok(()),
    }
}

/// Whether a file has the name of one with JSON lines.
fn is_jsonl(path: &Path) -> bool {
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
