//! Against an exact all-pairs twin: what is reported is true, and what is true is reported.

use crate::command::{lookalike, run, scan_json};
use crate::corpus;
use crate::dir::Dir;
use crate::words::{Random, line, overlap, sentences, shingles};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

const W: usize = 5;

/// Shingle sets with small numbers for shingles, so that all pairs take no time.
fn sets(documents: &[(String, String)]) -> BTreeMap<&str, HashSet<u32>> {
    let mut numbers: HashMap<Vec<String>, u32> = HashMap::new();
    let mut number = |shingle: Vec<String>| {
        let next = numbers.len() as u32;
        *numbers.entry(shingle).or_insert(next)
    };
    documents.iter().map(|(id, text)| (id.as_str(), shingles(text, W).into_iter().map(&mut number).collect())).collect()
}

fn true_pairs(documents: &[(String, String)], threshold: f64) -> BTreeMap<(String, String), [f64; 3]> {
    let sets: Vec<(&str, HashSet<u32>)> = sets(documents).into_iter().collect();
    let mut pairs = BTreeMap::new();
    for (at, (a, of_a)) in sets.iter().enumerate() {
        for (b, of_b) in &sets[at + 1..] {
            let found = overlap(of_a, of_b);
            if found[0] >= threshold {
                pairs.insert(((*a).to_owned(), (*b).to_owned()), found);
            }
        }
    }
    pairs
}

fn reported(documents: &[(String, String)], flags: &[&str]) -> BTreeMap<(String, String), [f64; 3]> {
    let dir = Dir::new();
    let (input, file) = (corpus::write(&dir, "corpus.jsonl", documents), dir.at("pairs.tsv"));
    run(lookalike(["scan", "-q", "-w", "5", "--threshold", "0.7", "--pairs"]).arg(&file).args(flags).arg(&input))
        .expect(0);
    let text = std::fs::read_to_string(&file).expect("pairs were written");
    let mut rows = text.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    assert_eq!(rows.next(), Some(vec!["a", "b", "resemblance", "a_in_b", "b_in_a"]));
    let mut pairs = BTreeMap::new();
    for row in rows {
        let number = |at: usize| row[at].parse::<f64>().expect("a number");
        let pair = (row[0].to_owned(), row[1].to_owned());
        assert!(pair.0 < pair.1, "the smaller id comes first: {pair:?}");
        assert!(pairs.insert(pair, [number(2), number(3), number(4)]).is_none(), "twice: {row:?}");
    }
    pairs
}

/// Short documents are sampled whole; these are long enough that the sample can err.
fn long_documents() -> Vec<(String, String)> {
    let mut random = Random(77);
    let mut documents = Vec::new();
    while documents.len() < 400 {
        let length = 150 + random.below(500);
        let words = random.words(length);
        documents.push(sentences(&words));
        for _ in 0..random.below(4) {
            let changes = random.below(length / 25);
            documents.push(sentences(&random.mutate(&words, changes)));
        }
    }
    documents.truncate(400);
    documents.into_iter().enumerate().map(|(at, text)| (format!("t{at:03}"), text)).collect()
}

#[track_caller]
fn agrees_with_the_truth(documents: &[(String, String)], flags: &[&str], recall: f64) {
    let (truth, reported) = (true_pairs(documents, 0.7), reported(documents, flags));
    for (pair, numbers) in &reported {
        assert_eq!(truth.get(pair), Some(numbers), "{pair:?} is reported with {numbers:?}");
    }
    let missed: Vec<_> = truth.iter().filter(|(pair, _)| !reported.contains_key(pair)).collect();
    let found = 1.0 - missed.len() as f64 / truth.len() as f64;
    assert!(truth.len() > 100, "only {} true pairs", truth.len());
    assert!(
        found >= recall,
        "{} of {} pairs are missing (recall {found:.3}), for example {:?}",
        missed.len(),
        truth.len(),
        &missed[..missed.len().min(4)]
    );
}

#[test]
fn pairs_of_long_documents() {
    agrees_with_the_truth(&long_documents(), &[], 0.99);
}

#[test]
fn pairs_of_a_mixed_corpus() {
    agrees_with_the_truth(&corpus::documents(400, 31), &[], 0.99);
}

/// Families with one changed word each: many have the same sketch, though not the same shingles.
#[test]
fn pairs_of_documents_with_the_same_sketch() {
    let mut random = Random(78);
    let mut documents = Vec::new();
    for family in 0..20 {
        let words = random.words(600);
        for at in 0..8 {
            documents.push((format!("{family:02}-{at}"), sentences(&random.mutate(&words, 1))));
        }
    }
    agrees_with_the_truth(&documents, &[], 0.99);
}

#[test]
fn pairs_with_mod_sketches() {
    agrees_with_the_truth(&long_documents(), &["--sketch", "mod:8"], 0.99);
}

#[test]
fn pairs_with_min_sketches() {
    agrees_with_the_truth(&long_documents(), &["--sketch", "min:100"], 0.99);
}

