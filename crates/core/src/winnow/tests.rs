//! The paper's example, its definitions, its guarantee and its densities.

use super::*;
use crate::feature_hash::FeatureHasher;
use proptest::prelude::*;

/// Figure 2(d): hypothetical hashes of the 5-grams of "adorunrunrunadorunrun".
const FIGURE: [u64; 17] = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98];

fn selected(hashes: &[u64], w: usize, how: Select) -> Vec<usize> {
    let mut all = Vec::new();
    select(hashes.iter().copied(), w, how, |at| all.push(at));
    all
}

/// A sequence of numbers that looks random.
fn random(n: usize) -> Vec<u64> {
    let fp = FeatureHasher::default();
    (0..n as u64).map(|i| fp.permute(i)).collect()
}

fn fingerprints(tokens: &[u32], winnowing: Winnowing, how: Select) -> Vec<KgramFingerprint> {
    let mut all = Vec::new();
    let mut winnower = Winnower::new(winnowing.w(), how, tokens.len());
    for_each_gram(tokens, winnowing.k as usize, &FeatureHasher::default(), |gram| {
        winnower.push_neighbour(gram, |f| all.push(f));
    });
    winnower.end_run(|f| all.push(f));
    all
}

#[test]
fn figure_2_of_the_paper() {
    for how in [Select::Robust, Select::Rightmost] {
        let found: Vec<(u64, usize)> = selected(&FIGURE, 4, how).into_iter().map(|at| (FIGURE[at], at)).collect();
        assert_eq!(found, [(17, 3), (17, 6), (8, 8), (39, 11), (17, 15)]);
    }
}

#[test]
fn figure_1_of_the_paper() {
    let hashes = [77, 72, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 72, 42, 17, 98];
    let found: Vec<u64> = selected(&hashes, 1, Select::ZeroMod(4)).into_iter().map(|at| hashes[at]).collect();
    assert_eq!(found, [72, 8, 88, 72]);
}

#[test]
fn a_do_run_run_has_the_grams_of_the_figure() {
    let tokens: Vec<u32> = "adorunrunrunadorunrun".bytes().map(u32::from).collect();
    let fp = FeatureHasher::default();
    let mut hashes = Vec::new();
    for_each_gram(&tokens, 5, &fp, |gram| hashes.push(gram.hash));
    assert_eq!(hashes.len(), 17);
    // equal 5-grams stand where the figure has equal numbers, and nowhere else
    for i in 0..17 {
        for j in 0..17 {
            assert_eq!(hashes[i] == hashes[j], FIGURE[i] == FIGURE[j], "{i} {j}");
        }
    }
}

#[test]
fn random_data_has_the_density_of_the_paper() {
    let hashes = random(1_000_000);
    for w in [1usize, 4, 17, 100] {
        let expected = 2.0 / (w as f64 + 1.0);
        for how in [Select::Robust, Select::Rightmost] {
            let density = selected(&hashes, w, how).len() as f64 / hashes.len() as f64;
            assert!((density / expected - 1.0).abs() < 0.02, "w = {w}: {density} for {expected}");
        }
    }
    let density = selected(&hashes, 1, Select::ZeroMod(50)).len() as f64 / hashes.len() as f64;
    assert!((density * 50.0 - 1.0).abs() < 0.02, "{density}");
}

#[test]
fn constant_data_has_one_fingerprint_a_window() {
    let hashes = vec![7; 10_000];
    assert_eq!(selected(&hashes, 100, Select::Robust).len(), 100);
    assert_eq!(selected(&hashes, 100, Select::Rightmost).len(), 10_000 - 99);
}

#[test]
fn no_gap_is_longer_than_a_window() {
    let hashes = random(100_000);
    let found = selected(&hashes, 20, Select::Robust);
    assert!(found.windows(2).all(|pair| pair[1] - pair[0] <= 20));
    // what the paper says against 0 mod p
    let zero = selected(&hashes, 20, Select::ZeroMod(10));
    assert!(zero.windows(2).any(|pair| pair[1] - pair[0] > 20));
}

