//! The scan beside all pairs, one by one.

use super::super::{Options, fingerprint};
use super::{Question, scan};
use crate::{Cancel, Class, CorpusOptions, Input, Linkage, Policy, Report, ScanOptions, Silent};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// A document of a test: id, category, text.
type Made = (String, Option<String>, String);

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn words(&mut self, n: usize) -> Vec<String> {
        (0..n).map(|_| format!("w{}", self.below(4000))).collect()
    }
}

/// Families of near-copies of several lengths, copies, and documents without words.
fn documents(seed: u64) -> Vec<Made> {
    let mut random = Random(seed);
    let mut made = Vec::new();
    for family in 0..25 {
        let words = random.words(120);
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
            made.push((format!("f{family:02}-{copy}"), category.clone(), text.clone()));
            if random.below(4) == 0 {
                made.push((format!("f{family:02}-{copy}-again"), category, text));
            }
        }
    }
    made.push(("empty-1".into(), None, String::new()));
    made.push(("empty-2".into(), None, String::new()));
    made.push(("dots".into(), None, "… . …".into()));
    made
}

fn stream(made: &[Made]) -> Vec<Input> {
    let line = |(id, category, text): &Made| {
        let mut line = serde_json::json!({ "id": id, "text": text });
        if let Some(category) = category {
            line["lang"] = category.clone().into();
        }
        format!("{line}\n")
    };
    vec![Input::Stream(Box::new(Cursor::new(made.iter().map(line).collect::<String>())))]
}

fn question(k: u32, linkage: Linkage) -> Question {
    let scan =
        ScanOptions { policy: Policy { linkage, ..Policy::default() }, memory: 64 << 20, ..ScanOptions::default() };
    Question { options: Options { scan, ..Options::default() }, k, ..Question::default() }
}

fn by_category(mut question: Question) -> Question {
    question.options.scan.corpus = CorpusOptions { category_field: Some("lang".into()), ..CorpusOptions::default() };
    question
}

fn found(made: &[Made], question: &Question) -> Report {
    scan(stream(made), question, &Silent, &Cancel::default()).unwrap().report
}

/// The clusters as (representative, members with class and distance).
fn told(report: &Report) -> BTreeMap<String, BTreeSet<(String, Class, u32)>> {
    let members = |c: &crate::Cluster| c.members.iter().map(|m| (m.id.clone(), m.class, m.distance.unwrap())).collect();
    report.clusters.iter().map(|cluster| (cluster.representative.clone(), members(cluster))).collect()
}

/// By representative: who is in it, why, and at what distance.
type Clusters = BTreeMap<String, BTreeSet<(String, Class, u32)>>;

/// The definition: pairs and clusters by looking at every two documents.
fn naive(made: &[Made], question: &Question) -> (u64, Clusters) {
    let mut fingerprints: BTreeMap<String, u64> = BTreeMap::new();
    fingerprint::<u64>(stream(made), &question.options, &Silent, &Cancel::default(), |fingerprint| {
        fingerprints.insert(fingerprint.id, fingerprint.fingerprint);
        Ok(())
    })
    .unwrap();
    let categories = question.options.scan.corpus.category_field.is_some();
    let category = |made: &Made| if categories { made.1.clone() } else { None };
    // identical documents: the first by id stands
    let mut copies: BTreeMap<(Option<String>, &str), Vec<&Made>> = BTreeMap::new();
    for one in made.iter().filter(|one| fingerprints.contains_key(&one.0)) {
        copies.entry((category(one), &one.2)).or_default().push(one);
    }
    for group in copies.values_mut() {
        group.sort();
    }
    let standing: Vec<&Made> = copies.values().map(|group| group[0]).collect();
    let words = |one: &Made| one.2.split_whitespace().count();
    let distance = |a: &Made, b: &Made| (fingerprints[&a.0] ^ fingerprints[&b.0]).count_ones();
    let near = |a: &Made, b: &Made| category(a) == category(b) && distance(a, b) <= question.k;
    let fits = |a: &Made, b: &Made| {
        let (a, b) = (words(a) as f64, words(b) as f64);
        question.length_ratio.is_none_or(|ratio| a.min(b) >= ratio * a.max(b))
    };
    let linked = |a: &Made, b: &Made| near(a, b) && fits(a, b);
    let mut pairs = 0;
    for (at, a) in standing.iter().enumerate() {
        pairs += standing[at + 1..].iter().filter(|b| linked(a, b)).count() as u64;
    }
    // groups of one fingerprint and category, by how many they are near; in a group the longest first
    let mut groups: BTreeMap<(Option<String>, u64), Vec<&Made>> = BTreeMap::new();
    for one in &standing {
        groups.entry((category(one), fingerprints[&one.0])).or_default().push(one);
    }
    let mut ranked: Vec<Vec<&Made>> = groups.into_values().collect();
    for group in &mut ranked {
        group.sort_by_key(|one| (usize::MAX - words(one), one.0.clone()));
    }
    ranked.sort_by_key(|group| {
        let degree = standing.iter().filter(|other| near(group[0], other)).count();
        (usize::MAX - degree, usize::MAX - words(group[0]), group[0].0.clone())
    });
    let order: Vec<&Made> = ranked.concat();
    let mut leader: Vec<Option<usize>> = vec![None; order.len()];
    for lead in 0..order.len() {
        match question.options.scan.policy.linkage {
            Linkage::Star | Linkage::Single if leader[lead].is_some() => {}
            Linkage::Star => {
                for other in lead + 1..order.len() {
                    if leader[other].is_none() && linked(order[lead], order[other]) {
                        leader[other] = Some(lead);
                    }
                }
            }
            Linkage::Single => {
                let mut reached = vec![lead];
                while let Some(at) = reached.pop() {
                    for other in lead + 1..order.len() {
                        if leader[other].is_none() && linked(order[at], order[other]) {
                            leader[other] = Some(lead);
                            reached.push(other);
                        }
                    }
                }
            }
        }
    }
    let mut clusters: BTreeMap<String, BTreeSet<(String, Class, u32)>> = BTreeMap::new();
    for (at, one) in order.iter().enumerate() {
        let lead = order[leader[at].unwrap_or(at)];
        for copy in &copies[&(category(one), &*one.2)] {
            if copy.0 == lead.0 {
                continue;
            }
            let class = match (one.0 == lead.0, linked(lead, one)) {
                (true, _) => Class::Identical,
                (false, true) => Class::Near,
                (false, false) => Class::Chained,
            };
            clusters.entry(lead.0.clone()).or_default().insert((copy.0.clone(), class, distance(lead, one)));
        }
    }
    (pairs, clusters)
}

