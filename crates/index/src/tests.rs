//! An index that grew in many steps against one that was built at once, and both against the definitions.

pub(super) mod faults;

use crate::clusters::lookup::is_boilerplate;
use crate::clusters::repair::rank;
use crate::segment::cluster_state::{ClusterState, GONE};
use crate::*;
use crate::{Cancel, Policy, ScanOptions, Silent};
use lookalike_core::members::Members;
use lookalike_core::sketch::{SampleOverlap, Sketch};
use lookalike_engine::lens::shingles::scan::tests::{Dice, corpus, jsonl};
use lookalike_engine::run::filter::{Filter, as_overlap};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Documents = BTreeMap<String, String>;

fn options(frequent: u32, policy: Policy) -> ScanOptions {
    ScanOptions { frequent, policy, memory: 16 << 20, threads: 2, ..ScanOptions::default() }
}

fn put(path: &Path, documents: &Documents, sweep: Option<&str>, options: &ScanOptions) -> ChangeSummary {
    let inputs = jsonl(documents, false);
    let cancel = Cancel::default();
    if path.exists() {
        add(path, inputs, sweep, options, &Silent, &cancel).unwrap()
    } else {
        build(path, inputs, sweep, options, &Silent, &cancel).unwrap()
    }
}

fn take(path: &Path, names: &[String], sweep: Option<&str>, options: &ScanOptions) -> ChangeSummary {
    remove(path, names, sweep, options, &Silent, &Cancel::default()).unwrap()
}

/// All that can be asked of an index, in words that do not depend on how it came about.
fn everything(path: &Path) -> String {
    let index = Index::open(path, "").unwrap();
    let info = index.info().unwrap();
    let mut out = vec![format!(
        "{} documents, {} urls, {} observations, {} bytes, {} clusters, {} clustered, {} frequent, {:?}",
        info.documents,
        info.urls,
        info.observations,
        info.document_bytes,
        info.clusters,
        info.clustered,
        info.frequent_features,
        info.sweeps
    )];
    let mut lines = BTreeSet::new();
    index
        .for_each_history(|url, history| {
            for (sweep_index, document) in history {
                let representative = index.cluster(*document)?;
                let mut members: Vec<String> =
                    index.members(representative)?.iter().map(|member| index.content(*member).unwrap()).collect();
                members.sort();
                let query = QueryOptions { threshold: 0.3, contained: Some(0.8), ..QueryOptions::default() };
                let whole = QueryOptions { whole: true, threshold: 0.4, ..query };
                let answers = [query, whole].map(|options| index.query_document(*document, &options).unwrap());
                let answer = serde_json::to_string(&answers).unwrap();
                let (content, representative) = (index.content(*document)?, index.content(representative)?);
                lines
                    .insert(format!("{url} {sweep_index} {content} under {representative} with {members:?}: {answer}"));
            }
            Ok(())
        })
        .unwrap();
    out.extend(lines);
    out.join("\n")
}

