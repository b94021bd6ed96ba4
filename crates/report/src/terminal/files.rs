//! Sets of identical files, and folders that share content. The chunks lens lists them.

use super::lines::{common_folder, under, write_title};
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count, percent};
use crate::words::folder_name;
use lookalike::report::{FolderPair, IdenticalSet};
use std::io::{self, Write};

/// Names of a set that are shown; one more is shown, since to say that there is one more takes as much room.
const NAMES: usize = 3;
/// Pairs of folders that are shown, unless fewer are asked for.
const FOLDERS: usize = 10;

/// Files of a set that one could do without.
pub(super) fn copies(set: &IdenticalSet) -> u64 {
    (set.files.len() as u64).saturating_sub(1)
}

/// Bytes that they take.
pub(super) fn freed(set: &IdenticalSet) -> u64 {
    copies(set) * set.bytes
}

/// Most bytes to be freed first.
pub(super) fn write_identical(out: &mut dyn Write, identical: &[IdenticalSet], top: usize) -> io::Result<()> {
    let listed = &identical[..identical.len().min(top)];
    if listed.is_empty() {
        return Ok(());
    }
    let folder = common_folder(listed.iter().flat_map(|set| &set.files).map(|file| &*file.id));
    write_title(out, "Identical files, most bytes to be freed first", &under(folder))?;
    writeln!(out, "{DIM}{:>14}  {:>9}  {:>17}  document{DIM:#}", "frees", "files", "each")?;
    listed.iter().try_for_each(|set| write_set(out, set, folder))?;
    match identical.len() - listed.len() {
        0 => Ok(()),
        rest => writeln!(out, "… and {}; {}", count(rest as u64, "more set"), hints::MORE),
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

/// A line for each pair of folders.
pub(super) fn write_folders(out: &mut dyn Write, folders: &[FolderPair], top: usize) -> io::Result<()> {
    let listed = &folders[..folders.len().min(top).min(FOLDERS)];
    if listed.is_empty() {
        return Ok(());
    }
    write_title(out, "Similar folders", "most bytes in common first")?;
    for pair in listed {
        let sizes = format!("{}, {}", count(pair.files, "file"), bytes(pair.bytes));
        let back = format!("; {} the other way", percent(pair.other_share));
        let (folder, other) = (clean(folder_name(&pair.folder)), clean(folder_name(&pair.other)));
        writeln!(out, "  {folder} is {BOLD}{}{BOLD:#} inside {other}  {DIM}{sizes}{back}{DIM:#}", percent(pair.share))?;
    }
    match folders.len() - listed.len() {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}; {}", count(rest as u64, "more pair"), hints::ALL),
    }
}
