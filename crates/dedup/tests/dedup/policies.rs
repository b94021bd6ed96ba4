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

/// The error of a run with options that name what is not there; nothing is written.
fn refusal(input: &Path, change: impl FnOnce(&mut DedupOptions)) -> String {
    let out = input.with_file_name("out");
    let options = options(change);
    let Err(error) = run(input, Some(&out), &options) else { panic!("it ran") };
    assert!(!out.exists() && !input.with_file_name("out.partial").exists(), "{error}");
    error.to_string()
}

#[test]
fn a_field_or_a_source_that_does_not_exist_is_refused() {
    type Change = fn(&mut DedupOptions);
    let dir = tempfile::tempdir().unwrap();
    records(dir.path());
    let input = dir.path().join("in.jsonl");
    let cases: [(Change, &[&str]); 9] = [
        (
            |o| (o.scan.keep, o.scan.corpus.rank_field) = (Keep::Best, Some("scor".into())),
            &["\"scor\" for the rank", "did you mean \"score\"?", "\"date\""],
        ),
        (
            |o| (o.scan.keep, o.scan.corpus.rank_field) = (Keep::Newest, Some("tz".into())),
            &["\"tz\" for the rank", "found \"date\", \"from\""],
        ),
        (
            |o| o.scan.corpus.category_field = Some("form".into()),
            &["\"form\" for the category", "did you mean \"from\"?"],
        ),
        (|o| o.scan.corpus.id_field = "doc_id".into(), &["\"doc_id\" for the id", "did you mean \"id\"?"]),
        (|o| o.scan.corpus.text_field = "texts".into(), &["\"texts\" for the text", "did you mean \"text\"?"]),
        (|o| o.scan.drop_only_from = vec!["in.json".into()], &["no source is called \"in.json\"", "did you mean"]),
        (|o| o.scan.keep = Keep::Sources(vec!["in.jsonl".into(), "k/b".into()]), &["no source is called \"k/b\""]),
        (
            |o| {
                o.scan.corpus.category_field = Some("from".into());
                o.scan.drop_only_from = vec!["wikki".into()];
            },
            &["\"wikki\" (did you mean \"wiki\"?)", "sources: \"wiki\", \"cc\", \"books\""],
        ),
        (
            |o| {
                o.scan.corpus.category_field = Some("from".into());
                o.scan.keep = Keep::Sources(vec!["cc".into(), "none".into()]);
            },
            &["no source is called \"none\""],
        ),
    ];
    for (change, words) in cases {
        let error = refusal(&input, change);
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    let misspelt = dir.path().join("bench.jsonl");
    fs::write(&misspelt, "{\"id\": 1, \"question\": \"one two three four five six\"}\n").unwrap();
    let error = refusal(&input, |o| {
        o.contamination.benchmarks = vec![misspelt];
        o.contamination.field = "questoin".into();
    });
    assert!(error.contains("\"questoin\" for the text of a benchmark") && error.contains("\"question\"?"), "{error}");
}

#[test]
fn the_summary_has_the_options_that_decided() {
    let dir = tempfile::tempdir().unwrap();
    records(dir.path());
    let options = options(|o| {
        o.scan.keep = Keep::Best;
        o.scan.corpus.rank_field = Some("score".into());
        o.scan.corpus.category_field = Some("from".into());
        o.scan.drop_only_from = vec!["wiki".into(), "cc".into()];
        o.shingles.policy.contained = Some(0.9);
        o.allow_damaged = true;
    });
    run(&dir.path().join("in.jsonl"), Some(&dir.path().join("out")), &options).unwrap();
    let summary = fs::read(dir.path().join("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    for (name, expected) in [
        ("granularity", serde_json::json!("documents")),
        ("keep", "best".into()),
        ("rank_field", "score".into()),
        ("source_field", "from".into()),
        ("drop_only_from", serde_json::json!(["wiki", "cc"])),
        ("id_field", "id".into()),
        ("text_field", "text".into()),
        ("allow_damaged", true.into()),
        ("annotate", false.into()),
    ] {
        assert_eq!(summary["options"][name], expected, "{name}");
    }
    assert_eq!(summary["options"]["policy"]["contained"], 0.9);
}
