//! An index answers as holding the fingerprint against that of every document would, however it came about.

use crate::index;
use crate::lens::simhash::{SimhashIndex, SimhashQuery};
use crate::tests::faults::flip;
use crate::{Cancel, Error, ScanOptions, Silent};
use crate::{ChangeSummary, Index, Lens, lens};
use lookalike_core::bits::FingerprintBits;
use lookalike_engine::lens::shingles::scan::tests::jsonl;
use lookalike_engine::lens::simhash;
use lookalike_engine::lens::simhash::{Options, SimhashRecipe, Weight};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Documents = BTreeMap<String, String>;

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % most
    }
}

/// Words without meaning; most documents are earlier ones with a few words changed, and some the same words between other marks.
fn corpus(documents: usize) -> Documents {
    let mut numbers = Numbers(11);
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut texts = Documents::new();
    for at in 0..documents {
        let mut words: Vec<usize> = match all.get(numbers.below(all.len() * 4 / 3 + 1)) {
            Some(other) => other.clone(),
            None => (0..200).map(|_| numbers.below(3000)).collect(),
        };
        for _ in 0..numbers.below(4) {
            let place = numbers.below(words.len());
            words[place] = numbers.below(3000);
        }
        let word = |word: &usize| format!("w{word}");
        let between = if numbers.below(2) == 0 { " " } else { ", " };
        texts.insert(format!("d{at:03}"), words.iter().map(word).collect::<Vec<_>>().join(between));
        all.push(words);
    }
    texts
}

fn options(bits: u32) -> Options {
    let scan = ScanOptions { memory: 64 << 20, threads: 2, ..ScanOptions::default() };
    Options { scan, recipe: SimhashRecipe { bits, ..SimhashRecipe::default() }, ..Options::default() }
}

fn build(path: &Path, documents: &Documents, options: &Options) -> Result<ChangeSummary, Error> {
    index::build_simhash(path, jsonl(documents, false), None, options, &Silent, &Cancel::default())
}

fn add(path: &Path, documents: &Documents, options: &Options) -> Result<ChangeSummary, Error> {
    index::add_simhash(path, jsonl(documents, false), None, options, &Silent, &Cancel::default())
}

fn remove(path: &Path, names: &[&str]) -> ChangeSummary {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    index::remove(path, &names, None, &ScanOptions::default(), &Silent, &Cancel::default()).unwrap()
}

/// The fingerprint of each document, without an index.
fn fingerprints<F: FingerprintBits>(documents: &Documents, options: &Options) -> BTreeMap<String, F> {
    let mut fingerprints = BTreeMap::new();
    simhash::fingerprint(jsonl(documents, false), options, &Silent, &Cancel::default(), |fingerprint| {
        fingerprints.insert(fingerprint.id, fingerprint.fingerprint);
        Ok(())
    })
    .unwrap();
    fingerprints
}

const fn within(k: u32) -> SimhashQuery {
    SimhashQuery { k, limit: 1000 }
}

/// Asks for every document, and holds the answers against comparing with all that are `there`.
fn compare<F: FingerprintBits>(path: &Path, all: &Documents, there: &Documents, options: &Options) {
    let index = SimhashIndex::open(path, "", None).unwrap();
    let fingerprints = fingerprints::<F>(all, options);
    let mut distances = BTreeSet::new();
    for k in 0..=7 {
        for (name, text) in all {
            let answer = index.query_text(name, text, &within(k)).unwrap();
            assert_eq!(answer.known, there.values().any(|other| other == text));
            assert_eq!((answer.found as usize, answer.more), (answer.matches.len(), 0));
            let mut found: Vec<(u32, &str)> = Vec::new();
            for near in &answer.matches {
                found.extend(near.seen.iter().map(|seen| (near.distance, &*seen.url)));
            }
            assert!(answer.matches.is_sorted_by_key(|near| near.distance));
            assert!(!answer.known || answer.matches[0].content == answer.content, "the document itself comes first");
            let distance = |other: &String| fingerprints[name].distance(fingerprints[other]);
            let mut truth: Vec<(u32, &str)> =
                there.keys().map(|other| (distance(other), &**other)).filter(|(distance, _)| *distance <= k).collect();
            truth.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, truth, "{name}, k = {k}");
            distances.extend(truth.iter().map(|near| near.0));
        }
    }
    assert!(distances.len() >= 6, "near-copies of many distances: {distances:?}");
}

