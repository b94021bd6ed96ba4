//! Files of fingerprints on the command line: flags that several verbs share.

use crate::flags::MachineFlags;
use clap::Args;
use lookalike::hamming::{Digits, FileOptions, FingerprintFile, IdKind, Layout, MAX_DISTANCE, SearchOptions};
use lookalike::{Resources, ScanOptions};
use std::path::Path;

/// How fingerprints lie in files.
#[derive(Args)]
#[command(next_help_heading = "Fingerprints")]
pub(crate) struct FingerprintFileFlags {
    /// Layout of the files: raw (little-endian numbers), raw-ids (each followed by an id of 8 bytes), text (a line each, with or without
    /// id) or parquet [default: by the extension]
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<Layout>,
    /// What digits of text mean: hex or decimal [default: told from the file]
    #[arg(long, value_name = "DIGITS")]
    digits: Option<Digits>,
    /// What ids are: rows (numbers of rows), numbers or names [default: told from the file]
    #[arg(long, value_name = "IDS")]
    ids: Option<IdKind>,
    /// Column of fingerprints in Parquet [default: fingerprint or simhash]
    #[arg(long, value_name = "NAME")]
    field: Option<String>,
    /// Column of ids in Parquet [default: id]
    #[arg(long, value_name = "NAME")]
    id_field: Option<String>,
    /// Bits of a fingerprint
    #[arg(long, value_name = "64|128", default_value_t = 64, value_parser = super::flags::bits)]
    bits: u32,
}

impl FingerprintFileFlags {
    /// A file as these flags say.
    pub(crate) fn file(&self, path: &Path) -> FingerprintFile {
        let options = FileOptions {
            layout: self.layout,
            digits: self.digits,
            ids: self.ids,
            field: self.field.clone(),
            id_field: self.id_field.clone(),
            ..FileOptions::default()
        };
        FingerprintFile { path: path.to_owned(), options }
    }

    /// Whether fingerprints have 128 bits.
    pub(crate) fn wide(&self) -> bool {
        self.bits == 128
    }
}

/// How near is near.
#[derive(Args)]
pub(crate) struct DistanceFlag {
    /// Bits in which two fingerprints may differ, at most 7
    #[arg(long, short, value_name = "K", default_value_t = 3, value_parser = distance)]
    pub(crate) k: u32,
}

pub(crate) fn distance(text: &str) -> Result<u32, String> {
    let wrong = || format!("expected a number from 0 to {MAX_DISTANCE}, found {text:?}");
    text.parse().ok().filter(|k| *k <= MAX_DISTANCE).ok_or_else(wrong)
}

/// Options of a search through files.
pub(crate) fn options(k: u32, limit: Option<u64>, machine: &MachineFlags) -> SearchOptions {
    let ScanOptions { memory, threads, tmp, .. } = machine.limit(ScanOptions::default());
    SearchOptions { distance: k, limit, resources: Resources { memory, threads, tmp } }
}
