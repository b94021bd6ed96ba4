//! Two ways to divide the same documents, compared: the adjusted Rand index.

/// Hubert and Arabie's index: 1 for equal partitions, about 0 for what chance gives.
pub(super) fn adjusted_rand(a: &[u32], b: &[u32]) -> f64 {
    assert_eq!(a.len(), b.len(), "two partitions of the same documents");
    let together = pairs_within(a.iter().zip(b).map(|(&a, &b)| (a, b)).collect());
    let (in_a, in_b) = (pairs_within(a.to_vec()), pairs_within(b.to_vec()));
    let all = choose_two(a.len() as u64);
    let expected = in_a * in_b / all;
    let most = f64::midpoint(in_a, in_b);
    // all alone, or all in one: both sides say the same, and there is nothing to adjust
    if (most - expected).abs() < f64::EPSILON { 1.0 } else { (together - expected) / (most - expected) }
}

/// Pairs of documents that have the same label.
fn pairs_within<T: Ord>(mut labels: Vec<T>) -> f64 {
    labels.sort_unstable();
    labels.chunk_by(|a, b| a == b).map(|same| choose_two(same.len() as u64)).sum()
}

fn choose_two(n: u64) -> f64 {
    (n * n.saturating_sub(1) / 2) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_yeung_and_ruzzo() {
        // contingency 1 1 0 / 1 2 1 / 0 0 4 (Bioinformatics 17, 2001, supplement):
        // together 1 + 6 = 7, rows 1 + 6 + 6 = 13, columns 1 + 3 + 10 = 14, all 45
        let a = [1, 1, 2, 2, 2, 2, 3, 3, 3, 3];
        let b = [1, 2, 1, 2, 2, 3, 3, 3, 3, 3];
        let expected = 13.0 * 14.0 / 45.0;
        let by_hand = (7.0 - expected) / (13.5 - expected);
        assert!((adjusted_rand(&a, &b) - by_hand).abs() < 1e-12);
        assert!((adjusted_rand(&a, &b) - 0.313).abs() < 5e-4, "as published");
    }

    #[test]
    fn names_do_not_matter_and_extremes_are_defined() {
        let same = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        same(adjusted_rand(&[1, 1, 2, 2], &[7, 7, 0, 0]), 1.0);
        same(adjusted_rand(&[0, 0, 1, 2], &[0, 0, 1, 1]), 4.0 / 7.0);
        same(adjusted_rand(&[0, 1, 2], &[2, 1, 0]), 1.0);
        same(adjusted_rand(&[0, 0, 0, 0], &[0, 1, 2, 3]), 0.0);
    }
}
