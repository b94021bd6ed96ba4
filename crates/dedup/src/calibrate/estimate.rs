//! Precision and recall of thresholds, from the judged sample.

use super::calibration::{MeasureEstimates, SampledPair, Stratum, Suggestion, ThresholdEstimate};
use super::interval::{Part, combined, share};
use super::measure::{Measure, MeasureKind};
use super::options::{STEPS, THRESHOLDS};
use lookalike_core::sketch::Estimate;

/// The thresholds of the table that are explored.
pub(super) fn thresholds(explored: f64) -> impl Iterator<Item = f64> {
    THRESHOLDS.map(|at| f64::from(at) / f64::from(STEPS)).filter(move |threshold| *threshold >= explored)
}

/// How the judged pairs of a stratum fall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells {
    pub(super) same_above: u64,
    pub(super) same_below: u64,
    pub(super) other_above: u64,
    pub(super) other_below: u64,
}

impl Cells {
    fn all(self) -> u64 {
        self.same() + self.other_above + self.other_below
    }

    fn same(self) -> u64 {
        self.same_above + self.same_below
    }

    fn above(self) -> u64 {
        self.same_above + self.other_above
    }
}

/// The judged pairs of a stratum, and what they stand for.
#[derive(Clone, Copy, Debug)]
pub(super) struct JudgedStratum {
    pub(super) pairs: f64,
    /// All of its pairs are at or above the threshold, or none is; none if that is for the sample to tell.
    pub(super) is_above: Option<bool>,
    pub(super) cells: Cells,
    /// Pairs that were drawn, judged or not, and those of them at or above the threshold.
    pub(super) drawn: u64,
    pub(super) drawn_above: u64,
    /// The share of the same in the nearest strata of which pairs were judged, for one of which none was.
    pub(super) nearby: f64,
}

impl JudgedStratum {
    /// So many of the pairs, where a share of them is meant.
    fn scaled(self, share: Estimate) -> Estimate {
        let times = |part: f64| self.pairs * part;
        Estimate { value: times(share.value), low: times(share.low), high: times(share.high) }
    }

    /// The share of the same.
    fn same(self) -> Estimate {
        let share = share(self.cells.same(), self.cells.all(), self.pairs);
        if self.cells.all() == 0 { Estimate { value: self.nearby, ..share } } else { share }
    }

    /// Of some of the judged pairs, the share that are hits; without any, nothing is said for certain.
    fn within(self, hits: u64, of: u64, usual: f64) -> Estimate {
        let whole = if self.cells.all() == 0 { self.pairs } else { self.pairs * of as f64 / self.cells.all() as f64 };
        let share = share(hits, of, whole);
        if of == 0 { Estimate { value: usual, ..share } } else { share }
    }

    /// Pairs at or above the threshold, and the share of the same among them.
    fn precision(self) -> Part {
        match self.is_above {
            Some(true) => {
                let is_unknown = self.cells.all() == 0;
                Part { size: Estimate::exact(self.pairs), share: self.same(), is_unknown }
            }
            Some(false) => Part { size: Estimate::exact(0.0), share: Estimate::exact(0.0), is_unknown: false },
            None => {
                let above = share(self.drawn_above, self.drawn, self.pairs);
                // what was not met in the sample counts for nothing: the strata are those of another measure, and far from its thresholds
                let size = if self.drawn_above == 0 { Estimate::exact(0.0) } else { self.scaled(above) };
                let share = self.within(self.cells.same_above, self.cells.above(), self.same().value);
                Part { size, share, is_unknown: self.cells.above() == 0 }
            }
        }
    }

    /// Pairs that are the same, and the share of those at or above the threshold among them.
    fn recall(self) -> Part {
        let size = self.scaled(self.same());
        let share = if let Some(is_above) = self.is_above {
            Estimate::exact(f64::from(u8::from(is_above)))
        } else {
            let usual = self.cells.above() as f64 / self.cells.all().max(1) as f64;
            self.within(self.cells.same_above, self.cells.same(), usual)
        };
        Part { size, share, is_unknown: self.cells.all() == 0 }
    }
}

/// Precision and recall of a threshold.
pub(super) fn shares(strata: &[JudgedStratum]) -> (Option<Estimate>, Option<Estimate>) {
    if strata.iter().all(|stratum| stratum.cells.all() == 0) {
        return (None, None);
    }
    let parts = |of: fn(JudgedStratum) -> Part| strata.iter().map(|stratum| of(*stratum)).collect::<Vec<Part>>();
    (combined(&parts(JudgedStratum::precision)), combined(&parts(JudgedStratum::recall)))
}

