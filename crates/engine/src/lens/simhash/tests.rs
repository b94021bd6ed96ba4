//! The scan beside all pairs, one by one.

use crate::lens::simhash::fingerprint::fingerprint;
use crate::lens::simhash::options::{SimhashOptions, Verification};
use crate::report::cluster::{Class, Cluster};
use crate::report::policy::Policy;
use crate::testing::{Random, TestOptions};
use crate::{Cancel, CorpusOptions, Input, Keep, Report, ScanOptions, Silent};
use lookalike_core::cluster::Linkage;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_corpus::Body;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// A document of a test: id, category, text.
type TestDocument = (String, Option<String>, String);

fn words(random: &mut Random, n: usize) -> Vec<String> {
    (0..n).map(|_| format!("w{}", random.below(4000))).collect()
}

/// Families of near-copies of several lengths, copies, and documents without words.
fn corpus(seed: u64) -> Vec<TestDocument> {
    let mut random = Random(seed);
    let mut documents = Vec::new();
    for family in 0..25 {
        let words = words(&mut random, 120);
        for copy in 0..=random.below(7) {
            let mut words = words.clone();
            for _ in 0..random.below(3) {
                let at = random.below(words.len());
                words[at] = format!("x{}", random.below(9));
            }
            // some say everything twice: the same votes, another length
            let text = if random.below(4) == 0 { [words.clone(), words].concat() } else { words }.join(" ");
            let category = ["en", "de", ""][random.below(3)];
            let category = (!category.is_empty()).then(|| category.to_owned());
            documents.push((format!("f{family:02}-{copy}"), category.clone(), text.clone()));
            if random.below(4) == 0 {
                documents.push((format!("f{family:02}-{copy}-again"), category, text));
            }
        }
    }
    documents.push(("empty-1".into(), None, String::new()));
    documents.push(("empty-2".into(), None, String::new()));
    documents.push(("dots".into(), None, "… . …".into()));
    documents
}

fn stream(documents: &[TestDocument]) -> Vec<Input> {
    let line = |(id, category, text): &TestDocument| {
        let mut line = serde_json::json!({ "id": id, "text": text });
        if let Some(category) = category {
            line["lang"] = category.clone().into();
        }
        format!("{line}\n")
    };
    vec![Input::Stream(Box::new(Cursor::new(documents.iter().map(line).collect::<String>())))]
}

fn options(distance: u32, linkage: Linkage) -> TestOptions<SimhashOptions> {
    let lens = SimhashOptions { distance, linkage, ..SimhashOptions::default() };
    let mut options = TestOptions { lens, scan: ScanOptions::default() };
    options.scan.resources.memory = 64 << 20;
    options
}

fn by_category(options: &TestOptions<SimhashOptions>) -> TestOptions<SimhashOptions> {
    let category_field = Some("lang".into());
    options.with(|o| o.scan.corpus = CorpusOptions { category_field, ..CorpusOptions::default() })
}

fn verified(options: &TestOptions<SimhashOptions>) -> TestOptions<SimhashOptions> {
    let verify = Verification { recipe: ShingleRecipe::words(10), policy: Policy::default() };
    options.with(|o| o.verify = Some(verify))
}

fn scan(documents: &[TestDocument], options: &TestOptions<SimhashOptions>) -> Report {
    options.scanner().run(stream(documents)).unwrap().into_report()
}

/// The clusters as (representative, members with class and distance).
fn shown(report: &Report) -> ClusterMap {
    let members = |c: &Cluster| c.members.iter().map(|m| (m.id.clone(), m.class, m.distance.unwrap())).collect();
    report.clusters.iter().map(|cluster| (cluster.representative.clone(), members(cluster))).collect()
}

/// By representative: who is in it, why, and at what distance.
type ClusterMap = BTreeMap<String, BTreeSet<(String, Class, u32)>>;