fn members(cluster: &Value) -> &Vec<Value> {
    cluster["members"].as_array().expect("a list")
}

#[test]
fn every_member_of_a_star_was_compared_with_its_representative() {
    let documents = [long_documents(), corpus::documents(400, 32)].concat();
    let dir = Dir::new();
    let input = corpus::write(&dir, "corpus.jsonl", &documents);
    let report =
        scan_json(["-w", "5", "--threshold", "0.6"].map(Into::into).into_iter().chain([input.into_os_string()]));
    let sets = sets(&documents);
    let (mut seen, mut near) = (HashSet::new(), 0);
    for cluster in report["clusters"].as_array().expect("a list") {
        let representative = cluster["representative"].as_str().expect("an id");
        assert!(seen.insert(representative.to_owned()), "{representative} is in two clusters");
        for member in members(cluster) {
            let id = member["id"].as_str().expect("an id");
            assert!(seen.insert(id.to_owned()), "{id} is in two clusters");
            let [resemblance, containment, contained_by] = overlap(&sets[id], &sets[representative]);
            assert!(resemblance >= 0.6, "{id} is under {representative} with {resemblance}");
            for (name, truth) in
                [("resemblance", resemblance), ("containment", containment), ("contained_by", contained_by)]
            {
                let number = member[name].as_f64().expect("a number");
                assert!((number - truth).abs() < 1e-12, "{name} of {id} to {representative}: {number}, not {truth}");
            }
            near += usize::from(member["class"] == "near");
        }
    }
    assert!(near > 50, "only {near} near members");
    // a document with a true partner of the highest resemblance is in some cluster
    let lonely: Vec<_> =
        true_pairs(&documents, 0.9).into_keys().filter(|(a, b)| !seen.contains(a) && !seen.contains(b)).collect();
    assert!(lonely.is_empty(), "in no cluster: {lonely:?}");
}

/// Windows over one long text, each resembling only its neighbours.
fn chain(links: usize) -> Vec<(String, String)> {
    let words = Random(3).words(2000);
    (0..links).map(|at| (format!("{}", (b'a' + at as u8) as char), sentences(&words[at * 60..at * 60 + 300]))).collect()
}

fn scan_chain(links: usize, linkage: &str) -> Value {
    let dir = Dir::new();
    let input: String = chain(links).iter().map(|(id, text)| line(id, text)).collect();
    let path = dir.write("chain.jsonl", input);
    scan_json(["-w", "5", "--linkage", linkage, path.to_str().expect("UTF-8")])
}

#[test]
fn a_chain_of_three() {
    let truth = true_pairs(&chain(3), 0.5);
    assert_eq!(truth.len(), 2, "a resembles b and b resembles c, but a does not resemble c");
    let report = scan_chain(3, "star");
    let clusters = report["clusters"].as_array().expect("a list");
    assert_eq!(clusters.len(), 1);
    assert_eq!(members(&clusters[0]).len(), 1, "what does not resemble the representative itself stays apart");
    assert!(members(&clusters[0]).iter().all(|m| m["class"] == "near"));
}

#[test]
fn a_long_chain() {
    let documents = chain(7);
    let sets = sets(&documents);
    let star = scan_chain(7, "star");
    for cluster in star["clusters"].as_array().expect("a list") {
        for member in members(cluster) {
            let id = |value: &Value| sets[value.as_str().expect("an id")].clone();
            assert!(overlap(&id(&member["id"]), &id(&cluster["representative"]))[0] >= 0.5, "{cluster}");
        }
    }
    assert!(star["clusters"].as_array().is_some_and(|c| c.len() >= 2), "a star does not follow the chain");
    let single = scan_chain(7, "single");
    assert_eq!(single["clusters"].as_array().map(Vec::len), Some(1));
    let cluster = &single["clusters"][0];
    assert_eq!(members(cluster).len(), 6, "the chain joins all");
    for member in members(cluster) {
        let id = |value: &Value| sets[value.as_str().expect("an id")].clone();
        let truth = overlap(&id(&member["id"]), &id(&cluster["representative"]))[0];
        assert!((member["resemblance"].as_f64().expect("verified") - truth).abs() < 1e-12, "{member}");
        assert_eq!(member["class"], if truth >= 0.5 { "near" } else { "chained" }, "{member}");
    }
}

#[test]
fn long_documents_with_dense_sketches() {
    // more common features than fit in sixteen bits
    let mut random = Random(8);
    let words = random.words(300_000);
    let copy = random.mutate(&words, 2000);
    let dir = Dir::new();
    let path = dir.write("long.jsonl", line("a", &sentences(&words)) + &line("b", &sentences(&copy)));
    for sketch in ["nested:100", "mod:1", "mod:2"] {
        let report = scan_json(["--sketch", sketch, path.to_str().expect("UTF-8")]);
        assert_eq!(report["summary"]["near"], 1, "{sketch}");
    }
}
