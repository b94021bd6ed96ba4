//! What thresholds and recipes would do, and which to take.

use super::show::Show;
use crate::clean::clean;
use crate::hints;
use crate::style::{BOLD, DIM};
use crate::units::{commas, count, percent, short_percent};
use lookalike::Estimate;
use lookalike::dedup::calibrate::{Calibration, Judge, MIN_ALIGNED, MeasureEstimates, Suggestion, ThresholdEstimate};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// A finished calibration.
#[derive(Serialize)]
pub struct CalibrationView<'a> {
    /// What it says.
    #[serde(flatten)]
    pub calibration: &'a Calibration,
    /// The words of the command that takes the suggested threshold, if one is.
    pub command: Option<&'a [String]>,
}

impl Show for CalibrationView<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Calibration { documents, identical, pairs, explored, measures, .. } = self.calibration;
        writeln!(
            out,
            "{BOLD}{} of {} resemble each other by {explored} or more{BOLD:#}",
            count(*pairs, "pair"),
            count(*documents, "document")
        )?;
        if *identical > 0 {
            let as_another = if *identical == 1 { "is the same as another" } else { "are the same as others" };
            writeln!(out, "{DIM}{} {as_another}, and in no pair{DIM:#}", count(*identical, "document"))?;
        }
        self.judge(out)?;
        if let Some(own) = measures.first() {
            own_table(out, own)?;
        }
        self.suggestion(out)?;
        self.others(out)
    }
}

