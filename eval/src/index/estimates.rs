//! How far estimates of an index are from the truth, beside how far the theorem says they should be.

use super::asking::Estimate;
use super::batch::Pair;
use super::theory::{deviation, deviation_of, mean_absolute};
use crate::numbers::share;
use crate::table::table;
use serde::Serialize;

/// Pairs below this could be missing in a listing from 0.1 on, and so make the listed ones look too good.
const LEAST: f64 = 0.3;

/// Errors of the estimated resemblance of sampled pairs, in the mean.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Errors {
    pairs: usize,
    /// Not listed: counted as if 0 had been said.
    unlisted: usize,
    /// Features of the union that an estimate looked at.
    sampled: f64,
    mean: f64,
    absolute: f64,
    root_mean_square: f64,
    /// Pairs whose true resemblance is within the interval.
    covered: usize,
    /// What the theorem says, drawing with putting back: sqrt(r (1 - r) / n).
    binomial: Predicted,
    /// And without, as it is.
    without_replacement: Predicted,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Predicted {
    absolute: f64,
    root_mean_square: f64,
}

/// Compares what was said with the truth. Pairs that are equal, or so small that nothing is estimated, are left out.
pub(super) fn errors(told: &[(&Pair, Option<Estimate>)]) -> Errors {
    let mut errors = Errors::default();
    for (pair, told) in told {
        let r = pair.overlap.resemblance();
        let Some(n) = pair.sampled.filter(|_| (LEAST..1.0).contains(&r)) else { continue };
        let error = told.map_or(0.0, |told| told.value) - r;
        errors.pairs += 1;
        errors.unlisted += usize::from(told.is_none());
        errors.covered += usize::from(told.is_some_and(|told| (told.low..=told.high).contains(&r)));
        errors.sampled += f64::from(n);
        errors.mean += error;
        errors.absolute += error.abs();
        errors.root_mean_square += error * error;
        errors.binomial.add(deviation(r, n));
        errors.without_replacement.add(deviation_of(pair.overlap, n));
    }
    let pairs = errors.pairs.max(1) as f64;
    for sum in [&mut errors.sampled, &mut errors.mean, &mut errors.absolute, &mut errors.root_mean_square] {
        *sum /= pairs;
    }
    errors.root_mean_square = errors.root_mean_square.sqrt();
    for predicted in [&mut errors.binomial, &mut errors.without_replacement] {
        predicted.absolute /= pairs;
        predicted.root_mean_square = (predicted.root_mean_square / pairs).sqrt();
    }
    errors
}

impl Predicted {
    fn add(&mut self, deviation: f64) {
        self.absolute += mean_absolute(deviation);
        self.root_mean_square += deviation * deviation;
    }
}

impl Errors {
    pub(super) fn section(&self) -> Vec<String> {
        let about = format!(
            "### Estimates\n\nEstimated resemblance of {} pairs with a true one from {LEAST} on, from {:.0} features of the union in the mean; {} were not listed. The theorem says how far they should be \
             off: sqrt(r (1 − r) / n) for n features, and a little less since none is drawn twice.",
            self.pairs, self.sampled, self.unlisted,
        );
        let number = |number: f64| format!("{number:.4}");
        let percent = |share: f64| format!("{:.1} %", share * 100.0);
        let row = |name: &str, mean: String, predicted: Predicted, covered: String| {
            vec![name.to_owned(), mean, number(predicted.absolute), number(predicted.root_mean_square), covered]
        };
        let measured = Predicted { absolute: self.absolute, root_mean_square: self.root_mean_square };
        let rows = [
            row("measured", format!("{:+.4}", self.mean), measured, percent(share(self.covered, self.pairs))),
            row("theorem", number(0.0), self.binomial, percent(0.95)),
            row("theorem, none drawn twice", number(0.0), self.without_replacement, "–".to_owned()),
        ];
        let head = ["", "mean error", "mean absolute error", "root mean square", "inside the 95 % interval"];
        vec![about, table(&head, &rows)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::sets::Overlap;

    #[test]
    fn errors_by_hand() {
        let pair = |common: u32, sampled: Option<u32>| Pair {
            source: String::new(),
            overlap: Overlap { a: 150, b: 150, shared: common },
            sampled,
        };
        // r = 1/2 twice, from 100 of the 200 of the union; then what does not count: little alike, equal, seen whole
        let (half, low, equal, whole) =
            (pair(100, Some(100)), pair(10, Some(100)), pair(150, Some(100)), pair(100, None));
        let said = |value: f64, low: f64, high: f64| Some(Estimate { value, low, high });
        let found = errors(&[
            (&half, said(0.6, 0.5, 0.7)),
            (&half, said(0.3, 0.2, 0.4)),
            (&low, said(0.9, 0.9, 0.9)),
            (&equal, said(1.0, 1.0, 1.0)),
            (&whole, None),
        ]);
        assert_eq!((found.pairs, found.unlisted, found.covered), (2, 0, 1));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        near(found.mean, -0.05);
        near(found.absolute, 0.15);
        near(found.root_mean_square, 0.025_f64.sqrt());
        near(found.binomial.root_mean_square, 0.05);
        near(found.without_replacement.root_mean_square, 0.05 * 0.5_f64.sqrt());
        let missing = errors(&[(&half, None)]);
        assert_eq!((missing.unlisted, missing.covered), (1, 0));
        near(missing.mean, -0.5);
    }
}
