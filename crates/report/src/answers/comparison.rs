//! Two documents: by all lenses what they are to each other; by shingles the numbers; then where they differ; by fingerprints their distance.

use super::evidence::evidence_lines;
use super::show::Show;
use crate::clean::clean;
use crate::hints;
use crate::json::write_json;
use crate::style::{BLUE, BOLD, DIM, GREEN, RED};
use crate::units::{bytes, count, percent};
use lookalike::simhash::FingerprintComparison;
use lookalike::{Comparison, Estimate, Passage, ShingleComparison, ShingleRelation};
use serde::Serialize;
use std::io::{self, Write};

/// Characters of equal text shown on either side of a difference.
const CONTEXT: usize = 50;
/// Characters of a differing passage that are shown.
const MAX_DIFFERENCE: usize = 600;

/// Two documents by all lenses, with the first of their differences.
#[derive(Serialize)]
pub struct ComparisonView<'a> {
    /// The comparison.
    #[serde(flatten)]
    pub comparison: &'a Comparison,
    /// Differences that a terminal shows.
    #[serde(skip)]
    pub top: usize,
}

impl Show for ComparisonView<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { comparison: c, top } = *self;
        match (&c.shingles, &c.bytes) {
            (Some(shingles), _) => write_sides(out, shingles)?,
            (None, Some(sides)) => {
                for (name, side) in [("a", &sides.a), ("b", &sides.b)] {
                    writeln!(out, "{BOLD}{name}  {}{BOLD:#}  {DIM}{}{DIM:#}", clean(&side.id), bytes(side.bytes))?;
                }
            }
            (None, None) => {}
        }
        writeln!(out, "\n{BOLD}{}{BOLD:#}\n", clean(&c.sentence))?;
        for (name, line) in evidence_lines(c) {
            writeln!(out, "  {name:<10} {}", clean(&line))?;
        }
        c.shingles.as_ref().map_or(Ok(()), |shingles| write_differences(out, shingles, top))
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, self.comparison)
    }
}

/// Two documents by their shingles, with the first of their differences.
#[derive(Serialize)]
pub struct ShingleComparisonView<'a> {
    /// The comparison.
    #[serde(flatten)]
    pub comparison: &'a ShingleComparison,
    /// Differences that a terminal shows.
    #[serde(skip)]
    pub top: usize,
}

impl Show for ShingleComparisonView<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { comparison: c, top } = *self;
        write_sides(out, c)?;
        writeln!(out)?;
        let estimate = |e: Estimate| {
            format!("sketches say {} ({}–{})", percent(e.value), percent(e.low).trim_end_matches('%'), percent(e.high))
        };
        let row = |out: &mut dyn Write, name: &str, value: f64, e: Option<Estimate>| {
            writeln!(out, "  {name:<12} {:>8}  {DIM}{}{DIM:#}", percent(value), e.map_or_else(String::new, estimate))
        };
        row(out, "resemblance", c.resemblance, Some(c.estimate.resemblance))?;
        row(out, "a in b", c.a_in_b, c.estimate.a_in_b)?;
        row(out, "b in a", c.b_in_a, c.estimate.b_in_a)?;
        writeln!(out, "  {:<12} {BOLD}{}{BOLD:#}", "class", relation(c.class))?;
        write_differences(out, c, top)
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, self.comparison)
    }
}

fn write_sides(out: &mut dyn Write, c: &ShingleComparison) -> io::Result<()> {
    for (name, side) in [("a", &c.a), ("b", &c.b)] {
        let sizes = format!("{}, {}", count(side.words as u64, "word"), count(u64::from(side.shingles), "shingle"));
        writeln!(out, "{BOLD}{name}  {}{BOLD:#}  {DIM}{sizes}{DIM:#}", clean(&side.id))?;
    }
    Ok(())
}

/// Removed and added passages are also marked `[-…-]` and `{+…+}`, for where there are no colours.
fn write_differences(out: &mut dyn Write, c: &ShingleComparison, top: usize) -> io::Result<()> {
    if let Some(needed) = c.unaligned {
        let needed = needed.div_ceil(1 << 20);
        return writeln!(out, "\nWhere they differ is left out: it takes {needed} MB of memory; {}", hints::MEMORY);
    }
    let differing: Vec<usize> = (0..c.passages.len()).filter(|at| !c.passages[*at].equal).collect();
    if differing.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{}{BOLD:#}", count(differing.len() as u64, "difference"))?;
    for at in differing.iter().take(top) {
        write_difference(out, c, *at)?;
    }
    match differing.len().saturating_sub(top) {
        0 => Ok(()),
        rest => writeln!(out, "… and {rest} more; {}", hints::MORE_DIFFERENCES),
    }
}

fn relation(relation: ShingleRelation) -> &'static str {
    match relation {
        ShingleRelation::Identical => "identical: the same bytes",
        ShingleRelation::Lexical => "lexical: the same words in another form",
        ShingleRelation::Shingle => "shingle: the same shingles in another order or number",
        ShingleRelation::Near => "near: they resemble each other",
        ShingleRelation::Contained => "contained: one is inside the other",
        ShingleRelation::Different => "different",
        ShingleRelation::TooLittle => "too little text to tell",
    }
}

fn write_difference(out: &mut dyn Write, c: &ShingleComparison, at: usize) -> io::Result<()> {
    let Passage { a, b, moved, .. } = &c.passages[at];
    let fold = |text: &str| clean(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
    let before = fold(tail(&c.a.text[..a.start]));
    let after = fold(head(&c.a.text[a.end..], CONTEXT));
    let (old, new) = (&c.a.text[a.clone()], &c.b.text[b.clone()]);
    let shown = |text: &str| {
        let short = head(text, MAX_DIFFERENCE);
        fold(short) + if short.len() < text.len() { " …" } else { "" }
    };
    let (gone, come) = if *moved { (BLUE, BLUE) } else { (RED, GREEN) };
    write!(out, "\n  {DIM}…{before}{DIM:#} ")?;
    if !old.is_empty() {
        write!(out, "{gone}[-{}-]{gone:#} ", shown(old))?;
    }
    if !new.is_empty() {
        write!(out, "{come}{{+{}+}}{come:#} ", shown(new))?;
    }
    writeln!(out, "{DIM}{after}…{DIM:#}{}", if *moved { "  (moved)" } else { "" })
}

fn head(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

fn tail(text: &str) -> &str {
    text.char_indices().rev().nth(CONTEXT - 1).map_or(text, |(at, _)| &text[at..])
}

impl Show for FingerprintComparison {
    /// Writes how far two documents are from each other, with colours.
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        for (name, side) in [("a", &self.a), ("b", &self.b)] {
            let words = count(u64::from(side.words), "word");
            writeln!(out, "{BOLD}{name}  {}{BOLD:#}  {DIM}{words}{DIM:#}", clean(&side.id))?;
        }
        writeln!(out)?;
        for (name, side) in [("a", &self.a), ("b", &self.b)] {
            writeln!(out, "  {:<12} {}", format!("fingerprint {name}"), side.fingerprint)?;
        }
        let bits = self.a.fingerprint.len() * 4;
        writeln!(out, "  {:<13} {BOLD}{}{BOLD:#} of {bits} bits", "distance", self.distance)?;
        let k = self.max_distance;
        let class = if self.identical {
            "identical: the same bytes".to_owned()
        } else if self.near {
            format!("near: at most {k} bits; {}", hints::RESEMBLANCE)
        } else {
            format!("different: more than {k} bits")
        };
        writeln!(out, "  {:<13} {BOLD}{class}{BOLD:#}", "class")
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, self)
    }
}
