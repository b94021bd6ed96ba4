//! How far theory says an estimate errs.

use lookalike_core::sets::Overlap;
use std::f64::consts::PI;

/// The deviation of an estimated resemblance r from n features of the union: sqrt(r (1 - r) / n).
pub(super) fn deviation(r: f64, n: u32) -> f64 {
    (r * (1.0 - r) / f64::from(n.max(1))).sqrt()
}

/// The same where the n are drawn from the N of the union and none is put back, as they are.
pub(super) fn deviation_of(overlap: Overlap, n: u32) -> f64 {
    let all = f64::from(overlap.a) + f64::from(overlap.b) - f64::from(overlap.shared);
    deviation(overlap.resemblance(), n) * (1.0 - f64::from(n) / all.max(1.0)).max(0.0).sqrt()
}

/// The mean absolute error of a nearly normal number with this deviation.
pub(super) fn mean_absolute(deviation: f64) -> f64 {
    deviation * (2.0 / PI).sqrt()
}

/// The chance that at least this share of n draws are hits, if each is one with chance r (binomial).
pub(super) fn chance_of_at_least(least: f64, r: f64, n: u32) -> f64 {
    if r >= 1.0 || n == 0 {
        return if r >= least { 1.0 } else { 0.0 };
    }
    if r <= 0.0 {
        return if least <= 0.0 { 1.0 } else { 0.0 };
    }
    // from the term of no hits on, each from the one before; in logarithms, since the first is tiny
    let needed = (least * f64::from(n) - 1e-9).ceil().max(0.0) as u32;
    let (mut term, mut below) = (f64::from(n) * (1.0 - r).ln(), 0.0);
    for hits in 0..needed.min(n + 1) {
        below += term.exp();
        term += (f64::from(n - hits) / f64::from(hits + 1)).ln() + (r / (1.0 - r)).ln();
    }
    (1.0 - below).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_theorem_by_hand() {
        // r = 1/2, n = 100: sqrt(.25 / 100) = .05; of a union of 400, times sqrt(.75)
        assert!((deviation(0.5, 100) - 0.05).abs() < 1e-12);
        let overlap = Overlap { a: 300, b: 300, shared: 200 };
        assert!((deviation_of(overlap, 100) - 0.05 * 0.75_f64.sqrt()).abs() < 1e-12);
        assert!(deviation_of(overlap, 400).abs() < 1e-12, "who sees all errs in nothing");
        assert!((mean_absolute(0.05) - 0.0399).abs() < 1e-4);
    }

    #[test]
    fn chances_by_hand() {
        // two coins: both, at least one, any
        for (least, chance) in [(1.0, 0.25), (0.5, 0.75), (0.0, 1.0)] {
            assert!((chance_of_at_least(least, 0.5, 2) - chance).abs() < 1e-9, "{least}");
        }
        assert!((chance_of_at_least(0.6, 1.0, 50) - 1.0).abs() < 1e-12);
        assert!(chance_of_at_least(0.6, 0.0, 50).abs() < 1e-12);
        // by symmetry: all but half of the term in the middle
        assert!((chance_of_at_least(0.5, 0.5, 100) - 0.5398).abs() < 1e-4);
        assert!(chance_of_at_least(0.5, 0.7, 2000) > 0.999_999);
    }
}
