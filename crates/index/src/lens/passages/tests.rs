//! An index answers as comparing with every document would, however it came about, and says so when it cannot.

use crate::tests::faults::flip;
use crate::tests::support::{Documents, jsonl, part_of, resources, writer};
use crate::*;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::{PassageRecipe, Reading};
use lookalike_engine::{Error, IndexError, ShinglesOptions};
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

/// Letters without meaning, and stretches of all lengths that documents took from those before them.
fn corpus(documents: usize) -> Documents {
    let mut numbers = Numbers(7);
    let mut all: Vec<String> = Vec::new();
    for _ in 0..documents {
        let mut text = String::new();
        while text.len() < 200 {
            match all.get(numbers.below(all.len() * 3 + 1)).filter(|other| !other.is_empty()) {
                Some(other) => {
                    let from = numbers.below(other.len());
                    let to = (from + 3 + numbers.below(40)).min(other.len());
                    text.push_str(&other[from..to]);
                }
                None => (0..30).for_each(|_| text.push(char::from(b'a' + numbers.below(20) as u8))),
            }
        }
        all.push(text);
    }
    all.into_iter().enumerate().map(|(at, text)| (format!("d{at:03}"), text)).collect()
}

const K: u32 = 8;
const T: u32 = 12;

fn recipe() -> PassageRecipe {
    PassageRecipe::new(&Reading::Bytes, Some(K), Some(T)).unwrap()
}

fn build(path: &Path, documents: &Documents) -> Result<ChangeSummary, Error> {
    writer(path).build(lookalike_core::recipe::Recipe::from(recipe()), jsonl(documents), None)
}

fn add(path: &Path, documents: &Documents) -> Result<ChangeSummary, Error> {
    writer(path).add(jsonl(documents), None)
}

/// Everything that shares something.
fn all_with(guarantee: Option<u32>) -> QueryOptions {
    QueryOptions::from(PassagesQuery { guarantee, min_similarity: Some(0.0) }).with_limit(1000)
}

fn open(path: &Path) -> Index {
    Index::open(path, "").unwrap()
}

/// Asks for a text: the head, and where it comes from.
fn ask(index: &Index, id: &str, text: &str, options: &QueryOptions) -> Result<(SearchResult, PassageMatches), Error> {
    let result = index.query(&Query::Text { id, text }, options)?;
    let matches = result.matches.passages().expect("an index of passages").clone();
    Ok((result, matches))
}

/// The longest stretch that two texts share, the slow way.
fn longest(a: &str, b: &str) -> usize {
    let mut before = vec![0; b.len() + 1];
    let mut longest = 0;
    for x in a.bytes() {
        let mut now = vec![0; b.len() + 1];
        for (at, y) in b.bytes().enumerate() {
            if x == y {
                now[at + 1] = before[at] + 1;
                longest = longest.max(now[at + 1]);
            }
        }
        before = now;
    }
    longest
}

#[test]
fn what_comparing_with_every_document_would_find_is_found() {
    let all = corpus(60);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all).unwrap();
    let index = open(&path);
    let mut between = 0;
    for t in [T, 20, 35] {
        for (name, text) in all.iter().step_by(3) {
            let (result, answer) = ask(&index, "asked", text, &all_with(Some(t))).unwrap();
            assert!(result.known && answer.unfollowed == 0 && answer.uncompared == 0);
            let found: BTreeMap<&str, u64> =
                answer.matches.iter().map(|source| (&*source.seen[0].url, source.longest)).collect();
            for (other, there) in &all {
                let truth = longest(text, there);
                let told = found.get(&**other).copied().unwrap_or(0);
                if truth >= t as usize {
                    assert_eq!(told as usize, truth, "{name} and {other}, t = {t}");
                } else if told > 0 {
                    assert!(told as usize == truth && truth >= K as usize, "{name} and {other}: {told}, {truth}");
                    between += 1;
                }
            }
            for source in &answer.matches {
                let there = &all[&source.seen[0].url];
                for passage in &source.passages {
                    let (a, b) = (passage.query, passage.document);
                    assert_eq!(text[a.start as usize..a.end as usize], there[b.start as usize..b.end as usize]);
                    // those that have a part of it, since they have one of its fingerprints
                    let part = |other: &&String| longest(other, &text[a.start as usize..a.end as usize]) >= K as usize;
                    let most = all.values().filter(part).count() as u64;
                    assert!(passage.documents.is_some() || passage.tokens < u64::from(t), "{passage:?}");
                    assert!(passage.documents.is_none_or(|documents| (1..=most).contains(&documents)), "{passage:?}");
                }
            }
        }
    }
    assert!(between > 0, "what is shorter than the guarantee may be found too");
}

