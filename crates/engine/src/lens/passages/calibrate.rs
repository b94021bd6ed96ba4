//! How surprising is a similarity? Held against how similar the submissions of this cohort are when nobody copies.
//!
//! Most pairs of a cohort have nothing to do with each other, so the bulk of all similarities shows what chance, the task and the
//! language do. A sample of all pairs that share anything is compared; its middle and its width give a normal law (of the arcsine of the
//! root, which makes shares well-behaved), and the law's tail says how many pairs of unrelated submissions would reach a similarity.
//! Passages are few and lie above the bulk: quartiles do not notice them. Where so many copied that pairs fall into two heaps, the law is
//! that of the lower one.

use crate::lens::passages::groups::Groups;
use crate::report::passages::{Calibration, CalibrationRow, Pair};

const BINS: usize = 1000;
/// Pairs with anything in common that an estimate needs.
const MIN_PAIRS: usize = 50;
/// No cohort is more uniform than this.
const MIN_WIDTH: f64 = 0.02;
/// Nothing less is told as expected. On labelled programs one in seven pairs below it was no copy: the law does not hold further out.
pub const MIN_EXPECTED: f64 = 0.01;
/// Pairs of this similarity are alike; where most pairs of a cohort are, nothing usual is left to tell them from.
const ALIKE: f64 = 0.5;
/// Pairs that say whether most are.
const MIN_ALIKE_PAIRS: u64 = 6;
/// What the law takes for granted.
const ASSUMPTIONS: &str = "What is expected by chance is the number of a model: it assumes one exercise, no public code, and submissions that were written independently.";
/// What people said of labelled programs (`eval copies code`).
pub const MEASURED: &str = "On seven labelled sets of programs, people called 75% (72 to 78%) of the pairs at or above such a threshold copies.";

/// How similar pairs were: in thousandths, as far as they were compared, otherwise as their fingerprints say.
pub struct Observed {
    bins: Vec<u64>,
    /// Of them, pairs of submissions with the same tokens: they say nothing of chance.
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
    // 0.29 · 1000 is a little less than 290
    ((share * BINS as f64 + 1e-6) as usize).min(BINS)
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

/// What comparing found, told behind the reasons for the threshold.
pub struct Outcome<'a> {
    /// Pairs at or above the threshold.
    pub striking: u64,
    /// Those that are listed, most similar first.
    pub listed: &'a [Pair],
    /// Groups of submissions that share little with each other.
    pub groups: Option<Groups>,
    /// Most tokens are code: the only kind that the threshold was measured on.
    pub code: bool,
}

impl Outcome<'_> {
    /// Says how many pairs are striking, and what to know before they are believed.
    pub fn tell(&self, calibration: &mut Calibration, surprise: &Surprise) {
        calibration.striking = self.striking;
        let say = &mut calibration.reasoning;
        say.push(match self.striking {
            0 => "No pair reaches it.".into(),
            1 => "One pair reaches it.".into(),
            n => format!("{n} pairs reach it."),
        });
        if let Some(expected) = surprise.expected(calibration.threshold).filter(|_| calibration.source == "given") {
            let many = if expected > MIN_EXPECTED { format!("About {expected:.2}") } else { "Fewer than 0.01".into() };
            say.push(format!("{many} would be expected there by chance."));
        }
        if self.striking > 0 && calibration.source == "estimated" && self.code {
            say.push(MEASURED.into());
        }
        let striking: Vec<&Pair> = self.listed.iter().filter(|p| p.similarity >= calibration.threshold).collect();
        let by_others = striking.iter().filter(|pair| pair.shared_by_others >= 0.5).count();
        if by_others > 0 && calibration.source != "alike" {
            say.push(format!(
                "{by_others} of the {} that are listed share{} mainly what other submissions have too: public or given code, or what a larger group copied. Code that everybody may use is named as base code.",
                striking.len(),
                if by_others == 1 { "s" } else { "" }
            ));
        }
        if let Some(Groups { sizes, within, between }) = &self.groups {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            say.push(format!(
                "These submissions fall into {} groups (of {}) that share little with each other: {:.0}% on average, {:.0}% inside. If they are several exercises, compare each by itself: what is expected by chance was estimated over all of them.",
                sizes.len(),
                sizes.join(", "),
                100.0 * between,
                100.0 * within
            ));
        }
    }
}