/// The definition: pairs and clusters by looking at every two documents.
fn naive(documents: &[TestDocument], options: &TestOptions<SimhashOptions>) -> (u64, ClusterMap) {
    let mut fingerprints: BTreeMap<String, u64> = BTreeMap::new();
    let silent: (&Silent, &Cancel) = (&Silent, &Cancel::default());
    fingerprint::<u64>(stream(documents), &options.scan, &options.lens, (silent.0, silent.1), |fingerprint| {
        fingerprints.insert(fingerprint.id, fingerprint.fingerprint);
        Ok(())
    })
    .unwrap();
    let categories = options.scan.corpus.category_field.is_some();
    let category = |one: &TestDocument| if categories { one.1.clone() } else { None };
    let words = |one: &TestDocument| one.2.split_whitespace().count();
    let rank = |one: &TestDocument| {
        let tie_break = Body::Text((&*one.2).into()).content_id() as u32;
        let preference = match &options.scan.keep {
            Keep::Paths(globs) => globs.iter().position(|glob| one.0.ends_with(&glob[1..])).unwrap_or(globs.len()),
            _ => 0,
        };
        match options.scan.keep {
            Keep::First => (0, 0, 0, one.0.clone()),
            _ => (preference, usize::MAX - words(one), tie_break, one.0.clone()),
        }
    };
    // identical documents: the first in the order of representatives stands
    let mut copies: BTreeMap<(Option<String>, &str), Vec<&TestDocument>> = BTreeMap::new();
    for one in documents.iter().filter(|one| fingerprints.contains_key(&one.0)) {
        copies.entry((category(one), &one.2)).or_default().push(one);
    }
    for group in copies.values_mut() {
        group.sort_by_key(|one| rank(one));
    }
    let mut order: Vec<&TestDocument> = copies.values().map(|group| group[0]).collect();
    order.sort_by_key(|one| rank(one));
    let distance = |a: &TestDocument, b: &TestDocument| (fingerprints[&a.0] ^ fingerprints[&b.0]).count_ones();
    let linked = |a: &TestDocument, b: &TestDocument| {
        let (shorter, longer) = (words(a).min(words(b)) as f64, words(a).max(words(b)) as f64);
        category(a) == category(b)
            && distance(a, b) <= options.distance
            && options.length_ratio.is_none_or(|ratio| shorter >= ratio * longer)
    };
    let mut pairs = 0;
    for (at, a) in order.iter().enumerate() {
        pairs += order[at + 1..].iter().filter(|b| linked(a, b)).count() as u64;
    }
    let mut representative: Vec<Option<usize>> = vec![None; order.len()];
    for at in 0..order.len() {
        match options.linkage {
            Linkage::Star => {
                let before = (0..at).filter(|b| representative[*b].is_none() && linked(order[*b], order[at]));
                representative[at] = before.min_by_key(|before| (distance(order[*before], order[at]), *before));
            }
            Linkage::Single if representative[at].is_some() => {}
            Linkage::Single => {
                let mut reached = vec![at];
                while let Some(from) = reached.pop() {
                    for other in at + 1..order.len() {
                        if representative[other].is_none() && linked(order[from], order[other]) {
                            representative[other] = Some(at);
                            reached.push(other);
                        }
                    }
                }
            }
        }
    }
    let mut clusters = ClusterMap::new();
    for (at, one) in order.iter().enumerate() {
        let first = order[representative[at].unwrap_or(at)];
        for copy in &copies[&(category(one), &*one.2)] {
            if copy.0 == first.0 {
                continue;
            }
            let class = match (one.0 == first.0, linked(first, one)) {
                (true, _) => Class::Identical,
                (false, true) => Class::Near,
                (false, false) => Class::Chained,
            };
            clusters.entry(first.0.clone()).or_default().insert((copy.0.clone(), class, distance(first, one)));
        }
    }
    (pairs, clusters)
}

#[test]
fn as_all_pairs_say() {
    let (mut near, mut chained) = (0, 0);
    for seed in 0..4 {
        let documents = corpus(seed);
        for linkage in [Linkage::Star, Linkage::Single] {
            for (distance, length_ratio, categories) in
                [(3, None, false), (6, None, false), (6, Some(0.8), false), (7, Some(0.6), true), (7, None, true)]
            {
                let mut options = options(distance, linkage).with(|o| o.length_ratio = length_ratio);
                if categories {
                    options = by_category(&options);
                }
                let report = scan(&documents, &options);
                let (pairs, clusters) = naive(&documents, &options);
                let simhash = report.simhash().unwrap();
                assert_eq!(simhash.pairs, pairs, "{seed} {linkage:?} {distance} {length_ratio:?} {categories}");
                assert_eq!(shown(&report), clusters, "{seed} {linkage:?} {distance} {length_ratio:?} {categories}");
                assert_eq!(simhash.empty, 3);
                let summary = report.head.summary;
                (near, chained) = (near + summary.near, chained + summary.chained);
            }
        }
    }
    assert!(near > 100 && chained > 0, "{near} near, {chained} chained: the documents are too easy");
}

