//! The answer of an index of fingerprints: which documents are near.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::count;
use crate::versioned::write_versioned;
use lookalike::index::{SimhashAnswer, SimhashMatch};
use std::io::{self, Write};

/// The answer as one JSON object.
pub fn write_seen_json(out: &mut dyn Write, answer: &SimhashAnswer) -> io::Result<()> {
    write_versioned(out, answer)
}

/// Writes the answer with colours: what was asked, then what is near, nearest first.
pub fn write_seen(out: &mut dyn Write, answer: &SimhashAnswer) -> io::Result<()> {
    let known = if answer.known { "in the index" } else { "not in the index" };
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{known}; content {}{DIM:#}", clean(&answer.query), clean(&answer.content))?;
    let near = format!("{} within {}", count(answer.found, "document"), count(u64::from(answer.k), "bit"));
    writeln!(out, "  {DIM}fingerprint {}; {near}{DIM:#}", clean(&answer.fingerprint))?;
    if answer.matches.is_empty() {
        return writeln!(out, "\n  nothing found");
    }
    writeln!(out, "\n{BOLD}Found{BOLD:#}  {DIM}nearest first{DIM:#}")?;
    writeln!(out, "{DIM}  {:>8}  {:<10}  document{DIM:#}", "distance", "last seen")?;
    answer.matches.iter().try_for_each(|near| write_match(out, near))?;
    match answer.more {
        0 => Ok(()),
        more => writeln!(out, "  … and {}", count(more, "more document")),
    }
}

fn write_match(out: &mut dyn Write, near: &SimhashMatch) -> io::Result<()> {
    let (url, last) = near.seen.first().map_or((near.content.as_str(), None), |s| (&s.url, s.last.as_deref()));
    let more = match near.seen.len() {
        0 | 1 => String::new(),
        n => format!("  (+{} more)", n - 1),
    };
    let (distance, last) = (near.distance, clean(last.unwrap_or("–")));
    writeln!(out, "  {BOLD}{distance:>8}{BOLD:#}  {last:<10}  {}{DIM}{more}{DIM:#}", clean(url))
}
