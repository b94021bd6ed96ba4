//! The longest passages of the first pairs, with both places.

use super::names::place;
use super::terminal::CopiesShown;
use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{commas, count, percent};
use lookalike::copies::{Copies, Pair, Submission};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

pub(super) fn write(out: &mut dyn Write, report: &Copies, shown: CopiesShown) -> io::Result<()> {
    let explained = &report.pairs[..report.pairs.len().min(shown.explained).min(shown.pairs)];
    if explained.is_empty() {
        return Ok(());
    }
    let of = match explained.len() {
        1 => "the first pair".to_owned(),
        pairs => format!("the first {pairs} pairs"),
    };
    writeln!(out, "\n{BOLD}Passages of {of}{BOLD:#}  {DIM}longest first{DIM:#}")?;
    for (at, pair) in explained.iter().enumerate() {
        let [a, b] = [pair.a, pair.b].map(|at| &report.submissions[at]);
        let overlap = format!("{} similar, {} in common", percent(pair.similarity), count(pair.overlap, "token"));
        writeln!(out, "\n{:>3}  {BOLD}{} ↔ {}{BOLD:#}  {DIM}{overlap}{DIM:#}", at + 1, titled(a), titled(b))?;
        one(out, report, pair, shown.passages)?;
    }
    Ok(())
}

fn one(out: &mut dyn Write, report: &Copies, pair: &Pair, most: usize) -> io::Result<()> {
    let listed = &pair.passages[..pair.passages.len().min(most)];
    let places: Vec<String> = listed
        .iter()
        .map(|passage| {
            let a = place(&report.submissions[pair.a], &passage.a);
            format!("{a} ↔ {}", place(&report.submissions[pair.b], &passage.b))
        })
        .collect();
    let width = places.iter().map(|place| place.width()).max().unwrap_or_default().min(60);
    let all = commas(report.submissions.len() as u64);
    for (passage, place) in listed.iter().zip(&places) {
        let space = " ".repeat(width.saturating_sub(place.width()));
        let equal = match passage.equal {
            equal if equal < passage.tokens => format!("{} equal, ", commas(equal)),
            _ => String::new(),
        };
        let tokens = count(passage.tokens, "token");
        let found = format!("{equal}in {} of {all} submissions", commas(passage.submissions));
        writeln!(out, "     {tokens:>12}  {place}{space}  {DIM}{found}{DIM:#}")?;
    }
    match pair.passages_all.saturating_sub(listed.len() as u64) {
        0 => Ok(()),
        rest => writeln!(out, "     {DIM}{:>12}  … and {}{DIM:#}", "", count(rest, "more passage")),
    }
}

/// A submission's name, and the person's where it is known.
fn titled(submission: &Submission) -> String {
    let name = clean(&submission.name);
    let person = submission.full_name.as_deref().or(submission.owner.as_deref());
    match person.filter(|person| *person != submission.name) {
        Some(person) => format!("{name} ({})", clean(person)),
        None => name.into_owned(),
    }
}
