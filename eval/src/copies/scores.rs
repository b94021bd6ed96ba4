//! How well scores tell copies from others: F-measures at thresholds found elsewhere, and average precision, also as if both were equally many.

use crate::generate::Random;
use crate::numbers::Spread;
use serde::Serialize;

/// A score, and whether the pair is a copy.
pub(super) type Scored = (f64, bool);

/// Folds, and how often they are drawn anew.
const FOLDS: u32 = 10;
const DRAWS: u64 = 5;
const SEED: u64 = 7;

/// A threshold and what it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Cut {
    pub(super) f: f64,
    pub(super) threshold: f64,
}

/// The F-measure of so many right, wrong and missed: recall counts `beta` times as much as precision.
fn f(beta: f64, right: usize, wrong: usize, missed: usize) -> f64 {
    let (square, right) = (beta * beta, right as f64);
    let all = (1.0 + square) * right + square * missed as f64 + wrong as f64;
    if all == 0.0 { 0.0 } else { (1.0 + square) * right / all }
}

/// Copies and others of each distinct score, the highest first.
fn steps(pairs: &[Scored]) -> Vec<(f64, usize, usize)> {
    let mut sorted = pairs.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let tied = sorted.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq());
    let step = |tied: &[Scored]| {
        let copies = tied.iter().filter(|pair| pair.1).count();
        (tied[0].0, copies, tied.len() - copies)
    };
    tied.map(step).collect()
}

fn copies(pairs: &[Scored]) -> usize {
    pairs.iter().filter(|pair| pair.1).count()
}

/// The best threshold, in the middle between two scores. A score of 0 is no evidence, so it is never taken.
pub(super) fn best(pairs: &[Scored], beta: f64) -> Cut {
    let (all, steps) = (copies(pairs), steps(pairs));
    let (mut right, mut wrong, mut best) = (0, 0, Cut { f: 0.0, threshold: 1.0 });
    for (at, &(score, copies, others)) in steps.iter().enumerate().take_while(|(_, step)| step.0 > 0.0) {
        (right, wrong) = (right + copies, wrong + others);
        let reached = f(beta, right, wrong, all - right);
        if reached > best.f {
            let next = steps.get(at + 1).map_or(score, |step| step.0);
            best = Cut { f: reached, threshold: f64::midpoint(score, next) };
        }
    }
    best
}

/// How many of the pairs at or above a threshold are copies, and how many of all copies they are.
pub(super) fn precision_and_recall(pairs: &[Scored], threshold: f64) -> [f64; 2] {
    let taken = pairs.iter().filter(|pair| pair.0 >= threshold);
    let (all, right) = (taken.clone().count(), taken.filter(|pair| pair.1).count());
    let share = |of: usize| if of == 0 { 0.0 } else { right as f64 / of as f64 };
    [share(all), share(copies(pairs))]
}

/// The F-measure at a threshold.
pub(super) fn at(pairs: &[Scored], threshold: f64, beta: f64) -> f64 {
    let right = pairs.iter().filter(|pair| pair.0 >= threshold && pair.1).count();
    let wrong = pairs.iter().filter(|pair| pair.0 >= threshold && !pair.1).count();
    f(beta, right, wrong, copies(pairs) - right)
}

/// Every pair is judged by a threshold that was found on nine tenths without it; the mean over several draws of the tenths.
pub(super) fn ten_fold(pairs: &[Scored], beta: f64) -> f64 {
    let draw = |draw: u64| {
        let mut random = Random::at(SEED, draw, 0);
        let fold: Vec<u32> = pairs.iter().map(|_| random.below(FOLDS)).collect();
        let of = |inside: bool, wanted: u32| {
            let chosen = pairs.iter().zip(&fold).filter(move |(_, fold)| (**fold == wanted) == inside);
            chosen.map(|(pair, _)| *pair).collect::<Vec<_>>()
        };
        let (mut right, mut wrong, mut missed) = (0, 0, 0);
        for wanted in 0..FOLDS {
            let threshold = best(&of(false, wanted), beta).threshold;
            for (score, copy) in of(true, wanted) {
                match (score >= threshold, copy) {
                    (true, true) => right += 1,
                    (true, false) => wrong += 1,
                    (false, true) => missed += 1,
                    (false, false) => {}
                }
            }
        }
        f(beta, right, wrong, missed)
    };
    (0..DRAWS).map(draw).sum::<f64>() / DRAWS as f64
}

