//! `lookalike simhash fingerprint`: the fingerprint of each document.

use super::flags::FingerprintFlags;
use super::told;
use crate::flags::{DocumentFlags, MachineFlags};
use crate::output;
use crate::progress::{Bars, cancel_on_signal};
use anyhow::Result;
use clap::Args;
use lookalike::simhash::{self, FingerprintBits, FingerprintSummary, Options};
use lookalike::{Error, SCHEMA, ScanOptions, StoreError};
use lookalike_report::clean;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Print the fingerprint of each document
///
/// A line for each document, in the order of reading: its fingerprint in hexadecimal digits, a tab, its id (control characters are spelled out;
/// --json has ids as they are). Documents without words have no fingerprint: they are counted and left out.
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash fingerprint docs/ -o docs.tsv
  lookalike simhash fingerprint crawl.jsonl.zst --bits 128 --json
  lookalike simhash fingerprint crawl.jsonl.zst --raw crawl.u64 -o crawl.tsv")]
pub(crate) struct FingerprintVerb {
    #[command(flatten)]
    input: DocumentFlags,
    #[command(flatten)]
    lens: FingerprintFlags,
    #[command(flatten)]
    machine: MachineFlags,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// One JSON object, with recipe, fingerprints and what was left out
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Write fingerprints as little-endian numbers of 8 (or 16) bytes, in the order of reading, to this file; lines are written only with
    /// --output or --json
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    raw: Option<PathBuf>,
    /// No progress bars, and no messages but errors
    #[arg(long, short, help_heading = "Output")]
    quiet: bool,
}

/// A fingerprint as JSON.
#[derive(Serialize)]
struct Line<'a> {
    fingerprint: String,
    id: &'a str,
}

impl FingerprintVerb {
    pub(crate) fn run(&self) -> Result<u8> {
        let files = [self.output.as_deref(), self.raw.as_deref()];
        files.iter().flatten().try_for_each(|path| output::check_target(path, false))?;
        output::check_different(&files)?;
        let mut corpus = self.input.options();
        // neither results nor the table are documents
        for file in files.iter().chain([&self.lens.table()]).flatten() {
            corpus.exclude = [corpus.exclude, self.input.options_without(file).exclude].concat();
        }
        let scan = self.machine.limit(ScanOptions { corpus, ..ScanOptions::default() });
        let options = self.lens.options(scan)?;
        let summary = match options.recipe.bits {
            128 => self.fingerprint::<u128>(&options),
            _ => self.fingerprint::<u64>(&options),
        }?;
        Ok(told::tell(&summary, self.quiet))
    }

    fn fingerprint<F: FingerprintBits>(&self, options: &Options) -> Result<FingerprintSummary> {
        let Some(raw) = &self.raw else { return self.lines::<F>(options, &mut io::sink()) };
        let mut summary = None;
        lookalike::atomic::write(raw, |raw| {
            summary = Some(self.lines::<F>(options, raw)?);
            anyhow::Ok(())
        })?;
        Ok(summary.expect("it was written"))
    }

    /// Reads the documents and writes lines or JSON, and numbers to `raw`.
    fn lines<F: FingerprintBits>(&self, options: &Options, raw: &mut dyn Write) -> Result<FingerprintSummary> {
        let wanted = self.json || self.output.is_some() || self.raw.is_none();
        if !wanted {
            return self.read::<F>(options, &mut io::sink(), raw);
        }
        let mut read = None;
        // ids in lines are harmless already, and a tab is to stay one on a terminal
        let shown = !self.json && self.output.is_none() && io::stdout().is_terminal();
        let written = output::to(self.output.as_deref(), shown, |out| {
            // an error of the engine is told as it is, not as one of writing
            let failed = || Err(io::Error::other("the documents could not be read"));
            read.insert(self.read::<F>(options, out, raw)).as_ref().map_or_else(|_| failed(), |_| Ok(()))
        });
        match read {
            Some(Err(error)) => Err(error),
            read => written.and(read.unwrap_or_else(|| Err(io::Error::other("nothing was read").into()))),
        }
    }

    fn read<F: FingerprintBits>(
        &self,
        options: &Options,
        out: &mut dyn Write,
        raw: &mut dyn Write,
    ) -> Result<FingerprintSummary> {
        let (bars, cancel) = (Bars::new(self.quiet), cancel_on_signal());
        let digits = F::WIDTH as usize / 4;
        if self.json {
            let version = env!("CARGO_PKG_VERSION");
            let head = format!(r#"{{"schema":{SCHEMA},"lookalike":"{version}","lens":"simhash","fingerprints":["#);
            out.write_all(head.as_bytes()).map_err(lost)?;
        }
        let mut number = Vec::new();
        let mut first = true;
        let summary = simhash::fingerprint::<F>(self.input.inputs(), options, &bars, &cancel, |document| {
            let fingerprint = document.fingerprint;
            if self.json {
                let line = Line { fingerprint: format!("{fingerprint:0digits$x}"), id: &document.id };
                let comma = if std::mem::take(&mut first) { "" } else { "," };
                write!(out, "{comma}\n{}", serde_json::to_string(&line).expect("plain data")).map_err(lost)?;
            } else {
                writeln!(out, "{fingerprint:0digits$x}\t{}", clean(&document.id)).map_err(lost)?;
            }
            number.clear();
            fingerprint.put_le_bytes(&mut number);
            raw.write_all(&number).map_err(lost)
        })?;
        if self.json {
            let rest = serde_json::to_string(&summary).expect("plain data");
            writeln!(out, "\n],{}", &rest[1..]).map_err(lost)?;
        }
        Ok(summary)
    }
}

/// A line could not be written.
fn lost(source: io::Error) -> Error {
    StoreError::Write { what: "the fingerprints".into(), source }.into()
}