/// What the thresholds of a measure would do. `removed` has how many documents go, by threshold, if that is known.
pub(super) fn estimates(
    (measure, at): (Measure, usize),
    strata: &[Stratum],
    sample: &[SampledPair],
    (explored, recipe): (f64, Measure),
    removed: &[u64],
) -> MeasureEstimates {
    let own = measure == recipe;
    let mut rows = Vec::new();
    for (number, threshold) in thresholds(explored).enumerate() {
        let mut judged: Vec<JudgedStratum> = Vec::new();
        for stratum in strata.iter().filter(|stratum| stratum.pairs > 0) {
            let is_above = own.then_some(stratum.from >= threshold);
            let (cells, drawn, drawn_above) = (Cells::default(), 0, 0);
            let pairs = stratum.pairs as f64;
            judged.push(JudgedStratum { pairs, is_above, cells, drawn, drawn_above, nearby: 0.5 });
        }
        let places: Vec<usize> = (0..strata.len()).filter(|place| strata[*place].pairs > 0).collect();
        for pair in sample {
            let (Ok(place), Some(score)) = (places.binary_search(&pair.stratum), pair.scores[at]) else { continue };
            let is_above = score >= threshold;
            let stratum = &mut judged[place];
            stratum.drawn += 1;
            stratum.drawn_above += u64::from(is_above);
            let Some(is_same) = pair.is_same() else { continue };
            let cells = &mut stratum.cells;
            *match (is_same, is_above) {
                (true, true) => &mut cells.same_above,
                (true, false) => &mut cells.same_below,
                (false, true) => &mut cells.other_above,
                (false, false) => &mut cells.other_below,
            } += 1;
        }
        let pairs = judged.iter().map(|stratum| match stratum.is_above {
            Some(is_above) => stratum.pairs * f64::from(u8::from(is_above)),
            None => stratum.pairs * stratum.drawn_above as f64 / stratum.drawn.max(1) as f64,
        });
        let pairs = pairs.sum::<f64>().round() as u64;
        set_nearby(&mut judged);
        let (precision, recall) = if pairs == 0 && own { (None, shares(&judged).1) } else { shares(&judged) };
        let removed = removed.get(number).copied().filter(|_| own);
        rows.push(ThresholdEstimate { threshold, pairs, precision, recall, removed });
    }
    // shingles of more words are shared by fewer; shorter ones, and parts of a document, by pairs that were not looked at
    let is_complete = measure.kind == MeasureKind::Resemblance && measure.w >= recipe.w;
    MeasureEstimates { measure, is_complete, thresholds: rows, suggested: None }
}

/// Tells strata of which no pair was judged what their neighbours are like.
fn set_nearby(strata: &mut [JudgedStratum]) {
    let judged: Vec<(usize, f64)> = strata
        .iter()
        .enumerate()
        .filter(|(_, stratum)| stratum.cells.all() > 0)
        .map(|(at, stratum)| (at, stratum.same().value))
        .collect();
    for (at, stratum) in strata.iter_mut().enumerate() {
        let next = judged.partition_point(|(other, _)| *other < at);
        let near = [next.checked_sub(1), Some(next)].into_iter().flatten().filter_map(|place| judged.get(place));
        let near: Vec<f64> = near.map(|(_, share)| *share).collect();
        if !near.is_empty() {
            stratum.nearby = near.iter().sum::<f64>() / near.len() as f64;
        }
    }
}

/// The lowest threshold whose precision is as asked, or why there is none.
pub(super) fn suggest(thresholds: &[ThresholdEstimate], asked: f64) -> Suggestion {
    let known: Vec<(f64, Estimate)> =
        thresholds.iter().filter_map(|row| row.precision.map(|precision| (row.threshold, precision))).collect();
    let best = |of: fn(&Estimate) -> f64| {
        known.iter().max_by(|a, b| of(&a.1).total_cmp(&of(&b.1)).then(b.0.total_cmp(&a.0))).map(|row| row.0)
    };
    if let Some((threshold, _)) = known.iter().find(|(_, precision)| precision.low >= asked) {
        return Suggestion::Threshold { threshold: *threshold };
    }
    match (best(|e| e.low), best(|e| e.value)) {
        (Some(nearest), _) if known.iter().any(|(_, precision)| precision.high >= asked) => {
            Suggestion::TooFewPairs { nearest }
        }
        (_, Some(best)) => Suggestion::NotReached { best },
        _ => Suggestion::NoPairs,
    }
}

#[cfg(test)]
mod tests;
