//! An index that grew in many steps against one that was built at once, and both against the definitions.

mod agreement;
pub(crate) mod faults;
pub(crate) mod support;

use crate::clusters::lookup::is_boilerplate;
use crate::clusters::rank::rank;
use crate::segment::cluster_state::{ClusterState, GONE};
use crate::*;
use lookalike_core::members::Members;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::sketch::{SampleOverlap, Sketch};
use lookalike_corpus::Input;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::run::filter::{Filter, as_overlap};
use lookalike_engine::{ChunksOptions, LensOptions, PassagesOptions, Resources, ShinglesOptions, SimhashOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use support::{Dice, Documents, corpus, put, short_documents, writer};

fn options(max_df: u32, policy: Policy) -> ShinglesOptions {
    ShinglesOptions { max_df, policy, ..ShinglesOptions::default() }
}

fn take(path: &Path, names: &[String], sweep: Option<&str>) -> ChangeSummary {
    writer(path).remove(names, sweep).unwrap()
}

/// Documents that are there.
fn live(index: &Index) -> Vec<u32> {
    let snapshot = &index.snapshot;
    (0..snapshot.segments.len()).filter(|d| snapshot.state.representative(*d).unwrap() != GONE).collect()
}

/// Queries that find much.
fn wide(include_boilerplate: bool) -> QueryOptions {
    let threshold = if include_boilerplate { 0.4 } else { 0.3 };
    ShinglesQuery { threshold, contained: Some(0.8), include_boilerplate, verify: false }.into()
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
                let query = Query::Document(*document);
                let answers = [false, true].map(|boilerplate| index.query(&query, &wide(boilerplate)).unwrap());
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
fn check_clusters(path: &Path, options: &ShinglesOptions) -> (usize, usize) {
    let index = Index::open(path, "").unwrap();
    let live = live(&index);
    let sketches: BTreeMap<u32, Sketch> = live
        .iter()
        .map(|document| {
            let mut sketch = Sketch::default();
            index.snapshot.segments.sketch(*document, &mut sketch).unwrap();
            (*document, sketch)
        })
        .collect();
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    sketches.values().flat_map(|s| &s.features).for_each(|f| *counts.entry(*f).or_default() += 1);
    let frequent = Members::new(counts.into_iter().filter(|(_, n)| *n > options.max_df).map(|(f, _)| f).collect());
    let stored = index.snapshot.state.frequent().unwrap().as_slice();
    assert!(frequent.as_slice() == stored, "{} frequent features, {} stored", frequent.as_slice().len(), stored.len());
    let boilerplate = |document: u32| {
        let features = &sketches[&document].features;
        is_boilerplate(features.len() - frequent.count_in(features), features.len())
    };
    let sampling = options.recipe.sampling;
    let filter = Filter { policy: options.policy, sampling, estimate: true };
    let links = |a: u32, b: u32| {
        let (mut sa, mut sb) = (sketches[&a].clone(), sketches[&b].clone());
        match (boilerplate(a), boilerplate(b)) {
            (true, true) => {}
            (false, false) => {
                frequent.subtract_from(&mut sa.features);
                frequent.subtract_from(&mut sb.features);
            }
            _ => return None,
        }
        let sample = SampleOverlap::of(sampling, &sa, &sb);
        filter.candidate(sample).then(|| as_overlap(sample))
    };
    let mut order = live.clone();
    order.sort_by_key(|document| rank(&index.snapshot.segments, *document).unwrap());
    // by place in the order: the best representative so far, and who has joined a shorter document
    let mut best: Vec<Option<(usize, f64)>> = vec![None; order.len()];
    let mut container: Vec<Option<usize>> = vec![None; order.len()];
    for a in 0..order.len() {
        let mut has_members = false;
        for b in a + 1..order.len() {
            if best[a].is_some() || container[a].is_some() {
                break;
            }
            let Some(overlap) = links(order[a], order[b]) else { continue };
            if filter.accepts(overlap) {
                let better = best[b].is_none_or(|best| overlap.resemblance() > best.1);
                if better && !container.contains(&Some(b)) {
                    best[b] = Some((a, overlap.resemblance()));
                    has_members = true;
                }
            } else if filter.accepts(overlap.swapped())
                && !(has_members || container.contains(&Some(a)) || best[b].is_some())
            {
                container[a] = Some(b);
            }
        }
    }
    let mut clustered = 0;
    for (at, document) in order.iter().enumerate() {
        let representative = order[best[at].map(|best| best.0).or(container[at]).unwrap_or(at)];
        assert_eq!(index.cluster(*document).unwrap(), representative, "document {document}");
        assert_eq!(index.snapshot.state.is_boilerplate(*document).unwrap(), boilerplate(*document));
        clustered += usize::from(representative != *document);
    }
    (clustered, live.into_iter().filter(|document| boilerplate(*document)).count())
}

/// At 0.56 the ways to ask whether 28 of 50 is enough differ by rounding.
fn policies() -> [Policy; 3] {
    let contained = Policy { threshold: 0.6, contained: Some(0.9), ..Policy::default() };
    [Policy::default(), contained, Policy { threshold: 0.56, ..Policy::default() }]
}

/// What makes many documents that repeat themselves be inside shorter ones.
fn repetitive(max_df: u32) -> ShinglesOptions {
    let policy = Policy { threshold: 0.6, contained: Some(0.8), ..Policy::default() };
    ShinglesOptions { max_df, policy, ..ShingleRecipe::words(5).into() }
}

#[test]
fn clusters_are_what_the_definition_says() {
    for policy in policies() {
        for max_df in [3, 20, 1000] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("index");
            let options = options(max_df, policy);
            put(&path, &corpus(300), None, options.clone());
            let (clustered, boilerplate) = check_clusters(&path, &options);
            assert!(clustered > 50, "{clustered} documents in clusters");
            assert!(max_df > 3 || boilerplate > 0, "nothing is boilerplate");
        }
    }
}

/// Every query by definition: compared with all documents.
#[test]
fn queries_find_what_comparing_with_everybody_finds() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    put(&path, &corpus(250), None, options(6, Policy::default()));
    let index = Index::open(&path, "").unwrap();
    let lens = index.lens.shingles().unwrap();
    let lookup = lens.lookup(&index.snapshot);
    let live = live(&index);
    let (mut boilerplate, mut found) = (0, 0);
    for whole in [false, true] {
        let asked = ShinglesQuery { threshold: 0.25, contained: Some(0.7), include_boilerplate: whole, verify: false };
        let options = QueryOptions::from(asked).with_limit(1000);
        let policy = Policy { threshold: 0.25, contained: Some(0.7), ..Policy::default() };
        let filter = Filter { policy, sampling: lens.recipe.sampling, estimate: true };
        for document in &live {
            let probe = lookup.probe(*document).unwrap();
            let as_whole = whole || probe.is_boilerplate();
            boilerplate += usize::from(!whole && as_whole);
            let expected: BTreeSet<u32> = live
                .iter()
                .copied()
                .filter(|other| {
                    let sample = lookup.compare(&probe, *other, as_whole, &mut Sketch::default()).unwrap();
                    let counts = as_whole || !index.snapshot.state.is_boilerplate(*other).unwrap();
                    let all = lookup.compare(&probe, *other, true, &mut Sketch::default()).unwrap();
                    let quotes = probe.is_quoted() && f64::from(all.shared) >= 0.9 * f64::from(all.a);
                    other == document || counts && filter.candidate(sample) || quotes && filter.candidate(all)
                })
                .collect();
            let answer = index.query(&Query::Document(*document), &options).unwrap();
            let matches = answer.matches.shingles().unwrap();
            assert_eq!(matches.matches.iter().map(|m| m.document).collect::<BTreeSet<u32>>(), expected);
            assert_eq!((answer.more, matches.unfollowed), (0, 0));
            found += expected.len();
        }
    }
    assert!(boilerplate > 0 && found > 4 * live.len(), "{boilerplate} boilerplate, {found} found");
}

