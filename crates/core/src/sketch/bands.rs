//! Bands: keys of a set, of which sets that resemble each other have at least one in common, nearly always.
//!
//! A key is made of the minima of a few rows; a row is the set in an order of its own (`MinHash`). Where all features of a document are
//! those of very many others, keys divide these others, which single features cannot.

use super::Banding;
use crate::feature_hash::FeatureHasher;

/// Bands of a set.
const BANDS: u32 = 16;
/// The probability with which a pair of the least resemblance has a key in common.
const MIN_PROBABILITY: f64 = 0.999;
/// Rows of a band; more would tell sets apart that are all but equal.
const MAX_ROWS: u32 = 32;

/// The last bits of a key are its level.
const LEVEL_BITS: u64 = 0x7f;

/// How the keys of a set are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    rows: u32,
}

impl Bands {
    /// The longest bands with which pairs of this resemblance have a key in common, nearly always.
    pub fn for_resemblance(least: f64) -> Self {
        let finds = |rows: &u32| Banding { bands: BANDS, rows: *rows }.probability(least) >= MIN_PROBABILITY;
        Self { rows: (1..=MAX_ROWS).rev().find(finds).unwrap_or(1) }
    }

    /// Bands and their rows.
    pub fn banding(self) -> Banding {
        Banding { bands: BANDS, rows: self.rows }
    }

    /// The keys of the features that are 0 mod `2^level`, one for each band; none if there are no such features. Keys of different levels
    /// have nothing in common.
    pub fn keys(self, features: &[u64], level: u8) -> impl Iterator<Item = u64> {
        let hasher = FeatureHasher::default();
        let features: Vec<u64> = features.iter().copied().filter(|f| f.trailing_zeros() >= u32::from(level)).collect();
        let bands = if features.is_empty() { 0 } else { BANDS };
        (0..bands).map(move |band| {
            let name = hasher.permute(u64::from(level) << 32 | u64::from(band));
            let minima = (0..self.rows).map(|row| minimum(&features, band * MAX_ROWS + row));
            minima.fold(name, |key, minimum| hasher.chain(key, minimum)) & !LEVEL_BITS | u64::from(level)
        })
    }

    /// The level of a key.
    pub fn level(key: u64) -> u8 {
        (key & LEVEL_BITS) as u8
    }
}

/// The first of the features in the order of a row.
fn minimum(features: &[u64], row: u32) -> u64 {
    let seed = mix(u64::from(row) + 1, 0x9e37_79b9_7f4a_7c15);
    let odd = mix(seed, 0xd6e8_feb8_6659_fd93) | 1;
    features.iter().map(|feature| mix(feature ^ seed, odd)).min().unwrap_or_default()
}

/// A bijection of the 64-bit numbers, for odd factors.
#[inline]
fn mix(x: u64, odd: u64) -> u64 {
    let x = x.wrapping_mul(odd);
    (x ^ x >> 32).wrapping_mul(0xa076_1d64_78bd_642f)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn keys(bands: Bands, features: &[u64], level: u8) -> Vec<u64> {
        bands.keys(features, level).collect()
    }

    #[test]
    fn rows_follow_the_least_resemblance() {
        let rows = |least: f64| Bands::for_resemblance(least).banding().rows;
        assert_eq!([0.01, 0.5, 0.7, 0.8, 0.9, 1.0].map(rows), [1, 1, 2, 4, 9, MAX_ROWS]);
        for least in [0.5, 0.7, 0.8, 0.95] {
            let banding = Bands::for_resemblance(least).banding();
            assert!(banding.probability(least) >= MIN_PROBABILITY);
            assert!(Banding { rows: banding.rows + 1, ..banding }.probability(least) < MIN_PROBABILITY);
        }
    }

    #[test]
    fn as_many_pairs_have_a_key_in_common_as_the_curve_says() {
        let hasher = FeatureHasher::default();
        let bands = Bands::for_resemblance(0.8);
        for (shared, own) in [(80, 10), (60, 20), (40, 30), (20, 40)] {
            let (mut found, pairs) = (0, 400u64);
            for pair in 0..pairs {
                let feature = |at: u64| hasher.permute(pair << 20 | at) << 3;
                let a: Vec<u64> = (0..shared + own).map(feature).collect();
                let b: Vec<u64> = (0..shared).chain(500..500 + own).map(feature).collect();
                let a: BTreeSet<u64> = keys(bands, &a, 3).into_iter().collect();
                found += u64::from(keys(bands, &b, 3).iter().any(|key| a.contains(key)));
            }
            let expected = bands.banding().probability(shared as f64 / (shared + 2 * own) as f64) * pairs as f64;
            assert!((found as f64 - expected).abs() < 40.0, "{shared} and {own}: {found} for {expected}");
        }
    }

    #[test]
    fn only_what_survives_the_level_counts() {
        let bands = Bands::for_resemblance(0.8);
        let (upper, all) = ([8, 16, 48], [1, 2, 8, 16, 33, 48]);
        assert_eq!(keys(bands, &upper, 3), keys(bands, &all, 3));
        assert_ne!(keys(bands, &upper, 3), keys(bands, &upper, 2), "of another level");
        assert!(
            [0, 3, 63, 64].iter().all(|level| keys(bands, &[0], *level).iter().all(|key| Bands::level(*key) == *level))
        );
        assert_eq!(keys(bands, &upper, 3).into_iter().collect::<BTreeSet<u64>>().len(), BANDS as usize);
        assert!(keys(bands, &[1, 2], 3).is_empty());
    }

    #[test]
    fn golden() {
        assert_eq!(
            keys(Bands::for_resemblance(0.8), &[8, 16, 48], 3)[..2],
            [0x7ec7_a38e_3a4e_9283, 0xbd81_66c8_6549_d983]
        );
    }
}
