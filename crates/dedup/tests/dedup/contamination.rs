//! Benchmarks in a corpus.

use crate::common::{Random, Text, files, options, run, shards};
use lookalike_dedup::{ContaminationOptions, DedupResult};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const WORDS: usize = 13;

/// Items, and documents of which some hold parts of them.
fn made(dir: &Path) -> (Vec<Text>, Vec<Text>) {
    let mut random = Random::new(11);
    let mut items: Vec<Text> = Vec::new();
    for at in 0..40 {
        let length = [3, 6, 12, 20, 60][at % 5];
        items.push((format!("item{at}"), random.words(length).join(" ")));
    }
    let mut documents: Vec<Text> = Vec::new();
    for at in 0..150 {
        let mut words = random.words(80);
        if at % 3 == 0 {
            let item: Vec<String> = items[random.below(items.len())].1.split(' ').map(str::to_owned).collect();
            // all of it, or any part
            let from = if random.below(2) == 0 { 0 } else { random.below(item.len()) };
            let to = if random.below(2) == 0 { item.len() } else { from + 1 + random.below(item.len() - from) };
            words.splice(40..40, item[from..to].iter().cloned());
        }
        documents.push((format!("document{at}"), words.join(" ")));
    }
    let lines: String =
        items.iter().map(|(id, text)| serde_json::json!({ "id": id, "question": text }).to_string() + "\n").collect();
    fs::write(dir.join("bench.jsonl"), lines).unwrap();
    (items, documents)
}

fn held(dir: &Path, input: &Path, share: f64, out: Option<&Path>) -> DedupResult {
    let asked = options(|o| {
        o.contamination = ContaminationOptions {
            benchmarks: vec![dir.join("bench.jsonl")],
            field: "question".into(),
            share,
            ..ContaminationOptions::default()
        };
    });
    run(input, out, &asked).unwrap()
}

/// By document and item, the share of the item's words that stand in the document in rows of thirteen, or all of them.
fn naive(items: &[Text], documents: &[Text], least: f64) -> BTreeMap<(String, String), f64> {
    let mut found = BTreeMap::new();
    for (id, text) in documents {
        let words: Vec<&str> = text.split(' ').collect();
        for (item, wanted) in items {
            let wanted: Vec<&str> = wanted.split(' ').collect();
            if wanted.len() < 5 {
                continue;
            }
            let length = WORDS.min(wanted.len());
            let mut shared: BTreeSet<usize> = BTreeSet::new();
            for (at, stretch) in wanted.windows(length).enumerate() {
                if words.windows(length).any(|there| there == stretch) {
                    shared.extend(at..at + length);
                }
            }
            let share = shared.len() as f64 / wanted.len() as f64;
            if share >= least && !shared.is_empty() {
                found.insert((id.clone(), item.clone()), share);
            }
        }
    }
    found
}

#[test]
fn what_is_found_is_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let (items, documents) = made(dir.path());
    let input = shards(dir.path(), &documents, 2);
    for least in [0.01, 0.5, 1.0] {
        let found = held(dir.path(), &input, least, None).contaminations.unwrap();
        let told: BTreeMap<(String, String), f64> =
            found.all.iter().map(|found| ((found.id.clone(), found.item.clone()), found.share)).collect();
        assert_eq!(told, naive(&items, &documents, least), "{least}");
        assert!(told.len() > 5, "{least}: {}", told.len());
        assert_eq!((found.items, found.skipped.len()), (32, 8), "items of three words are too short");
        for found in &found.all {
            let text = &documents.iter().find(|(id, _)| *id == found.id).unwrap().1;
            let bytes = found.bytes.clone().unwrap();
            let passage = &text[bytes.start as usize..bytes.end as usize];
            assert!(passage.starts_with(&*found.passage));
            assert_eq!(passage.split(' ').count() as u64, found.words);
            let item = &items.iter().find(|(id, _)| *id == found.item).unwrap().1;
            assert!(item.contains(passage), "{passage} {item}");
        }
    }
}

#[test]
fn contaminated_documents_are_told_and_stay() {
    let dir = tempfile::tempdir().unwrap();
    let (_, documents) = made(dir.path());
    let (input, out) = (shards(dir.path(), &documents, 2), dir.path().join("out"));
    let summary = held(dir.path(), &input, 0.5, Some(&out)).summary.contamination.unwrap();
    assert!(summary.documents > 5 && summary.items_found > 3, "{summary:?}");
    assert_eq!(files(&out.join("corpus")), files(&input));
    assert!(out.join("contamination.parquet").exists());
}
