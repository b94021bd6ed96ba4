//! An index answers as holding the fingerprint against that of every document would, however it came about.

use crate::tests::faults::flip;
use crate::tests::support::{Documents, jsonl, part_of, resources, writer};
use crate::*;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::lens::Lens;
use lookalike_core::simhash::{SimhashRecipe, Weight};
use lookalike_engine::lens::simhash::fingerprint::fingerprint;
use lookalike_engine::lens::simhash::idf::count;
use lookalike_engine::{Cancel, Error, ScanOptions, ShinglesOptions, Silent, SimhashOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

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

fn options(bits: u32) -> SimhashOptions {
    SimhashRecipe { bits, ..SimhashRecipe::default() }.into()
}

fn build(path: &Path, documents: &Documents, options: &SimhashOptions) -> Result<ChangeSummary, Error> {
    writer(path).build(options.clone(), jsonl(documents), None)
}

fn add(path: &Path, documents: &Documents) -> Result<ChangeSummary, Error> {
    writer(path).add(jsonl(documents), None)
}

fn remove(path: &Path, names: &[&str]) -> ChangeSummary {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    writer(path).remove(&names, None).unwrap()
}

/// The fingerprint of each document, without an index.
fn fingerprints<F: FingerprintBits>(documents: &Documents, options: &SimhashOptions) -> BTreeMap<String, F> {
    let mut fingerprints = BTreeMap::new();
    fingerprint(jsonl(documents), &ScanOptions::default(), options, (&Silent, &Cancel::default()), |made| {
        fingerprints.insert(made.id, made.fingerprint);
        Ok(())
    })
    .unwrap();
    fingerprints
}

fn within(distance: u32) -> QueryOptions {
    QueryOptions::from(SimhashQuery { distance }).with_limit(1000)
}

/// Asks for a text: the head, and what is near.
fn ask(index: &Index, id: &str, text: &str, options: &QueryOptions) -> Result<(SearchResult, SimhashMatches), Error> {
    let result = index.query(&Query::Text { id, text }, options)?;
    let matches = result.matches.simhash().expect("an index of fingerprints").clone();
    Ok((result, matches))
}

fn open(path: &Path) -> Index {
    Index::open(path, "").unwrap()
}

/// Asks for every document, and holds the answers against comparing with all that are `there`.
fn compare<F: FingerprintBits>(path: &Path, all: &Documents, there: &Documents, options: &SimhashOptions) {
    let index = open(path);
    let fingerprints = fingerprints::<F>(all, options);
    let mut distances = BTreeSet::new();
    for k in 0..=7 {
        for (name, text) in all {
            let (result, answer) = ask(&index, name, text, &within(k)).unwrap();
            assert_eq!(result.known, there.values().any(|other| other == text));
            assert_eq!((answer.found as usize, result.more), (answer.matches.len(), 0));
            let mut found: Vec<(u32, &str)> = Vec::new();
            for near in &answer.matches {
                found.extend(near.seen.iter().map(|seen| (near.distance, &*seen.url)));
            }
            assert!(answer.matches.is_sorted_by_key(|near| near.distance));
            assert!(!result.known || answer.matches[0].content == result.content, "the document itself comes first");
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
    let index = open(path);
    let text = |text: &String| serde_json::to_string(&ask(&index, "asked", text, &within(7)).unwrap().0).unwrap();
    documents.values().map(text).collect()
}

#[test]
fn however_it_came_about_it_answers_the_same() {
    let all = corpus(120);
    let part = |keep| part_of(&all, keep);
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
    add(&grown, &part(|at| at % 4 == 3)).unwrap();
    add(&grown, &stays).unwrap();
    let gone = part(|at| at % 4 == 3 || at == 0);
    remove(&grown, &gone.keys().map(String::as_str).collect::<Vec<_>>());
    compare::<u64>(&grown, &all, &stays.iter().skip(1).map(|(a, b)| (a.clone(), b.clone())).collect(), &options);
    // one that went comes back
    add(&grown, &part(|at| at == 0)).unwrap();
    assert!(open(&grown).info().unwrap().segments.len() > 1);
    assert_eq!(everything(&grown, &all), truth);
    writer(&grown).merge().unwrap();
    assert_eq!(everything(&grown, &all), truth);
    let info = open(&grown).info().unwrap();
    assert_eq!((info.segments.len(), info.lens, info.clusters), (1, Lens::Simhash, 0));

    let narrow = IndexWriter::new(&small).resources(resources(16 << 20, 1));
    narrow.build(options, jsonl(&stays), None).unwrap();
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
        let changed = if at == 0 { build(&path, &one, &options(64)) } else { add(&path, &one) }.unwrap();
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
    let index = open(&path);
    let near = |query: &Query<'_>, options: &QueryOptions| {
        let result = index.query(query, options).unwrap();
        (result.known, result.more, result.matches.simhash().unwrap().clone())
    };
    let (known, _, whole) = near(&Query::Url("d000"), &within(7));
    assert!(whole.found > 3 && known && whole.matches[0].seen.iter().any(|seen| seen.url == "d000"));
    let (_, more, few) = near(&Query::Url("d000"), &within(7).with_limit(2));
    assert_eq!((few.found, more), (whole.found, whole.found - 2));
    assert_eq!(few.matches, whole.matches[..2]);
    // the same words between other marks: another document with the same fingerprint
    let marks = all["d000"].replace(", ", " ").replace(' ', "; ");
    let (known, _, same) = near(&Query::Text { id: "new", text: &marks }, &within(0));
    assert!(!known && same.fingerprint == whole.fingerprint && same.found >= 1);
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
    let index = open(&path);
    let error = ask(&index, "asked", "?!", &within(3)).unwrap_err().to_string();
    assert!(error.contains("no words in it"), "{error}");
    assert!(ask(&index, "asked", "some words of a text", &within(0)).unwrap().0.known);
    // nothing but empty ones make no index
    let nothing = Documents::from([("none".to_owned(), String::new())]);
    assert!(build(&dir.path().join("other"), &nothing, &options(64)).is_err());
}

#[test]
fn what_it_is_not_made_for_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let [fingerprints, shingles, weighed] = ["fingerprints", "shingles", "weighed"].map(|name| dir.path().join(name));
    let all = corpus(5);
    let options = |bits: u32| options(bits);
    let keyed = || writer(&fingerprints).key("secret");
    keyed().build(options(64), jsonl(&all), None).unwrap();
    writer(&shingles).build(ShinglesOptions::default(), jsonl(&all), None).unwrap();
    assert_eq!((open(&fingerprints).lens(), open(&shingles).lens()), (Lens::Simhash, Lens::Shingles));
    let is_wrong_key = |error: Error| matches!(error, Error::WrongKey { .. });
    let is_wrong_idf = |error: Error| matches!(error, Error::Core(lookalike_core::Error::WrongIdf { .. }));

    assert!(is_wrong_key(Index::open(&fingerprints, "other").map(drop).unwrap_err()));
    assert!(is_wrong_key(add(&fingerprints, &all).unwrap_err()));
    let unkeyed = open(&fingerprints);
    assert!(is_wrong_key(ask(&unkeyed, "asked", &all["d000"], &within(3)).unwrap_err()));
    assert!(unkeyed.query(&Query::Url("d000"), &within(3)).unwrap().known, "what is kept needs no key");
    assert!(matches!(unkeyed.cluster(0), Err(Error::NotOfLens { lens: Lens::Simhash, .. })));
    assert!(matches!(unkeyed.changes(&ChangesOptions { threshold: 0.5 }), Err(Error::NotOfLens { .. })));

    let other = SimhashRecipe { weight: Weight::Binary, ..SimhashRecipe::default() };
    let refused = keyed().require(other).add(jsonl(&all), None);
    assert!(matches!(refused, Err(Error::WrongRecipe { .. })), "{refused:?}");
    assert_eq!(keyed().add(jsonl(&all), None).unwrap().unchanged, 5);
    let own = open(&fingerprints).recipe().clone();
    assert_eq!(keyed().require(own).add(jsonl(&all), None).unwrap().unchanged, 5);
    let index = Index::open(&fingerprints, "secret").unwrap();
    let unknown = index.query(&Query::Url("nobody"), &within(3));
    assert!(matches!(&unknown, Err(Error::Index { reason: lookalike_engine::IndexError::UnknownName { .. }, .. })));
    assert!(index.query(&Query::Url("d000"), &within(8)).is_err());
    for refused in
        [SimhashOptions { max_df: Some(3), ..options(64) }, SimhashOptions { length_ratio: Some(0.5), ..options(64) }]
    {
        let result = build(&dir.path().join("never"), &all, &refused);
        assert!(matches!(result, Err(Error::Conflict(..))), "{result:?}");
    }

    let table = dir.path().join("table.lki");
    let watch: (&dyn lookalike_engine::Progress, &Cancel) = (&Silent, &Cancel::default());
    count(jsonl(&all), &ScanOptions::default(), &options(64), (1000, &table), watch).unwrap();
    let heavy = options(64).with_idf(&table, "").unwrap();
    build(&weighed, &all, &heavy).unwrap();
    let idf = heavy.idf.clone().unwrap();
    assert!(is_wrong_idf(ask(&open(&weighed), "asked", &all["d003"], &within(0)).unwrap_err()));
    assert!(is_wrong_idf(add(&weighed, &all).unwrap_err()));
    assert_eq!(writer(&weighed).idf(idf.clone()).add(jsonl(&all), None).unwrap().unchanged, 5);
    let index = Index::open_with_idf(&weighed, "", idf.clone()).unwrap();
    assert!(ask(&index, "asked", &all["d003"], &within(0)).unwrap().1.found >= 1);
    assert!(is_wrong_idf(Index::open_with_idf(&fingerprints, "secret", idf).map(drop).unwrap_err()));
}

#[test]
fn no_flipped_byte_gives_a_wrong_answer() {
    let all = corpus(12);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all, &options(64)).unwrap();
    let answers = || -> Result<String, Error> {
        let index = Index::open(&path, "")?;
        let mut answers = String::new();
        for (name, text) in &all {
            answers += &serde_json::to_string(&index.query(&Query::Url(name), &within(7))?).unwrap();
            answers += &serde_json::to_string(&ask(&index, name, text, &within(3))?.0).unwrap();
        }
        Ok(answers)
    };
    let noticed = flip(&path, 7, 1, answers);
    assert!(noticed > 50, "{noticed}");
}