#[test]
fn a_text_that_everybody_quotes_is_found_in_all_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let mut dice = Dice(3);
    let licence = dice.words(60).join(" ");
    let pages: Documents =
        (0..30).map(|at| (format!("p{at}"), format!("{} {licence}", dice.words(200).join(" ")))).collect();
    put(&path, &pages, None, options(3, Policy::default()));
    let index = Index::open(&path, "").unwrap();
    let options = QueryOptions::default().with_limit(100);
    let answer = index.query(&Query::Text { id: "licence", text: &licence }, &options).unwrap();
    let matches = &answer.matches.shingles().unwrap().matches;
    assert_eq!(matches.len(), 30, "{answer:?}");
    assert!(matches.iter().all(|m| m.query_in_document.unwrap().value > 0.9));
    let page = index.query(&Query::Url("p7"), &options).unwrap();
    let page = page.matches.shingles().unwrap();
    assert_eq!((page.matches.len(), page.frequent > 0), (1, true), "otherwise what is frequent is ignored");
}

/// Random steps; then the same observations, one sweep after the other.
fn grown_and_rebuilt(seed: u64, all: Documents, options: &ShinglesOptions) {
    let dir = tempfile::tempdir().unwrap();
    let (grown, rebuilt) = (dir.path().join("grown"), dir.path().join("rebuilt"));
    let mut dice = Dice(seed);
    let all: Vec<(String, String)> = all.into_iter().collect();
    let sweeps = [None, Some("2026-05-01"), Some("2025-12-31")];
    let mut truth: BTreeMap<Option<&str>, Documents> = BTreeMap::new();
    for step in 0..24 {
        let sweep = sweeps[dice.roll(3)];
        if step > 3 && dice.roll(4) == 0 {
            let from = if dice.roll(2) == 0 { sweep } else { None };
            let names: Vec<String> = (0..=dice.roll(40)).map(|_| all[dice.roll(all.len())].0.clone()).collect();
            take(&grown, &names, from);
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
            put(&grown, &batch, sweep, options.clone());
            truth.entry(sweep).or_default().extend(batch);
        }
        if step % 6 == 0 {
            check_clusters(&grown, options);
        }
    }
    for (sweep, documents) in &truth {
        put(&rebuilt, documents, *sweep, options.clone());
    }
    check_clusters(&grown, options);
    check_clusters(&rebuilt, options);
    let (a, b) = (everything(&grown), everything(&rebuilt));
    for (a, b) in a.lines().zip(b.lines()) {
        assert_eq!(a, b, "seed {seed}, max_df {}", options.max_df);
    }
    assert_eq!(a.lines().count(), b.lines().count());
    let before = everything(&grown);
    writer(&grown).merge().unwrap();
    assert_eq!(Index::open(&grown, "").unwrap().info().unwrap().segments.len(), 1);
    check_clusters(&grown, options);
    assert_eq!(everything(&grown), before, "merging changes nothing that can be seen");
    assert_eq!(verify(&grown).unwrap().damages, Vec::<String>::new());
}

