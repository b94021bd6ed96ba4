//! The pairs, a line each.

use super::names::fit;
use crate::clean::clean;
use crate::shares::{BOLD, DIM};
use crate::units::{commas, count, percent};
use anstyle::{AnsiColor, Style};
use lookalike::copies::{Copies, Pair};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Columns of a line, and those that two names have at least.
const COLUMNS: usize = 100;
const NAMES: usize = 24;
const BETWEEN: &str = " ↔ ";

pub(super) fn write(out: &mut dyn Write, report: &Copies, most: usize) -> io::Result<()> {
    let listed = &report.pairs[..report.pairs.len().min(most)];
    if !listed.is_empty() {
        writeln!(out, "\n{BOLD}Pairs, most similar first{BOLD:#}")?;
        let columns = format!(
            "{:>3}  {:>7}  {:>13}  {:>7}  {:>8}  {:>6}  {:>6}  submissions",
            "", "similar", "% of each", "longest", "passages", "rarity", "chance"
        );
        writeln!(out, "{DIM}{columns}{DIM:#}")?;
    }
    for (at, pair) in listed.iter().enumerate() {
        let style = style(pair, report.calibration.threshold);
        let similarity = percent(pair.similarity);
        let numbers = numbers(pair);
        // three for the place, two and seven for the similarity, two before the names
        let [a, b] = names(report, pair, COLUMNS.saturating_sub(14 + numbers.width()).max(NAMES));
        writeln!(out, "{:>3}  {style}{similarity:>7}{style:#}{numbers}  {a}{DIM}{BETWEEN}{DIM:#}{b}", at + 1)?;
    }
    match report.pairs_all.saturating_sub(listed.len() as u64) {
        0 => Ok(()),
        rest => {
            let listed = (report.pairs.len() - listed.len()) as u64;
            let more = if listed > 0 { "show more with --top N" } else { "list more with --limit N (moss: -n N)" };
            writeln!(out, "… and {}; {more}, all in numbers with copies --pairs FILE", count(rest, "more pair"))
        }
    }
}

/// What stands between the similarity and the names.
fn numbers(pair: &Pair) -> String {
    let [a, b] = [pair.share_a, pair.share_b].map(|share| percent(share).trim_end_matches(" %").to_owned());
    let [longest, passages] = [pair.longest, pair.passages_all].map(commas);
    let chance = pair.expected.map_or_else(|| "–".to_owned(), chance);
    format!("  {a:>6} {b:>6}  {longest:>7}  {passages:>8}  {:>6.2}  {chance:>6}", pair.rarity)
}

/// Both names, harmless and at most so wide.
fn names(report: &Copies, pair: &Pair, room: usize) -> [String; 2] {
    let [a, b] = [pair.a, pair.b].map(|at| clean(&report.submissions[at].name));
    fit(&a, &b, room - BETWEEN.chars().count())
}

/// What reaches the threshold stands out; what chance hardly explains does so more.
fn style(pair: &Pair, threshold: f64) -> Style {
    let colour = match pair.similarity >= threshold {
        true if pair.expected.is_some_and(|expected| expected < super::sarif::UNLIKELY) => AnsiColor::Red,
        true => AnsiColor::Yellow,
        false => return Style::new(),
    };
    Style::new().fg_color(Some(colour.into()))
}

/// An expected number of pairs: `<0.001`, `0.012`, `3.4`, `1,234`.
pub(super) fn chance(expected: f64) -> String {
    match expected {
        e if e < 0.0005 => "<0.001".to_owned(),
        e if e < 0.0995 => format!("{e:.3}"),
        e if e < 9.95 => format!("{e:.1}"),
        e => commas(e.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn chances_read_well() {
        let read = [0.0, 0.0004, 0.0006, 0.0994, 0.0996, 9.94, 9.96, 12_345.6].map(chance);
        assert_eq!(read, ["<0.001", "<0.001", "0.001", "0.099", "0.1", "9.9", "10", "12,346"]);
    }
}
