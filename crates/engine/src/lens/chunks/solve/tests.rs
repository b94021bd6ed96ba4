//! The fast search against the definition.

use crate::lens::chunks::part::{Edge, Part};
use crate::lens::chunks::solve::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A part of documents that are given by their chunks: the largest first, or in any order.
fn part(documents: &[Vec<u8>], by_size: bool) -> Part {
    let length = |chunk: u8| u32::from(chunk % 7) * 5 + 3;
    let mut ranked: Vec<(u32, &Vec<u8>)> =
        documents.iter().map(|chunks| (chunks.iter().map(|c| length(*c)).sum::<u32>() + 10, chunks)).collect();
    if by_size {
        ranked.sort_by(|a, b| b.cmp(a));
    }
    let mut edges = Vec::new();
    for (at, (_, chunks)) in ranked.iter().enumerate() {
        let mut times: BTreeMap<u8, u32> = BTreeMap::new();
        chunks.iter().for_each(|chunk| *times.entry(*chunk).or_default() += 1);
        edges.extend(
            times.iter().map(|(chunk, n)| Edge::new(u128::from(*chunk) << 90, length(*chunk), 0, at as u32, *n)),
        );
    }
    Part::new(ranked.iter().map(|r| r.0).collect(), edges, |_| {})
}

fn smaller(part: &Part, a: u32, b: u32) -> u32 {
    part.sizes[a as usize].min(part.sizes[b as usize])
}

fn naive_stars(part: &Part, rules: &LinkRules<'_>) -> Vec<Assignment> {
    let (mut representatives, mut found): (Vec<u32>, Vec<Assignment>) = (Vec::new(), Vec::new());
    for document in 0..part.len() {
        let linked = representatives.iter().filter(|representative| {
            let shared = part.shared(document, **representative);
            rules.least.met(shared, smaller(part, document, **representative))
                && (rules.allowed)(document, **representative)
                && !(rules.pinned)(document)
        });
        match linked.max_by_key(|representative| (part.shared(document, **representative), Reverse(**representative))) {
            Some(representative) => {
                let shared = part.shared(document, *representative);
                found.push(Assignment { member: document, representative: *representative, shared });
            }
            None => representatives.push(document),
        }
    }
    found
}

fn naive_pairs(part: &Part, least: Least) -> Vec<SharedPair> {
    let all = (0..part.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let pairs = all.map(|(a, b)| SharedPair { a, b, shared: part.shared(a, b) as u32 });
    pairs.filter(|pair| least.met(u64::from(pair.shared), smaller(part, pair.a, pair.b))).collect()
}

proptest! {
    #[test]
    fn fast_equals_naive(
        documents in prop::collection::vec(prop::collection::vec(0u8..30, 0..25), 1..25),
        share in 0.05f64..1.0,
        bytes in prop_oneof![Just(0u64), 0u64..80],
        apart in 0u32..30,
        by_size: bool,
    ) {
        let part = part(&documents, by_size);
        let least = Least { share, bytes };
        let allowed = |a: u32, b: u32| apart == 0 || !(a + b).is_multiple_of(apart);
        let pinned = |document: u32| document % 11 == 10;
        let rules = LinkRules { least, by_size, allowed: &allowed, pinned: &pinned, stopped: &|| false };
        prop_assert_eq!(cluster(&part, &rules, Linkage::Star), naive_stars(&part, &rules));
        let (mut found, naive) = (Vec::new(), naive_pairs(&part, least));
        let whole = pairs(&part, &rules, u32::MAX, |pair| found.push(pair));
        prop_assert!(whole);
        found.sort_unstable();
        let mut sorted: Vec<SharedPair> = naive.iter().copied().filter(|p| allowed(p.a, p.b)).collect();
        sorted.sort_unstable();
        prop_assert_eq!(&found, &sorted);
        // with a limit on chunks nothing wrong is listed, and what is missing is told
        let mut some = Vec::new();
        let whole = pairs(&part, &rules, 3, |pair| some.push(pair));
        prop_assert!(some.iter().all(|pair| naive.contains(pair)) && (!whole || some.len() == sorted.len()));
        let mut sets = UnionFind::new(documents.len());
        naive.iter().filter(|p| allowed(p.a, p.b)).for_each(|p| { sets.union(p.a, p.b); });
        let single = cluster(&part, &rules, Linkage::Single);
        for document in 0..part.len() {
            let representative = sets.find(document);
            let assignments = single.iter().find(|f| f.member == document).map(|f| f.representative);
            prop_assert_eq!(assignments, (representative != document).then_some(representative));
        }
    }
}

#[test]
fn chunks_count_as_often_as_both_have_them() {
    let part = part(&[vec![1, 1, 1, 2], vec![1, 1, 3, 3, 3, 3, 3]], true);
    // two times the chunk 1, of eight bytes
    assert_eq!(part.shared(0, 1), 16);
}

#[test]
fn a_clique_is_one_star_and_cheap() {
    // every document has the same 40 chunks and ten of its own: the first leads all
    let documents: Vec<Vec<u8>> = (0..200u8).map(|d| (0..40).chain([40 + d % 100, 140]).collect()).collect();
    let part = part(&documents, true);
    let least = Least { share: 0.5, bytes: 0 };
    let rules = LinkRules { least, by_size: true, allowed: &|_, _| true, pinned: &|_| false, stopped: &|| false };
    let found = cluster(&part, &rules, Linkage::Star);
    assert_eq!((found.len(), found.iter().filter(|f| f.representative == 0).count()), (199, 199));
}
