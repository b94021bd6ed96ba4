//! Titles, and the folder that names have in common.

use crate::clean::clean;
use crate::style::{BOLD, DIM};
use std::io::{self, Write};

/// The title of a part, and a word about it.
pub(super) fn write_title(out: &mut dyn Write, title: &str, about: &str) -> io::Result<()> {
    let about = if about.is_empty() { String::new() } else { format!("  {DIM}{about}{DIM:#}") };
    writeln!(out, "\n{BOLD}{title}{BOLD:#}{about}")
}

/// `under docs/`, or nothing.
pub(super) fn under(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("under {}", clean(folder)) }
}

/// The folder that all these documents are in, if their ids are paths: it need not be said again and again.
pub(super) fn common_folder<'a>(mut ids: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = ids.next() else { return "" };
    let mut length = first.rfind('/').map_or(0, |at| at + 1);
    for id in ids {
        while !id.starts_with(&first[..length]) {
            length = first[..length - 1].rfind('/').map_or(0, |at| at + 1);
        }
    }
    &first[..length]
}
