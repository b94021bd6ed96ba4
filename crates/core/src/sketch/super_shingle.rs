//! Super shingles: the sketch of a sketch. One that both have makes two documents candidates.

use crate::feature_hash::FeatureHasher;
use crate::sets;

/// The super shingles of a sketch: windows over its features in a fixed order.
///
/// The order is by the number read from its last bit backwards: then `V_{i+1}` is the beginning of `V_i`, and two
/// documents on either side of a size limit still share their first windows.
pub fn super_shingles(features: &[u64], window: usize, fp: &FeatureHasher) -> Vec<u64> {
    let mut ordered = features.to_vec();
    ordered.sort_unstable_by_key(|f| f.reverse_bits());
    let hash = |w: &[u64]| fp.permute(w.iter().fold(w.len() as u64, |h, f| fp.chain(h, *f)));
    let mut found: Vec<u64> = match ordered.len() {
        0 => vec![],
        n if n < window => vec![hash(&ordered)],
        _ => ordered.windows(window).map(hash).collect(),
    };
    sets::into_set(&mut found);
    found
}

/// The longest window with which two sketches of typical size and this resemblance are still expected to share three windows.
///
/// In the merged order of both sketches a feature is shared with probability r, so a window of s is shared
/// with probability `r^s`, and shared windows come in runs of about `1/(1-r)`.
pub fn window_for(resemblance: f64) -> usize {
    const TYPICAL: f64 = 75.0;
    const RUNS: f64 = 3.0;
    let r = resemblance.clamp(0.05, 0.9);
    let longest = (TYPICAL * (1.0 - r) / RUNS).ln() / (1.0 / r).ln();
    (longest.floor() as usize).clamp(2, 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_windows_for_closer_documents() {
        let windows: Vec<usize> = [0.3, 0.5, 0.7, 0.9, 0.99].iter().map(|r| window_for(*r)).collect();
        assert!(windows.is_sorted(), "{windows:?}");
        assert_eq!((window_for(0.5), window_for(0.7)), (3, 5));
    }

    #[test]
    fn nested_sketches_share_their_first_windows() {
        let fp = FeatureHasher::default();
        let all: Vec<u64> = (0..200u64).map(|x| fp.permute(x)).collect();
        let upper: Vec<u64> = all.iter().copied().filter(|f| f % 2 == 0).collect();
        let (a, b) = (super_shingles(&all, 4, &fp), super_shingles(&upper, 4, &fp));
        assert_eq!(sets::shared(&a, &b), b.len());
    }

    #[test]
    fn few_features_make_one() {
        let fp = FeatureHasher::default();
        assert_eq!(super_shingles(&[1, 2], 4, &fp).len(), 1);
        assert!(super_shingles(&[], 4, &fp).is_empty());
        assert_ne!(super_shingles(&[1, 2], 4, &fp), super_shingles(&[1, 3], 4, &fp));
    }
}
