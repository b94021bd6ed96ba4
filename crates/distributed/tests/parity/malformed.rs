//! Rows that cannot be used, ids that cannot be told apart, and partitions that are not what a step asks for.

use crate::corpora::{Corpus, Dice, Kind};
use crate::options;
use crate::pipeline::{Pipeline, strings};
use crate::shuffle::Table;
use arrow_array::{Array, BinaryArray, Int64Array, RecordBatch, StringArray};
use lookalike_core::cluster::Linkage;
use lookalike_distributed::{DedupSteps, DistributedOptions, Error, document_key};
use std::sync::Arc;

fn table(columns: Vec<(&str, Arc<dyn Array>)>) -> Table {
    Table::of(RecordBatch::try_from_iter(columns).unwrap())
}

fn steps() -> DedupSteps {
    DedupSteps::new(DistributedOptions::new(options(0.8, 1000).shingles)).unwrap()
}

#[test]
fn every_unusable_row_has_a_reason() {
    let texts: Vec<Option<&[u8]>> = vec![
        None,
        Some(b""),
        Some(b" ... "),
        Some(&[0xff, 0xfe, 0x41]),
        Some(b"too few"),
        Some(b"one two three four five"),
    ];
    let ids = Int64Array::from_iter_values(0..6);
    let table = table(vec![("id", Arc::new(ids)), ("text", Arc::new(BinaryArray::from(texts)))]);
    let sketches = Pipeline::new(&options(0.8, 1000), 2).run("sketch", &table).one();
    let rows: Vec<(String, String)> = strings(&sketches, "id").into_iter().zip(strings(&sketches, "reason")).collect();
    let reasons = |id: &str| rows.iter().filter(|row| row.0 == id).map(|row| row.1.as_str()).collect::<Vec<&str>>();
    for (id, begins) in [("0", "no text"), ("1", "empty"), ("2", "empty: no words"), ("3", "no text: it is not UTF-8")]
    {
        let [reason] = reasons(id)[..] else { panic!("{id}: {rows:?}") };
        assert!(reason.starts_with(begins), "{id}: {reason}");
    }
    let mut few = reasons("4");
    few.sort_unstable();
    assert!(
        few.len() == 2 && few[0].is_empty() && few[1].starts_with("too little text"),
        "told, and compared: {few:?}"
    );
    assert_eq!(reasons("5"), [""]);
}

#[test]
fn an_id_is_repeated_also_where_a_row_is_unusable() {
    let texts = StringArray::from(vec![None, Some("one two three four five"), Some("too few")]);
    let ids = StringArray::from(vec!["a", "a", "b"]);
    let table = table(vec![("id", Arc::new(ids)), ("text", Arc::new(texts))]);
    let pipeline = Pipeline::new(&options(0.8, 1000), 2);
    let sketches = pipeline.run("sketch", &table);
    assert_eq!(strings(&pipeline.run("ids", &sketches).one(), "id"), ["a", "a"]);
    let mut documents = strings(&pipeline.run("duplicates", &sketches).one(), "id");
    documents.sort_unstable();
    assert_eq!(documents, ["a", "b"], "only what can be compared");
}

#[test]
fn large_texts_are_refused() {
    let options = DistributedOptions { max_size: 10, ..DistributedOptions::new(options(0.8, 1000).shingles) };
    let mut step = DedupSteps::new(options).unwrap().step("sketch").unwrap();
    let (id, text) = (StringArray::from(vec!["a"]), StringArray::from(vec!["eleven bytes"]));
    step.push(&table(vec![("id", Arc::new(id)), ("text", Arc::new(text))]).one()).unwrap();
    let rows = step.finish().unwrap();
    assert_eq!(strings(&rows[0], "reason"), ["too large: 12 bytes, the limit is 10"]);
}

#[test]
fn repeated_ids_and_equal_keys_are_told() {
    let (documents, ids) =
        (Int64Array::from(vec![5, 7, 5, 9, 9, 5]), StringArray::from(vec!["a", "b", "a", "c", "d", "a"]));
    let table = table(vec![("doc", Arc::new(documents)), ("id", Arc::new(ids))]);
    let told = Pipeline::new(&options(0.8, 1000), 3).run("ids", &table).one();
    let mut rows: Vec<(String, String)> = strings(&told, "id").into_iter().zip(strings(&told, "reason")).collect();
    rows.sort_unstable();
    let told: Vec<(&str, bool)> = rows.iter().map(|row| (row.0.as_str(), row.1.contains("hash"))).collect();
    assert_eq!(told, [("a", false), ("a", false), ("a", false), ("c", true), ("d", true)]);
}

#[test]
fn partitions_that_are_not_sorted_are_refused() {
    let corpus = Corpus::mixed(&mut Dice(1), 60, &Kind::ALL);
    let ids: StringArray = corpus.texts.keys().map(Some).collect();
    let texts: StringArray = corpus.texts.values().map(Some).collect();
    let documents = table(vec![("id", Arc::new(ids)), ("text", Arc::new(texts))]);
    let sketches = Pipeline::new(&options(0.8, 1000), 1).run("sketch", &documents).one();
    for name in ["ids", "duplicates"] {
        let error = steps().step(name).unwrap().push(&sketches).unwrap_err();
        assert!(matches!(error, Error::Unsorted { .. }), "{name}: {error}");
    }
    let features = Int64Array::from(vec![3, 1]);
    let postings = table(vec![("feature", Arc::new(features.clone())), ("doc", Arc::new(features))]).one();
    assert!(matches!(steps().step("frequencies").unwrap().push(&postings), Err(Error::Unsorted { .. })));
}

#[test]
fn columns_are_named_in_errors() {
    let wrong = table(vec![("id", Arc::new(StringArray::from(vec!["a"])))]).one();
    let error = steps().step("sketch").unwrap().push(&wrong).unwrap_err();
    assert_eq!(error.to_string(), "there is no column `text`; there are `id`");
    let columns: Vec<(&str, Arc<dyn Array>)> =
        vec![("feature", Arc::new(StringArray::from(vec!["a"]))), ("doc", Arc::new(Int64Array::from(vec![1])))];
    let error = steps().step("frequencies").unwrap().push(&table(columns).one()).unwrap_err();
    assert_eq!(error.to_string(), "the column `feature` is of type Utf8; Int64 is expected");
}

#[test]
fn what_needs_one_machine_is_refused() {
    let mut single = options(0.8, 1000).shingles;
    single.policy.linkage = Linkage::Single;
    let mut ignored = options(0.8, 1000).shingles;
    ignored.include_boilerplate = false;
    let mut contained = options(0.8, 1000).shingles;
    contained.policy.contained = Some(0.9);
    for shingles in [single, ignored, contained, options(0.8, 0).shingles] {
        let refused = DedupSteps::new(DistributedOptions::new(shingles));
        assert!(matches!(refused, Err(Error::Unsupported { .. })));
    }
    assert!(DedupSteps::NAMES.iter().all(|name| steps().step(name).is_some()) && steps().step("x").is_none());
}

#[test]
fn keys_of_documents_are_frozen() {
    assert_eq!([document_key(""), document_key("a")], [3_244_421_341_483_603_138, -1_817_709_641_818_812_897]);
}