#[test]
fn as_all_pairs_say() {
    let (mut near, mut chained) = (0, 0);
    for seed in 0..4 {
        let made = documents(seed);
        for linkage in [Linkage::Star, Linkage::Single] {
            for (k, length_ratio, categories) in
                [(3, None, false), (6, None, false), (6, Some(0.8), false), (7, Some(0.6), true), (7, None, true)]
            {
                let mut question = Question { length_ratio, ..question(k, linkage) };
                if categories {
                    question = by_category(question);
                }
                let report = found(&made, &question);
                let (pairs, clusters) = naive(&made, &question);
                let simhash = report.simhash.as_ref().unwrap();
                assert_eq!(simhash.pairs, pairs, "{seed} {linkage:?} {k} {length_ratio:?} {categories}");
                assert_eq!(told(&report), clusters, "{seed} {linkage:?} {k} {length_ratio:?} {categories}");
                assert_eq!(simhash.empty, 3);
                (near, chained) = (near + report.summary.near, chained + report.summary.chained);
            }
        }
    }
    assert!(near > 100 && chained > 0, "{near} near, {chained} chained: the documents are too easy");
}

#[test]
fn the_same_whatever_the_threads_the_memory_or_the_order() {
    let made = documents(9);
    let mut backwards = made.clone();
    backwards.reverse();
    for verify in [false, true] {
        for linkage in [Linkage::Star, Linkage::Single] {
            let base = Question { verify, length_ratio: Some(0.5), ..by_category(question(7, linkage)) };
            let json = |made: &[Made], threads: usize, memory: u64| {
                let mut question = base.clone();
                (question.options.scan.threads, question.options.scan.memory) = (threads, memory);
                serde_json::to_string(&found(made, &question)).unwrap()
            };
            let once = json(&made, 1, 64 << 20);
            assert_eq!(json(&made, 3, 16 << 20), once);
            assert_eq!(json(&backwards, 2, 1 << 30), once);
        }
    }
}

#[test]
fn verified_pairs_are_those_that_resemble() {
    let mut made = documents(5);
    // the same words the other way round: the same votes, no shingle in common
    for (id, _, text) in made.clone().into_iter().filter(|one| one.0.ends_with("-0")) {
        let backwards: Vec<&str> = text.split(' ').rev().collect();
        made.push((id.replace('f', "r"), None, backwards.join(" ")));
    }
    let mut wide = Question { verify: true, ..question(7, Linkage::Star) };
    wide.options.recipe.ngrams = "1".parse().unwrap();
    let report = found(&made, &wide);
    let simhash = report.simhash.as_ref().unwrap();
    let verified = simhash.verified.as_ref().unwrap();
    assert_eq!((verified.compared, verified.crowded), (simhash.pairs, 0));
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

#[test]
fn a_crowd_is_paired_with_its_first() {
    // one fingerprint, other bytes: the same words with other dots
    let made: Vec<Made> =
        (0..300).map(|at| (format!("d{at:03}"), None, format!("some words of a page{}", ".".repeat(at)))).collect();
    let report = found(&made, &question(3, Linkage::Star));
    assert_eq!((report.clusters.len(), report.summary.near), (1, 299));
    assert_eq!(report.simhash.as_ref().unwrap().pairs, 300 * 299 / 2);
    let report = found(&made, &Question { verify: true, ..question(3, Linkage::Star) });
    let verified = report.simhash.as_ref().unwrap().verified.clone().unwrap();
    assert_eq!((report.clusters.len(), report.summary.near), (1, 299));
    // the last 44 were not paired among themselves
    assert_eq!((verified.crowded, verified.precision), (44 * 43 / 2, Some(1.0)));
}
