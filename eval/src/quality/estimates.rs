//! How far estimates are from the exact numbers, and how far theory says they should be.

use super::generated::Found;
use lookalike_core::sets::Overlap;
use lookalike_core::sketch::{SampleOverlap, Sampler, Sampling, Sketch};
use serde::Serialize;
use std::f64::consts::PI;

/// Mean absolute errors of the estimated resemblance.
#[derive(Serialize)]
pub(super) struct Errors {
    /// Pairs looked at: sampled ones that resemble each other by at least 0.3, so that the listing from 0.1 on leaves none out.
    pub(super) pairs: u64,
    /// Of them not listed; each counts with the whole of its resemblance.
    pub(super) unlisted: u64,
    pub(super) measured: f64,
    pub(super) predicted: f64,
    /// Mean of the errors with their signs: an unbiased estimate has 0.
    pub(super) bias: f64,
}

pub(super) fn errors(sets: &[Vec<u64>], truth: &[((u32, u32), Overlap)], estimated: &Found) -> Errors {
    let sampling = Sampling::default();
    let mut sampler = Sampler::new(sampling);
    let sketch = |set: &Vec<u64>| {
        for &feature in set {
            sampler.push(feature);
        }
        sampler.finish()
    };
    let sketches: Vec<Sketch> = sets.iter().map(sketch).collect();
    let mut errors = Errors { pairs: 0, unlisted: 0, measured: 0.0, predicted: 0.0, bias: 0.0 };
    for (pair, overlap) in truth {
        let [a, b] = [pair.0, pair.1].map(|document| &sketches[document as usize]);
        let sample = SampleOverlap::of(sampling, a, b);
        // what is equal or whole is not estimated
        if sample.is_exhaustive || overlap.resemblance() < 0.3 || overlap.resemblance() >= 1.0 {
            continue;
        }
        let told = estimated.get(pair);
        let error = told.copied().unwrap_or_default() - overlap.resemblance();
        errors.pairs += 1;
        errors.unlisted += u64::from(told.is_none());
        errors.measured += error.abs();
        errors.bias += error;
        errors.predicted += predicted(*overlap, sample.a + sample.b - sample.shared);
    }
    let pairs = (errors.pairs as f64).max(1.0);
    for sum in [&mut errors.measured, &mut errors.predicted, &mut errors.bias] {
        *sum /= pairs;
    }
    errors
}

/// Drawing n of the N features of the union without putting any back: the deviation of the share that is common, and from
/// it the mean absolute error of a nearly normal number.
fn predicted(overlap: Overlap, sampled: u32) -> f64 {
    let (r, n) = (overlap.resemblance(), f64::from(sampled.max(1)));
    let all = f64::from(overlap.a) + f64::from(overlap.b) - f64::from(overlap.shared);
    let variance = r * (1.0 - r) / n * (1.0 - n / all).max(0.0);
    (variance * 2.0 / PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_half_of_a_hundred() {
        // r = 1/2, n = 100 of 400: deviation sqrt(.25 / 100 × .75) = .0433, times sqrt(2 / π) = .0345
        let overlap = Overlap { a: 300, b: 300, shared: 200 };
        assert!((predicted(overlap, 100) - 0.0345).abs() < 1e-4);
        assert!(predicted(overlap, 400).abs() < 1e-12, "who sees all errs in nothing");
    }
}
