//! Names of sources and fields that rank documents are looked for in the first records.

use crate::common::{files, options, run};
use crate::resume::{StopAfter, resuming};
use lookalike_dedup::{Dedup, DedupOptions, Error, KeptRun, kept_run};
use lookalike_engine::{Error as EngineError, Keep};
use std::fs;
use std::path::{Path, PathBuf};

/// Two shards of so many records from `wiki` and one from `books`, which comes last.
fn corpus(dir: &Path, records: usize) -> PathBuf {
    let folder = dir.join("in");
    fs::create_dir_all(&folder).unwrap();
    for shard in ["a", "b"] {
        let line = |at: usize| {
            let source = if at + 1 == records { "books" } else { "wiki" };
            let text = format!("record {at} of shard {shard} has some words of its own, {}", "and more ".repeat(20));
            let meta = serde_json::json!({ "source": source, "q": "good", "o": { "x": 1 } });
            format!("{}\n", serde_json::json!({ "id": format!("{shard}{at}"), "text": text, "meta": meta }))
        };
        fs::write(folder.join(format!("{shard}.jsonl")), (0..records).map(line).collect::<String>()).unwrap();
    }
    folder
}

fn only_from(name: &str) -> DedupOptions {
    options(|o| {
        o.scan.corpus.category_field = Some("meta.source".into());
        o.scan.drop_only_from = vec![name.into()];
    })
}

#[test]
fn a_source_that_no_first_record_has_is_refused_before_reading() {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (corpus(dir.path(), 20), dir.path().join("out"));
    let stop = StopAfter::new(u64::MAX);
    let told = Dedup::new(only_from("wki")).progress(&stop).run(std::slice::from_ref(&input), Some(&out));
    let Err(Error::Engine(EngineError::UnknownSource { suggestion, .. })) = told else { panic!("it was read") };
    assert_eq!(suggestion.as_deref(), Some("wiki"));
    assert!(stop.phases.into_inner().unwrap().is_empty() && !dir.path().join("out.partial").exists());
    run(&input, Some(&out), &only_from("books")).unwrap();
}

#[test]
fn what_was_read_stays_if_a_source_has_another_name() {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (corpus(dir.path(), 20_000), dir.path().join("out"));
    let told = run(&input, Some(&out), &only_from("wki"));
    assert!(matches!(told, Err(Error::Engine(EngineError::UnknownSource { .. }))), "{:?}", told.err());
    assert!(matches!(kept_run(&out), Some(KeptRun::Files { files: 2, .. })));
    run(&input, Some(&out), &resuming(&only_from("wiki"))).unwrap();
    let whole = dir.path().join("whole");
    run(&input, Some(&whole), &only_from("wiki")).unwrap();
    assert!(files(&out) == files(&whole));
}

#[test]
fn a_field_without_a_rank_is_refused() {
    for records in [20, 20_000] {
        let dir = tempfile::tempdir().unwrap();
        let (input, out) = (corpus(dir.path(), records), dir.path().join("out"));
        for (keep, field) in [(Keep::Best, "meta.q"), (Keep::Newest, "meta.q"), (Keep::Best, "meta.o")] {
            let options = options(|o| {
                o.scan.keep = keep;
                o.scan.corpus.rank_field = Some(field.into());
            });
            let told = run(&input, Some(&out), &options);
            assert!(matches!(&told, Err(Error::NoRank { field: named }) if named == field), "{:?}", told.err());
            assert!(!out.exists() && !dir.path().join("out.partial").exists());
        }
    }
}
