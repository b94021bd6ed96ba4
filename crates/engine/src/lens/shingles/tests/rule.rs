//! The one rule for who represents, beside its plain definition.

use super::*;
use crate::lens::chunks::templates::TemplateList;
use crate::report::cluster::Cluster;
use crate::{Keep, Report, recluster};
use lookalike_corpus::Body;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// By representative: its members.
type StarMap = BTreeMap<String, BTreeSet<String>>;

fn stars(report: &Report) -> StarMap {
    let members = |c: &Cluster| c.members.iter().map(|m| m.id.clone()).collect();
    report.clusters.iter().map(|cluster| (cluster.representative.clone(), members(cluster))).collect()
}

/// All pairs, on whole sets: documents are offered from the first to the last; each joins the representative before it that it resembles
/// most, or represents itself. A longer document that is inside a shorter one joins that, if neither has another place yet.
fn naive(documents: &BTreeMap<String, String>, policy: Policy, keep: &Keep) -> StarMap {
    let fp = FeatureHasher::default();
    let sets: BTreeMap<&str, Vec<u64>> =
        documents.iter().map(|(id, text)| (id.as_str(), shingle::set_of_text(text, 5, &fp))).collect();
    let rank = |id: &str| {
        let text = documents[id].as_str();
        let size = text.split_whitespace().count() - 4;
        let tie_break = Body::Text(text.into()).content_id() as u32;
        match keep {
            Keep::First => (0, Reverse(0), 0, id.to_owned()),
            Keep::Paths(ends) => {
                let at = ends.iter().position(|end| id.ends_with(&end[1..])).unwrap_or(ends.len());
                (at, Reverse(size), tie_break, id.to_owned())
            }
            _ => (0, Reverse(size), tie_break, id.to_owned()),
        }
    };
    let mut ranked: Vec<&str> = sets.keys().copied().collect();
    ranked.sort_by_key(|id| rank(id));
    // of documents with the same shingles the first stands for all
    let mut groups: BTreeMap<&[u64], Vec<&str>> = BTreeMap::new();
    for id in &ranked {
        groups.entry(&sets[id]).or_default().push(id);
    }
    let order: Vec<&str> = ranked.into_iter().filter(|id| groups[&*sets[id]][0] == *id).collect();
    let mut place: Vec<Option<(f64, usize)>> = vec![None; order.len()];
    let (mut has_members, mut is_container) = (vec![false; order.len()], vec![false; order.len()]);
    let accepts =
        |o: Overlap| o.resemblance() >= policy.threshold || policy.contained.is_some_and(|least| o.b_in_a() >= least);
    for a in 0..order.len() {
        for b in a + 1..order.len() {
            if place[a].is_some() {
                break;
            }
            let overlap = Overlap::of(&sets[order[a]], &sets[order[b]]);
            if accepts(overlap) {
                if !is_container[b] && place[b].is_none_or(|(resemblance, _)| overlap.resemblance() > resemblance) {
                    place[b] = Some((overlap.resemblance(), a));
                    has_members[a] = true;
                }
            } else if accepts(overlap.swapped()) && !has_members[a] && !is_container[a] && place[b].is_none() {
                place[a] = Some((overlap.resemblance(), b));
                is_container[b] = true;
            }
        }
    }
    let mut stars = StarMap::new();
    for (at, id) in order.iter().enumerate() {
        let representative = order[place[at].map_or(at, |(_, representative)| representative)];
        let others = groups[&*sets[id]].iter().filter(|other| **other != representative);
        let members: Vec<String> = others.map(|other| (*other).to_owned()).collect();
        if !members.is_empty() {
            stars.entry(representative.to_owned()).or_default().extend(members);
        }
    }
    stars
}

