//! Whether two documents are the same text, as a person would say, and who says so.

use lookalike_core::align::align;
use serde::{Deserialize, Serialize};

/// What is said of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// One of the two is enough.
    Same,
    /// Both are wanted.
    Different,
    /// It cannot be told. Such a pair does not count.
    Unsure,
}

/// Who judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judge {
    /// People looked at the pairs.
    People,
    /// Nobody looked: words were aligned. See [`MIN_ALIGNED`].
    Alignment,
}

/// Two documents are the same by alignment if at least this share of the words of the longer one stands in the other in the same order.
pub const MIN_ALIGNED: f64 = 0.8;

/// The share of the words of the longer document that stand in the other in the same order.
pub(super) fn aligned_share(a: &[u64], b: &[u64]) -> f64 {
    let equal: usize = align(a, b).iter().filter(|range| range.equal).map(|range| range.a.len()).sum();
    equal as f64 / a.len().max(b.len()).max(1) as f64
}

impl Judgement {
    /// By the share of words that align.
    pub(super) fn of_aligned(share: f64) -> Self {
        if share >= MIN_ALIGNED { Self::Same } else { Self::Different }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_another_order_do_not_count() {
        let a: Vec<u64> = (0..100).collect();
        let part =
            |share: usize| (0..100).map(|x| if x < share { x as u64 } else { 1000 + x as u64 }).collect::<Vec<_>>();
        assert_eq!(Judgement::of_aligned(aligned_share(&a, &part(80))), Judgement::Same);
        assert_eq!(Judgement::of_aligned(aligned_share(&a, &part(79))), Judgement::Different);
        // the longer one counts: a document inside another is not the same
        assert!((aligned_share(&a, &a[..50]) - 0.5).abs() < 1e-9);
        assert!(aligned_share(&a, &a.iter().rev().copied().collect::<Vec<_>>()) < 0.1);
        assert!(aligned_share(&[], &[]) < 1e-9);
    }
}
