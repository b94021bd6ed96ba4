//! A report of the chunks lens on a terminal: summary, clusters, identical files, folders, templates.

mod clusters;
mod folders;
mod identical;
mod sketched;
mod summary;
mod template_list;
mod templates;

pub(crate) use clusters::share_of_smaller;
pub(crate) use folders::folder_name;
pub use sketched::write_sketched;
pub(crate) use summary::parameters;
pub use template_list::{write_marked, write_template, write_template_list, write_unmarked};
pub(crate) use templates::mark;

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::terminal::{Explain, Shown, skipped};
use lookalike::Report;
use lookalike::chunks::Chunks;
use std::io::{self, Write};

/// Characters of a template's text that are shown: it and the numbers beside it fit a line of 100.
const TEXT: usize = 60;

/// Writes the whole report.
pub(crate) fn write_chunks(
    out: &mut dyn Write,
    report: &Report,
    chunks: &Chunks,
    shown: Shown,
    explain: &Explain<'_>,
) -> io::Result<()> {
    summary::write(out, report, chunks)?;
    clusters::write(out, report, chunks, shown, explain)?;
    identical::write(out, &chunks.identical, shown.clusters)?;
    folders::write(out, &chunks.folders, shown.clusters)?;
    templates::write_ignored(out, &chunks.templates)?;
    templates::write_suggestions(out, chunks)?;
    templates::write_common(out, chunks)?;
    skipped(out, &report.skipped)
}

/// The title of a section, and a word about it.
fn title(out: &mut dyn Write, title: &str, about: &str) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title}{BOLD:#}{}{DIM}{about}{DIM:#}", if about.is_empty() { "" } else { "  " })
}

/// `under docs/`, or nothing.
fn under(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("under {}", clean(folder)) }
}

/// How a text begins, on one line: `“<!DOCTYPE html> <html>…”`
fn quoted(text: &str) -> String {
    // a text may be long and without a space: never more of it than can be shown
    let start: String = text.chars().take(8 * TEXT).collect();
    let words: Vec<&str> = start.split_whitespace().collect();
    let line = words.join(" ");
    let short: String = line.chars().take(TEXT).collect();
    let dots = if short.len() < line.len() || start.len() < text.len() { "…" } else { "" };
    format!("“{}{dots}”", clean(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shown_on_one_line() {
        assert_eq!(quoted("  <p>\n\t one\u{1b}[2J two "), "“<p> one\\u{1b}[2J two”");
        assert_eq!(quoted(&"x".repeat(61)), format!("“{}…”", "x".repeat(60)));
        assert_eq!(quoted(&format!("a{}b", " ".repeat(1000))), "“a…”");
    }
}
