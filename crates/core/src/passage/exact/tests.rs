//! Tiling by hand, against a naive twin, and on sequences that repeat themselves.

use super::runs::Following;
use super::*;
use proptest::prelude::*;

fn tokens(text: &str) -> Vec<u32> {
    text.bytes().map(|b| if b == b'.' { 0 } else { u32::from(b) }).collect()
}

fn found(a: &[u32], b: &[u32], k: usize) -> Vec<Passage> {
    Tiler::new(k).passages(&GramTable::new(a, &GramHashes::of(a, k)), b, &GramHashes::of(b, k))
}

fn texts(a: &str, b: &str, k: usize) -> Vec<(String, String)> {
    let at = |text: &str, range: &std::ops::Range<u32>| text[range.start as usize..range.end as usize].to_owned();
    found(&tokens(a), &tokens(b), k).iter().map(|p| (at(a, &p.a), at(b, &p.b))).collect()
}

#[test]
fn passages_that_changed_places_are_found() {
    let pair = |s: &str| (s.to_owned(), s.to_owned());
    assert_eq!(texts("abcdefXghijkl", "ghijklYYabcdef", 4), [pair("abcdef"), pair("ghijkl")]);
    assert_eq!(texts("abcdef", "abcxdef", 4), [], "too short");
    assert_eq!(texts("abc.def", "abc.def", 4), [], "nothing reaches over a border");
    assert_eq!(texts("..abcd..", "abcd", 4), [pair("abcd")]);
}

#[test]
fn no_token_is_in_two_passages() {
    // once on one side, twice on the other: one of them is left over
    let passages = found(&tokens("abcdef"), &tokens("abcdefabcdef"), 3);
    assert_eq!(passages, [Passage { a: 0..6, b: 0..6, equal: 6 }]);
    // the longest is taken first, and what it leaves of the others
    assert_eq!(texts("abcdefgh", "abcde.cdefgh", 3), [("cdefgh".into(), "cdefgh".into())]);
    assert_eq!(
        texts("abcdefgh", "abcde.defgh", 3),
        [("abcde".into(), "abcde".into()), ("fgh".into(), "fgh".into())],
        "of equal ones the first"
    );
}

#[test]
fn repetition_costs_little() {
    let a = vec![7; 100_000];
    let b = vec![7; 60_000];
    assert_eq!(found(&a, &b, 10), [Passage { a: 0..60_000, b: 0..60_000, equal: 60_000 }]);
    let saw = |n: u32, period: u32| (0..n).map(|i| i % period + 1).collect::<Vec<_>>();
    assert_eq!(found(&saw(100_000, 7), &saw(100_000, 7), 10).len(), 1);
    let odd = found(&saw(50_000, 12), &saw(50_000, 13), 10);
    assert!(odd.iter().all(|p| p.equal >= 10));
}

#[test]
fn what_follows_repetition_is_found() {
    let copy: Vec<u32> = (1000..4000).collect();
    let a = [vec![7; 400], copy.clone()].concat();
    let b = [vec![7; 90], copy].concat();
    let longest = found(&a, &b, 50).into_iter().map(|p| p.equal).max();
    assert_eq!(longest, Some(3090), "the copy, and what is before it in both");
}

#[test]
fn parts_of_long_and_monotonous_sequences_are_found() {
    // statements of eight kinds: every k-gram is there again and again
    let mut state = 5u32;
    let mut kind = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 29
    };
    let a: Vec<u32> = (0..20_000)
        .flat_map(|_| {
            let k = kind();
            (0..8).map(move |i| 1 + 10 * (k + 1) * u32::from(i < 4) + i)
        })
        .collect();
    let half = a.len() / 2;
    let swapped = [&a[half..], &a[..half]].concat();
    let shared: u32 = found(&a, &swapped, 9).iter().map(|p| p.equal).sum();
    assert!(shared as usize * 100 > a.len() * 95, "{shared} of {}", a.len());
    let inserted: Vec<u32> = a.chunks(320).flat_map(|some| [some, &[99_999, 99_998]].concat()).collect();
    let shared: u32 = found(&a, &inserted, 9).iter().map(|p| p.equal).sum();
    assert!(shared as usize * 100 > a.len() * 90, "{shared} of {}", a.len());
}

#[test]
fn neighbours_are_joined_over_a_gap() {
    let p = |a: std::ops::Range<u32>, b: std::ops::Range<u32>| Passage { equal: a.end - a.start, a, b };
    let joined = join(vec![p(0..10, 5..15), p(12..20, 16..24), p(30..40, 26..36)], 3);
    assert_eq!(joined, [Passage { a: 0..20, b: 5..24, equal: 18 }, p(30..40, 26..36)]);
    let crossed = vec![p(0..10, 20..30), p(10..20, 0..10)];
    assert_eq!(join(crossed.clone(), 50), crossed);
}