#[test]
fn a_larger_guarantee_asks_for_fewer_fingerprints() {
    let all = corpus(30);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all).unwrap();
    let index = open(&path);
    let ask = |t: u32| ask(&index, "asked", &all["d020"], &all_with(Some(t)));
    let counts = [T, 20, 60].map(|t| ask(t).unwrap().1.fingerprints);
    assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
    let names = |t: u32| -> BTreeSet<String> {
        ask(t).unwrap().1.matches.iter().map(|source| source.content.clone()).collect()
    };
    assert!(names(60).is_subset(&names(20)) && names(20).is_subset(&names(T)));
    let error = ask(T - 1).unwrap_err().to_string();
    assert!(error.contains("from 12") && error.contains("found 11"), "{error}");
}

/// All that can be asked of an index about these documents.
fn everything(path: &Path, documents: &Documents) -> Vec<String> {
    let index = open(path);
    let text = |text: &String| serde_json::to_string(&ask(&index, "asked", text, &all_with(None)).unwrap().0).unwrap();
    documents.values().map(text).collect()
}

#[test]
fn however_it_came_about_it_answers_the_same() {
    let all = corpus(48);
    let part = |keep| part_of(&all, keep);
    let dir = tempfile::tempdir().unwrap();
    let [whole, grown, small] = ["whole", "grown", "small"].map(|name| dir.path().join(name));
    build(&whole, &part(|at| at % 4 != 3)).unwrap();

    let mut first = part(|at| at % 2 == 0);
    // a document that will get another text, and one that goes and comes back
    first.insert("d001".into(), "nothing of this stays".into());
    build(&grown, &first).unwrap();
    add(&grown, &part(|at| at % 4 == 3)).unwrap();
    let changed = add(&grown, &part(|at| at % 4 != 3)).unwrap();
    assert_eq!((changed.added, changed.unchanged), (12, 24), "{changed:?}");
    let gone: Vec<String> = part(|at| at % 4 == 3 || at == 0).into_keys().collect();
    writer(&grown).remove(&gone, None).unwrap();
    add(&grown, &part(|at| at == 0)).unwrap();

    let truth = everything(&whole, &all);
    assert!(truth.iter().any(|answer| answer.contains("d000")));
    assert_eq!(everything(&grown, &all), truth);
    writer(&grown).merge().unwrap();
    assert_eq!(everything(&grown, &all), truth);
    assert_eq!(open(&grown).info().unwrap().segments.len(), 1);

    let narrow = IndexWriter::new(&small).resources(resources(16 << 20, 1));
    let recipe = lookalike_core::recipe::Recipe::from(recipe());
    narrow.build(recipe, jsonl(&part(|at| at % 4 != 3)), None).unwrap();
    assert_eq!(everything(&small, &all), truth);
    let bytes = |path: &Path| fs::read(path.join("000001.seg")).map(|bytes| bytes.len()).ok();
    assert_eq!(bytes(&small), bytes(&whole));
}

