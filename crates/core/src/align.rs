//! Which passages of two documents are equal, which moved, which differ.
//!
//! Words that stand once in each document in the same company (a window unique on both sides) are anchors; the longest
//! chain of anchors in order is extended to maximal equal runs, and only the gaps between runs are compared
//! word by word. So two long versions align in linear time, however long they are.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// A stretch of both documents, as word indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedRange {
    /// Words of the first document.
    pub a: Range<usize>,
    /// Words of the second document.
    pub b: Range<usize>,
    /// Whether the two are the same words.
    pub equal: bool,
}

/// Windows of this many words serve as anchors.
const ANCHOR: usize = 4;
/// Gaps up to this many words on both sides together are compared word by word; longer ones stand as replaced. Myers'
/// algorithm is quadratic in the worst case: 4,000 words bound it to some ten milliseconds.
const SMALL_GAP: usize = 4_000;

/// Aligns two sequences of word hashes, each of less than 2^32. The passages cover both from start to end, in order. Takes some 30 bytes of
/// memory a word.
pub fn align(a: &[u64], b: &[u64]) -> Vec<AlignedRange> {
    align_gaps(a, b, SMALL_GAP)
}

/// The same, with gaps up to so many words on both sides together compared word by word.
pub fn align_gaps(a: &[u64], b: &[u64], small_gap: usize) -> Vec<AlignedRange> {
    let mut passages = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (at_a, at_b) in anchors(a, b) {
        if at_a < i || at_b < j {
            continue;
        }
        let back = a[i..at_a].iter().rev().zip(b[j..at_b].iter().rev()).take_while(|(x, y)| x == y).count();
        let (start_a, start_b) = (at_a - back, at_b - back);
        gap(a, b, (i..start_a, j..start_b), small_gap, &mut passages);
        let length = a[start_a..].iter().zip(&b[start_b..]).take_while(|(x, y)| x == y).count();
        push(&mut passages, AlignedRange { a: start_a..start_a + length, b: start_b..start_b + length, equal: true });
        (i, j) = (start_a + length, start_b + length);
    }
    gap(a, b, (i..a.len(), j..b.len()), small_gap, &mut passages);
    passages
}

fn gap(
    a: &[u64],
    b: &[u64],
    (gap_a, gap_b): (Range<usize>, Range<usize>),
    small: usize,
    passages: &mut Vec<AlignedRange>,
) {
    if gap_a.is_empty() || gap_b.is_empty() || gap_a.len() + gap_b.len() > small {
        return push(passages, AlignedRange { a: gap_a, b: gap_b, equal: false });
    }
    for op in capture_diff_slices(Algorithm::Myers, &a[gap_a.clone()], &b[gap_b.clone()]) {
        let (old, new) = (op.old_range(), op.new_range());
        push(
            passages,
            AlignedRange {
                a: gap_a.start + old.start..gap_a.start + old.end,
                b: gap_b.start + new.start..gap_b.start + new.end,
                equal: matches!(op, DiffOp::Equal { .. }),
            },
        );
    }
}

/// Appends a passage, joining it to the last one of the same kind.
fn push(passages: &mut Vec<AlignedRange>, next: AlignedRange) {
    if next.a.is_empty() && next.b.is_empty() {
        return;
    }
    match passages.last_mut() {
        Some(last) if last.equal == next.equal => (last.a.end, last.b.end) = (next.a.end, next.b.end),
        _ => passages.push(next),
    }
}

/// Places of windows that stand exactly once in each sequence: the longest chain in order.
fn anchors(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let (in_a, in_b) = (once(a), once(b));
    let mut matches: Vec<(u32, u32)> = Vec::new();
    let mut rest = in_b.as_slice();
    for (key, i) in in_a {
        rest = &rest[rest.iter().take_while(|(other, _)| *other < key).count()..];
        if let Some((_, j)) = rest.first().filter(|(other, _)| *other == key)
            && a[i as usize..][..ANCHOR] == b[*j as usize..][..ANCHOR]
        {
            matches.push((i, *j));
        }
    }
    drop(in_b);
    matches.sort_unstable();
    longest_chain(&matches)
}