#[test]
fn stars_are_what_the_rule_says() {
    let documents = corpus(300);
    let paths = Keep::Paths(vec!["*7".into(), "*3".into()]);
    let mut clustered = 0;
    // every feature is looked at, or a sample, which finds the same pairs of these documents
    let runs = [("mod:1", 1 << 10, 3, false), ("mod:2", 1 << 30, 1, false), ("mod:2", 1 << 16, 2, true)];
    let mut runs = runs.into_iter().cycle();
    for (threshold, contained) in [(0.5, None), (0.25, None), (0.9, None), (0.5, Some(0.8))] {
        let policy = Policy { threshold, contained, ..Policy::default() };
        for keep in [Keep::Longest, Keep::First, paths.clone()] {
            let expected = naive(&documents, policy, &keep);
            for (sampling, memory, threads, all_pairs) in runs.by_ref().take(2) {
                let options = options(|o| {
                    o.recipe.sampling = sampling.parse().unwrap();
                    (o.policy, o.max_df, o.all_pairs) = (policy, u32::MAX, all_pairs);
                    (o.scan.keep, o.scan.resources.memory) = (keep.clone(), memory);
                });
                let scan = run(jsonl(&documents, threads > 1 && keep != Keep::First), &options, threads);
                clustered += scan.report.head.summary.clustered;
                assert_eq!(
                    stars(&scan.report),
                    expected,
                    "{threshold} {contained:?} {keep:?} {sampling}, memory {memory}, all pairs {all_pairs}"
                );
            }
        }
    }
    assert!(clustered > 2000, "{clustered}");
}

/// Whether every pair is verified or only those that decide does not show in the clusters.
#[test]
fn all_pairs_give_the_same_clusters() {
    let documents = corpus(250);
    for (name, change) in [
        ("star", (|_| {}) as fn(&mut TestOptions<ShinglesOptions>)),
        ("contained", |o| o.policy.contained = Some(0.7)),
        ("single", |o| o.policy.linkage = Linkage::Single),
        ("single and contained", |o| (o.policy.linkage, o.policy.contained) = (Linkage::Single, Some(0.7))),
        ("estimate", |o| o.estimate = true),
        ("super", |o| o.candidates = Candidates::Super),
        ("frequent", |o| o.max_df = 20),
        ("boilerplate", |o| (o.include_boilerplate, o.max_df) = (true, 20)),
        ("first", |o| o.scan.keep = Keep::First),
    ] {
        let options = options(change);
        let clusters = |all_pairs: bool| {
            let options = options.with(|o| o.all_pairs = all_pairs);
            serde_json::to_value(&run(jsonl(&documents, all_pairs && name != "first"), &options, 2).report.clusters)
                .unwrap()
        };
        assert_eq!(clusters(true), clusters(false), "{name}");
    }
}

/// A saved run that is clustered again is a scan with that policy.
#[test]
fn a_run_clustered_again_is_a_scan_with_that_policy() {
    let documents = corpus(250);
    let dir = tempfile::tempdir().unwrap();
    let lowest = Policy { threshold: 0.3, contained: Some(0.6), ..Policy::default() };
    let mut clustered = 0;
    for (at, change) in [
        (|_| {}) as fn(&mut TestOptions<ShinglesOptions>),
        |o| o.estimate = true,
        |o| o.max_df = 20,
        |o| o.scan.keep = Keep::First,
        |o| o.scan.keep = Keep::Paths(vec!["*5".into()]),
    ]
    .into_iter()
    .enumerate()
    {
        let options = options(change).with(|o| (o.policy, o.all_pairs) = (lowest, true));
        let scan = run(jsonl(&documents, false), &options, 2);
        let saved = dir.path().join(at.to_string());
        scan.pairs.save(&scan.report, &scan.documents, &saved).unwrap();
        for (threshold, contained, linkage) in [
            (0.3, Some(0.6), Linkage::Star),
            (0.7, Some(0.6), Linkage::Star),
            (0.5, None, Linkage::Star),
            (0.5, Some(0.9), Linkage::Single),
            (0.8, None, Linkage::Single),
        ] {
            let policy = Policy { threshold, contained, linkage, ..lowest };
            let again = recluster(&saved, |_| policy, &TemplateList::default()).unwrap();
            let backwards = options.scan.keep != Keep::First;
            let scanned =
                run(jsonl(&documents, backwards), &options.with(|o| (o.policy, o.all_pairs) = (policy, false)), 2);
            if linkage == Linkage::Star {
                let shown = |clusters: &[Cluster]| serde_json::to_value(clusters).unwrap();
                assert_eq!(shown(&again.clusters), shown(&scanned.report.clusters), "{at} {policy:?}");
            } else {
                // what a chain joined was not compared in a saved run
                assert_eq!(stars(&again), stars(&scanned.report), "{at} {policy:?}");
            }
            clustered += again.head.summary.clustered;
        }
    }
    assert!(clustered > 1500, "{clustered}");
}