#[test]
fn what_comparing_with_every_document_would_find_is_found() {
    let all = corpus(150);
    let dir = tempfile::tempdir().unwrap();
    for bits in [64, 128] {
        let path = dir.path().join(bits.to_string());
        let changed = build(&path, &all, &options(bits)).unwrap();
        assert_eq!(changed.read, 150);
        if bits == 64 {
            compare::<u64>(&path, &all, &all, &options(bits));
        } else {
            compare::<u128>(&path, &all, &all, &options(bits));
        }
    }
}

/// All that can be asked of an index about these documents.
fn everything(path: &Path, documents: &Documents) -> Vec<String> {
    let index = SimhashIndex::open(path, "", None).unwrap();
    let text = |text: &String| serde_json::to_string(&index.query_text("asked", text, &within(7)).unwrap()).unwrap();
    documents.values().map(text).collect()
}

#[test]
fn however_it_came_about_it_answers_the_same() {
    let all = corpus(120);
    let part = |keep: fn(usize) -> bool| -> Documents {
        let kept = all.iter().enumerate().filter(|(at, _)| keep(*at));
        kept.map(|(_, (name, text))| (name.clone(), text.clone())).collect()
    };
    let options = options(64);
    let dir = tempfile::tempdir().unwrap();
    let [whole, grown, small] = ["whole", "grown", "small"].map(|name| dir.path().join(name));
    let stays = part(|at| at % 4 != 3);
    build(&whole, &stays, &options).unwrap();
    let truth = everything(&whole, &all);

    let mut first = part(|at| at % 2 == 0);
    // a document that will get another text
    first.insert("d001".into(), "nothing of this stays".into());
    build(&grown, &first, &options).unwrap();
    add(&grown, &part(|at| at % 4 == 3), &options).unwrap();
    add(&grown, &stays, &options).unwrap();
    let gone = part(|at| at % 4 == 3 || at == 0);
    remove(&grown, &gone.keys().map(String::as_str).collect::<Vec<_>>());
    compare::<u64>(&grown, &all, &stays.iter().skip(1).map(|(a, b)| (a.clone(), b.clone())).collect(), &options);
    // one that went comes back
    add(&grown, &part(|at| at == 0), &options).unwrap();
    assert!(SimhashIndex::open(&grown, "", None).unwrap().index().info().unwrap().segments.len() > 1);
    assert_eq!(everything(&grown, &all), truth);
    index::merge(&grown, &options.scan, &Silent, &Cancel::default()).unwrap();
    assert_eq!(everything(&grown, &all), truth);
    let info = SimhashIndex::open(&grown, "", None).unwrap().index().info().unwrap();
    assert_eq!((info.segments.len(), info.lens, info.clusters), (1, "simhash", 0));

    let narrow = Options { scan: ScanOptions { memory: 16 << 20, threads: 1, ..options.scan.clone() }, ..options };
    build(&small, &stays, &narrow).unwrap();
    let bytes = |path: &Path| fs::read(path.join("000001.seg")).unwrap();
    assert!(bytes(&small) == bytes(&whole), "neither threads nor memory show");
}

#[test]
fn many_small_commits_are_merged_by_themselves() {
    let all = corpus(40);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let mut merged = 0;
    for (at, (name, text)) in all.iter().enumerate() {
        let one = Documents::from([(name.clone(), text.clone())]);
        let changed = if at == 0 { build(&path, &one, &options(64)) } else { add(&path, &one, &options(64)) }.unwrap();
        merged += changed.merged;
    }
    assert!(merged >= 8);
    compare::<u64>(&path, &all, &all, &options(64));
}

#[test]
fn the_nearest_are_listed_and_all_are_counted() {
    let all = corpus(80);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all, &options(64)).unwrap();
    let index = SimhashIndex::open(&path, "", None).unwrap();
    let whole = index.query_url("d000", &within(7)).unwrap();
    assert!(whole.found > 3 && whole.known && whole.matches[0].seen.iter().any(|seen| seen.url == "d000"));
    let few = index.query_url("d000", &SimhashQuery { k: 7, limit: 2 }).unwrap();
    assert_eq!((few.found, few.more), (whole.found, whole.found - 2));
    assert_eq!(few.matches, whole.matches[..2]);
    // the same words between other marks: another document with the same fingerprint
    let marks = all["d000"].replace(", ", " ").replace(' ', "; ");
    let same = index.query_text("new", &marks, &within(0)).unwrap();
    assert!(!same.known && same.fingerprint == whole.fingerprint && same.found >= 1);
}