impl CalibrationView<'_> {
    /// Who judged: the numbers below mean nothing without it.
    fn judge(&self, out: &mut dyn Write) -> io::Result<()> {
        let Calibration { judged_by, judgements, sample, .. } = self.calibration;
        let judged = judgements.same + judgements.different;
        let drawn = count(sample.len() as u64, "pair");
        match judged_by {
            Judge::Alignment => writeln!(
                out,
                "{drawn} drawn and judged by alignment, not by people: {} the same, {} different{}\n\
                 {DIM}The same: {} of the words of the longer document stand in the other in the same order. {}{DIM:#}\n",
                commas(judgements.same),
                commas(judgements.different),
                besides(judgements.unsure, "could not be told"),
                short_percent(MIN_ALIGNED),
                hints::JUDGE
            ),
            Judge::People => {
                writeln!(
                    out,
                    "{drawn} drawn, {} judged by people: {} the same, {} different{}{}",
                    commas(judged),
                    commas(judgements.same),
                    commas(judgements.different),
                    besides(judgements.unsure, "unsure"),
                    besides(judgements.unjudged, "not judged")
                )?;
                if judgements.of_other_pairs > 0 {
                    writeln!(
                        out,
                        "{} of pairs that were not drawn: their documents changed or are gone, or other pairs were asked for",
                        count(judgements.of_other_pairs, "judgement")
                    )?;
                }
                writeln!(
                    out,
                    "{DIM}Alignment of words judges {} of these {} as people do{DIM:#}\n",
                    commas(judgements.agree_with_alignment),
                    commas(judged)
                )
            }
        }
    }

    fn suggestion(&self, out: &mut dyn Write) -> io::Result<()> {
        let Calibration { precision: asked, suggestion, measures, judged_by, .. } = self.calibration;
        let asked = short_percent(*asked);
        let row = |threshold: f64| find(&measures[0], threshold);
        let by = match judged_by {
            Judge::People => "",
            Judge::Alignment => ", judged by alignment, not by people",
        };
        match suggestion {
            Suggestion::Threshold { threshold } => {
                writeln!(
                    out,
                    "\n{BOLD}Take threshold {threshold}{BOLD:#}: the lowest at which at least {asked} of the pairs are the same, for all that \
                     the sample can tell{by}."
                )?;
                if let Some(ThresholdEstimate { recall: Some(recall), removed, .. }) = row(*threshold) {
                    let removed =
                        removed.map_or_else(String::new, |n| format!("; {} would be removed", count(n, "document")));
                    writeln!(
                        out,
                        "It finds {} of the pairs from {} on that are the same{removed}.",
                        percent(recall.value),
                        self.calibration.explored
                    )?;
                }
                self.command.map_or(Ok(()), |words| writeln!(out, "  {}", clean(&hints::command_line(words))))
            }
            Suggestion::TooFewPairs { nearest } => {
                let near = row(*nearest).and_then(|row| row.precision).map_or_else(String::new, |precision| {
                    format!("; nearest is {nearest}, of which {} is certain", percent(precision.low))
                });
                writeln!(
                    out,
                    "\n{BOLD}No threshold can be suggested{BOLD:#}: too few pairs were judged to tell which has a precision of \
                     {asked}{near}. You can {}.",
                    hints::JUDGE_MORE
                )
            }
            Suggestion::NotReached { best } => {
                let at = row(*best).and_then(|row| row.precision).map_or_else(String::new, |precision| {
                    format!(": the best is {}, at {best}", percent(precision.value))
                });
                writeln!(
                    out,
                    "\n{BOLD}No threshold has a precision of {asked}{BOLD:#}{at}{by}. You can {}.",
                    hints::LOWER_PRECISION
                )
            }
            Suggestion::NoPairs => {
                writeln!(out, "\n{BOLD}There is nothing to judge{BOLD:#}: no pair of a threshold was judged.")
            }
        }
    }

    /// Other recipes beside each other: precision and recall only.
    fn others(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some((own, others)) = self.calibration.measures.split_first() else { return Ok(()) };
        if self.calibration.pairs == 0 || others.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{BOLD}Other recipes{BOLD:#}, precision and recall in percent, on the same pairs")?;
        write!(out, "  threshold")?;
        for other in others {
            let star = if other.is_complete { "" } else { "*" };
            let name = match other.measure.to_string().split_once(' ') {
                Some((_, kind)) => format!("{kind}{star}"),
                None => format!("{}{star}", other.measure),
            };
            write!(out, "  {name:>12}")?;
        }
        writeln!(out)?;
        let whole = |share: Option<Estimate>| {
            share.map_or_else(
                || "–".to_owned(),
                |share| percent(share.value).split('.').next().unwrap_or_default().into(),
            )
        };
        for (at, row) in own.thresholds.iter().enumerate() {
            let mut line = format!("  {:>9.2}", row.threshold);
            for other in others {
                let cell = other.thresholds.get(at).map_or_else(String::new, |row| {
                    let mark = if other.suggested == Some(row.threshold) { "<" } else { " " };
                    format!("{:>3} {:>3} {mark}", whole(row.precision), whole(row.recall))
                });
                let _ = write!(line, "  {cell:>12}");
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        let asked = short_percent(self.calibration.precision);
        writeln!(out, "  {DIM}< the lowest of at least {asked} precision, for all that the sample can tell{DIM:#}")?;
        if others.iter().any(|other| !other.is_complete) {
            let w = own.measure.w;
            writeln!(
                out,
                "  {DIM}* also links pairs below {} by {w} words, which were not looked at: its precision may be lower{DIM:#}",
                self.calibration.explored
            )?;
        }
        Ok(())
    }
}

fn besides(n: u64, what: &str) -> String {
    if n == 0 { String::new() } else { format!(", {} {what}", commas(n)) }
}

fn find(measure: &MeasureEstimates, threshold: f64) -> Option<&ThresholdEstimate> {
    measure.thresholds.iter().find(|row| (row.threshold - threshold).abs() < 1e-9)
}

/// What the thresholds of the recipe would do.
fn own_table(out: &mut dyn Write, own: &MeasureEstimates) -> io::Result<()> {
    writeln!(out, "  threshold  {:>11}  {:>11}  {:<22}  recall (95%)", "pairs", "removed", "precision (95%)")?;
    for row in &own.thresholds {
        let removed = row.removed.map_or_else(|| "–".to_owned(), commas);
        let line = format!(
            "  {:>9.2}  {:>11}  {removed:>11}  {:<22}  {:<22}",
            row.threshold,
            commas(row.pairs),
            interval(row.precision),
            interval(row.recall)
        );
        if own.suggested == Some(row.threshold) {
            writeln!(out, "{BOLD}{} <{BOLD:#}", line.trim_end())?;
        } else {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// `97.3% (95.1 to 98.8)`. Where every pair was judged there is nothing to guess.
fn interval(share: Option<Estimate>) -> String {
    let Some(Estimate { value, low, high }) = share else { return "–".to_owned() };
    if (high - low).abs() < 1e-9 {
        return format!("{:>6} (exact)", percent(value));
    }
    let bare = |share: f64| percent(share).trim_end_matches('%').to_owned();
    format!("{:>6} ({} to {})", percent(value), bare(low), bare(high))
}
