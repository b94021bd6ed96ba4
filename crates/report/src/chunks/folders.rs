//! Folders that share content, a line for each pair.

use super::title;
use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{bytes, count, percent};
use lookalike::chunks::FolderPair;
use std::io::{self, Write};

/// Pairs that are shown, unless fewer are asked for.
const SHOWN: usize = 10;

pub(super) fn write(out: &mut dyn Write, folders: &[FolderPair], most: usize) -> io::Result<()> {
    let listed = &folders[..folders.len().min(most).min(SHOWN)];
    if listed.is_empty() {
        return Ok(());
    }
    title(out, "Similar folders", "most bytes in common first")?;
    for pair in listed {
        let sizes = format!("{}, {}", count(pair.files, "file"), bytes(pair.bytes));
        let back = format!("; {} the other way", percent(pair.other_share));
        let (folder, other) = (clean(folder_name(&pair.folder)), clean(folder_name(&pair.other)));
        writeln!(out, "  {folder} is {BOLD}{}{BOLD:#} inside {other}  {DIM}{sizes}{back}{DIM:#}", percent(pair.share))?;
    }
    match folders.len() - listed.len() {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}; all with --json", count(rest as u64, "more pair")),
    }
}

/// A folder's name; files that are in none are in the one where the scan was started.
pub(crate) fn folder_name(folder: &str) -> &str {
    if folder.is_empty() { "." } else { folder }
}
