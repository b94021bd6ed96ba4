//! Templates: those that were ignored, clusters that look like one, and chunks that most documents have.

use super::lines::write_title;
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count, short_percent};
use crate::words::{mark, quoted};
use lookalike::report::{AppliedTemplate, Chunks};
use std::io::{self, Write};
use std::path::Path;

/// Templates, suggestions and frequent chunks that are shown; the rest is counted.
const MAX_SHOWN: usize = 5;

pub(super) fn write_ignored(out: &mut dyn Write, templates: &[AppliedTemplate]) -> io::Result<()> {
    if templates.is_empty() {
        return Ok(());
    }
    write_title(out, "Templates ignored", "sizes and shares are without them")?;
    for template in templates.iter().take(MAX_SHOWN) {
        let documents = commas(template.documents);
        let sizes = format!("{}, {}", count(template.chunks, "chunk"), bytes(template.bytes));
        let name = clean(&template.name);
        writeln!(out, "  {documents:>9} documents  {name}  {DIM}{sizes}{DIM:#}")?;
    }
    rest(out, templates.len(), "more template")
}

/// Says how to mark each, in words that can be copied.
pub(super) fn write_suggestions(out: &mut dyn Write, chunks: &Chunks, run: Option<&Path>) -> io::Result<()> {
    let suggestions = &chunks.suggestions;
    if suggestions.is_empty() {
        return Ok(());
    }
    write_title(out, "Looks like a template", &hints::ignore_template(run))?;
    for suggestion in suggestions.iter().take(MAX_SHOWN) {
        let documents = count(suggestion.documents, "document");
        let shared = format!("{}, {}", count(suggestion.chunks, "chunk"), bytes(suggestion.bytes));
        let text = suggestion.text.as_deref().map_or_else(String::new, quoted);
        writeln!(out, "  cluster {}: {documents} all share {shared}", suggestion.cluster)?;
        if !text.is_empty() {
            writeln!(out, "    {DIM}{text}{DIM:#}")?;
        }
        if let Some(mark) = mark(chunks, suggestion, run) {
            writeln!(out, "    {BOLD}{mark}{BOLD:#}")?;
        }
    }
    rest(out, suggestions.len(), "more cluster")
}

pub(super) fn write_frequent(out: &mut dyn Write, chunks: &Chunks) -> io::Result<()> {
    if chunks.frequent.is_empty() {
        return Ok(());
    }
    let share = short_percent(chunks.totals.max_df);
    write_title(
        out,
        "Frequent chunks",
        &format!("in more than {share} of all documents; they do not connect documents"),
    )?;
    for common in chunks.frequent.iter().take(MAX_SHOWN) {
        let documents = commas(common.documents);
        let sizes = format!("{}, {}", count(common.chunks, "chunk"), bytes(common.bytes));
        let text = match &common.text {
            Some(text) => quoted(text),
            None => format!("in {}", clean(&common.example)),
        };
        writeln!(out, "  {documents:>9} documents  {sizes}  {DIM}{text}{DIM:#}")?;
    }
    rest(out, chunks.frequent.len(), "more group")
}

fn rest(out: &mut dyn Write, all: usize, noun: &str) -> io::Result<()> {
    match all.saturating_sub(MAX_SHOWN) {
        0 => Ok(()),
        rest => writeln!(out, "  … and {}; {}", count(rest as u64, noun), hints::ALL),
    }
}
