//! The answers of an index to a query: which documents resemble it, are near it, have passages of it, or share bytes with it.

use super::show::Show;
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM, class_style, estimate, share};
use crate::units::{bytes, commas, count, percent};
use lookalike::index::{
    ChunkMatch, ChunkMatches, MatchedPassage, Matches, PassageMatch, PassageMatches, Position, SearchResult,
    ShingleMatch, ShingleMatches, Sighting, SimhashMatch, SimhashMatches,
};
use lookalike::report::Class;
use std::io::{self, Write};

/// Passages that are listed of a source.
const PASSAGES: usize = 5;

/// What was asked.
fn write_query(out: &mut dyn Write, query: &str, content: &str, known: bool) -> io::Result<()> {
    let known = if known { "in the index" } else { "not in the index" };
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{known}; content {}{DIM:#}", clean(query), clean(content))
}

/// What was found, under a title and the names of its columns; then how much more there is.
fn write_matches<T>(
    out: &mut dyn Write,
    about: &str,
    columns: &str,
    matches: &[T],
    more: u64,
    write: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(out, "\n{BOLD}Found{BOLD:#}  {DIM}{about}{DIM:#}")?;
    writeln!(out, "{DIM}  {columns}  document{DIM:#}")?;
    matches.iter().try_for_each(|found| write(out, found))?;
    match more {
        0 => Ok(()),
        more => writeln!(out, "  … and {}", count(more, "more document")),
    }
}

/// The first name of a document, or its content where it has none; when it was seen last; and how many more names it has.
fn names<'a>(seen: &'a [Sighting], content: &'a str) -> (&'a str, &'a str, String) {
    let (url, last) = seen.first().map_or((content, None), |s| (&s.url, s.last.as_deref()));
    let more = match seen.len() {
        0 | 1 => String::new(),
        n => format!("  (+{} more)", n - 1),
    };
    (url, last.unwrap_or("–"), more)
}

impl Show for SearchResult {
    /// What was asked, then what was found, best first.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        write_query(out, &self.query, &self.content, self.known)?;
        match &self.matches {
            Matches::Shingles(found) => write_resembling(out, found, self.more),
            Matches::Simhash(found) => write_near(out, found, self.more),
            Matches::Passages(found) => write_sources(out, found, self.more),
            Matches::Chunks(found) => write_sharing(out, found, self.more),
        }
    }
}

fn write_resembling(out: &mut dyn Write, found: &ShingleMatches, more: u64) -> io::Result<()> {
    let ignored = match found.frequent {
        0 => String::new(),
        n => format!("; {} ignored", count(u64::from(n), "frequent feature")),
    };
    let unfollowed = match found.unfollowed {
        0 => String::new(),
        n => {
            format!("; {} of too many documents not followed: more may share them", count(u64::from(n), "feature"))
        }
    };
    let counted = count(u64::from(found.features), "feature");
    writeln!(out, "  {DIM}{counted} of its sketch counted{ignored}{unfollowed}{DIM:#}")?;
    if found.matches.is_empty() {
        let why = match (found.features, found.frequent) {
            (0, 0) => ": it is too short for its sketch, and the index has no equal of it",
            (0, _) => ": all of its features are frequent; count boilerplate to find it",
            _ => "",
        };
        return writeln!(out, "\n  nothing found{why}");
    }
    let columns = format!(
        "{:<22}  {:>11}  {:>11}  {:<9}  {:<10}",
        "resemblance", "query in it", "it in query", "class", "last seen"
    );
    write_matches(out, numbers(&found.matches), &columns, &found.matches, more, write_match)
}

/// Whether the numbers were counted or estimated.
fn numbers(matches: &[ShingleMatch]) -> &'static str {
    match matches.iter().filter(|m| m.verified.is_some()).count() {
        0 => "estimates with 95% intervals",
        n if n == matches.len() => "counted on the originals",
        _ => "counted on the originals; with an interval where only the sketch is left",
    }
}

fn write_match(out: &mut dyn Write, found: &ShingleMatch) -> io::Result<()> {
    let style = class_style(found.class);
    let alike = match found.verified {
        Some(verified) => percent(verified.resemblance),
        None => estimate(found.resemblance),
    };
    let (of_query, of_it) = (share(found.best_query_in_document()), share(found.best_document_in_query()));
    let class = found.class.map_or("–", Class::name);
    let (url, last, more) = names(&found.seen, &found.content);
    let last = clean(last);
    writeln!(
        out,
        "  {style}{alike:<22}{style:#}  {of_query:>11}  {of_it:>11}  {style}{class:<9}{style:#}  {last:<10}  {}{DIM}{more}{DIM:#}",
        clean(url)
    )
}

