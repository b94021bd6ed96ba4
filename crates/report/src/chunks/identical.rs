//! Sets of identical files: most bytes to be freed first.

use super::{title, under};
use crate::clean::clean;
use crate::shares::DIM;
use crate::terminal::common_folder;
use crate::units::{bytes, commas, count};
use lookalike::chunks::IdenticalSet;
use std::io::{self, Write};

/// Names of a set that are shown; one more is shown, since to say that there is one more takes as much room.
const NAMES: usize = 3;

/// Files of a set that one could do without.
pub(crate) fn copies(set: &IdenticalSet) -> u64 {
    (set.files.len() as u64).saturating_sub(1)
}

/// Bytes that they take.
pub(crate) fn freed(set: &IdenticalSet) -> u64 {
    copies(set) * set.bytes
}

pub(super) fn write(out: &mut dyn Write, identical: &[IdenticalSet], most: usize) -> io::Result<()> {
    let listed = &identical[..identical.len().min(most)];
    if listed.is_empty() {
        return Ok(());
    }
    let folder = common_folder(listed.iter().flat_map(|set| &set.files).map(|file| &*file.id));
    title(out, "Identical files, most bytes to be freed first", &under(folder))?;
    writeln!(out, "{DIM}{:>14}  {:>9}  {:>17}  document{DIM:#}", "frees", "files", "each")?;
    for set in listed {
        write_set(out, set, folder)?;
    }
    match identical.len() - listed.len() {
        0 => Ok(()),
        rest => writeln!(out, "… and {}; show more with --top N, all with --json", count(rest as u64, "more set")),
    }
}

fn write_set(out: &mut dyn Write, set: &IdenticalSet, folder: &str) -> io::Result<()> {
    let (frees, files, each) = (bytes(freed(set)), commas(set.files.len() as u64), bytes(set.bytes));
    let mut numbers = format!("{frees:>14}  {files:>9}  {each:>17}");
    let names = if set.files.len() <= NAMES + 1 { NAMES + 1 } else { NAMES };
    for file in set.files.iter().take(names) {
        writeln!(out, "{numbers:44}  {}", clean(&file.id[folder.len()..]))?;
        numbers.clear();
    }
    match set.files.len().saturating_sub(names) {
        0 => Ok(()),
        rest => writeln!(out, "{:46}{DIM}… and {} more{DIM:#}", "", commas(rest as u64)),
    }
}