/// The clusters by definition: every pair is compared.
fn check_clusters(path: &Path, options: &ScanOptions) -> (usize, usize) {
    let index = Index::open(path, "").unwrap();
    let live: Vec<u32> =
        (0..index.segments.len()).filter(|d| index.state.representative(*d).unwrap() != GONE).collect();
    let sketches: BTreeMap<u32, Sketch> = live
        .iter()
        .map(|document| {
            let mut sketch = Sketch::default();
            index.segments.sketch(*document, &mut sketch).unwrap();
            (*document, sketch)
        })
        .collect();
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    sketches.values().flat_map(|s| &s.features).for_each(|f| *counts.entry(*f).or_default() += 1);
    let frequent = Members::new(counts.into_iter().filter(|(_, n)| *n > options.frequent).map(|(f, _)| f).collect());
    let stored = index.state.frequent().unwrap().as_slice();
    assert!(frequent.as_slice() == stored, "{} frequent features, {} stored", frequent.as_slice().len(), stored.len());
    let boilerplate = |document: u32| {
        let features = &sketches[&document].features;
        is_boilerplate(features.len() - frequent.count_in(features), features.len())
    };
    let sampling = index.recipe().sampling;
    let filter = Filter { policy: options.policy, sampling, estimate: true };
    let links = |a: u32, b: u32| {
        let (mut sa, mut sb) = (sketches[&a].clone(), sketches[&b].clone());
        match (boilerplate(a), boilerplate(b)) {
            (true, true) => {}
            (false, false) => {
                frequent.subtract_from(&mut sa.features);
                frequent.subtract_from(&mut sb.features);
            }
            _ => return false,
        }
        let sample = SampleOverlap::of(sampling, &sa, &sb);
        filter.candidate(sample) && filter.accepts(as_overlap(sample))
    };
    let mut order = live.clone();
    order.sort_by_key(|document| rank(&index.segments, *document).unwrap());
    let mut representatives: Vec<u32> = Vec::new();
    let mut clustered = 0;
    for document in order {
        let representative =
            representatives.iter().copied().find(|representative| links(*representative, document)).unwrap_or(document);
        assert_eq!(index.cluster(document).unwrap(), representative, "document {document}");
        assert_eq!(index.state.is_boilerplate(document).unwrap(), boilerplate(document));
        clustered += usize::from(representative != document);
        if representative == document {
            representatives.push(document);
        }
    }
    (clustered, live.into_iter().filter(|document| boilerplate(*document)).count())
}

/// At 0.56 the ways to ask whether 28 of 50 is enough differ by rounding.
fn policies() -> [Policy; 3] {
    let contained = Policy { threshold: 0.6, contained: Some(0.9), ..Policy::default() };
    [Policy::default(), contained, Policy { threshold: 0.56, ..Policy::default() }]
}

#[test]
fn clusters_are_what_the_definition_says() {
    for policy in policies() {
        for frequent in [3, 20, 1000] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("index");
            let options = options(frequent, policy);
            put(&path, &corpus(300), None, &options);
            let (clustered, boilerplate) = check_clusters(&path, &options);
            assert!(clustered > 50, "{clustered} documents in clusters");
            assert!(frequent > 3 || boilerplate > 0, "nobody is of the boilerplate");
        }
    }
}

/// Every query by definition: compared with all documents.
#[test]
fn queries_find_what_comparing_with_everybody_finds() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    put(&path, &corpus(250), None, &options(6, Policy::default()));
    let index = Index::open(&path, "").unwrap();
    let lookup = index.lookup();
    let live: Vec<u32> =
        (0..index.segments.len()).filter(|d| index.state.representative(*d).unwrap() != GONE).collect();
    let (mut boilerplate, mut found) = (0, 0);
    for whole in [false, true] {
        let options = QueryOptions { threshold: 0.25, contained: Some(0.7), whole, limit: 1000, verify: false };
        let policy = Policy { threshold: 0.25, contained: Some(0.7), ..Policy::default() };
        let filter = Filter { policy, sampling: index.recipe().sampling, estimate: true };
        for document in &live {
            let probe = lookup.probe(*document).unwrap();
            let as_whole = whole || probe.is_boilerplate();
            boilerplate += usize::from(!whole && as_whole);
            let expected: BTreeSet<u32> = live
                .iter()
                .copied()
                .filter(|other| {
                    let sample = lookup.compare(&probe, *other, as_whole, &mut Sketch::default()).unwrap();
                    let counts = as_whole || !index.state.is_boilerplate(*other).unwrap();
                    let all = lookup.compare(&probe, *other, true, &mut Sketch::default()).unwrap();
                    let quotes = probe.is_quoted() && f64::from(all.shared) >= 0.9 * f64::from(all.a);
                    other == document || counts && filter.candidate(sample) || quotes && filter.candidate(all)
                })
                .collect();
            let answer = index.query_document(*document, &options).unwrap();
            assert_eq!(answer.matches.iter().map(|m| m.document).collect::<BTreeSet<u32>>(), expected);
            assert_eq!((answer.more, answer.unfollowed), (0, 0));
            found += expected.len();
        }
    }
    assert!(boilerplate > 0 && found > 4 * live.len(), "{boilerplate} of the boilerplate, {found} found");
}