#[test]
fn empty_documents_are_told_and_not_entered() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let documents = [("full", "some words of a text"), ("marks", "?! …"), ("none", "")];
    let documents: Documents = documents.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let changed = build(&path, &documents, &options(64)).unwrap();
    assert_eq!((changed.read, changed.added, changed.skipped.len()), (1, 1, 2));
    assert!(changed.skipped.iter().all(|skip| skip.kind == "empty"), "{changed:?}");
    let index = SimhashIndex::open(&path, "", None).unwrap();
    let error = index.query_text("asked", "?!", &within(3)).unwrap_err().to_string();
    assert!(error.contains("no words in it"), "{error}");
    assert!(index.query_text("asked", "some words of a text", &within(0)).unwrap().known);
    // nothing but empty ones make no index
    let nothing = Documents::from([("none".to_owned(), String::new())]);
    assert!(build(&dir.path().join("other"), &nothing, &options(64)).is_err());
}

#[test]
fn what_it_is_not_made_for_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let [fingerprints, shingles, weighed] = ["fingerprints", "shingles", "weighed"].map(|name| dir.path().join(name));
    let all = corpus(5);
    let keyed = options(64).with_key("secret");
    build(&fingerprints, &all, &keyed).unwrap();
    let scan = ScanOptions::default();
    index::build(&shingles, jsonl(&all, false), None, &scan, &Silent, &Cancel::default()).unwrap();
    assert_eq!((lens(&fingerprints).unwrap(), lens(&shingles).unwrap()), (Lens::Simhash, Lens::Shingles));
    let refused = |result: Result<(), Error>, why: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    let open = |path: &Path, key: &str| SimhashIndex::open(path, key, None).map(drop);
    refused(Index::open(&fingerprints, "secret").map(drop), "has fingerprints, not shingles");
    refused(index::PassageIndex::open(&fingerprints, "secret").map(drop), "has fingerprints, not passages");
    refused(open(&shingles, ""), "has shingles, not fingerprints");
    refused(open(&fingerprints, ""), "give that key with --key");
    refused(open(&fingerprints, "other"), "give that key with --key");
    refused(add(&fingerprints, &all, &options(64)).map(drop), "give that key with --key");
    refused(add(&shingles, &all, &options(64)).map(drop), "--lens simhash");
    let mut other = keyed.clone();
    other.recipe.weight = Weight::Binary;
    refused(add(&fingerprints, &all, &other).map(drop), "has another recipe");
    refused(add(&fingerprints, &all, &options(128).with_key("secret")).map(drop), "has another recipe");
    assert_eq!(add(&fingerprints, &all, &keyed).unwrap().unchanged, 5);
    // what reads by the index's own recipe needs only the key
    let scan = ScanOptions { key: "secret".into(), ..scan };
    let plain = index::add(&fingerprints, jsonl(&all, false), None, &scan, &Silent, &Cancel::default()).unwrap();
    assert_eq!(plain.unchanged, 5);
    let index = SimhashIndex::open(&fingerprints, "secret", None).unwrap();
    refused(index.query_url("nobody", &within(3)).map(drop), "never seen");
    refused(index.query_url("d000", &within(8)).map(drop), "at most 7, found 8");

    let table = dir.path().join("table.lki");
    simhash::count(jsonl(&all, false), &options(64), 1000, &table, &Silent, &Cancel::default()).unwrap();
    let candidates = options(64).with_idf(&table).unwrap();
    build(&weighed, &all, &candidates).unwrap();
    refused(open(&weighed, ""), "give that file with --idf");
    refused(add(&weighed, &all, &options(64)).map(drop), "give that file with --idf");
    assert_eq!(add(&weighed, &all, &candidates).unwrap().unchanged, 5);
    let index = SimhashIndex::open(&weighed, "", candidates.idf.clone()).unwrap();
    assert!(index.query_text("asked", &all["d003"], &within(0)).unwrap().found >= 1);
    refused(SimhashIndex::open(&fingerprints, "secret", candidates.idf).map(drop), "leave out --idf");
}

#[test]
fn no_flipped_byte_gives_a_wrong_answer() {
    let all = corpus(12);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all, &options(64)).unwrap();
    let ask = || -> Result<String, Error> {
        let index = SimhashIndex::open(&path, "", None)?;
        let mut answers = String::new();
        for (name, text) in &all {
            answers += &serde_json::to_string(&index.query_url(name, &within(7))?).unwrap();
            answers += &serde_json::to_string(&index.query_text(name, text, &within(3))?).unwrap();
        }
        Ok(answers)
    };
    let noticed = flip(&path, 7, 1, ask);
    assert!(noticed > 50, "{noticed}");
}
