//! `lookalike query`: where have I seen this before? One document, or many: JSON lines in, JSON lines out, in the same order.

use super::index::{LENSES, lens_of, open, path};
use crate::args::{Args, Source, Spec};
use crate::lens::Lens;
use crate::output;
use crate::progress::cancel_on_signal;
use crate::recipes;
use crate::standard_output::stdout;
use crate::times::Times;
use crate::verb::Verb;
use anyhow::{Result, anyhow, bail};
use lookalike::index::{
    ChunksQuery, PassagesQuery, Query, QueryOptions, QueryOutcome, SearchResult, ShinglesQuery, Sighting, SimhashQuery,
};
use lookalike::report::Policy;
use lookalike::{CorpusOptions, Error, Index, Input, Recipe, StoreError};
use lookalike_report::{clean, kinds};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
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
             fingerprint differs from its own in at most --distance bits, nearest first. An index of chunks tells which files share bytes with it: the \
             very file, versions of it, files that hold it or are inside it; any file will do, text or not.",
        )
        .after(
            "Examples:
  lookalike query pages.index draft.html                            a file
  curl -s https://a.example/ | lookalike query pages.index -        standard input
  lookalike query pages.index --url https://a.example/faq.html      a document of the index
  lookalike query pages.index draft.html --threshold 0.9 --exit-code && publish draft.html
  lookalike query pages.index --batch new.jsonl > answers.jsonl     many at once
  crawler | lookalike query pages.index --batch -                   line by line, each answered at once
  lookalike query library.index essay.txt                           where do its passages come from?
  lookalike query seen.index page.html --distance 3 --exit-code     was this page seen, or one much like it?
  lookalike query files.index photo.raw                             do we have this file, or a version of it?",
        );

fn run(args: &Args) -> Result<u8> {
    let path = path(args);
    let lens = lens_of(&path)?;
    let args = &args.with_lens(lens, &Source::File(&path))?;
    output::check_targets(args, &["output"])?;
    let begin = Instant::now();
    let index = open(args)?;
    let opened = begin.elapsed();
    let options = options(args, &index)?;
    if args.path("batch").is_some() {
        if lens == Lens::Passages {
            bail!(
                "--batch is for an index of shingles; compare many texts at once with lookalike copies NEW --archive OLD"
            );
        }
        check_features(args, &index)?;
        return batch(args, opened, &index, &options);
    }
    if args.path("document").is_some() && is_features(&index) {
        bail!(
            "{} has features, not words: expected --url, or --batch with --features-field; found a file",
            path.display()
        );
    }
    let lines = if lens == Lens::Passages { "ask for one of them as a file" } else { ALL_LINES };
    let result = match question(args, &index, lines)? {
        Question::File(file) => index.query(&Query::File(&file), &options)?,
        Question::Url(url) => index.query(&Query::Url(&url), &options)?,
    };
    output::answer(args, &result)?;
    Ok(code(args, is_elsewhere(&result)))
}

pub(crate) fn options(args: &Args, index: &Index) -> Result<QueryOptions> {
    let options: QueryOptions = match Lens::from(index.lens()) {
        Lens::Passages => {
            PassagesQuery { guarantee: args.get("guarantee"), min_similarity: args.get("min-similarity") }.into()
        }
        Lens::Simhash => SimhashQuery { distance: args.value("distance") }.into(),
        Lens::Chunks => ChunksQuery {
            threshold: args.value("threshold"),
            min_shared: args.value("min-shared"),
            max_df: recipes::max_df_share(args)?,
        }
        .into(),
        Lens::Shingles | Lens::All => {
            let policy = recipes::policy(args, index.policy());
            policy.check()?;
            let Policy { threshold, contained, .. } = policy;
            let (verify, include_boilerplate) = (args.has("verify"), recipes::keeps_boilerplate(args));
            ShinglesQuery { threshold, contained, verify, include_boilerplate }.into()
        }
    };
    Ok(options.with_limit(args.value("limit")).with_max_size(args.value("max-size")))
}

