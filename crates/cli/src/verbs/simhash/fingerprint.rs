//! `lookalike simhash fingerprint`: the fingerprint of each document.

use super::tell_skipped;
use crate::args::{Args, Spec};
use crate::documents::{corpus, inputs, options};
use crate::lens::Lens;
use crate::progress::{Bars, cancel_on_signal};
use crate::verb::Verb;
use crate::{output, recipes};
use anyhow::Result;
use lookalike::SimhashRecipe;
use lookalike::hamming::FingerprintBits;
use lookalike::report::SCHEMA;
use lookalike::simhash::{self, FingerprintSummary};
use lookalike::{CorpusOptions, Error, ScanOptions, SimhashOptions, StoreError};
use lookalike_report::clean;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

pub(in crate::verbs) const SPEC: Spec =
    Spec::new(Verb::SimhashFingerprint, "simhash fingerprint", "Print the fingerprint of each document", run)
        .lenses(&[Lens::Simhash])
        .long(
            "A line for each document, in the order of reading: its fingerprint in hexadecimal digits, a tab, its id (control \
             characters are spelled out; --json has ids as they are). Documents without words have no fingerprint: they are counted \
             and left out. Lines of standard input (-) are answered at once; one that is no JSON object is a text.",
        )
        .after(
            "Examples:
  lookalike simhash fingerprint docs/ -o docs.tsv
  lookalike simhash fingerprint crawl.jsonl.zst --bits 128 --json
  lookalike simhash fingerprint crawl.jsonl.zst --raw crawl.u64 -o crawl.tsv",
        );

/// A fingerprint as JSON.
#[derive(Serialize)]
struct Line<'a> {
    fingerprint: String,
    id: &'a str,
}

/// Which documents are read, and how they become fingerprints.
struct FingerprintOptions {
    scan: ScanOptions,
    simhash: SimhashOptions,
}

fn run(args: &Args) -> Result<u8> {
    output::check_targets(args, &["output", "raw"])?;
    let stdin = reads_stdin(args);
    let corpus = CorpusOptions { plain_lines: stdin, prompt: stdin, ..corpus(args) };
    let asked = FingerprintOptions {
        scan: options(args, corpus),
        simhash: recipes::simhash_like(args, &SimhashRecipe::default())?,
    };
    let summary = match asked.simhash.recipe.bits {
        128 => write::<u128>(args, &asked),
        _ => write::<u64>(args, &asked),
    }?;
    Ok(tell_skipped(args, &summary))
}

fn write<F: FingerprintBits>(args: &Args, options: &FingerprintOptions) -> Result<FingerprintSummary> {
    let Some(raw) = args.path("raw") else { return write_lines::<F>(args, options, &mut io::sink()) };
    let mut summary = None;
    lookalike::atomic::write(&raw, |raw| {
        summary = Some(write_lines::<F>(args, options, raw)?);
        anyhow::Ok(())
    })?;
    Ok(summary.expect("it was written"))
}

/// Reads the documents and writes lines or JSON, and numbers to `raw`.
fn write_lines<F: FingerprintBits>(
    args: &Args,
    options: &FingerprintOptions,
    raw: &mut dyn Write,
) -> Result<FingerprintSummary> {
    let (json, output) = (args.has("json"), args.path("output"));
    let wanted = json || output.is_some() || args.path("raw").is_none();
    if !wanted {
        return read::<F>(args, options, &mut io::sink(), raw);
    }
    let mut summary = None;
    // ids in lines are harmless already, and a tab is to stay one on a terminal
    let shown = !json && output.is_none() && io::stdout().is_terminal();
    output::produce(output.as_deref(), shown, |out| {
        summary = Some(read::<F>(args, options, out, raw)?);
        Ok(())
    })?;
    Ok(summary.expect("it was written"))
}

fn read<F: FingerprintBits>(
    args: &Args,
    options: &FingerprintOptions,
    out: &mut dyn Write,
    raw: &mut dyn Write,
) -> Result<FingerprintSummary> {
    let (bars, cancel) = (Bars::new(args.has("quiet")), cancel_on_signal());
    let (json, digits) = (args.has("json"), F::WIDTH as usize / 4);
    if json {
        let version = env!("CARGO_PKG_VERSION");
        let head = format!(r#"{{"schema":{SCHEMA},"lookalike":"{version}","lens":"simhash","fingerprints":["#);
        out.write_all(head.as_bytes()).map_err(lost)?;
    }
    let stdin = reads_stdin(args);
    let mut number = Vec::new();
    let mut first = true;
    let summary =
        simhash::fingerprint::<F>(inputs(args)?, &options.scan, &options.simhash, (&bars, &cancel), |document| {
            let fingerprint = document.fingerprint;
            if json {
                let line = Line { fingerprint: format!("{fingerprint:0digits$x}"), id: &document.id };
                let comma = if std::mem::take(&mut first) { "" } else { "," };
                write!(out, "{comma}\n{}", serde_json::to_string(&line).expect("plain data")).map_err(lost)?;
            } else {
                writeln!(out, "{fingerprint:0digits$x}\t{}", clean(&document.id)).map_err(lost)?;
            }
            if stdin {
                // whoever writes documents to a pipe may wait for their fingerprints
                out.flush().map_err(lost)?;
            }
            number.clear();
            fingerprint.put_le_bytes(&mut number);
            raw.write_all(&number).map_err(lost)
        })?;
    if json {
        let rest = serde_json::to_string(&summary).expect("plain data");
        writeln!(out, "\n],{}", &rest[1..]).map_err(lost)?;
    }
    Ok(summary)
}

fn reads_stdin(args: &Args) -> bool {
    args.all::<PathBuf>("path").iter().any(|path| path.as_os_str() == "-")
}

/// A line could not be written.
fn lost(source: io::Error) -> Error {
    StoreError::Write { what: "the fingerprints".into(), source }.into()
}