/// Documents of many lengths within few bits: lengths that do not fit, ties, and groups whose documents are offered one by one.
#[test]
fn every_document_is_offered_in_its_turn() {
    let mut clustered = 0;
    for seed in 20..28 {
        let mut random = Random(seed);
        let words = words(&mut random, 30);
        let mut documents = Vec::new();
        for at in 0..60 {
            let mut words = words.clone();
            for _ in 0..random.below(3) {
                let at = random.below(words.len());
                words[at] = format!("x{}", random.below(4));
            }
            // the same words again and again: the same votes, other lengths; dots make other bytes
            let times = 1 + random.below(6);
            let text = vec![words.join(" "); times].join(" ") + &".".repeat(random.below(4));
            documents.push((format!("d{at:02}"), None, text));
        }
        for (length_ratio, keep) in [
            (None, Keep::Longest),
            (Some(0.5), Keep::Longest),
            (Some(0.7), Keep::Longest),
            (Some(0.7), Keep::First),
            (None, Keep::First),
            (Some(0.5), Keep::Paths(vec!["*7".into(), "*3".into()])),
        ] {
            let options = options(7, Linkage::Star).with(|o| {
                (o.length_ratio, o.scan.keep) = (length_ratio, keep.clone());
                o.scan.resources.memory = 16 << 20;
            });
            let report = scan(&documents, &options);
            let (pairs, clusters) = naive(&documents, &options);
            assert_eq!(report.simhash().unwrap().pairs, pairs);
            assert_eq!(shown(&report), clusters, "{seed} {length_ratio:?} {keep:?}");
            clustered += report.head.summary.clustered;
        }
    }
    assert!(clustered > 1500, "{clustered}");
}

#[test]
fn the_same_whatever_the_threads_the_memory_or_the_order() {
    let documents = corpus(9);
    let mut backwards = documents.clone();
    backwards.reverse();
    for verify in [false, true] {
        for linkage in [Linkage::Star, Linkage::Single] {
            let base = by_category(&options(7, linkage)).with(|o| o.length_ratio = Some(0.5));
            let base = if verify { verified(&base) } else { base };
            let json = |documents: &[TestDocument], threads: usize, memory: u64| {
                let options = base.with(|o| {
                    (o.scan.resources.threads, o.scan.resources.memory) = (threads, memory);
                });
                serde_json::to_string(&scan(documents, &options)).unwrap()
            };
            let once = json(&documents, 1, 64 << 20);
            assert_eq!(json(&documents, 3, 16 << 20), once);
            assert_eq!(json(&backwards, 2, 1 << 30), once);
        }
    }
}

#[test]
fn verified_pairs_are_those_that_resemble() {
    let mut documents = corpus(5);
    // the same words the other way round: the same votes, no shingle shared
    for (id, _, text) in documents.clone().into_iter().filter(|one| one.0.ends_with("-0")) {
        let backwards: Vec<&str> = text.split(' ').rev().collect();
        documents.push((id.replace('f', "r"), None, backwards.join(" ")));
    }
    let wide = verified(&options(7, Linkage::Star)).with(|o| o.recipe.ngrams = "1".parse().unwrap());
    let report = scan(&documents, &wide);
    let simhash = report.simhash().unwrap();
    let verified = simhash.verified.as_ref().unwrap();
    assert_eq!((verified.compared, verified.not_compared), (simhash.pairs, 0));
    assert!(verified.confirmed > 0 && verified.confirmed < verified.compared, "{verified:?}");
    assert_eq!(verified.precision, Some(verified.confirmed as f64 / verified.compared as f64));
    for member in report.clusters.iter().flat_map(|cluster| &cluster.members) {
        assert!(member.resemblance.unwrap() >= 0.5 && member.distance.is_some(), "{member:?}");
    }
    let family = |id: &str| id[..3].to_owned();
    for cluster in &report.clusters {
        assert!(cluster.members.iter().all(|m| family(&m.id) == family(&cluster.representative)), "{cluster:?}");
    }
}