/// What to say where most pairs are alike.
fn most_alike(alike: u64, all: u64) -> Option<String> {
    (all >= MIN_ALIKE_PAIRS && 2 * alike > all).then(|| format!(
        "Most of these submissions are alike: {alike} of {all} pairs are {:.0}% similar or more, and that is the threshold. Nothing tells unusual from usual here: the exercise may leave little choice, or most may have one source. Read the longest and rarest passages.",
        100.0 * ALIKE
    ))
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

    /// The same where most pairs are alike: nothing is known of chance.
    pub fn told_by(self, calibration: &Calibration) -> Self {
        Self(self.0.filter(|_| calibration.source != "alike"))
    }

    /// Pairs of unrelated submissions that would be as similar as this; [`MIN_EXPECTED`] stands for less.
    pub fn expected(&self, similarity: f64) -> Option<f64> {
        self.0.map(|chance| chance.expected(similarity).max(MIN_EXPECTED))
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
        (None, _)
            if let Some(alike) = most_alike(at_least(ALIKE), all)
                && surprise.0.is_none_or(|chance| chance.expected(ALIKE) >= 1.0) =>
        {
            reasoning.push(alike);
            (ALIKE, "alike")
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
    let surprise = if source == "alike" { &Surprise(None) } else { surprise };
    if surprise.0.is_some() {
        reasoning.push(ASSUMPTIONS.into());
    }
    let table = (1..100).map(|percent| f64::from(percent) / 100.0).map(|threshold| CalibrationRow {
        threshold,
        expected: surprise.expected(threshold),
        found: at_least(threshold),
    });
    Calibration {
        pairs: all,
        median: exceeded_by(0.5),
        p95: exceeded_by(0.05),
        threshold,
        source,
        striking: 0,
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
            assert_eq!(surprise.expected(0.9), Some(MIN_EXPECTED), "less is not told");
            assert!(surprise.expected(0.2).unwrap() > 1000.0);
            assert_eq!(found.table[89].found, copies);
            assert!(found.reasoning.contains(&ASSUMPTIONS.to_owned()), "{:?}", found.reasoning);
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
    fn where_most_are_alike_nothing_is_usual() {
        let fallback = Fallback { chosen: None, default: 0.25, least: 0.1 };
        let of = |pairs: u32, share: fn(u32) -> f64, fallback: Fallback| {
            let mut observed = Observed::default();
            (0..pairs).map(share).for_each(|share| {
                observed.see(share);
                observed.sampled.push(share);
            });
            observed.candidates = u64::from(pairs);
            calibrate(&observed, &Surprise::of(&observed), u64::from(pairs), fallback)
        };
        // few, and so many that there is a law
        for pairs in [6, 28, 400] {
            let found = of(pairs, |at| 0.86 + f64::from(at % 10) / 100.0, fallback);
            assert_eq!((found.source, found.threshold), ("alike", ALIKE), "{pairs}");
            assert!(found.table.iter().all(|row| row.expected.is_none()), "nothing is told of chance");
            assert!(found.reasoning[1].contains(&format!("{pairs} of {pairs} pairs are 50% similar")), "{found:?}");
        }
        let given = of(28, |_| 0.9, Fallback { chosen: Some(0.95), ..fallback });
        assert_eq!((given.source, given.threshold), ("given", 0.95));
        // copies and others: the lower heap tells what is usual
        let found = of(400, |at| if at % 5 < 2 { 0.05 + f64::from(at % 7) / 100.0 } else { 0.9 }, fallback);
        assert_eq!(found.source, "estimated");
        assert_eq!(of(5, |_| 0.9, fallback).source, "default", "too few to speak of most");
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
