//! Held against looking at every fingerprint.

use super::plan::{PAPER_DESIGNS, PlanRequest, candidates};
use super::*;
use crate::bits::FingerprintBits;
use proptest::prelude::*;
use std::convert::Infallible;
use std::ops::ControlFlow;

/// A stream of numbers from a seed.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(z ^ (z >> 31))
    })
}

fn wide(seed: u64) -> impl Iterator<Item = u128> {
    numbers(seed).zip(numbers(!seed)).map(|(a, b)| u128::from(a) << 64 | u128::from(b))
}

/// Fingerprints of all sorts: far from each other, in balls around few of them, and the same many times.
fn mixed<F: FingerprintBits>(fresh: impl Iterator<Item = F>, count: usize, seed: u64) -> Vec<(F, u64)> {
    let mut fingerprints: Vec<F> = Vec::new();
    for (fingerprint, dice) in fresh.zip(numbers(seed ^ 7)).take(count) {
        let old = fingerprints.get(dice as usize % fingerprints.len().max(1)).copied();
        fingerprints.push(match (dice >> 60, old) {
            (0..4, Some(old)) => old ^ (F::from_low(1) << ((dice >> 8) as u32 % F::WIDTH)),
            (4..6, Some(old)) => old,
            (6..10, Some(_)) => fingerprints[0] ^ (F::from_low(7) << ((dice >> 9) as u32 % (F::WIDTH - 3))),
            _ => fingerprint,
        });
    }
    fingerprints.into_iter().zip(numbers(seed ^ 9).map(|id| id >> 40)).collect()
}

fn brute<F: FingerprintBits>(fingerprints: &[(F, u64)], query: F, k: u32) -> Vec<(F, u32, u64)> {
    let near = fingerprints.iter().filter(|(fingerprint, _)| fingerprint.distance(query) <= k);
    let mut near: Vec<_> = near.map(|(fingerprint, id)| (*fingerprint, fingerprint.distance(query), *id)).collect();
    near.sort_unstable();
    near
}