fn write_near(out: &mut dyn Write, found: &SimhashMatches, more: u64) -> io::Result<()> {
    let near = format!("{} within {}", count(found.found, "document"), count(u64::from(found.distance), "bit"));
    writeln!(out, "  {DIM}fingerprint {}; {near}{DIM:#}", clean(&found.fingerprint))?;
    if found.matches.is_empty() {
        return writeln!(out, "\n  nothing found");
    }
    let columns = format!("{:>8}  {:<10}", "distance", "last seen");
    write_matches(out, "nearest first", &columns, &found.matches, more, write_near_match)
}

fn write_near_match(out: &mut dyn Write, near: &SimhashMatch) -> io::Result<()> {
    let (url, last, more) = names(&near.seen, &near.content);
    let (distance, last) = (near.distance, clean(last));
    writeln!(out, "  {BOLD}{distance:>8}{BOLD:#}  {last:<10}  {}{DIM}{more}{DIM:#}", clean(url))
}

fn write_sharing(out: &mut dyn Write, found: &ChunkMatches, more: u64) -> io::Result<()> {
    let told = format!("{} in {}", bytes(found.bytes), count(found.chunks, "chunk"));
    let frequent = match found.frequent {
        0 => String::new(),
        n => format!("; {} of very many documents led to none", count(n, "chunk")),
    };
    writeln!(out, "  {DIM}{told}{frequent}{DIM:#}")?;
    if found.unfollowed > 0 {
        let unfollowed = count(found.unfollowed, "chunk");
        writeln!(
            out,
            "  {DIM}{unfollowed} not followed, since very many documents were met before: more may share them{DIM:#}"
        )?;
    }
    if found.uncompared > 0 {
        let uncompared = count(found.uncompared, "document");
        writeln!(out, "  {DIM}{uncompared} that share less not compared; {}{DIM:#}", hints::COMPARE_MORE)?;
    }
    if found.matches.is_empty() {
        return writeln!(out, "\n  nothing found");
    }
    let columns =
        format!("{:>10}  {:>8}  {:>8}  {:<9}  {:<10}", "in common", "of query", "of it", "class", "last seen");
    write_matches(out, "most bytes in common first", &columns, &found.matches, more, write_sharing_match)
}

fn write_sharing_match(out: &mut dyn Write, found: &ChunkMatch) -> io::Result<()> {
    let style = class_style(Some(found.class));
    let (shared, class) = (bytes(found.shared_bytes), found.class.name());
    let [of_query, of_it] = [found.query_share, found.document_share].map(percent);
    let (url, last, more) = names(&found.seen, &found.content);
    let last = clean(last);
    writeln!(
        out,
        "  {style}{shared:>10}{style:#}  {of_query:>8}  {of_it:>8}  {style}{class:<9}{style:#}  {last:<10}  {}{DIM}{more}{DIM:#}",
        clean(url)
    )
}

fn write_sources(out: &mut dyn Write, found: &PassageMatches, more: u64) -> io::Result<()> {
    let unit = unit(found.language);
    let looked_up = count(found.fingerprints, "fingerprint");
    writeln!(out, "  {DIM}{}; read as {}; {looked_up} looked up{DIM:#}", count(found.tokens, unit), found.language)?;
    if found.unfollowed > 0 {
        let unfollowed = count(found.unfollowed, "fingerprint");
        writeln!(out, "  {DIM}{unfollowed} of very many documents not followed: more may share them{DIM:#}")?;
    }
    if found.uncompared > 0 {
        let uncompared = count(found.uncompared, "document");
        writeln!(out, "  {DIM}{uncompared} that share less not compared; {}{DIM:#}", hints::COMPARE_MORE)?;
    }
    if found.matches.is_empty() {
        return writeln!(out, "\n  nothing found");
    }
    let columns = format!("{:>10}  {:>8}  {:>8}  {:>7}", "similarity", "of query", "of it", "longest");
    let write = |out: &mut dyn Write, source: &PassageMatch| write_source(out, source, unit);
    write_matches(out, "most similar first", &columns, &found.matches, more, write)
}

/// What tokens are called.
fn unit(language: &str) -> &'static str {
    match language {
        "text" => "word",
        "bytes" => "byte",
        _ => "token",
    }
}

fn write_source(out: &mut dyn Write, source: &PassageMatch, unit: &str) -> io::Result<()> {
    let (name, _, more) = names(&source.seen, &source.content);
    let [similar, of_query, of_it] = [source.similarity, source.query_share, source.document_share].map(percent);
    let longest = commas(source.longest);
    let name = clean(name);
    writeln!(
        out,
        "\n  {BOLD}{similar:>10}{BOLD:#}  {of_query:>8}  {of_it:>8}  {longest:>7}  {BOLD}{name}{BOLD:#}{DIM}{more}{DIM:#}"
    )?;
    let mut longest: Vec<&MatchedPassage> = source.passages.iter().collect();
    longest.sort_by_key(|passage| (std::cmp::Reverse(passage.tokens), passage.query.start, passage.document.start));
    for passage in longest.iter().take(PASSAGES) {
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
    match source.passages.len().saturating_sub(PASSAGES) {
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
