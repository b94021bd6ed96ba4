//! Pairs of submissions: a line each, and the longest passages of the first with both places.

use super::lines::write_title;
use crate::clean::clean;
use crate::hints;
use crate::renderer::Shown;
use crate::style::{BOLD, DIM};
use crate::submission::{UNLIKELY, fit, place};
use crate::units::{commas, count, percent};
use anstyle::{AnsiColor, Style};
use lookalike::report::{Pair, PairClass, Passages, Submission};
use std::collections::HashMap;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Columns that the names of a pair have at least, if numbers can be left out for them.
const NAMES: usize = 40;
const BETWEEN: &str = " ↔ ";

/// A number of a pair.
struct NumberColumn {
    title: &'static str,
    width: usize,
    /// Where lines are short, columns are left out: those with the highest of these first.
    dispensable: u8,
    value: fn(&Pair) -> String,
}

/// What stands between the similarity and the names.
const NUMBERS: &[NumberColumn] = &[
    NumberColumn { title: "% of each", width: 13, dispensable: 0, value: shares },
    NumberColumn { title: "longest", width: 7, dispensable: 1, value: |pair| commas(pair.longest) },
    NumberColumn { title: "passages", width: 8, dispensable: 3, value: |pair| commas(pair.passages_all) },
    NumberColumn { title: "rarity", width: 6, dispensable: 2, value: |pair| format!("{:.2}", pair.rarity) },
    NumberColumn {
        title: "expected",
        width: 8,
        dispensable: 0,
        value: |pair| pair.expected.map_or("–".into(), by_chance),
    },
];

pub(super) fn write_table(out: &mut dyn Write, report: &Passages, shown: Shown) -> io::Result<()> {
    let open = report.undecided().count();
    let listed: Vec<&Pair> = report.undecided().take(shown.top).collect();
    let numbers = numbers(shown.columns);
    let line = |numbers: &[String]| numbers.iter().fold(String::new(), |line, number| line + "  " + number);
    if !listed.is_empty() {
        let model = "expected: by chance, the number of a model; see the threshold";
        let note = if listed.iter().any(|pair| pair.expected.is_some()) { model } else { "" };
        let which = if report.reviewed.is_some() { "Pairs that are not decided" } else { "Pairs" };
        write_title(out, &format!("{which}, most similar first"), note)?;
        let titles: Vec<String> = numbers.iter().map(|n| format!("{:>1$}", n.title, n.width)).collect();
        writeln!(out, "{DIM}{:>3}  {:>7}{}  submissions{DIM:#}", "", "similar", line(&titles))?;
    }
    let labels = labels(&report.submissions);
    for (at, pair) in listed.iter().enumerate() {
        let style = style(pair);
        let similarity = percent(pair.similarity);
        let values: Vec<String> = numbers.iter().map(|n| format!("{:>1$}", (n.value)(pair), n.width)).collect();
        let values = line(&values);
        let [a, b] = fit(&labels[pair.a], &labels[pair.b], shown.room(used(values.width())));
        let more = if pair.folded > 0 { format!("  +{} like it", commas(pair.folded)) } else { String::new() };
        writeln!(
            out,
            "{:>3}  {style}{similarity:>7}{style:#}{values}  {a}{DIM}{BETWEEN}{DIM:#}{b}{DIM}{more}{DIM:#}",
            at + 1
        )?;
    }
    // what is decided is counted in the summary
    let decided = report.pairs.len() - open;
    match report.pairs_all.saturating_sub((listed.len() + decided) as u64) {
        0 => Ok(()),
        rest => {
            let more = if open > listed.len() { hints::MORE_PAIRS } else { hints::LIST_MORE_PAIRS };
            writeln!(out, "… and {}; {more}, {}", count(rest, "more pair"), hints::ALL_PAIRS)
        }
    }
}

/// The numbers that a line has room for beside two names.
fn numbers(columns: Option<usize>) -> Vec<&'static NumberColumn> {
    let mut kept: Vec<&NumberColumn> = NUMBERS.iter().collect();
    while let Some(columns) = columns
        && columns < used(kept.iter().map(|number| 2 + number.width).sum()) + NAMES
        && let Some(least) = kept.iter().map(|number| number.dispensable).max().filter(|least| *least > 0)
    {
        kept.retain(|number| number.dispensable < least);
    }
    kept
}

