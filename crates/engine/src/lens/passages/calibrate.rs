//! How surprising is a similarity? Held against how similar the submissions of this cohort are when nobody copies.
//!
//! Most pairs of a cohort have nothing to do with each other, so the bulk of all similarities shows what chance, the task and the
//! language do. A sample of all pairs that share anything is compared; its middle and its width give a normal law (of the arcsine of the
//! root, which makes shares well-behaved), and the law's tail says how many pairs of unrelated submissions would reach a similarity.
//! Passages are few and lie above the bulk: quartiles do not notice them. Where so many copied that pairs fall into two heaps, the law is
//! that of the lower one.

use crate::report::passages::{Calibration, CalibrationRow};

const BINS: usize = 1000;
/// Pairs with anything in common that an estimate needs.
const MIN_PAIRS: usize = 50;
/// No cohort is more uniform than this.
const MIN_WIDTH: f64 = 0.02;

/// How similar pairs were: in thousandths, as far as they were compared, otherwise as their fingerprints say.
pub struct Observed {
    bins: Vec<u64>,
    /// Pairs that are identical: they say nothing of chance.
    pub identical: u64,
    /// A sample of all pairs that share anything, every one compared: what chance does is told by these alone.
    pub sampled: Vec<f64>,
    /// The pairs that they are a sample of.
    pub candidates: u64,
}

impl Default for Observed {
    fn default() -> Self {
        Self { bins: vec![0; BINS + 1], identical: 0, sampled: Vec::new(), candidates: 0 }
    }
}

impl Observed {
    pub fn see(&mut self, similarity: f64) {
        self.bins[bin(similarity)] += 1;
    }
}

fn bin(share: f64) -> usize {
    ((share * BINS as f64) as usize).min(BINS)
}

/// What chance does: a normal law, and how many pairs it holds for.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    middle: f64,
    width: f64,
    pairs: f64,
}

fn straightened(share: f64) -> f64 {
    share.clamp(0.0, 1.0).sqrt().asin()
}

impl Chance {
    /// The law of the pairs that have anything in common; none if there are too few.
    fn of(observed: &Observed) -> Option<Self> {
        let mut sample: Vec<f64> = observed.sampled.iter().map(|share| straightened(*share)).collect();
        if sample.len() < MIN_PAIRS {
            return None;
        }
        sample.sort_by(f64::total_cmp);
        let all = sample.len();
        // where very many copied, pairs fall into two heaps; chance made the lower one
        let lower = &sample[..heap(&sample)];
        let quantile = |q: f64| lower[(q * (lower.len() - 1) as f64) as usize];
        let [low, middle, high] = [0.25, 0.5, 0.75].map(quantile);
        // a quartile of a normal law is 0.6745 widths from its middle
        let width = ((middle - low).max(high - middle) / 0.6745).max(MIN_WIDTH);
        Some(Self { middle, width, pairs: observed.candidates as f64 * lower.len() as f64 / all as f64 })
    }

    /// Pairs at or above a similarity that chance explains.
    fn expected(&self, share: f64) -> f64 {
        self.pairs * upper_tail((straightened(share) - self.middle) / self.width)
    }
}

/// How many of a rising sequence make the lower of two heaps; all of them if there is one. Two heaps are those that leave the least
/// variance within (Otsu's rule), if that is a fifth of the whole at most and the upper one is far up.
fn heap(rising: &[f64]) -> usize {
    let n = rising.len() as f64;
    let (sum, squares) = rising.iter().fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
    let whole = squares / n - (sum / n).powi(2);
    let (mut best, mut at) = (0.0, rising.len());
    let mut below = 0.0;
    for (count, x) in rising.iter().enumerate() {
        let count_f = count as f64;
        if count > 0 && count * 5 >= rising.len() {
            let (low, high) = (below / count_f, (sum - below) / (n - count_f));
            let between = count_f / n * (1.0 - count_f / n) * (high - low).powi(2);
            if between > best && high > straightened(0.5) {
                (best, at) = (between, count);
            }
        }
        below += x;
    }
    if best > 0.8 * whole { at } else { rising.len() }
}

/// Where few pairs end and what stands out begins: one and a half times the middle half above it (Tukey's fence), in hundredths. None if
/// the usual threshold tells them apart, or if there are too few for quarters.
fn fence(sampled: &[f64], usual: f64) -> Option<f64> {
    let mut sample: Vec<f64> = sampled.iter().map(|share| straightened(*share)).collect();
    sample.sort_by(f64::total_cmp);
    let quantile = |q: f64| sample.get((q * sample.len().saturating_sub(1) as f64) as usize).copied();
    let [low, middle, high] = [quantile(0.25)?, quantile(0.5)?, quantile(0.75)?];
    if sample.len() < 6 || middle < straightened(usual) {
        return None;
    }
    let fence = (high + 1.5 * (high - low).max(MIN_WIDTH)).min(std::f64::consts::FRAC_PI_2).sin().powi(2);
    Some((100.0 * fence).ceil().min(95.0) / 100.0)
}