/// Which pairs of one fingerprint are compared is the same in whatever order they come.
#[test]
fn what_very_many_have_is_paired_with_the_first() {
    // one fingerprint, other bytes: the same words with other dots
    let documents: Vec<TestDocument> = (0..300)
        .map(|at| (format!("d{at:03}"), None, format!("some words of a page that has ten of them{}", ".".repeat(at))))
        .collect();
    let report = scan(&documents, &options(3, Linkage::Star));
    assert_eq!((report.clusters.len(), report.head.summary.near), (1, 299));
    assert_eq!(report.simhash().unwrap().pairs, 300 * 299 / 2);
    let options = verified(&options(3, Linkage::Star));
    let report = scan(&documents, &options);
    let verified = report.simhash().unwrap().verified.clone().unwrap();
    assert_eq!((report.clusters.len(), report.head.summary.near), (1, 299));
    // each with the first 64 before it
    assert_eq!((verified.not_compared, verified.precision), (236 * 235 / 2, Some(1.0)));
    let backwards: Vec<TestDocument> = documents.into_iter().rev().collect();
    let again = scan(&backwards, &options);
    assert_eq!(serde_json::to_string(&again).unwrap(), serde_json::to_string(&report).unwrap());
}

/// Pages of a few words vote with a few features: near fingerprints say nothing of them.
#[test]
fn too_few_words_are_listed_and_not_paired() {
    let short = "Redirecting to the page that has it now in full";
    let (short, long) = (&short[..short.len() - " full".len()], short);
    // the same votes, other bytes; c is a copy of a
    let texts = [("a", short, ""), ("b", short, "."), ("c", short, ""), ("d", long, ""), ("e", long, ".")];
    let documents: Vec<TestDocument> =
        texts.map(|(id, text, dot)| (id.to_owned(), None, format!("{text}{dot}"))).into();
    let clusters = |report: &Report| -> BTreeSet<BTreeSet<String>> {
        let ids = |(first, members): (String, BTreeSet<(String, Class, u32)>)| {
            members.into_iter().map(|(id, ..)| id).chain([first]).collect()
        };
        shown(report).into_iter().map(ids).collect()
    };
    let sets = |sets: &[&str]| sets.iter().map(|ids| ids.chars().map(String::from).collect()).collect();
    let usual = options(3, Linkage::Star);
    let report = scan(&documents, &usual);
    assert_eq!(clusters(&report), sets(&["ac", "de"]), "equal bytes are equal, however few");
    assert_eq!((report.simhash().unwrap().min_words, report.simhash().unwrap().pairs), (10, 1));
    let skipped: Vec<_> = report.skipped.iter().map(|skip| (skip.id.as_str(), skip.reason.as_str())).collect();
    assert_eq!(skipped, ["a", "b", "c"].map(|id| (id, "too little text: 9 words, at least 10 are compared")));
    let any = scan(&documents, &usual.with(|o| o.min_words = 0));
    assert!(clusters(&any).iter().any(|ids| ids.contains("a") && ids.contains("b")), "{:?}", clusters(&any));
    assert!(any.skipped.is_empty());
}

/// What is said of pairs that nobody checked was measured with what was asked for, or is not said.
#[test]
fn only_the_defaults_were_measured() {
    let documents = corpus(3);
    let measured = |options: &TestOptions<SimhashOptions>| scan(&documents, options).simhash().unwrap().measured;
    let usual = options(3, Linkage::Star);
    let told = measured(&usual).unwrap();
    assert!(told.confirmed <= told.pairs && told.pairs > 0);
    assert!(measured(&verified(&usual)).is_none());
    assert!(measured(&options(4, Linkage::Star)).is_none());
    assert!(measured(&usual.with(|o| o.recipe.weight = "tf".parse().unwrap())).is_none());
}

/// Pages that differ in a word have many fingerprints, all near each other.
#[test]
fn a_crowd_is_compared_with_its_representatives() {
    let words = "a page of some two dozen words which are the same on all of them but for the very last one that is never the same twice namely";
    let page = |at: usize| format!("{words} w{at}x");
    for n in [200, 400] {
        let documents: Vec<TestDocument> = (0..n).map(|at| (format!("d{at:03}"), None, page(at))).collect();
        let wide = verified(&options(7, Linkage::Star)).with(|o| o.recipe.ngrams = "1".parse().unwrap());
        let report = scan(&documents, &wide);
        let simhash = report.simhash().unwrap();
        let verified = simhash.verified.as_ref().unwrap();
        assert!(simhash.fingerprints > 10 && simhash.pairs > 64 * n as u64, "{simhash:?}");
        assert!(verified.compared <= 64 * n as u64, "{verified:?}");
        assert_eq!(verified.compared + verified.not_compared, simhash.pairs);
        assert!(report.head.summary.near * 10 > n as u64 * 9, "{:?}", report.head.summary);
    }
}
