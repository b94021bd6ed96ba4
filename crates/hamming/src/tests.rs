//! Held against comparing all with all.

use super::*;
use lookalike_store::{Cancel, Resources, Silent};
use proptest::prelude::*;
use std::path::Path;

fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |at: u64| {
        let z = (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb)
    })
}

/// Far from each other, near others, the same, and in one ball.
fn fingerprints(seed: u64, count: usize) -> Vec<u64> {
    let mut fingerprints: Vec<u64> = Vec::new();
    for (fresh, dice) in numbers(seed).zip(numbers(!seed)).take(count) {
        let old = fingerprints.get(dice as usize % fingerprints.len().max(1)).copied().unwrap_or(fresh);
        fingerprints.push(match dice >> 61 {
            0 => old ^ (1 << ((dice >> 50) % 64)),
            1 => old,
            2 => fingerprints.first().copied().unwrap_or(0) ^ (5 << ((dice >> 48) % 60)),
            _ => fresh,
        });
    }
    fingerprints
}

fn memory(memory: u64) -> Resources {
    Resources { memory, ..Resources::default() }
}

fn file(dir: &Path, name: &str, fingerprints: &[u64]) -> FingerprintFile {
    let path = dir.join(name);
    std::fs::write(&path, bytemuck::cast_slice(fingerprints)).unwrap();
    FingerprintFile::new(path)
}

fn found(a: &FingerprintFile, b: &FingerprintFile, options: &SearchOptions) -> Vec<(u64, u64, u64)> {
    let batch = batch::<u64>(a, b, options, &Silent, &Cancel::default()).unwrap();
    batch.pairs().map(|pair| pair.map(|pair| (pair.query, pair.distance, pair.fingerprint)).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_batch_is_comparing_all(seed: u64, n in 0usize..3000, q in 0usize..300, k in 0u32..=7, little: bool, limit in prop::option::of(1u64..4)) {
        let dir = tempfile::tempdir().unwrap();
        let (all, queries) = (fingerprints(seed, n), fingerprints(seed ^ 1, q / 2).into_iter().chain(fingerprints(seed, q / 2)).collect::<Vec<_>>());
        let (a, b) = (file(dir.path(), "all.u64", &all), file(dir.path(), "queries.u64", &queries));
        // with little memory the side in memory comes in partitions
        let options = SearchOptions { distance: k, limit, resources: memory(if little { 1 << 17 } else { 1 << 28 }), ..SearchOptions::default() };
        let mut expected = Vec::new();
        for (query, q) in queries.iter().enumerate() {
            let near = all.iter().enumerate().map(|(at, fingerprint)| (query as u64, u64::from(q.distance(*fingerprint)), at as u64));
            let mut near: Vec<_> = near.filter(|pair| pair.1 <= u64::from(k)).collect();
            near.sort_unstable();
            near.truncate(limit.map_or(usize::MAX, |limit| limit as usize));
            expected.extend(near);
        }
        let counted = batch::<u64>(&a, &b, &options, &Silent, &Cancel::default()).unwrap().pairs;
        prop_assert_eq!(counted, queries.iter().flat_map(|q| all.iter().filter(|fingerprint| q.distance(**fingerprint) <= k)).count() as u64);
        prop_assert_eq!(found(&a, &b, &options), expected.clone());
        // and the other way round, whichever side is held in memory
        if limit.is_none() {
            let mut turned: Vec<_> = found(&b, &a, &options).into_iter().map(|(b, d, a)| (a, d, b)).collect();
            turned.sort_unstable();
            prop_assert_eq!(turned, expected);
        }
    }

    #[test]
    fn clusters_of_a_file_are_comparing_all(seed: u64, n in 0usize..600, k in 0u32..=5, single: bool, little: bool, keep_pairs: bool) {
        let dir = tempfile::tempdir().unwrap();
        let all = fingerprints(seed, n);
        let a = file(dir.path(), "all.u64", &all);
        let linkage = if single { Linkage::Single } else { Linkage::Star };
        let options = SearchOptions { distance: k, keep_pairs, resources: memory(if little { 1 << 17 } else { 1 << 28 }), ..SearchOptions::default() };
        let pairs = all_pairs::<u64>(&a, linkage, &options, &Silent, &Cancel::default()).unwrap();
        // the first is a representative, one after the other; those that are the same stay together
        let mut representatives: Vec<usize> = (0..n).collect();
        for at in 0..n {
            if let Some(same) = (0..at).find(|other| all[*other] == all[at]) {
                representatives[at] = representatives[same];
                continue;
            }
            let before = (0..at).filter(|other| representatives[*other] == *other && all[*other].distance(all[at]) <= k);
            if let Some(representative) = before.min_by_key(|other| (all[*other].distance(all[at]), *other)) {
                representatives[at] = representative;
            }
        }
        if single {
            representatives = (0..n).collect();
            for _ in 0..n {
                let before = representatives.clone();
                for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|(a, b)| all[*a].distance(all[*b]) <= k) {
                    representatives[a] = representatives[a].min(representatives[b]);
                    representatives[b] = representatives[a];
                }
                if before == representatives {
                    break;
                }
            }
        }
        let mut got: Vec<usize> = (0..n).collect();
        pairs.for_each_cluster(None, |cluster| {
            let representative: usize = cluster.representative.parse().unwrap();
            for member in cluster.members {
                let at: usize = member.id.parse().unwrap();
                got[at] = representative;
                if !single {
                    assert_eq!(member.distance, all[at].distance(all[representative]));
                }
            }
            Ok::<_, Error>(())
        }).unwrap();
        prop_assert_eq!(&got, &representatives);
        let near = |distinct: &[u64]| (0..distinct.len()).map(|a| (0..a).filter(|b| distinct[a].distance(distinct[*b]) <= k).count() as u64).sum::<u64>();
        let distinct: Vec<u64> = all.iter().copied().collect::<std::collections::BTreeSet<u64>>().into_iter().collect();
        let mut listed = 0;
        pairs.for_each_pair(|_, _, distance| {
            listed += u64::from(distance <= k);
            Ok::<_, Error>(())
        }).unwrap();
        prop_assert_eq!((pairs.pairs, listed), (near(&distinct), if keep_pairs { near(&distinct) } else { 0 }));
        prop_assert_eq!(pairs.redundant as usize, representatives.iter().enumerate().filter(|(at, representative)| at != *representative).count());
    }
}

