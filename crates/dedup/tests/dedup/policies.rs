//! Who stays.

use crate::common::{Text, options, removed, run, shards};
use lookalike_dedup::{Dedup, DedupOptions};
use lookalike_engine::Keep;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Three that are nearly the same, and their fields.
fn records(dir: &Path) {
    let words: Vec<String> = (0..200).map(|at| format!("w{at}")).collect();
    let text = |change: &str| format!("{} {change}", words.join(" "));
    let record = |id: &str, text: String, score: serde_json::Value, date: &str, source: &str| {
        format!("{}\n", serde_json::json!({ "id": id, "text": text, "score": score, "date": date, "from": source }))
    };
    let lines = [
        record("a", text("x"), 0.5.into(), "2026-03-01", "wiki"),
        record("b", text("y and more"), serde_json::Value::Null, "2026-05-01T10:00:00Z", "cc"),
        record("c", text("z z"), 7.into(), "2025-12-31", "books"),
    ];
    fs::write(dir.join("in.jsonl"), lines.concat()).unwrap();
}

#[test]
fn the_one_that_is_wanted_stays() {
    let dir = tempfile::tempdir().unwrap();
    records(dir.path());
    let sources = |names: &[&str]| Keep::Sources(names.iter().map(|name| (*name).to_owned()).collect());
    for (keep, field, stays) in [
        (Keep::Longest, None, "b"),
        (Keep::First, None, "a"),
        (Keep::Best, Some("score"), "c"),
        (Keep::Newest, Some("date"), "b"),
        (sources(&["books", "wiki"]), None, "c"),
        (sources(&["wiki", "books"]), None, "a"),
        (sources(&["none"]), None, "b"),
    ] {
        let options = options(|o| {
            o.scan.keep = keep.clone();
            o.scan.corpus.rank_field = field.map(str::to_owned);
            o.scan.corpus.category_field = Some("from".into());
        });
        let removed = removed(&run(&dir.path().join("in.jsonl"), None, &options).unwrap());
        assert_eq!(removed.len(), 2, "{keep:?}");
        assert!(removed.values().all(|kept| kept == stays), "{keep:?}: {removed:?}");
    }
}

#[test]
fn only_documents_of_one_source_go() {
    let dir = tempfile::tempdir().unwrap();
    let words: Vec<String> = (0..100).map(|at| format!("w{at}")).collect();
    let near = |id: &str, change: &str| -> Text { (id.to_owned(), format!("{} {change}", words.join(" "))) };
    let old = shards(&dir.path().join("old"), &[near("old1", "a"), near("old2", "b"), near("old3", "a")], 1);
    let new = shards(
        &dir.path().join("new"),
        &[
            near("new1", "c and a much longer end"),
            near("new2", "a"),
            ("new3".into(), "all of this is new here".into()),
        ],
        1,
    );
    let drop = |from: &Path| {
        let options = options(|o| o.scan.drop_only_from = vec![from.display().to_string()]);
        removed(&Dedup::new(options).run(&[old.clone(), new.clone()], None).unwrap().documents().unwrap())
    };
    let gone = drop(&new);
    assert_eq!(gone.keys().collect::<Vec<_>>(), ["new1", "new2"], "{gone:?}");
    assert!(gone.values().all(|kept| kept.starts_with("old")), "{gone:?}");
    let gone = drop(&old);
    assert_eq!(gone.keys().collect::<Vec<_>>(), ["old1", "old2", "old3"]);
    assert!(gone.values().all(|kept| kept.starts_with("new")), "{gone:?}");
}

#[test]
fn documents_inside_others_go_if_that_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let words: Vec<String> = (0..300).map(|at| format!("w{at}")).collect();
    let texts: Vec<Text> = vec![("whole".into(), words.join(" ")), ("part".into(), words[50..150].join(" "))];
    let input = shards(dir.path(), &texts, 1);
    assert!(removed(&run(&input, None, &DedupOptions::default()).unwrap()).is_empty());
    let contained = options(|o| o.shingles.policy.contained = Some(0.9));
    let expected = BTreeMap::from([("part".to_owned(), "whole".to_owned())]);
    assert_eq!(removed(&run(&input, None, &contained).unwrap()), expected);
}

#[test]
fn rates_are_told_by_source() {
    let dir = tempfile::tempdir().unwrap();
    records(dir.path());
    let options = options(|o| o.scan.corpus.category_field = Some("from".into()));
    let summary = run(&dir.path().join("in.jsonl"), None, &options).unwrap().summary;
    let counts: Vec<(&str, u64, u64)> =
        summary.sources.iter().map(|s| (s.source.as_str(), s.documents, s.removed)).collect();
    assert_eq!(counts, [("wiki", 1, 1), ("cc", 1, 0), ("books", 1, 1)]);
}
