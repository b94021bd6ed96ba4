//! How good an answer is: precision, recall, F1, area under the curve.

use serde::Serialize;

/// Thresholds at which curves are reported.
pub(crate) const THRESHOLDS: [f64; 12] = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// What was found at a threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Point {
    pub(crate) threshold: f64,
    /// Pairs found.
    pub(crate) found: u64,
    /// Pairs found that are right.
    pub(crate) right: u64,
    /// Pairs that should be found.
    pub(crate) relevant: u64,
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) f1: f64,
}

impl Point {
    pub(crate) fn new(threshold: f64, found: u64, right: u64, relevant: u64) -> Self {
        // who finds nothing says nothing wrong; where nothing is to be found, nothing is missed
        let share = |part: u64, whole: u64| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        let f1 = if found + relevant == 0 { 1.0 } else { 2.0 * right as f64 / (found + relevant) as f64 };
        Self { threshold, found, right, relevant, precision: share(right, found), recall: share(right, relevant), f1 }
    }
}

/// A score for each labelled pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scores(Vec<(f64, bool)>);

impl FromIterator<(f64, bool)> for Scores {
    fn from_iter<I: IntoIterator<Item = (f64, bool)>>(scores: I) -> Self {
        let mut scores: Vec<(f64, bool)> = scores.into_iter().collect();
        scores.sort_by(|a, b| b.0.total_cmp(&a.0));
        Self(scores)
    }
}

impl Scores {
    fn positives(&self) -> u64 {
        self.0.iter().filter(|score| score.1).count() as u64
    }

    /// The chance that a positive pair scores higher than a negative one; ties count half.
    pub(crate) fn auc(&self) -> f64 {
        let (positives, total) = (self.positives(), self.0.len() as u64);
        let (mut above, mut won) = (0.0, 0.0);
        for tied in self.0.chunk_by(|a, b| a.0 >= b.0 && b.0 >= a.0) {
            let right = tied.iter().filter(|score| score.1).count() as f64;
            let wrong = tied.len() as f64 - right;
            won += wrong * (above + right / 2.0);
            above += right;
        }
        won / (positives * (total - positives)) as f64
    }

    /// What is found if everything from the threshold on is taken.
    pub(crate) fn at(&self, threshold: f64) -> Point {
        let taken = &self.0[..self.0.partition_point(|score| score.0 >= threshold)];
        let right = taken.iter().filter(|score| score.1).count() as u64;
        Point::new(threshold, taken.len() as u64, right, self.positives())
    }

    /// The threshold with the highest F1. A score of 0 is no evidence, so it is never taken.
    pub(crate) fn best(&self) -> Point {
        let (relevant, mut best) = (self.positives(), Point::default());
        let (mut found, mut right) = (0, 0);
        for tied in self.0.chunk_by(|a, b| a.0 >= b.0 && b.0 >= a.0).take_while(|tied| tied[0].0 > 0.0) {
            found += tied.len() as u64;
            right += tied.iter().filter(|score| score.1).count() as u64;
            let point = Point::new(tied[0].0, found, right, relevant);
            if point.f1 > best.f1 {
                best = point;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }

    #[test]
    fn area_by_hand() {
        // positives .9 .6 .4, negatives .6 .3 .1: .9 beats three; .6 beats two and ties one; .4 beats two
        let scores =
            Scores::from_iter([(0.9, true), (0.6, false), (0.6, true), (0.4, true), (0.3, false), (0.1, false)]);
        near(scores.auc(), (3.0 + 2.5 + 2.0) / 9.0);
        near(Scores::from_iter([(0.0, true), (0.0, false)]).auc(), 0.5);
        near(Scores::from_iter([(0.2, true), (0.7, false)]).auc(), 0.0);
    }

    #[test]
    fn points_by_hand() {
        let scores =
            Scores::from_iter([(0.9, true), (0.6, false), (0.6, true), (0.4, true), (0.3, false), (0.0, true)]);
        let point = scores.at(0.6);
        assert_eq!((point.found, point.right, point.relevant), (3, 2, 4));
        near(point.precision, 2.0 / 3.0);
        near(point.recall, 0.5);
        near(point.f1, 4.0 / 7.0);
        // .9: 2/5, .6: 4/7, .4: 6/8, .3: 6/9
        let best = scores.best();
        near(best.threshold, 0.4);
        near(best.f1, 0.75);
    }

    #[test]
    fn nothing_found_is_not_wrong() {
        let point = Point::new(0.5, 0, 0, 7);
        near(point.precision, 1.0);
        near(point.recall, 0.0);
        near(point.f1, 0.0);
        near(Point::new(0.5, 0, 0, 0).f1, 1.0);
    }
}