/// Greedy string tiling word for word: the longest run of free tokens, again and again.
fn naive(a: &[u32], b: &[u32], k: usize) -> u32 {
    let (mut free_a, mut free_b) = (vec![true; a.len()], vec![true; b.len()]);
    let mut sum = 0;
    loop {
        let mut best = (0, 0, 0);
        for i in 0..a.len() {
            for j in 0..b.len() {
                let same = |n: &usize| {
                    i + n < a.len()
                        && j + n < b.len()
                        && a[i + n] == b[j + n]
                        && a[i + n] != 0
                        && free_a[i + n]
                        && free_b[j + n]
                };
                let length = (0..a.len()).take_while(same).count();
                if length > best.2 {
                    best = (i, j, length);
                }
            }
        }
        let (i, j, length) = best;
        if length < k {
            return sum;
        }
        free_a[i..i + length].fill(false);
        free_b[j..j + length].fill(false);
        sum += length as u32;
    }
}

proptest! {
    #[test]
    fn passages_are_equal_free_and_long(a in prop::collection::vec(0u32..4, 0..80), b in prop::collection::vec(0u32..4, 0..80), k in 1usize..6) {
        let passages = found(&a, &b, k);
        let (mut seen_a, mut seen_b) = (vec![false; a.len()], vec![false; b.len()]);
        for p in &passages {
            prop_assert!(p.equal as usize >= k);
            prop_assert_eq!(p.a.end - p.a.start, p.equal);
            for (i, j) in p.a.clone().zip(p.b.clone()) {
                prop_assert!(a[i as usize] == b[j as usize] && a[i as usize] != 0);
                prop_assert!(!std::mem::replace(&mut seen_a[i as usize], true));
                prop_assert!(!std::mem::replace(&mut seen_b[j as usize], true));
            }
        }
        prop_assert!(passages.is_sorted_by_key(|p| p.a.start));
    }

    /// Versions that differ in one place need no table, and the answer is the same.
    #[test]
    fn ends_are_found_without_a_table(
        borders in prop::collection::vec(0usize..600, 0..5),
        at in 0usize..600,
        (removed, added) in (0usize..12, 0usize..12),
        moved in any::<bool>(),
    ) {
        let mut a: Vec<u32> = (1..=600).collect();
        for border in borders {
            a[border] = 0;
        }
        let removed = at..(at + removed).min(a.len());
        let mut added: Vec<u32> = (1000..1000 + added as u32).collect();
        if moved {
            // what was removed comes back behind what was added
            added.extend(&a[removed.clone()]);
        }
        let b = [&a[..removed.start], &added, &a[removed.end..]].concat();
        for (a, b) in [(&a, &b), (&b, &a)] {
            let between = a.len().max(b.len()) - a.len().min(b.len());
            let by_ends = Tiler::new(4).passages_by_ends(a, b);
            prop_assert!(by_ends.is_some() || removed.len().max(added.len()).max(between) > 8);
            prop_assert_eq!(by_ends.unwrap_or_else(|| found(a, b, 4)), found(a, b, 4));
        }
    }

    /// What is left of a sequence is covered alike with a table of the other's k-grams and with one of its own.
    #[test]
    fn few_are_covered_as_by_a_table(
        a in prop::collection::vec(0u32..4, 0..200),
        b in prop::collection::vec(0u32..4, 0..200),
        stretches in prop::collection::vec((0usize..200, 1usize..40), 0..4),
        k in 1usize..6,
    ) {
        let mut covered = vec![true; b.len()];
        for (start, length) in stretches {
            covered.iter_mut().skip(start).take(length).for_each(|covered| *covered = false);
        }
        let table = GramTable::new(&a, &GramHashes::of(&a, k));
        let (mut by_table, mut by_few) = ((covered.clone(), Vec::new()), (covered, Vec::new()));
        table.cover(&mut Following::new(&a, &b), &GramHashes::of(&b, k), &mut by_table.0, &mut by_table.1);
        table.cover_few(&mut Following::new(&a, &b), k, &mut by_few.0, &mut by_few.1);
        prop_assert_eq!(by_table, by_few);
    }

    /// On sequences that do not repeat themselves much, nothing that greedy tiling takes is missed.
    #[test]
    fn as_much_as_the_naive_twin(seed in prop::collection::vec(0usize..6, 1..8), other in prop::collection::vec(0usize..6, 1..8)) {
        // six blocks of distinct tokens, in any order, some of them more than once
        let blocks = |order: &[usize]| order.iter().flat_map(|n| (0..8 + *n as u32).map(move |i| 1 + 100 * *n as u32 + i)).collect::<Vec<_>>();
        let (a, b) = (blocks(&seed), blocks(&other));
        let sum: u32 = found(&a, &b, 4).iter().map(|p| p.equal).sum();
        prop_assert_eq!(sum, naive(&a, &b, 4));
    }
}