/// Half of what passes by and all queries are in one ball, and one fingerprint comes very often: the lines of the neighbour table are full.
#[test]
fn a_dense_neighbourhood_is_searched_once_and_all_of_it_is_found() {
    let center = 0x0123_4567_89ab_cdef_u64;
    let ball =
        |number: u64| (0..number % 4).fold(center, |fingerprint, at| fingerprint ^ 1 << (number >> (2 + 6 * at) & 63));
    let all: Vec<u64> = (0..20_000u64)
        .map(|at| match at % 4 {
            0 => ball(at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20),
            1 => center,
            _ => at.wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(17),
        })
        .collect();
    let queries: Vec<u64> = (0..1000).map(|at| ball(at * 77)).collect();
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (file(dir.path(), "all.u64", &all), file(dir.path(), "queries.u64", &queries));

    for limit in [None, Some(3)] {
        let options = SearchOptions { distance: 2, limit, resources: memory(1 << 28), ..SearchOptions::default() };
        let mut expected = Vec::new();
        for (query, q) in queries.iter().enumerate() {
            let near = all
                .iter()
                .enumerate()
                .map(|(at, fingerprint)| (query as u64, u64::from(q.distance(*fingerprint)), at as u64));
            let mut near: Vec<_> = near.filter(|pair| pair.1 <= 2).collect();
            near.sort_unstable();
            near.truncate(limit.map_or(usize::MAX, |limit| limit as usize));
            expected.extend(near);
        }
        assert!(found(&a, &b, &options) == expected, "limit {limit:?}");
    }
}

/// Fingerprints within three bits of one: every pair is near, and is looked at once to count it and to find who represents.
#[test]
fn a_crowd_is_compared_pair_by_pair_and_its_pairs_are_not_kept() {
    let crowd = |n: usize| {
        let flips = (0..64u64).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| 1 << a | 1 << b | 1 << c)));
        flips.map(|flips: u64| flips ^ 0x0123_4567_89ab_cdef).step_by(13).take(n).collect::<Vec<u64>>()
    };
    let dir = tempfile::tempdir().unwrap();
    for n in [500u64, 1000, 2000] {
        let file = file(dir.path(), "crowd.u64", &crowd(n as usize));
        let options = SearchOptions { distance: 7, resources: memory(1 << 20), ..SearchOptions::default() };
        let found = all_pairs::<u64>(&file, Linkage::Star, &options, &Silent, &Cancel::default()).unwrap();
        assert_eq!((found.pairs, found.clusters, found.redundant), (n * (n - 1) / 2, 1, n - 1));
        // once to count them, once to decide who represents, once for the links of the one who does
        assert!(found.compared <= 3 * found.pairs, "{} of {} pairs", found.compared, found.pairs);
    }
}