/// The mean, over copies, of the precision at their score. Ties are taken together, so their order does not matter.
pub(super) fn average_precision(pairs: &[Scored]) -> f64 {
    let (mut right, mut taken, mut sum) = (0, 0, 0.0);
    for (_, copies, others) in steps(pairs) {
        right += copies;
        taken += copies + others;
        sum += copies as f64 * right as f64 / taken as f64;
    }
    if right == 0 { 0.0 } else { sum / right as f64 }
}

/// The average precision of samples with as many copies as others, together `size`: mean, lowest and highest. Nothing if there are too few.
pub(super) fn balanced(pairs: &[Scored], size: usize, samples: u64) -> Option<(f64, Spread)> {
    let (mut yes, mut no): (Vec<Scored>, Vec<Scored>) = pairs.iter().partition(|pair| pair.1);
    let half = size / 2;
    if yes.len().min(no.len()) < half || half == 0 {
        return None;
    }
    let sample = |number: u64| {
        let mut random = Random::at(SEED, number, 1);
        shuffle_first(&mut yes, half, &mut random);
        shuffle_first(&mut no, half, &mut random);
        average_precision(&[&yes[..half], &no[..half]].concat())
    };
    let found: Vec<f64> = (0..samples).map(sample).collect();
    let mean = found.iter().sum::<f64>() / found.len().max(1) as f64;
    Some((mean, Spread::of(found)?))
}

/// Draws the first `count` without putting back.
pub(super) fn shuffle_first<T>(items: &mut [T], count: usize, random: &mut Random) {
    for at in 0..count.min(items.len()) {
        let other = at + random.below((items.len() - at) as u32) as usize;
        items.swap(at, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }

    const PAIRS: [Scored; 6] = [(0.9, true), (0.6, false), (0.6, true), (0.4, true), (0.2, false), (0.0, true)];

    #[test]
    fn f_measures_by_hand() {
        // precision 2/3, recall 2/4: (1 + 2.25) p r / (2.25 p + r) = 3.25 / 3 / 2
        near(at(&PAIRS, 0.6, 1.5), 3.25 / 6.0);
        near(at(&PAIRS, 0.6, 1.0), 4.0 / 7.0);
        near(at(&PAIRS, 0.95, 1.5), 0.0);
        // three right, one wrong, one missed; half way down to the next score
        let cut = best(&PAIRS, 1.5);
        near(cut.f, 9.75 / (9.75 + 2.25 + 1.0));
        near(cut.threshold, 0.3);
    }

    #[test]
    fn no_evidence_is_never_taken() {
        let cut = best(&[(0.0, true), (0.0, true)], 1.5);
        near(cut.f, 0.0);
        near(cut.threshold, 1.0);
    }

    #[test]
    fn average_precision_by_hand() {
        // 1/1, then a tie of two: 2/3, then 3/4, then 4/6
        near(average_precision(&PAIRS), (1.0 + 2.0 / 3.0 + 3.0 / 4.0 + 4.0 / 6.0) / 4.0);
        near(average_precision(&[(0.3, false)]), 0.0);
    }

    #[test]
    fn balanced_samples_do_not_depend_on_how_many_copies_there_are() {
        // scores say nothing: about one half, though five of six are copies
        let pairs: Vec<Scored> = (0..600u32).map(|n| (f64::from(n * 7919 % 601), n % 6 != 0)).collect();
        assert!(average_precision(&pairs) > 0.75);
        let (mean, spread) = balanced(&pairs, 100, 200).expect("enough of both");
        assert!((0.45..0.6).contains(&mean), "{mean}");
        assert!(spread.min < mean && mean < spread.max);
        // perfect scores are perfect in every sample
        let perfect: Vec<Scored> = (0..600u32).map(|n| (f64::from(u8::from(n % 6 != 0)), n % 6 != 0)).collect();
        near(balanced(&perfect, 128, 20).expect("enough").1.min, 1.0);
        assert_eq!(balanced(&PAIRS, 6, 10), None);
    }

    #[test]
    fn folds_judge_with_a_threshold_from_elsewhere() {
        let clear: Vec<Scored> = (0..200u32).map(|n| (if n % 2 == 0 { 0.8 } else { 0.2 }, n % 2 == 0)).collect();
        near(ten_fold(&clear, 1.5), 1.0);
        let mixed: Vec<Scored> = (0..200u32).map(|n| (f64::from(n * 83 % 199 + 1) / 200.0, n % 2 == 0)).collect();
        assert!(ten_fold(&mixed, 1.5) <= best(&mixed, 1.5).f);
    }
}