/// The chance of a normal variable to exceed `x`, to three digits also far out (a continued fraction beyond 3).
fn upper_tail(x: f64) -> f64 {
    if x < 0.0 {
        return 1.0 - upper_tail(-x);
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x > 3.0 {
        let fraction = (1..=40).rev().fold(x, |below, n| x + f64::from(n) / below);
        return density / fraction;
    }
    // the series of the integral from 0
    let mut term = x;
    let mut sum = x;
    for n in 1..60 {
        term *= x * x / f64::from(2 * n + 1);
        sum += term;
    }
    0.5 - density * sum
}

/// How surprising similarities are; unknown where the cohort is too small to tell.
pub struct Surprise(Option<Chance>);

impl Surprise {
    pub fn of(observed: &Observed) -> Self {
        Self(Chance::of(observed))
    }

    /// Pairs of unrelated submissions that would be as similar as this.
    pub fn expected(&self, similarity: f64) -> Option<f64> {
        self.0.map(|chance| chance.expected(similarity))
    }
}

/// What the user or the family says where the cohort does not.
#[derive(Clone, Copy, Debug)]
pub struct Fallback {
    pub chosen: Option<f64>,
    pub default: f64,
    /// Nothing below this is looked at.
    pub least: f64,
}

/// The whole picture. `possible` pairs could be compared; those that have nothing in common were not seen.
pub fn calibrate(observed: &Observed, surprise: &Surprise, possible: u64, fallback: Fallback) -> Calibration {
    let mut bins = observed.bins.clone();
    bins[BINS] += observed.identical;
    let seen: u64 = bins.iter().sum();
    bins[0] += possible.saturating_sub(seen);
    let all: u64 = bins.iter().sum();
    let at_least = |share: f64| bins[bin(share.min(1.0))..].iter().sum::<u64>();
    let exceeded_by = |part: f64| {
        let mut left = (all as f64 * part) as u64;
        let at = bins.iter().enumerate().rev().find(|(_, count)| {
            let here = left < **count;
            left = left.saturating_sub(**count);
            here
        });
        at.map_or(0.0, |(at, _)| at as f64 / BINS as f64)
    };
    let sharing = all - bins[0];
    let mut reasoning = vec![match all {
        0 => "There is no pair of different submissions to compare.".to_owned(),
        1 => format!("There is one pair of submissions, {:.1}% similar.", 100.0 * exceeded_by(0.5)),
        _ => format!(
            "Of {all} pairs of submissions, {sharing} share anything of the length that counts; half of all are more similar than {:.1}%, one in twenty more than {:.1}%.",
            100.0 * exceeded_by(0.5),
            100.0 * exceeded_by(0.05)
        ),
    }];
    let (threshold, source) = match (fallback.chosen, surprise.0) {
        (Some(chosen), _) => {
            reasoning.push(format!("The threshold of {:.0}% was given.", 100.0 * chosen));
            (chosen, "given")
        }
        (None, None) if let Some(fence) = fence(&observed.sampled, fallback.default) => {
            reasoning.push(format!(
                "That is too little to tell what chance does here (at least {MIN_PAIRS} pairs would be needed), and more than half reach the usual {:.0}%. So the threshold is what stands out among these few: {:.0}%.",
                100.0 * fallback.default,
                100.0 * fence
            ));
            (fence, "default")
        }
        (None, None) => {
            reasoning.push(format!(
                "That is too little to tell what chance does here (at least {MIN_PAIRS} pairs would be needed), so the threshold is the usual {:.0}%.",
                100.0 * fallback.default
            ));
            (fallback.default, "default")
        }
        (None, Some(chance)) => {
            let found = (1..=95).map(|percent| f64::from(percent) / 100.0).find(|share| chance.expected(*share) < 1.0);
            let threshold = found.unwrap_or(0.95).max(fallback.least);
            reasoning.push(if found.is_none() { format!(
                "Similarities spread so widely here that {:.0} pairs of unrelated submissions would be expected at 95% and above: the numbers do not tell copies from others. Look at the longest and rarest passages.",
                chance.expected(0.95)
            ) } else { format!(
                "The quarter above the middle of those pairs reaches {:.1}%. If similarities by chance go on as the bulk does, less than one pair of unrelated submissions is expected at {:.0}% and above.",
                100.0 * (chance.middle + 0.6745 * chance.width).min(std::f64::consts::FRAC_PI_2).sin().powi(2),
                100.0 * threshold
            ) });
            (threshold, "estimated")
        }
    };
    let found = at_least(threshold);
    reasoning.push(match found {
        0 => "No pair reaches it.".into(),
        1 => "One pair reaches it.".into(),
        n => format!("{n} pairs reach it."),
    });
    if let Some(chance) = surprise.0 {
        let expected = chance.expected(threshold);
        if found > 0 && fallback.chosen.is_some() {
            reasoning.push(format!("About {expected:.1} would be expected there by chance."));
        }
    }
    let table = (1..10).map(|tenth| f64::from(tenth) / 10.0).map(|threshold| CalibrationRow {
        threshold,
        expected: surprise.0.map(|chance| chance.expected(threshold)),
        found: at_least(threshold),
    });
    Calibration {
        pairs: all,
        median: exceeded_by(0.5),
        p95: exceeded_by(0.05),
        threshold,
        source,
        table: table.collect(),
        histogram: (0..100)
            .map(|at| bins[10 * at..10 * at + 10].iter().sum::<u64>() + if at == 99 { bins[BINS] } else { 0 })
            .collect(),
        reasoning,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_the_normal_law() {
        for (x, tail) in
            [(0.0, 0.5), (1.0, 0.158_655), (1.96, 0.024_998), (3.0, 0.001_349_9), (5.0, 2.866_5e-7), (-1.0, 0.841_345)]
        {
            assert!((upper_tail(x) / tail - 1.0).abs() < 1e-3, "{x}: {}", upper_tail(x));
        }
        assert!((upper_tail(2.9999) / upper_tail(3.0001) - 1.0).abs() < 2e-3, "no step where the methods meet");
    }

    /// A cohort: normal in the straightened share, and some copies.
    fn cohort(copies: u64) -> Observed {
        let mut observed = Observed::default();
        for i in 1..5000 {
            let q = f64::from(i) / 5000.0;
            // quantiles of a normal law by halving
            let (mut low, mut high) = (-6.0, 6.0);
            for _ in 0..50 {
                let middle = f64::midpoint(low, high);
                if 1.0 - upper_tail(middle) < q { low = middle } else { high = middle }
            }
            let share = (0.45f64 + 0.07 * low).max(0.0).sin().powi(2);
            observed.see(share);
            observed.sampled.push(share);
        }
        for _ in 0..copies {
            observed.see(0.9);
            observed.sampled.push(0.9);
        }
        observed.candidates = observed.sampled.len() as u64;
        observed
    }

    #[test]
    fn the_threshold_is_where_chance_ends() {
        let fallback = Fallback { chosen: None, default: 0.5, least: 0.1 };
        let mut thresholds = Vec::new();
        for copies in [0, 10, 200, 4500] {
            let observed = cohort(copies);
            let surprise = Surprise::of(&observed);
            let found = calibrate(&observed, &surprise, 4999 + copies, fallback);
            assert_eq!(found.source, "estimated");
            thresholds.push(found.threshold);
            assert!(surprise.expected(0.9).unwrap() < 1e-6);
            assert!(surprise.expected(0.2).unwrap() > 1000.0);
            assert_eq!(found.table[8].found, copies);
        }
        // sin² (0.45 + 3.54 · 0.07) = 0.42: one of 5,000
        assert!(thresholds.iter().all(|t| (0.38..0.47).contains(t)), "{thresholds:?}");
        assert!((thresholds[0] - thresholds[2]).abs() < 0.03, "copies do not move it: {thresholds:?}");
    }

    #[test]
    fn few_pairs_that_are_all_alike_move_the_threshold() {
        let fallback = Fallback { chosen: None, default: 0.25, least: 0.1 };
        let of = |shares: &[f64]| {
            let mut observed = Observed { sampled: shares.to_vec(), ..Observed::default() };
            for share in shares {
                observed.see(*share);
            }
            let found = calibrate(&observed, &Surprise::of(&observed), shares.len() as u64, fallback);
            (found.threshold, found.reasoning.join(" "))
        };
        let (threshold, why) = of(&[0.40, 0.41, 0.42, 0.43, 0.44, 0.45, 0.46, 0.47, 0.48, 0.90]);
        assert!((0.5..0.6).contains(&threshold) && why.contains("stands out"), "{threshold} {why}");
        assert!((of(&[0.05, 0.1, 0.1, 0.1, 0.2, 0.2, 0.9]).0 - 0.25).abs() < 1e-9, "the usual one does");
        let (threshold, why) = of(&[0.5]);
        assert!((threshold - 0.25).abs() < 1e-9 && why.contains("one pair"), "{why}");
        assert!(of(&[]).1.contains("no pair"));
    }

    #[test]
    fn few_pairs_tell_nothing() {
        let mut observed = Observed::default();
        (0..20).for_each(|_| observed.see(0.1));
        let surprise = Surprise::of(&observed);
        let found = calibrate(&observed, &surprise, 45, Fallback { chosen: None, default: 0.5, least: 0.1 });
        assert_eq!((found.source, found.threshold, found.pairs), ("default", 0.5, 45));
        assert!(surprise.expected(0.9).is_none());
        assert!((found.histogram[0], found.histogram[10]) == (25, 20));
    }
}
