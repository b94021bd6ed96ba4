//! Where passages of a text come from.

use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{commas, count, percent};
use crate::versioned::write_versioned;
use lookalike::index::{FoundPassage, PassageAnswer, PassageSource, Position};
use std::io::{self, Write};

/// Passages that are listed of a source.
const SHOWN: usize = 5;

/// The answer as one JSON object.
pub fn write_passages_json(out: &mut dyn Write, answer: &PassageAnswer) -> io::Result<()> {
    write_versioned(out, answer)
}

/// Writes the answer with colours: what was asked, then where it comes from, most similar first.
pub fn write_passages(out: &mut dyn Write, answer: &PassageAnswer) -> io::Result<()> {
    let known = if answer.known { "in the index" } else { "not in the index" };
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{known}; content {}{DIM:#}", clean(&answer.query), clean(&answer.content))?;
    let unit = unit(answer.language);
    let looked_up = count(answer.fingerprints, "fingerprint");
    writeln!(out, "  {DIM}{}; read as {}; {looked_up} looked up{DIM:#}", count(answer.tokens, unit), answer.language)?;
    if answer.unfollowed > 0 {
        let unfollowed = count(answer.unfollowed, "fingerprint");
        writeln!(out, "  {DIM}{unfollowed} of very many documents not followed: more may share them{DIM:#}")?;
    }
    if answer.uncompared > 0 {
        let uncompared = count(answer.uncompared, "document");
        writeln!(out, "  {DIM}{uncompared} that share less not compared; a larger --limit compares more{DIM:#}")?;
    }
    if answer.sources.is_empty() {
        return writeln!(out, "\n  nothing found");
    }
    writeln!(out, "\n{BOLD}Found{BOLD:#}  {DIM}most similar first{DIM:#}")?;
    writeln!(out, "{DIM}  {:>10}  {:>8}  {:>8}  {:>7}  document{DIM:#}", "similarity", "of query", "of it", "longest")?;
    answer.sources.iter().try_for_each(|source| write_source(out, source, unit))?;
    match answer.more {
        0 => Ok(()),
        more => writeln!(out, "  … and {}", count(more, "more document")),
    }
}

/// What tokens are called.
fn unit(language: &str) -> &'static str {
    match language {
        "text" => "word",
        "bytes" => "byte",
        _ => "token",
    }
}

fn write_source(out: &mut dyn Write, source: &PassageSource, unit: &str) -> io::Result<()> {
    let name = source.seen.first().map_or(&source.content, |seen| &seen.url);
    let more = match source.seen.len() {
        0 | 1 => String::new(),
        n => format!("  (+{} more)", n - 1),
    };
    let [similar, of_query, of_it] = [source.similarity, source.query_share, source.document_share].map(percent);
    let longest = commas(source.longest);
    let name = clean(name);
    writeln!(
        out,
        "\n  {BOLD}{similar:>10}{BOLD:#}  {of_query:>8}  {of_it:>8}  {longest:>7}  {BOLD}{name}{BOLD:#}{DIM}{more}{DIM:#}"
    )?;
    let mut longest: Vec<&FoundPassage> = source.passages.iter().collect();
    longest.sort_by_key(|passage| (std::cmp::Reverse(passage.tokens), passage.query.start, passage.document.start));
    for passage in longest.iter().take(SHOWN) {
        let equal =
            if passage.equal < passage.tokens { format!(", {} equal", commas(passage.equal)) } else { String::new() };
        let having = passage.documents.map_or_else(String::new, |n| format!(", in {}", count(n, "document")));
        let tokens = count(passage.tokens, unit);
        let places = format!("{} ↔ its {}", lines(passage.query), lines(passage.document));
        writeln!(out, "{:>14}{places}  {DIM}{tokens}{equal}{having}{DIM:#}", "")?;
        if let Some(text) = &passage.text {
            writeln!(out, "{:>14}{DIM}“{}…”{DIM:#}", "", clean(text))?;
        }
    }
    match source.passages.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        rest => writeln!(out, "{:>14}{DIM}… and {}{DIM:#}", "", count(rest as u64, "more passage")),
    }
}

/// `lines 12–58`.
fn lines(position: Position) -> String {
    if position.line == position.last_line {
        return format!("line {}", position.line);
    }
    format!("lines {}–{}", position.line, position.last_line)
}