/// Whether an index is of features that its documents brought.
pub(super) fn is_features(index: &Index) -> bool {
    matches!(index.recipe(), Recipe::Shingles(recipe) if recipe.is_features())
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
    // where bytes are compared, a file is a file
    if is_jsonl(&file) && index.lens() != lookalike::Lens::Chunks {
        let which = if lines == ALL_LINES { format!(" {}", file.display()) } else { String::new() };
        bail!("{}: JSON lines are many documents; {lines}{which}", file.display());
    }
    Ok(Question::File(file))
}

fn code(args: &Args, found: bool) -> u8 {
    if args.has("exit-code") && found { crate::FOUND } else { crate::SUCCESS }
}

/// Whether anything was found but the document that was asked for, under its own name.
fn is_elsewhere(result: &SearchResult) -> bool {
    let others = |seen: &&[Sighting]| seen.iter().any(|seen| seen.url != result.query);
    result.more > 0 || result.seen().iter().any(others)
}

/// Asks for every line and writes the answers.
fn batch(args: &Args, opened: Duration, index: &Index, options: &QueryOptions) -> Result<u8> {
    if let Some(path) = args.path("output") {
        let mut code = crate::SUCCESS;
        output::to_file(&path, |out| {
            code = batch_to(args, opened, index, options, Lines { out: Box::new(out), terminal: false })?;
            Ok::<_, anyhow::Error>(())
        })?;
        return Ok(code);
    }
    batch_to(args, opened, index, options, Lines::new()?)
}

fn batch_to(args: &Args, opened: Duration, index: &Index, options: &QueryOptions, mut out: Lines<'_>) -> Result<u8> {
    let stdin = args.path("batch").as_deref() == Some(Path::new("-"));
    let corpus = CorpusOptions {
        id_field: args.value("id-field"),
        text_field: args.value("text-field"),
        features_field: args.get("features-field"),
        max_size: args.value("max-size"),
        plain_lines: stdin && !is_features(index),
        prompt: stdin,
        ..CorpusOptions::default()
    };
    let input = input(&args.value::<PathBuf>("batch"))?;
    let mut seconds = Vec::new();
    let (mut unanswered, mut found) = (Vec::new(), false);
    let mut each = |outcome: QueryOutcome| {
        seconds.push(outcome.seconds);
        match &outcome.result {
            Ok(result) => {
                found |= is_elsewhere(result);
                out.write(result)?;
            }
            Err(skip) => {
                out.write(&Unanswered { query: &skip.id, error: &skip.reason })?;
                unanswered.push(skip.clone());
            }
        }
        // whoever asks through a pipe may wait for the answer
        if stdin { out.flush() } else { Ok(()) }
    };
    let threads = args.value("threads");
    index.query_many(vec![input], &corpus, options, threads, &cancel_on_signal(), &mut each)?;
    out.flush()?;
    let all = seconds.len();
    if args.has("stats") {
        // nobody is left to tell if standard error is closed
        let _ = writeln!(io::stderr(), "{}", serde_json::to_string(&Times::new(seconds, opened))?);
    }
    if !unanswered.is_empty() && unanswered.len() == all {
        return Ok(output::no_documents(args, &unanswered));
    }
    if !unanswered.is_empty() && !args.has("quiet") {
        let (few, kinds) = (unanswered.len(), kinds(&unanswered));
        output::message(&format!("no answer for {few} of {all} ({kinds}); look for \"error\" in what was written"));
    }
    // what is empty is no fault
    Ok(if output::is_damaged(&unanswered, "the rest was asked for") { crate::WRONG } else { code(args, found) })
}

fn check_features(args: &Args, index: &Index) -> Result<()> {
    let (path, field) = (path(args), args.get::<String>("features-field"));
    match (is_features(index), field) {
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
struct Lines<'a> {
    out: Box<dyn Write + 'a>,
    terminal: bool,
}

impl Lines<'_> {
    fn new() -> Result<Self, Error> {
        let stdout = stdout().map_err(failed)?;
        Ok(Self { terminal: stdout.is_terminal(), out: Box::new(BufWriter::with_capacity(1 << 16, stdout)) })
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