#[test]
fn a_text_that_everybody_quotes_is_found_in_all_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let mut dice = Dice(3);
    let licence = dice.words(60).join(" ");
    let pages: Documents =
        (0..30).map(|at| (format!("p{at}"), format!("{} {licence}", dice.words(200).join(" ")))).collect();
    put(&path, &pages, None, &options(3, Policy::default()));
    let index = Index::open(&path, "").unwrap();
    let options = QueryOptions { limit: 100, ..QueryOptions::default() };
    let answer = index.query_text("licence", &licence, &options).unwrap();
    assert_eq!(answer.matches.len(), 30, "{answer:?}");
    assert!(answer.matches.iter().all(|m| m.query_in_document.unwrap().value > 0.9));
    let page = index.query_url("p7", &options).unwrap();
    assert_eq!((page.matches.len(), page.frequent > 0), (1, true), "otherwise what is frequent is ignored");
}

/// Random steps; then the same observations, one sweep after the other.
fn grown_and_rebuilt(seed: u64, frequent: u32, policy: Policy) {
    let dir = tempfile::tempdir().unwrap();
    let (grown, rebuilt) = (dir.path().join("grown"), dir.path().join("rebuilt"));
    let options = options(frequent, policy);
    let mut dice = Dice(seed);
    let all: Vec<(String, String)> = corpus(260).into_iter().collect();
    let sweeps = [None, Some("2026-05-01"), Some("2025-12-31")];
    let mut truth: BTreeMap<Option<&str>, Documents> = BTreeMap::new();
    for step in 0..24 {
        let sweep = sweeps[dice.roll(3)];
        if step > 3 && dice.roll(4) == 0 {
            let from = if dice.roll(2) == 0 { sweep } else { None };
            let names: Vec<String> = (0..=dice.roll(40)).map(|_| all[dice.roll(all.len())].0.clone()).collect();
            take(&grown, &names, from, &options);
            for (date, documents) in &mut truth {
                if from.is_none() || *date == from {
                    documents.retain(|name, _| !names.contains(name));
                }
            }
        } else {
            // names swap their texts now and then, so that observations are replaced and documents come and go
            let batch: Documents = (0..=dice.roll(60))
                .map(|_| (all[dice.roll(all.len())].0.clone(), all[dice.roll(all.len())].1.clone()))
                .collect();
            put(&grown, &batch, sweep, &options);
            truth.entry(sweep).or_default().extend(batch);
        }
        if step % 6 == 0 {
            check_clusters(&grown, &options);
        }
    }
    for (sweep, documents) in &truth {
        put(&rebuilt, documents, *sweep, &options);
    }
    check_clusters(&grown, &options);
    check_clusters(&rebuilt, &options);
    let (a, b) = (everything(&grown), everything(&rebuilt));
    for (a, b) in a.lines().zip(b.lines()) {
        assert_eq!(a, b, "seed {seed}, frequent {frequent}");
    }
    assert_eq!(a.lines().count(), b.lines().count());
    let before = everything(&grown);
    merge(&grown, &options, &Silent, &Cancel::default()).unwrap();
    assert_eq!(Index::open(&grown, "").unwrap().info().unwrap().segments.len(), 1);
    check_clusters(&grown, &options);
    assert_eq!(everything(&grown), before, "merging changes nothing that can be seen");
    assert_eq!(verify(&grown).unwrap().damages, Vec::<String>::new());
}

#[test]
fn what_grew_equals_what_was_built_at_once() {
    for seed in 1..=3 {
        grown_and_rebuilt(seed, 1000, policies()[0]);
        grown_and_rebuilt(seed, 6, policies()[0]);
        grown_and_rebuilt(seed, 12, policies()[1]);
        grown_and_rebuilt(seed, 5, policies()[2]);
    }
}