#[test]
fn documents_of_one_content_are_read_by_their_names() {
    let function =
        |name: &str| format!("def {name}(first, second):\n    third = first + second\n    return third * first\n\n");
    let code: String = ["apple", "orange", "cherry", "banana", "walnut", "pepper", "tomato"].map(function).concat();
    let documents = [("a.py", &code), ("b.py", &code), ("c.txt", &code)];
    let documents = documents.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let recipe = lookalike_core::recipe::Recipe::from(PassageRecipe::default());
    let changed = writer(&path).build(recipe, jsonl(&documents), None).unwrap();
    assert_eq!((changed.read, changed.added), (3, 2));
    let index = open(&path);
    let names = |id: &str, text: &str| -> Vec<Vec<String>> {
        let (_, answer) = ask(&index, id, text, &QueryOptions::default()).unwrap();
        answer.matches.iter().map(|source| source.seen.iter().map(|seen| seen.url.clone()).collect()).collect()
    };
    // renamed, with a comment, and moved into other code
    let renamed = format!("import os\n\n{}# done\nos.exit()\n", code.replace("first", "left").replace("apple", "plum"));
    assert_eq!(names("new.py", &renamed), [["a.py", "b.py"]]);
    assert_eq!(names("new.txt", &code), [["c.txt"]]);
    let answer = index.query(&Query::Url("b.py"), &QueryOptions::default()).unwrap();
    let answer = answer.matches.passages().unwrap();
    assert_eq!((answer.matches.len(), &*answer.matches[0].seen[0].url, answer.language), (1, "a.py", "python"));
    assert!((answer.matches[0].similarity - 1.0).abs() < 1e-9);
}

#[test]
fn what_it_is_not_made_for_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let [passages, shingles] = ["passages", "shingles"].map(|name| dir.path().join(name));
    let all = corpus(5);
    let keyed = || writer(&passages).key("secret");
    keyed().build(lookalike_core::recipe::Recipe::from(recipe()), jsonl(&all), None).unwrap();
    writer(&shingles).build(ShinglesOptions::default(), jsonl(&all), None).unwrap();
    assert_eq!((open(&passages).lens(), open(&shingles).lens()), (Lens::Passages, Lens::Shingles));
    let is_wrong_key = |error: Error| matches!(error, Error::WrongKey { .. });
    assert!(is_wrong_key(Index::open(&passages, "other").map(drop).unwrap_err()));
    assert!(is_wrong_key(add(&passages, &all).unwrap_err()));
    let unkeyed = open(&passages);
    assert_eq!(unkeyed.find("d000").unwrap().len(), 1, "names need no key");
    assert!(is_wrong_key(unkeyed.query(&Query::Url("d000"), &all_with(None)).unwrap_err()));
    assert!(matches!(unkeyed.members(0), Err(Error::NotOfLens { lens: Lens::Passages, .. })));
    assert_eq!(keyed().add(jsonl(&all), None).unwrap().unchanged, 5);
    let index = Index::open(&passages, "secret").unwrap();
    let unknown = index.query(&Query::Url("nobody"), &all_with(None));
    assert!(matches!(unknown, Err(Error::Index { reason: IndexError::UnknownName { .. }, .. })));
    assert!(matches!(ask(&index, "empty", "", &all_with(None)), Err(Error::Document { .. })));
    let together = lookalike_engine::AllOptions::default();
    let refused = writer(&dir.path().join("never")).build(together, jsonl(&all), None);
    assert!(matches!(refused, Err(Error::NotOfAll { .. })), "{refused:?}");
}

#[test]
fn short_documents_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    let documents = [("long", "abcdefghijklmnop"), ("short", "abc")];
    let documents = documents.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let changed = build(&path, &documents).unwrap();
    assert_eq!(changed.skipped.len(), 1);
    assert!(changed.skipped[0].id == "short" && changed.skipped[0].reason.contains("at least 8"));
}

#[test]
fn no_flipped_byte_gives_a_wrong_answer() {
    let all = corpus(6);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    build(&path, &all).unwrap();
    let ask = || -> Result<String, Error> {
        let index = Index::open(&path, "")?;
        let mut answers = String::new();
        for name in all.keys() {
            answers += &serde_json::to_string(&index.query(&Query::Url(name), &all_with(None))?).unwrap();
        }
        Ok(answers)
    };
    let noticed = flip(&path, 13, 1, ask);
    assert!(noticed > 20, "{noticed}");
}
