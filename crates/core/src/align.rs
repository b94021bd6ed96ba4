//! Which passages of two documents are equal, which moved, which differ.
//!
//! Words that stand once in each document in the same company (a window unique on both sides) are anchors; the longest
//! chain of anchors in order is extended to maximal equal runs, and only the gaps between runs are compared
//! word by word. So two long versions align in linear time, however long they are.

use crate::common_subsequence::common_subsequence;
use crate::sets::advance;
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
/// Gaps up to this many words on both sides together are compared word by word; longer ones stand as replaced: what is equal there is
/// mostly equal by chance, and the work is quadratic.
const SMALL_GAP: usize = 4_000;

/// Aligns two sequences of word hashes, each of less than 2^32. The passages cover both from start to end, in order. Takes some 30 bytes of
/// memory a word.
pub fn align(a: &[u64], b: &[u64]) -> Vec<AlignedRange> {
    align_prepared((a, &Windows::of(a)), (b, &Windows::of(b)), SMALL_GAP)
}

/// The same of sequences that are held against many others, with gaps up to so many words on both sides together compared word by word.
pub fn align_prepared(
    (a, windows_a): (&[u64], &Windows),
    (b, windows_b): (&[u64], &Windows),
    small_gap: usize,
) -> Vec<AlignedRange> {
    let mut passages = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (at_a, at_b) in windows_a.anchors(a, windows_b, b) {
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
    let (mut i, mut j) = (gap_a.start, gap_b.start);
    if !gap_a.is_empty() && !gap_b.is_empty() && gap_a.len() + gap_b.len() <= small {
        for (at_a, at_b) in common_subsequence(&a[gap_a.clone()], &b[gap_b.clone()]) {
            let (at_a, at_b) = (gap_a.start + at_a, gap_b.start + at_b);
            push(passages, AlignedRange { a: i..at_a, b: j..at_b, equal: false });
            (i, j) = (at_a + 1, at_b + 1);
            push(passages, AlignedRange { a: at_a..i, b: at_b..j, equal: true });
        }
    }
    push(passages, AlignedRange { a: i..gap_a.end, b: j..gap_b.end, equal: false });
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

/// The windows that stand once in a sequence: half of a hash in the upper half, the place in the lower; sorted.
#[derive(Clone, Debug, Default)]
pub struct Windows(Vec<u64>);

impl Windows {
    /// Those of a sequence.
    pub fn of(words: &[u64]) -> Self {
        let mix = |h: u64, x: &u64| h.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x;
        let windows = words.windows(ANCHOR).zip(0u64..);
        let hash = |window: &[u64]| window.iter().fold(0u64, mix).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut places: Vec<u64> = windows.map(|(window, at)| hash(window) << 32 | at).collect();
        places.sort_unstable();
        let is_same = |x: u64, y: Option<&u64>| y.is_some_and(|y| x >> 32 == y >> 32);
        let mut once = Vec::with_capacity(places.len());
        for (at, place) in places.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| places.get(at));
            if !is_same(*place, before) && !is_same(*place, places.get(at + 1)) {
                once.push(*place);
            }
        }
        Self(once)
    }

    /// Places of windows that stand exactly once in each sequence: the longest chain in order.
    fn anchors(&self, words: &[u64], other: &Self, others: &[u64]) -> Vec<(usize, usize)> {
        let mut matches: Vec<(u32, u32)> = Vec::new();
        let (mut i, mut j) = (0, 0);
        while let (Some(x), Some(y)) = (self.0.get(i), other.0.get(j)) {
            let (of_x, of_y) = (x >> 32, y >> 32);
            let (at, to) = (*x as u32, *y as u32);
            if of_x == of_y {
                if words[at as usize..][..ANCHOR] == others[to as usize..][..ANCHOR] {
                    matches.push((at, to));
                }
                (i, j) = (i + 1, j + 1);
            } else {
                i = advance(&self.0, i, other.0.len(), |key| key >> 32 < of_y);
                j = advance(&other.0, j, self.0.len(), |key| key >> 32 < of_x);
            }
        }
        matches.sort_unstable();
        longest_chain(&matches)
    }
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
