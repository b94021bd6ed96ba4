//! An index in numbers, and what a change or a check of it did.

use super::show::Show;
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count, short_percent};
use lookalike::Lens;
use lookalike::index::{ChangeSummary, Info, Integrity};
use serde::Serialize;
use std::io::{self, Write};

/// Sweeps and segments that are shown; the rest is counted.
const MAX_SHOWN: usize = 20;

impl Show for Info {
    /// Writes the numbers with colours.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let sizes = format!("{}, {}", count(self.documents, "document"), bytes(self.document_bytes));
        writeln!(out, "{BOLD}{sizes}{BOLD:#}  {DIM}{}{DIM:#}\n", clean(&self.recipe))?;
        let mut row =
            |name: &str, n: u64, what: &str| writeln!(out, "  {name:<12} {:>12}  {DIM}{what}{DIM:#}", commas(n));
        row("URLs", self.urls, "different URLs or ids")?;
        row("observations", self.observations, "a URL in a sweep")?;
        if self.lens != Lens::Shingles {
            return write_storage(out, self);
        }
        let least = format!(
            "of {}; resemblance of {} or more",
            count(self.clustered, "document"),
            short_percent(self.threshold)
        );
        let contained =
            self.contained.map_or_else(String::new, |c| format!(", or {} inside another", short_percent(c)));
        row("clusters", self.clusters, &format!("{least}{contained}"))?;
        let frequent = format!("features in more than {}: ignored", count(u64::from(self.max_df), "document"));
        row("frequent", self.frequent_features, &frequent)?;
        write_storage(out, self)
    }
}

/// What indexes of all lenses have: room on disk, sweeps, segments.
fn write_storage(out: &mut dyn Write, info: &Info) -> io::Result<()> {
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
    let skipped = info.sweeps.len().saturating_sub(MAX_SHOWN);
    if skipped > 0 {
        writeln!(out, "  {DIM}… {} before{DIM:#}", count(skipped as u64, "sweep"))?;
    }
    for sweep in &info.sweeps[skipped..] {
        let date = clean(sweep.date.as_deref().unwrap_or("no date"));
        let unread = match &sweep.unread[..] {
            [] => String::new(),
            [one] => format!(", not all of {} could be read", clean(one)),
            more => format!(", not all of {} could be read", count(more.len() as u64, "input")),
        };
        writeln!(out, "  {date:<12} {:>12}  {DIM}observations{unread}{DIM:#}", commas(sweep.observations))?;
    }
    writeln!(out, "\n{BOLD}Segments{BOLD:#}")?;
    for segment in info.segments.iter().take(MAX_SHOWN) {
        let removed = match segment.removed {
            0 => String::new(),
            n => format!(", {} of them removed", commas(n)),
        };
        let documents = count(segment.documents, "document");
        writeln!(out, "  {:<16} {:>8}  {DIM}{documents}{removed}{DIM:#}", clean(&segment.file), bytes(segment.bytes))?;
    }
    match info.segments.len().saturating_sub(MAX_SHOWN) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}", count(rest as u64, "more segment")),
    }
}

/// What a check of an index found.
#[derive(Serialize)]
pub struct IndexCheck<'a> {
    /// The index.
    #[serde(skip)]
    pub index: &'a str,
    /// What was found.
    #[serde(flatten)]
    pub checked: &'a Integrity,
}

impl Show for IndexCheck<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { index, checked } = self;
        let (files, bytes) = (commas(checked.files), commas(checked.bytes));
        let found = match checked.damages.len() {
            0 => "all is well".to_owned(),
            n => format!("{n} damaged"),
        };
        writeln!(out, "{}: {files} files, {bytes} bytes: {found}", clean(index))?;
        checked.damages.iter().try_for_each(|damage| writeln!(out, "  {}", clean(damage)))
    }
}

/// A copy of an index.
#[derive(Serialize)]
pub struct IndexSnapshot<'a> {
    /// The index.
    pub index: &'a str,
    /// The new folder.
    pub copy: &'a str,
}

impl Show for IndexSnapshot<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} is a copy of {}", clean(self.copy), clean(self.index))
    }
}

/// What a change of an index did.
#[derive(Serialize)]
pub struct IndexChange<'a> {
    /// The change in a word or two, such as "added to".
    #[serde(skip)]
    pub done: &'a str,
    /// The index.
    #[serde(skip)]
    pub index: &'a str,
    /// What was done.
    #[serde(flatten)]
    pub changed: &'a ChangeSummary,
}

impl Show for IndexChange<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { done, index, changed } = self;
        writeln!(out, "{done} {}\n", clean(index))?;
        let rows = [
            ("read", changed.read, "documents"),
            ("added", changed.added, "with content that the index did not have"),
            ("observed", changed.observed, "names that were recorded with their document"),
            ("unchanged", changed.unchanged, "names that were there already, with the same document"),
            ("repeated", changed.repeated, "names that occurred more than once: the last one counts"),
            ("removed", changed.removed, "observations that were removed or replaced"),
            ("dropped", changed.dropped, "documents that no name has any more"),
            ("merged", changed.merged, "segments, into larger ones"),
            ("skipped", changed.skipped.len() as u64, "not read"),
        ];
        let all_zero = rows.iter().all(|(_, n, _)| *n == 0);
        for (name, n, what) in rows.iter().filter(|(_, n, _)| *n > 0) {
            writeln!(out, "  {name:<11} {:>9}  {what}", commas(*n))?;
        }
        if all_zero {
            writeln!(out, "  nothing to do")?;
        }
        for skip in changed.skipped.iter().take(10) {
            writeln!(out, "  {}  {}", clean(&skip.id), clean(&skip.reason))?;
        }
        let rest = changed.skipped.len().saturating_sub(10);
        if rest > 0 { writeln!(out, "  … and {} more; {}", commas(rest as u64), hints::ALL) } else { Ok(()) }
    }
}