fn found<F: FingerprintBits>(tables: &Tables<F, Vec<u8>>, query: F, k: u32) -> Vec<(F, u32, u64)> {
    let mut found = Vec::new();
    tables.near_in_memory(query, k, |hit| {
        for row in hit.rows {
            let Ok(id) = tables.id(row);
            found.push((hit.fingerprint, hit.distance, id));
        }
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

fn designs() -> Vec<Design> {
    let choose = |blocks, lead| Design::Choose { blocks, lead };
    PAPER_DESIGNS
        .into_iter()
        .chain([choose(1, 1), choose(2, 1), choose(3, 1), choose(3, 2), choose(5, 1), choose(8, 1)])
        .collect()
}

#[test]
fn every_error_of_three_bits_is_within_reach_of_a_table() {
    for design in designs() {
        let leads: Vec<u64> = design.orders(64).iter().map(Order::lead_mask).collect();
        for k in 0..=3 {
            let radii = design.radii(k).expect("all of them reach three");
            let reach = |error: u64| {
                leads
                    .iter()
                    .zip(&radii)
                    .any(|(lead, radius)| radius.is_some_and(|radius| (error & lead).ones() <= radius))
            };
            let missed =
                near::flips(40, k).find(|error| !reach(*error) || !reach(error << 24) || !reach(error.rotate_left(50)));
            assert_eq!(missed, None, "{design}, k = {k}");
        }
    }
}

#[test]
fn every_error_of_seven_bits_is_within_reach_of_a_table() {
    for design in designs() {
        let leads: Vec<u64> = design.orders(64).iter().map(Order::lead_mask).collect();
        for k in 4..=7 {
            let Some(radii) = design.radii(k) else { continue };
            for (a, b) in numbers(1).zip(numbers(2)).take(20_000) {
                let error =
                    (0..k).fold(0u64, |error, at| error | 1 << ((if at < 6 { a } else { b } >> (at * 10)) % 64));
                let reach =
                    leads.iter().zip(&radii).any(|(lead, radius)| radius.is_some_and(|r| (error & lead).ones() <= r));
                assert!(reach, "{design}, k = {k}, {error:064b}");
            }
        }
    }
}

#[test]
fn orders_go_there_and_back() {
    for design in designs() {
        let orders = design.orders(64);
        assert_eq!(orders.len() as u64, design.tables());
        assert_eq!(
            orders[0].permute(0x0123_4567_89ab_cdefu64),
            0x0123_4567_89ab_cdef,
            "{design}: the first is as it is"
        );
        for order in &orders {
            for bit in 0..64 {
                assert_eq!(order.restore(order.permute(1u64 << bit)), 1 << bit);
                let leads = order.permute(1u64 << bit) >> (64 - order.lead).min(63) != 0;
                assert_eq!(order.lead == 64 || leads, order.lead_mask::<u64>() >> bit & 1 == 1);
            }
        }
        assert_eq!(design.to_string().parse(), Ok(design));
    }
    for wrong in ["", "0of2", "3of2", "1of2x3of4", "xof", "9of16", "1of99"] {
        assert!(wrong.parse::<Design>().is_err(), "{wrong}");
    }
}

/// Example 3.1 of the paper: 2^34 fingerprints, 20, 16, 10 and 4 tables.
#[test]
fn the_papers_four_designs() {
    let request = PlanRequest { width: 64, fingerprints: 1 << 34, k: 3, id_bits: 34, memory: u64::MAX };
    let all = candidates(&request);
    let paper = |tables: u64| all.iter().find(|c| c.paper && c.tables == tables).expect("listed");
    assert_eq!(paper(20).lead, (31, 33));
    assert_eq!(paper(16).lead, (28, 28));
    assert_eq!(paper(10).lead, (25, 26));
    assert_eq!(paper(4).lead, (16, 16));
    assert!(all.iter().all(|c| !c.paper || c.radius == 0));
    // "on average, a probe retrieves" 8, 64, 512 and 256K
    for (tables, rows) in [(20, 8.0), (16, 64.0), (10, 512.0), (4, 262_144.0)] {
        let each = paper(tables).compared / tables as f64;
        assert!(each <= 32.0f64.max(rows) && each >= rows / 2.0, "{tables} tables: {each} rows a probe");
    }
    // the paper's fastest takes twenty times the room; with room for three tables, two with a small radius beat its four by far
    assert_eq!(all[0].tables, 20);
    let best = candidates(&PlanRequest { memory: 3 * paper(4).bytes / 4, ..request })[0];
    assert!(best.tables <= 2 && best.micros * 100.0 < paper(4).micros, "{best:?}");
    let tight = PlanRequest { memory: all.iter().map(|c| c.bytes).min().expect("some"), ..request };
    assert!(candidates(&tight)[0].fits && candidates(&tight)[0].bytes <= tight.memory);
}

#[test]
fn skewed_fingerprints_are_found_like_others() {
    let fingerprints = mixed(numbers(3), 20_000, 4);
    for design in designs() {
        let tables = Tables::build(design, fingerprints.clone());
        for (at, (fingerprint, _)) in fingerprints.iter().enumerate().step_by(997) {
            let query = fingerprint ^ (1 << (at % 64));
            assert_eq!(found(&tables, query, 3), brute(&fingerprints, query, 3), "{design}");
        }
        assert_eq!(found(&tables, fingerprints[0].0, 3), brute(&fingerprints, fingerprints[0].0, 3));
    }
}

#[test]
fn one_value_very_often_is_one_hit() {
    let mut fingerprints = vec![(42u64, 0); 100_000];
    fingerprints.iter_mut().zip(0..).for_each(|(fingerprint, id)| fingerprint.1 = id);
    fingerprints.extend(numbers(8).take(1000).zip(0..));
    let tables = Tables::build(Design::Choose { blocks: 2, lead: 1 }, fingerprints);
    let mut hits = Vec::new();
    tables.near_in_memory(40, 3, |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    });
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].distance, hits[0].rows.end - hits[0].rows.start), (1, 100_000));
    let Ok(rows) = tables.find(42);
    assert_eq!(rows, hits[0].rows);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn tables_are_as_looking_at_all(seed: u64, count in 0usize..600, design in 0usize..10, k in 0u32..=7) {
        let design = designs()[design];
        prop_assume!(design.radii(k).is_some());
        let fingerprints = mixed(numbers(seed), count, seed);
        let tables = Tables::build(design, fingerprints.clone());
        let queries = fingerprints.iter().map(|p| p.0).step_by(7).chain(numbers(!seed).take(3));
        for (query, flip) in queries.zip(numbers(seed ^ 1)).take(40) {
            let query = query ^ (1 << (flip % 64)) ^ (1 << ((flip >> 32) % 64));
            prop_assert_eq!(found(&tables, query, k), brute(&fingerprints, query, k));
        }
        let mut sorted = fingerprints.clone();
        sorted.sort_unstable();
        let entries: Vec<(u64, u64)> = tables.entries().map(|entry| { let Ok(entry) = entry; entry }).collect();
        prop_assert_eq!(entries, sorted);
    }

    #[test]
    fn so_are_tables_of_128_bits(seed: u64, count in 0usize..300, design in 0usize..10, k in 0u32..=7) {
        let design = designs()[design];
        prop_assume!(design.radii(k).is_some());
        let fingerprints = mixed(wide(seed), count, seed);
        let tables = Tables::build(design, fingerprints.clone());
        for (query, flip) in fingerprints.iter().map(|p| p.0).step_by(7).zip(numbers(seed ^ 1)) {
            let query = query ^ (1 << (flip % 128));
            prop_assert_eq!(found(&tables, query, k), brute(&fingerprints, query, k));
        }
    }

    #[test]
    fn probing_finds_all_that_is_near(seed: u64, queries in 1usize..300, k in 0u32..=4, blocks in 1u32..5) {
        let design = Design::Choose { blocks, lead: 1 };
        // balls fill lines, and a full line is asked about
        let queries = mixed(numbers(seed), queries, seed);
        let mut only: Vec<u64> = queries.iter().map(|query| query.0).collect();
        only.sort_unstable();
        only.dedup();
        // lines that are full all the same are asked about
        prop_assume!(neighbour_table_cost::<u64>(design, k, only.len() as u64).is_none_or(|cost| cost.bytes < 1 << 24));
        let tables = Tables::build(design, only.iter().copied().zip(0..).collect());
        let fingerprints: Vec<u64> = mixed(numbers(seed), 500, seed ^ 3).into_iter().map(|fingerprint| fingerprint.0).collect();
        let Ok::<_, Infallible>(table) = NeighbourTable::new(design, k, only.clone(), |bytes| Ok(vec![0u8; bytes]), |parts| {
            parts.into_iter().for_each(UnfilledTable::fill);
        });
        let mut found: Vec<(usize, usize, u32)> = Vec::new();
        table.expect("one block in front").probe(&fingerprints, &mut ProbeBuffer::default(), |at, what| match what {
            Probed::Query(query, distance) => found.push((at, query, distance)),
            Probed::Table(full) => {
                let Ok(()) = tables.near_of(full, fingerprints[at], k, |hit| {
                    found.extend(hit.rows.map(|row| (at, row as usize, hit.distance)));
                    ControlFlow::Continue(())
                });
            }
        });
        found.sort_unstable();
        let all = fingerprints.iter().enumerate().flat_map(|(at, fingerprint)| only.iter().enumerate().map(move |(query, q)| (at, query, fingerprint.distance(*q))));
        prop_assert_eq!(found, all.filter(|pair| pair.2 <= k).collect::<Vec<_>>());
    }
}

/// Found by fuzzing: a directory that lists rows under two prefixes gave more rows than the table has.
#[test]
fn a_forged_directory_gives_no_row_twice() {
    let mut builder = TableBuilder::<u64>::new(200, 64);
    let mut rows: Vec<u64> = numbers(7).take(200).collect();
    rows.sort_unstable();
    for row in &rows {
        builder.push(*row);
    }
    let (shape, directory, rest) = builder.finish();
    for at in 0..directory.len() {
        for forged in [0, 1, 0x55, 0xff] {
            let mut directory = directory.clone();
            directory[at] = forged;
            let table = Table::<u64, Vec<u8>>::new(shape, directory, rest.clone());
            assert!(table.all().count() <= 200, "byte {at} is {forged}");
        }
    }
    let table = Table::<u64, Vec<u8>>::new(shape, directory, rest);
    assert_eq!(table.all().map(|Ok(row)| row).collect::<Vec<_>>(), rows);
}
