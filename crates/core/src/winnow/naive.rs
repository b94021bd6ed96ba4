//! The definitions word for word, to hold the fast ways against.

use super::{Select, Winnowing};

/// Hashes of all k-grams, each from scratch: none for those with a token 0.
pub(super) fn grams(tokens: &[u32], k: usize, hash: impl Fn(&[u32]) -> u64) -> Vec<Option<u64>> {
    tokens.windows(k).map(|gram| (!gram.contains(&0)).then(|| hash(gram))).collect()
}

/// Indices of selected hashes, window after window.
pub(super) fn select(hashes: &[u64], w: usize, how: Select) -> Vec<usize> {
    let mut selected = Vec::new();
    let mut last: Option<usize> = None;
    for start in 0..=hashes.len().saturating_sub(w) {
        let window = start..(start + w).min(hashes.len());
        let Some(minimum) = window.clone().map(|at| hashes[at]).min() else { break };
        let rightmost = window.clone().rev().find(|at| hashes[*at] == minimum).unwrap();
        let kept = last.filter(|at| how == Select::Robust && window.contains(at) && hashes[*at] == minimum);
        let at = kept.unwrap_or(rightmost);
        if last != Some(at) {
            selected.push(at);
        }
        last = Some(at);
    }
    selected
}

/// All shared runs of at least `k` tokens that cannot be extended: where they begin in both, and how long they are.
pub(super) fn shared_runs(a: &[u32], b: &[u32], winnowing: Winnowing) -> Vec<(usize, usize, usize)> {
    let mut runs = Vec::new();
    let equal = |i: usize, j: usize| i < a.len() && j < b.len() && a[i] == b[j] && a[i] != 0;
    for i in 0..a.len() {
        for j in 0..b.len() {
            if i > 0 && j > 0 && equal(i - 1, j - 1) {
                continue;
            }
            let length = (0..a.len()).take_while(|n| equal(i + n, j + n)).count();
            if length >= winnowing.k as usize {
                runs.push((i, j, length));
            }
        }
    }
    runs
}
