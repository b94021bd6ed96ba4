//! The recall of `MinHash` with bands of rows: which share of pairs of a resemblance such a pipeline finds.

use serde::{Deserialize, Serialize};

/// So many bands of so many rows: a pair is found if all rows of some band are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Banding {
    /// Bands.
    pub bands: u32,
    /// Rows of a band.
    pub rows: u32,
}

impl Banding {
    /// The probability that a pair of this resemblance is found.
    pub fn probability(self, resemblance: f64) -> f64 {
        1.0 - (1.0 - resemblance.clamp(0.0, 1.0).powf(f64::from(self.rows))).powf(f64::from(self.bands))
    }

    /// The resemblance from which on pairs are found with at least this probability.
    pub fn resemblance_at(self, probability: f64) -> f64 {
        (1.0 - (1.0 - probability).powf(1.0 / f64::from(self.bands))).powf(1.0 / f64::from(self.rows))
    }

    /// Whether two documents of this resemblance are found: drawn by their hashes, always the same for the same two.
    pub fn finds(self, a: u32, b: u32, resemblance: f64) -> bool {
        let both = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
        let mut x = both.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^= x >> 32;
        let drawn = (x >> 11) as f64 / (1u64 << 53) as f64;
        drawn < self.probability(resemblance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_is_that_of_the_pipelines() {
        // of `fineweb`: 56% at 0.7, 77% at 0.75, 92% at 0.8 and 98.8% at 0.85
        let fineweb = Banding { bands: 14, rows: 8 };
        for (resemblance, expected) in [(0.7, 0.56), (0.75, 0.77), (0.8, 0.92), (0.85, 0.988)] {
            assert!((fineweb.probability(resemblance) - expected).abs() < 0.01, "{resemblance}");
        }
        assert_eq!((fineweb.probability(1.0), fineweb.probability(0.0)), (1.0, 0.0));
        for probability in [0.01, 0.5, 0.99] {
            assert!((fineweb.probability(fineweb.resemblance_at(probability)) - probability).abs() < 1e-9);
        }
    }

    #[test]
    fn as_many_are_drawn_as_the_curve_says() {
        let banding = Banding { bands: 14, rows: 8 };
        for resemblance in [0.5, 0.7, 0.8, 0.9] {
            let hash = |at: u32| at.wrapping_mul(0x9e37_79b9) ^ at >> 3;
            let found = (0..20_000).filter(|at| banding.finds(hash(*at), hash(at + 70_000), resemblance)).count();
            let expected = banding.probability(resemblance) * 20_000.0;
            assert!((found as f64 - expected).abs() < 300.0, "{resemblance}: {found} {expected}");
            assert_eq!(banding.finds(7, 9, resemblance), banding.finds(9, 7, resemblance));
        }
    }
}
