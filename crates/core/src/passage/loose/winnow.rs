//! Winnowing: of all grams, few, and the same ones in every copy.

use std::collections::VecDeque;

/// Calls `choose` for the last of the least hashes of each window, once each. Equal windows choose at equal places, which the
/// robust kind would not.
pub(super) fn winnow(hashes: &[u32], window: usize, mut choose: impl FnMut(usize)) {
    // candidates for the least of a window, with strictly growing hashes
    let mut queue: VecDeque<usize> = VecDeque::new();
    let mut last = usize::MAX;
    for i in 0..hashes.len() {
        while queue.back().is_some_and(|at| hashes[*at] >= hashes[i]) {
            queue.pop_back();
        }
        queue.push_back(i);
        while queue.front().is_some_and(|at| *at + window <= i) {
            queue.pop_front();
        }
        if i + 1 >= window && queue[0] != last {
            last = queue[0];
            choose(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_a_look_at_each_window(hashes in prop::collection::vec(0u32..9, 0..60), window in 1usize..9) {
            let mut chosen = Vec::new();
            winnow(&hashes, window, |at| chosen.push(at));
            let last_least = |(from, w): (usize, &[u32])| {
                from + w.iter().enumerate().rev().min_by_key(|(_, hash)| **hash).map_or(0, |(at, _)| at)
            };
            let mut naive: Vec<usize> = hashes.windows(window).enumerate().map(last_least).collect();
            naive.dedup();
            prop_assert_eq!(chosen, naive);
        }
    }
}
