//! Built without object storage.

use super::{FLAGS, Fetches, address};
use crate::args::Args;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// Nothing can be fetched.
pub(super) fn fetch(args: &Args) -> Result<Fetches> {
    let paths: Vec<PathBuf> = FLAGS.iter().chain(&["output"]).flat_map(|name| args.all(name)).collect();
    let url = paths.iter().find_map(|path| address(path)).unwrap_or_default();
    bail!(
        "{url}: this lookalike was built without object storage; build it with cargo build --release --features object-store, or copy \
         the files with another program"
    )
}

#[expect(clippy::unnecessary_wraps, reason = "as where something can be put")]
pub(crate) fn put(_: &Args) -> Result<()> {
    Ok(())
}

pub(crate) fn settle(_: &Args, _: Option<&anyhow::Error>) {}

pub(crate) fn describe(_: &anyhow::Error) -> Option<String> {
    None
}
