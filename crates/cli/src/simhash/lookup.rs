//! `lookalike simhash lookup`: who is near some fingerprints.

use super::prints::distance;
use crate::output;
use anyhow::{Result, bail};
use clap::Args;
use lookalike::hamming::Print;
use lookalike::hamming::online::{Found, Online, Options};
use lookalike_report::{write_found, write_found_json};
use std::path::PathBuf;

/// Tell who is near some fingerprints, in a store that build or online made
#[derive(Args)]
#[command(after_help = "Examples:
  lookalike simhash lookup seen 0123456789abcdef
  lookalike simhash lookup seen 0123456789abcdef fedcba9876543210 -k 1 --limit 3 --json

Exit codes: 0, and 1 with --exit-code if anything is near.")]
pub(crate) struct Lookup {
    /// The folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Fingerprints of 16 hexadecimal digits (32 with --bits 128)
    #[arg(value_name = "FINGERPRINT", required = true)]
    prints: Vec<String>,
    /// Bits in which two fingerprints may differ, at most what the store was made for
    #[arg(long, short, value_name = "K", default_value_t = 3, value_parser = distance)]
    k: u32,
    /// List so many of what is near, the nearest; all are counted
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// Bits of a fingerprint
    #[arg(long, value_name = "64|128", default_value_t = 64, value_parser = super::flags::bits)]
    bits: u32,
    /// Exit with 1 if anything is near
    #[arg(long)]
    exit_code: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Lookup {
    pub(crate) fn run(&self) -> Result<u8> {
        if self.bits == 128 { self.ask::<u128>() } else { self.ask::<u64>() }
    }

    fn ask<F: Print>(&self) -> Result<u8> {
        let queries = self.prints.iter().map(|text| read(text)).collect::<Result<Vec<F>>>()?;
        if !self.dir.join("manifest.json").is_file() {
            bail!("{}: expected a store that lookalike simhash build or online made, found none", self.dir.display());
        }
        let options = Options { k: self.k, background: false, ..Options::default() };
        let store = Online::<F>::open(&self.dir, &options)?;
        let mut answers: Vec<(F, Found<F>)> = Vec::new();
        for query in queries {
            answers.push((query, store.near(query, self.k, self.limit)?));
        }
        output::to(None, !self.json, |out| {
            if self.json { write_found_json(out, &answers) } else { write_found(out, &answers) }
        })?;
        let found = self.exit_code && answers.iter().any(|(_, found)| found.count > 0);
        Ok(if found { crate::FOUND } else { crate::SUCCESS })
    }
}

fn read<F: Print>(text: &str) -> Result<F> {
    let bare = text.strip_prefix("0x").unwrap_or(text);
    let print = (bare.len() == F::DIGITS).then(|| F::from_hex(bare.as_bytes())).flatten();
    match print {
        Some(print) => Ok(print),
        None => bail!("{text:?}: expected a fingerprint of {} hexadecimal digits", F::DIGITS),
    }
}
