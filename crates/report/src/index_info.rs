//! An index in numbers.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{bytes, commas, count, percent};
use crate::versioned::write_versioned;
use lookalike::index::Info;
use std::io::{self, Write};

/// Sweeps and segments that are shown; the rest is counted.
const SHOWN: usize = 20;

/// The numbers as one JSON object.
pub fn write_info_json(out: &mut dyn Write, info: &Info) -> io::Result<()> {
    write_versioned(out, info)
}

/// Writes the numbers with colours.
pub fn write_info(out: &mut dyn Write, info: &Info) -> io::Result<()> {
    let sizes = format!("{}, {}", count(info.documents, "document"), bytes(info.document_bytes));
    writeln!(out, "{BOLD}{sizes}{BOLD:#}  {DIM}{}{DIM:#}\n", clean(&info.recipe))?;
    let mut row = |name: &str, n: u64, what: &str| writeln!(out, "  {name:<12} {:>12}  {DIM}{what}{DIM:#}", commas(n));
    row("URLs", info.urls, "different URLs or ids")?;
    row("observations", info.observations, "a URL in a sweep")?;
    if info.lens != "shingles" {
        return rest(out, info);
    }
    let least = format!("of {}; resemblance of {} or more", count(info.clustered, "document"), percent(info.threshold));
    let contained = info.contained.map_or_else(String::new, |c| format!(", or {} inside another", percent(c)));
    row("clusters", info.clusters, &format!("{least}{contained}"))?;
    let common = format!("features in more than {}: ignored", count(u64::from(info.common), "document"));
    row("common", info.common_features, &common)?;
    rest(out, info)
}

/// What indexes of all lenses have: room on disk, sweeps, segments.
fn rest(out: &mut dyn Write, info: &Info) -> io::Result<()> {
    let each = info.index_bytes.checked_div(info.documents).unwrap_or(0);
    writeln!(
        out,
        "  {:<12} {:>12}  {DIM}on disk, {} a document, after {}{DIM:#}",
        "size",
        bytes(info.index_bytes),
        bytes(each),
        count(info.generation, "commit")
    )?;
    writeln!(out, "\n{BOLD}Sweeps{BOLD:#}")?;
    let skipped = info.sweeps.len().saturating_sub(SHOWN);
    if skipped > 0 {
        writeln!(out, "  {DIM}… {} before{DIM:#}", count(skipped as u64, "sweep"))?;
    }
    for sweep in &info.sweeps[skipped..] {
        let date = clean(sweep.date.as_deref().unwrap_or("no date"));
        writeln!(out, "  {date:<12} {:>12}  {DIM}observations{DIM:#}", commas(sweep.observations))?;
    }
    writeln!(out, "\n{BOLD}Segments{BOLD:#}")?;
    for segment in info.segments.iter().take(SHOWN) {
        let removed = match segment.removed {
            0 => String::new(),
            n => format!(", {} of them removed", commas(n)),
        };
        let documents = count(segment.documents, "document");
        writeln!(out, "  {:<16} {:>8}  {DIM}{documents}{removed}{DIM:#}", clean(&segment.file), bytes(segment.bytes))?;
    }
    match info.segments.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}", count(rest as u64, "more segment")),
    }
}
