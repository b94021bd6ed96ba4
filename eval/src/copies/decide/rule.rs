//! A border that falls with the logarithm of the size, chosen on labelled cohorts.

use super::Cohort;
use crate::copies::scores::at;

/// The straightened border of one token, and how much it falls with each e-fold of the size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    pub(super) base: f64,
    pub(super) slope: f64,
}

/// How much the least part counts beside the mean.
const LEAST_COUNTS: f64 = 0.5;

impl Rule {
    pub(super) fn border(&self, size: f64) -> f64 {
        (self.base - self.slope * size.max(1.0).ln()).clamp(0.0, std::f64::consts::FRAC_PI_2).sin().powi(2)
    }

    /// The best of many.
    pub(super) fn chosen(cohorts: &[&Cohort]) -> Self {
        let rules = (20..=36).flat_map(|slope| {
            let rule = move |base: i32| Self { base: f64::from(base) / 100.0, slope: f64::from(slope) / 400.0 };
            (90..=115).map(rule)
        });
        let worth = |rule: &Self| worth(cohorts.iter().map(|one| one.part_of_best(rule.border(one.answer.size))));
        let best = rules.max_by(|a, b| worth(a).total_cmp(&worth(b)));
        best.unwrap_or(Self { base: 1.0, slope: 0.06 })
    }
}

/// The words in common that do best.
pub(super) fn words(cohorts: &[&Cohort]) -> f64 {
    let worth = |words: f64| worth(cohorts.iter().map(|one| one.part_of_best(words)));
    (1..=20).map(|tens| f64::from(10 * tens)).max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(1.0)
}

/// The similarity that does best for all of them.
pub(super) fn constant(cohorts: &[&Cohort]) -> f64 {
    let part = |one: &Cohort, threshold: f64| at(&one.pairs, threshold, 1.0) / one.best.f.max(f64::MIN_POSITIVE);
    let worth = |threshold: f64| worth(cohorts.iter().map(|one| part(one, threshold)));
    (1..100).map(|percent| f64::from(percent) / 100.0).max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(0.4)
}

/// The mean of parts, and the least of them.
fn worth(parts: impl Iterator<Item = f64>) -> f64 {
    let parts: Vec<f64> = parts.collect();
    let least = parts.iter().copied().fold(f64::INFINITY, f64::min);
    parts.iter().sum::<f64>() / parts.len().max(1) as f64 + LEAST_COUNTS * least
}
