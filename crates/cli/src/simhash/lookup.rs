//! `lookalike simhash lookup`: who is near some fingerprints.

use super::files::{FingerprintFileFlags, distance};
use crate::output;
use crate::query::times::Times;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::hamming::store::{Matches, StoreReader};
use lookalike::hamming::{FingerprintBits, FingerprintReader};
use lookalike_report::{FingerprintMatches, write_answer, write_versioned_json};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Tell who is near some fingerprints, in a store that build or online made; it may be changed meanwhile
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash lookup seen 0123456789abcdef
  lookalike simhash lookup seen 0123456789abcdef fedcba9876543210 -k 1 --limit 3 --json
  lookalike simhash lookup seen --queries new.u64 --times           how fast is it, one after the other?

Exit codes: 0, and 1 with --exit-code if anything is near.")]
pub(crate) struct Lookup {
    /// The folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Fingerprints of 16 hexadecimal digits (32 with --bits 128)
    #[arg(value_name = "FINGERPRINT", required_unless_present = "queries")]
    fingerprints: Vec<String>,
    /// Ask about all fingerprints of this file, one after the other: lines of query, fingerprint and distance; for many at once, batch is
    /// faster
    #[arg(long, value_name = "FILE", conflicts_with = "fingerprints")]
    queries: Option<PathBuf>,
    /// Tell how long the questions of --queries took, instead of the answers
    #[arg(long, requires = "queries")]
    times: bool,
    #[command(flatten)]
    files: FingerprintFileFlags,
    /// Bits in which two fingerprints may differ, at most what the store was made for
    #[arg(long, short, value_name = "K", default_value_t = 3, value_parser = distance)]
    k: u32,
    /// List so many of what is near, the nearest; all are counted, unless the neighbourhood of a fingerprint is dense
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Exit with 1 if anything is near
    #[arg(long)]
    exit_code: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Lookup {
    pub(crate) fn run(&self) -> Result<u8> {
        if self.files.wide() { self.ask::<u128>() } else { self.ask::<u64>() }
    }

    fn ask<F: FingerprintBits>(&self) -> Result<u8> {
        let queries = self.fingerprints.iter().map(|text| read(text)).collect::<Result<Vec<F>>>()?;
        if !self.dir.join("manifest.json").is_file() {
            bail!("{}: expected a store that lookalike simhash build or online made, found none", self.dir.display());
        }
        let begun = Instant::now();
        let store = StoreReader::<F>::open(&self.dir, self.k)?;
        if let Some(queries) = &self.queries {
            return self.ask_all(&store, queries, begun.elapsed());
        }
        let mut answers: Vec<(F, Matches<F>)> = Vec::new();
        for query in queries {
            answers.push((query, store.near(query, self.k, self.limit)?));
        }
        output::to(None, !self.json, |out| write_answer(out, &FingerprintMatches(&answers), self.json))?;
        let found = self.exit_code && answers.iter().any(|(_, found)| found.count > 0);
        Ok(if found { crate::FOUND } else { crate::SUCCESS })
    }
}

/// How long questions took, and what was near.
#[derive(Serialize)]
struct Told {
    near: u64,
    #[serde(flatten)]
    times: Times,
}

impl Lookup {
    /// Asks about the fingerprints of a file.
    fn ask_all<F: FingerprintBits>(&self, store: &StoreReader<F>, queries: &Path, opened: Duration) -> Result<u8> {
        let file = self.files.file(queries);
        let mut queries: FingerprintReader<F> = FingerprintReader::open(&file.path, &file.options)?;
        let (mut fingerprints, mut ids, mut seconds, mut near) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let mut failed = None;
        let mut ask = |mut out: Option<&mut dyn Write>| -> Result<()> {
            loop {
                let first = queries.row();
                let read = queries.next_batch(&mut fingerprints, &mut ids)? as u64;
                if read == 0 {
                    return Ok(());
                }
                for (at, fingerprint) in (0..).zip(&fingerprints) {
                    let begun = Instant::now();
                    let found = store.near(*fingerprint, self.k, self.limit)?;
                    seconds.push(begun.elapsed().as_secs_f64());
                    near += found.count;
                    if let Some(out) = &mut out {
                        let query = ids.get(at as usize).copied().unwrap_or(first + at);
                        for hit in found.matches {
                            writeln!(out, "{query}\t{}\t{}", hit.id, hit.distance)?;
                        }
                    }
                }
            }
        };
        if self.times {
            ask(None)?;
            let told = Told { near, times: Times::new(seconds, opened) };
            output::to(None, false, |out| write_versioned_json(out, &told))?;
        } else {
            output::to(None, false, |out| {
                failed = ask(Some(out)).err();
                Ok(())
            })?;
        }
        failed.map_or(Ok(crate::SUCCESS), Err)
    }
}

fn read<F: FingerprintBits>(text: &str) -> Result<F> {
    let bare = text.strip_prefix("0x").unwrap_or(text);
    let fingerprint = (bare.len() == F::DIGITS).then(|| F::from_hex(bare.as_bytes())).flatten();
    match fingerprint {
        Some(fingerprint) => Ok(fingerprint),
        None => bail!("{text:?}: expected a fingerprint of {} hexadecimal digits", F::DIGITS),
    }
}
