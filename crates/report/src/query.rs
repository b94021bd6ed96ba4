//! The answer to a query.

use crate::clean::clean;
use crate::csv::class_name;
use crate::shares::{BOLD, DIM, class_style, estimate, share};
use crate::units::{count, percent};
use crate::versioned::write_versioned;
use lookalike::index::{Answer, Match};
use std::io::{self, Write};

/// The answer as one JSON object.
pub fn write_answer_json(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    write_versioned(out, answer)
}

/// Writes the answer with colours: what was asked, then what was found, best first.
pub fn write_answer(out: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let known = if answer.known { "in the index" } else { "not in the index" };
    writeln!(out, "{BOLD}{}{BOLD:#}  {DIM}{known}; content {}{DIM:#}", clean(&answer.query), clean(&answer.content))?;
    let ignored = match answer.common {
        0 => String::new(),
        n => format!("; {} ignored", count(u64::from(n), "common feature")),
    };
    let unfollowed = match answer.unfollowed {
        0 => String::new(),
        n => format!("; {} of too many documents not followed: more may share them", count(u64::from(n), "feature")),
    };
    let ignored = ignored + &unfollowed;
    writeln!(out, "  {DIM}{} of its sketch counted{ignored}{DIM:#}", count(u64::from(answer.features), "feature"))?;
    if answer.matches.is_empty() {
        let why = match (answer.features, answer.common) {
            (0, 0) => "  nothing found: it is too short for its sketch, and the index has no equal of it",
            (0, _) => "  nothing found: all of its features are common; compare whole documents to find it",
            _ => "  nothing found",
        };
        return writeln!(out, "\n{why}");
    }
    writeln!(out, "\n{BOLD}Found{BOLD:#}  {DIM}{}{DIM:#}", numbers(&answer.matches))?;
    let columns = format!(
        "  {:<22}  {:>11}  {:>11}  {:<9}  {:<10}  document",
        "resemblance", "query in it", "it in query", "class", "last seen"
    );
    writeln!(out, "{DIM}{columns}{DIM:#}")?;
    answer.matches.iter().try_for_each(|found| write_match(out, found))?;
    match answer.more {
        0 => Ok(()),
        more => writeln!(out, "  … and {}", count(more, "more document")),
    }
}

/// Whether the numbers were counted or estimated.
fn numbers(matches: &[Match]) -> &'static str {
    match matches.iter().filter(|m| m.verified.is_some()).count() {
        0 => "estimates with 95 % intervals",
        n if n == matches.len() => "counted on the originals",
        _ => "counted on the originals; with an interval where only the sketch is left",
    }
}

fn write_match(out: &mut dyn Write, found: &Match) -> io::Result<()> {
    let style = class_style(found.class);
    let alike = match found.verified {
        Some(verified) => percent(verified.resemblance),
        None => estimate(found.resemblance),
    };
    let (of_query, of_it) = (share(found.best_query_in_document()), share(found.best_document_in_query()));
    let class = found.class.map_or("–", class_name);
    let (url, last) = found.seen.first().map_or((found.content.as_str(), None), |s| (&s.url, s.last.as_deref()));
    let more = match found.seen.len() {
        0 | 1 => String::new(),
        n => format!("  (+{} more)", n - 1),
    };
    let last = clean(last.unwrap_or("–"));
    writeln!(
        out,
        "  {style}{alike:<22}{style:#}  {of_query:>11}  {of_it:>11}  {style}{class:<9}{style:#}  {last:<10}  {}{DIM}{more}{DIM:#}",
        clean(url)
    )
}