/// The windows that stand once in a sequence, as a hash and a place, in the order of the hashes.
fn once(words: &[u64]) -> Vec<(u64, u32)> {
    let mix = |h: u64, x: &u64| h.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x;
    let windows = words.windows(ANCHOR).zip(0u32..);
    let mut places: Vec<(u64, u32)> = windows.map(|(window, at)| (window.iter().fold(0u64, mix), at)).collect();
    places.sort_unstable();
    let mut kept = 0;
    let mut from = 0;
    while from < places.len() {
        let same = places[from..].iter().take_while(|(key, _)| *key == places[from].0).count();
        if same == 1 {
            places[kept] = places[from];
            kept += 1;
        }
        from += same;
    }
    places.truncate(kept);
    places
}

/// Longest subsequence whose second numbers rise.
fn longest_chain(matches: &[(u32, u32)]) -> Vec<(usize, usize)> {
    const FIRST: u32 = u32::MAX;
    let mut tails: Vec<u32> = Vec::new();
    let mut before: Vec<u32> = Vec::with_capacity(matches.len());
    for ((_, j), at) in matches.iter().zip(0u32..) {
        let length = tails.partition_point(|t| matches[*t as usize].1 < *j);
        before.push(length.checked_sub(1).map_or(FIRST, |l| tails[l]));
        if length == tails.len() { tails.push(at) } else { tails[length] = at }
    }
    let mut chain = Vec::with_capacity(tails.len());
    let mut at = tails.last().copied().unwrap_or(FIRST);
    while at != FIRST {
        let (i, j) = matches[at as usize];
        chain.push((i as usize, j as usize));
        at = before[at as usize];
    }
    chain.reverse();
    chain
}

/// Marks the words of `words` that stand in a window of `w` words whose feature is in the sorted set `features`:
/// what is shared wherever it stands, moved passages included.
pub fn covered(shingles: &[u64], words: usize, w: usize, features: &[u64]) -> Vec<bool> {
    let mut marks = vec![false; words];
    let mut end = 0;
    for (at, feature) in shingles.iter().enumerate() {
        if features.binary_search(feature).is_ok() {
            let from = at.max(end);
            end = (at + w).min(words);
            marks[from..end].fill(true);
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(a: &[u64], b: &[u64]) -> Vec<AlignedRange> {
        let passages = align(a, b);
        let (mut i, mut j) = (0, 0);
        for p in &passages {
            assert_eq!((p.a.start, p.b.start), (i, j), "no holes");
            assert_eq!(p.equal, a[p.a.clone()] == b[p.b.clone()]);
            (i, j) = (p.a.end, p.b.end);
        }
        assert_eq!((i, j), (a.len(), b.len()));
        passages
    }

    #[test]
    fn one_changed_word_is_one_difference() {
        let a: Vec<u64> = (0..1000).collect();
        let mut b = a.clone();
        b[500] = 7777;
        let passages = check(&a, &b);
        assert_eq!(passages.len(), 3);
        assert_eq!(passages[1], AlignedRange { a: 500..501, b: 500..501, equal: false });
    }

    #[test]
    fn long_documents_align_in_linear_time() {
        let a: Vec<u64> = (0..300_000).collect();
        let b: Vec<u64> = (0..300_000).map(|x| if x % 97 == 0 { x + 1_000_000 } else { x }).collect();
        assert_eq!(check(&a, &b).iter().filter(|p| !p.equal).count(), 300_000usize.div_ceil(97));
        check(&a, &(400_000..700_000).collect::<Vec<u64>>());
        check(&vec![1; 100_000], &vec![1; 90_000]);
    }

    #[test]
    fn moved_passages_are_covered_though_not_aligned() {
        let a: Vec<u64> = (0..40).collect();
        let b: Vec<u64> = (20..40).chain(0..20).collect();
        let shingles =
            |words: &[u64]| words.windows(4).map(|w| w.iter().fold(0, |h: u64, x| h * 100 + x)).collect::<Vec<u64>>();
        let mut of_a = shingles(&a);
        of_a.sort_unstable();
        assert!(covered(&shingles(&b), b.len(), 4, &of_a).iter().all(|c| *c));
        assert!(check(&a, &b).iter().any(|p| !p.equal));
        assert!(!covered(&shingles(&b), b.len(), 4, &[]).iter().any(|c| *c));
    }

    proptest! {
        #[test]
        fn passages_cover_both(a in prop::collection::vec(0u64..12, 0..120), b in prop::collection::vec(0u64..12, 0..120)) {
            check(&a, &b);
            prop_assert!(check(&a, &a).iter().all(|p| p.equal));
        }
    }
}