#[test]
fn a_larger_window_selects_some_of_the_same() {
    let hashes = random(10_000);
    let small = selected(&hashes, 10, Select::Rightmost);
    let large = selected(&hashes, 40, Select::Rightmost);
    assert!(large.len() < small.len());
    assert!(large.iter().all(|at| small.contains(at)));
}

#[test]
fn golden() {
    let tokens: Vec<u32> = (1..40).map(|i| i * i % 23 + 1).collect();
    let found: Vec<String> = fingerprints(&tokens, Winnowing { k: 5, t: 12 }, Select::Robust)
        .iter()
        .map(|f| format!("{:016x}@{}", f.hash, f.position))
        .collect();
    assert_eq!(found, GOLDEN);
}
const GOLDEN: [&str; 12] = [
    "4422a21ef5db8012@0",
    "7719d7aba5b322bb@1",
    "805d9abe43f7dbaf@6",
    "5e4ce881e714ad15@10",
    "0246a9d9ebffa88e@11",
    "0341b1127615b1d7@19",
    "37c9bcf6f4c8abf8@22",
    "4422a21ef5db8012@23",
    "7719d7aba5b322bb@24",
    "805d9abe43f7dbaf@29",
    "5e4ce881e714ad15@33",
    "0246a9d9ebffa88e@34",
];

proptest! {
    #[test]
    fn windows_select_what_the_definition_does(hashes in prop::collection::vec(0u64..12, 0..120), w in 1usize..30) {
        for how in [Select::Robust, Select::Rightmost] {
            prop_assert_eq!(selected(&hashes, w, how), naive::select(&hashes, w, how));
        }
    }

    #[test]
    fn rolling_equals_hashing_from_scratch(tokens in prop::collection::vec(0u32..5, 0..80), k in 1usize..12) {
        let fp = FeatureHasher::default();
        let whole = |gram: &[u32]| {
            let mut hash = 0;
            for_each_gram(gram, k, &fp, |gram| hash = gram.hash);
            hash
        };
        let mut rolled = vec![None; (tokens.len() + 1).saturating_sub(k)];
        for_each_gram(&tokens, k, &fp, |gram| rolled[gram.position as usize] = Some(gram.hash));
        prop_assert_eq!(rolled, naive::grams(&tokens, k, whole));
    }

    /// The guarantee: a shared run of t tokens shares a fingerprint of some part of it; what is shared is k tokens long.
    #[test]
    fn what_is_long_is_found_and_what_is_short_is_not(
        a in prop::collection::vec(0u32..4, 0..60), b in prop::collection::vec(0u32..4, 0..60), k in 1u32..6, more in 0u32..6,
    ) {
        let winnowing = Winnowing { k, t: k + more };
        for how in [Select::Robust, Select::Rightmost] {
            let (of_a, of_b) = (fingerprints(&a, winnowing, how), fingerprints(&b, winnowing, how));
            let runs = naive::shared_runs(&a, &b, winnowing);
            let inside = |at: usize, length: usize, f: &KgramFingerprint| {
                f.position as usize >= at && f.position as usize + k as usize <= at + length
            };
            for (i, j, length) in runs.iter().filter(|run| run.2 >= winnowing.t as usize) {
                let found = of_a.iter().filter(|f| inside(*i, *length, f))
                    .any(|f| of_b.iter().any(|g| inside(*j, *length, g) && f.hash == g.hash));
                prop_assert!(found, "{:?} in {:?} and {:?}", (i, j, length), a, b);
            }
            for f in &of_a {
                for g in of_b.iter().filter(|g| g.hash == f.hash) {
                    let gram = |tokens: &[u32], at: u32| tokens[at as usize..(at + k) as usize].to_vec();
                    prop_assert_eq!(gram(&a, f.position), gram(&b, g.position));
                }
            }
        }
    }
}