/// Columns of a line that are no names: three for the place, two and seven for the similarity, two before the names.
fn used(numbers: usize) -> usize {
    3 + 2 + 7 + numbers + 2 + BETWEEN.width()
}

fn shares(pair: &Pair) -> String {
    let [a, b] = [pair.share_a, pair.share_b].map(|share| percent(share).trim_end_matches('%').to_owned());
    format!("{a:>6} {b:>6}")
}

/// What submissions are called in a table, harmless: by the person, where that is known and has one submission.
fn labels(submissions: &[Submission]) -> Vec<String> {
    let mut owned: HashMap<&str, u32> = HashMap::new();
    for person in submissions.iter().filter_map(person) {
        *owned.entry(person).or_default() += 1;
    }
    let label = |submission: &Submission| {
        let person = person(submission).filter(|person| owned[person] == 1);
        clean(person.unwrap_or(&submission.name)).into_owned()
    };
    submissions.iter().map(label).collect()
}

/// Whose it is, if that is known.
fn person(submission: &Submission) -> Option<&str> {
    submission.full_name.as_deref().or(submission.owner.as_deref())
}

/// What reaches the threshold stands out; what chance hardly explains does so more.
fn style(pair: &Pair) -> Style {
    let colour = match pair.class {
        PairClass::Striking if pair.expected.is_some_and(|expected| expected < UNLIKELY) => AnsiColor::Red,
        PairClass::Striking => AnsiColor::Yellow,
        PairClass::Look | PairClass::Ordinary => return Style::new(),
    };
    Style::new().fg_color(Some(colour.into()))
}

/// Pairs that are expected by chance: `<0.01`, `0.012`, `3.4`, `1,234`.
fn by_chance(expected: f64) -> String {
    match expected {
        e if e <= 0.01 => "<0.01".to_owned(),
        e if e < 0.0995 => format!("{e:.3}"),
        e if e < 9.95 => format!("{e:.1}"),
        e => commas(e.round() as u64),
    }
}

/// Passages of the first pairs, longest first.
pub(super) fn write_passages(out: &mut dyn Write, report: &Passages, shown: Shown) -> io::Result<()> {
    let explained: Vec<&Pair> = report.undecided().take(shown.explained.min(shown.top)).collect();
    if explained.is_empty() {
        return Ok(());
    }
    let of = match explained.len() {
        1 => "the first pair".to_owned(),
        pairs => format!("the first {pairs} pairs"),
    };
    write_title(out, &format!("Passages of {of}"), "longest first")?;
    for (at, pair) in explained.iter().enumerate() {
        let [a, b] = [pair.a, pair.b].map(|at| &report.submissions[at]);
        let overlap = format!("{} similar, {} in common", percent(pair.similarity), count(pair.overlap, "token"));
        writeln!(out, "\n{:>3}  {BOLD}{} ↔ {}{BOLD:#}  {DIM}{overlap}{DIM:#}", at + 1, titled(a), titled(b))?;
        write_longest(out, report, pair, shown.passages)?;
    }
    Ok(())
}

fn write_longest(out: &mut dyn Write, report: &Passages, pair: &Pair, most: usize) -> io::Result<()> {
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
        let found = match passage.submissions.saturating_sub(2) {
            0 => format!("{equal}in 2 of {all} submissions"),
            others => format!("{equal}also in {}", count(others, "other submission")),
        };
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
    match person(submission).filter(|person| *person != submission.name) {
        Some(person) => format!("{name} ({})", clean(person)),
        None => name.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::by_chance;

    #[test]
    fn expectations_read_well() {
        let read = [0.0, 0.01, 0.0104, 0.0994, 0.0996, 9.94, 9.96, 12_345.6].map(by_chance);
        assert_eq!(read, ["<0.01", "<0.01", "0.010", "0.099", "0.1", "9.9", "10", "12,346"]);
    }
}