#[test]
fn what_grew_equals_what_was_built_at_once() {
    for seed in 1..=3 {
        grown_and_rebuilt(seed, corpus(260), &options(1000, policies()[0]));
        grown_and_rebuilt(seed, corpus(260), &options(6, policies()[0]));
        grown_and_rebuilt(seed, corpus(260), &options(12, policies()[1]));
        grown_and_rebuilt(seed, corpus(260), &options(5, policies()[2]));
        grown_and_rebuilt(seed, short_documents(200), &repetitive(1000));
        grown_and_rebuilt(seed, short_documents(200), &repetitive(8));
    }
}

/// A document is refused by the check exactly where adding it would leave it out: with no words. Short ones are kept.
#[test]
fn what_is_checked_is_added() {
    let folder = tempfile::tempdir().unwrap();
    let lenses: [LensOptions; 4] = [
        ShinglesOptions::default().into(),
        ChunksOptions::default().into(),
        SimhashOptions::default().into(),
        PassagesOptions::default().into(),
    ];
    for (number, lens) in lenses.into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        writer(&path).build(lens, vec![Input::documents([("first", "some words that are there")])], None).unwrap();
        for text in ["", " ", "rose", "rose is a rose is a rose is a"] {
            let checked = Index::open(&path, "").unwrap().check_document("page", text, &Resources::default());
            let changed = writer(&path).add(vec![Input::documents([("page", text)])], None).unwrap();
            assert_eq!(checked.is_err(), changed.left_out.contains("page"), "{number} {text:?}: {checked:?}");
            assert_eq!(checked.is_ok(), !text.trim().is_empty() || number == 1 && text == " ", "{number} {text:?}");
            let found = Index::open(&path, "").unwrap().find("page").unwrap();
            assert_eq!(found.is_empty(), checked.is_err(), "{number} {text:?}");
            writer(&path).remove(&["page".to_owned()], None).unwrap();
        }
    }
}
