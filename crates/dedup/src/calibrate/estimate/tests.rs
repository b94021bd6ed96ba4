//! The estimator against mixtures whose truth is known.

use super::*;

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A stratum: its pairs, the share of the same, and the shares of the same and of the others that are at or above the threshold by
/// another measure.
type Truth = (u64, f64, f64, f64);

/// A pair: whether it is the same, and at or above the threshold.
type Pair = (bool, bool);

/// The pairs of a stratum.
fn population(truth: &[Truth], random: &mut Random) -> Vec<Vec<Pair>> {
    let pair = |(_, same, above, other): &Truth, random: &mut Random| {
        let is_same = random.unit() < *same;
        (is_same, random.unit() < if is_same { *above } else { *other })
    };
    truth.iter().map(|stratum| (0..stratum.0).map(|_| pair(stratum, random)).collect()).collect()
}

fn cells(pairs: &[Pair]) -> Cells {
    let count = |wanted: Pair| pairs.iter().filter(|pair| **pair == wanted).count() as u64;
    Cells {
        same_above: count((true, true)),
        same_below: count((true, false)),
        other_above: count((false, true)),
        other_below: count((false, false)),
    }
}

/// `n` of them, without putting back.
fn draw(pairs: &[Pair], n: usize, random: &mut Random) -> Vec<Pair> {
    let mut pairs = pairs.to_vec();
    let n = n.min(pairs.len());
    for at in 0..n {
        let other = at + (random.unit() * (pairs.len() - at) as f64) as usize;
        pairs.swap(at, other);
    }
    pairs.truncate(n);
    pairs
}

/// How often the intervals of precision and recall hold the truth, of so many samples; and how wide they are on average.
fn coverage(truth: &[Truth], known: Option<&[bool]>, n: usize) -> [(f64, f64); 2] {
    const TIMES: usize = 400;
    let mut random = Random(n as u64);
    let mut held = [(0usize, 0.0); 2];
    for _ in 0..TIMES {
        let mut all = population(truth, &mut random);
        if let Some(known) = known {
            for (pairs, is_above) in all.iter_mut().zip(known) {
                for pair in pairs {
                    pair.1 = *is_above;
                }
            }
        }
        let sum = |of: fn(Cells) -> u64| all.iter().map(|pairs| of(cells(pairs))).sum::<u64>() as f64;
        let true_shares = [sum(|c| c.same_above) / sum(Cells::above), sum(|c| c.same_above) / sum(Cells::same)];
        let judged: Vec<JudgedStratum> = all
            .iter()
            .enumerate()
            .map(|(at, pairs)| {
                let cells = cells(&draw(pairs, n, &mut random));
                let (drawn, drawn_above) = (cells.all(), cells.above());
                let is_above = known.map(|known| known[at]);
                JudgedStratum { pairs: pairs.len() as f64, is_above, cells, drawn, drawn_above, nearby: 0.5 }
            })
            .collect();
        let (precision, recall) = shares(&judged);
        for ((held, estimate), truth) in held.iter_mut().zip([precision, recall]).zip(true_shares) {
            let estimate = estimate.unwrap();
            held.0 += usize::from(estimate.low - 1e-9 <= truth && truth <= estimate.high + 1e-9);
            held.1 += (estimate.high - estimate.low) / TIMES as f64;
        }
    }
    held.map(|(held, width)| (held as f64 / TIMES as f64, width))
}

#[test]
fn intervals_hold_the_truth() {
    // few pairs that are alike and many that are not; nearly all the same above, and a steep slope below
    let mixtures: [&[Truth]; 4] = [
        &[
            (4000, 0.02, 0.1, 0.0),
            (1500, 0.2, 0.5, 0.05),
            (600, 0.8, 0.9, 0.3),
            (500, 0.97, 1.0, 0.9),
            (300, 1.0, 1.0, 1.0),
        ],
        &[(500, 0.5, 0.4, 0.2), (500, 0.6, 0.6, 0.3), (500, 0.7, 0.9, 0.6), (500, 0.9, 1.0, 0.9)],
        &[(300, 0.0, 0.0, 0.0), (300, 0.1, 0.2, 0.1), (300, 0.99, 0.9, 0.5), (3000, 1.0, 1.0, 1.0)],
        &[(60, 0.3, 0.3, 0.1), (45, 0.5, 0.5, 0.3), (41, 0.8, 0.9, 0.3), (20, 0.9, 1.0, 0.5)],
    ];
    for (number, truth) in mixtures.into_iter().enumerate() {
        let known: Vec<bool> = (0..truth.len()).map(|at| at >= 2).collect();
        for n in [15, 40, 100] {
            for known in [Some(known.as_slice()), None] {
                let [precision, recall] = coverage(truth, known, n);
                assert!(precision.0 >= 0.9, "precision of mixture {number}, {n}, {known:?}: {precision:?}");
                assert!(recall.0 >= 0.9, "recall of mixture {number}, {n}, {known:?}: {recall:?}");
            }
        }
    }
    // and they say something
    let [precision, recall] = coverage(mixtures[1], Some(&[false, false, true, true]), 100);
    assert!(precision.1 < 0.15 && recall.1 < 0.15, "{precision:?} {recall:?}");
}

fn row(threshold: f64, low: f64, value: f64, high: f64) -> ThresholdEstimate {
    let precision = Some(Estimate { value, low, high });
    ThresholdEstimate { threshold, pairs: 1, precision, recall: None, removed: None }
}

#[test]
fn the_lowest_threshold_of_the_precision_is_suggested() {
    let rows =
        [row(0.5, 0.5, 0.6, 0.7), row(0.8, 0.96, 0.98, 0.99), row(0.85, 0.94, 0.99, 1.0), row(0.9, 0.97, 1.0, 1.0)];
    assert_eq!(suggest(&rows, 0.95), Suggestion::Threshold { threshold: 0.8 });
    assert_eq!(suggest(&rows, 0.999), Suggestion::TooFewPairs { nearest: 0.9 });
    assert_eq!(suggest(&rows[..1], 0.95), Suggestion::NotReached { best: 0.5 });
    let none = ThresholdEstimate { precision: None, ..rows[0] };
    assert_eq!(suggest(&[none], 0.95), Suggestion::NoPairs);
}

#[test]
fn strata_that_nobody_judged_leave_everything_open() {
    let cells = Cells { same_above: 40, ..Cells::default() };
    let judged = JudgedStratum { pairs: 1000.0, is_above: Some(true), cells, drawn: 40, drawn_above: 40, nearby: 0.5 };
    let mut strata = [judged, JudgedStratum { cells: Cells::default(), ..judged }];
    set_nearby(&mut strata);
    let precision = shares(&strata).0.unwrap();
    assert!((precision.value - 1.0).abs() < 1e-9, "as its neighbour: {precision:?}");
    assert!(precision.low < 0.51, "{precision:?}");
    assert_eq!(shares(&strata[1..]), (None, None));
    // by another measure, too: it is known how many there are, not what they are
    strata[1].is_above = None;
    let precision = shares(&strata).0.unwrap();
    assert!(precision.low < 0.51 && precision.high > 0.99, "{precision:?}");
}
