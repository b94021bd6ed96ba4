//! What is written.

use crate::common::{files, line, options, removed, run, shards, texts};
use lookalike_dedup::{Dedup, DedupOptions, Error};
use parquet::record::RowAccessor;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn lines_that_stay_are_the_same_bytes_in_the_same_files() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(200);
    let input = shards(dir.path(), &texts, 3);
    let more = "\nnot even JSON\n{\"id\":\"null\",\"text\":null}\n[1]\n";
    fs::write(input.join("odd.jsonl"), format!("{}{more}", line(&("odd".into(), "one of a kind".into())))).unwrap();
    fs::write(input.join("none.jsonl"), "").unwrap();
    fs::write(input.join("read me.txt"), "A text beside the shards stays.").unwrap();
    fs::write(input.join("image.png"), b"\x89PNG\0\0\0").unwrap();
    let out = dir.path().join("out");
    let result = run(&input, Some(&out), &options(|o| o.allow_damaged = true)).unwrap();
    let removed = removed(&result);
    for (path, bytes) in files(&input) {
        let expected: Vec<u8> = bytes
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|line| {
                let id = serde_json::from_slice::<serde_json::Value>(line).ok();
                let id = id.and_then(|value| value.get("id")?.as_str().map(str::to_owned));
                id.is_none_or(|id| !removed.contains_key(&id))
            })
            .flatten()
            .copied()
            .collect();
        assert_eq!(fs::read(out.join("corpus").join(&path)).unwrap(), expected, "{}", path.display());
    }
    assert_eq!(files(&out).len(), files(&input).len() + 3, "{:?}", files(&out).keys());
    assert!(!dir.path().join("out.partial").exists());
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["removed"], removed.len());
    assert_eq!(summary["not_compared"]["not JSON"], 2);
}

#[test]
fn the_proof_names_every_removed_document_and_its_row() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(150);
    let input = shards(dir.path(), &texts, 2);
    let out = dir.path().join("out");
    let result = run(&input, Some(&out), &options(|_| {})).unwrap();
    let removed = removed(&result);
    let proof = fs::File::open(out.join("duplicates.parquet")).unwrap();
    let rows = parquet::file::reader::SerializedFileReader::new(proof).unwrap().into_iter();
    let mut seen = 0;
    for row in rows {
        let row = row.unwrap();
        let text = |at: usize| row.get_string(at).unwrap().as_str();
        let (id, file, at) = (text(0), text(1), row.get_long(2).unwrap());
        let line = fs::read_to_string(file).unwrap().lines().nth(at as usize).unwrap().to_owned();
        let record: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(record["id"], id);
        assert_eq!(Some(text(3)), removed.get(id).map(String::as_str));
        assert!(row.get_double(6).unwrap() >= 0.8);
        seen += 1;
    }
    assert_eq!(seen, removed.len());
}

#[test]
fn annotated_records_are_all_there() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(100);
    let input = shards(dir.path(), &texts, 1);
    let out = dir.path().join("out");
    let removed = removed(&run(&input, Some(&out), &options(|o| o.annotate = true)).unwrap());
    let lines = fs::read_to_string(out.join("corpus/shard-0.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), texts.len());
    for line in lines.lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let kept = removed.get(record["id"].as_str().unwrap());
        assert_eq!(record["lookalike_duplicate_of"].as_str(), kept.map(String::as_str));
        assert_eq!(record["lookalike_class"].is_null(), kept.is_none());
    }
}

#[test]
fn several_inputs_keep_their_folders() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts(20);
    let (a, b) = (shards(&dir.path().join("a"), &texts[..10], 1), shards(&dir.path().join("b"), &texts[10..], 1));
    let out = dir.path().join("out");
    Dedup::new(DedupOptions::default()).run(&[a, b], Some(&out)).unwrap();
    let written: Vec<PathBuf> = files(&out.join("corpus")).into_keys().collect();
    assert_eq!(written, [Path::new("a/in/shard-0.jsonl"), Path::new("b/in/shard-0.jsonl")]);
}

#[test]
fn damage_ends_the_run_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(20), 1);
    fs::write(input.join("broken.jsonl"), "{\"id\":1,\"text\":\"fine\"}\n{\"id\":2,\"te").unwrap();
    let out = dir.path().join("out");
    let Err(Error::Damaged { id, .. }) = run(&input, Some(&out), &options(|_| {})) else { panic!("damage was taken") };
    assert!(id.ends_with("broken.jsonl:2"), "{id}");
    assert!(!out.exists());
    let gz = input.join("broken.jsonl.gz");
    fs::rename(input.join("broken.jsonl"), &gz).unwrap();
    fs::write(&gz, b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01\x02").unwrap();
    let other = dir.path().join("other");
    let result = run(&input, Some(&other), &options(|_| {}));
    let Err(Error::Damaged { id, .. }) = result else { panic!("damage was taken") };
    assert!(id.ends_with("broken.jsonl.gz"), "{id}");
    assert!(!other.exists());
}

#[test]
fn nothing_is_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let input = shards(dir.path(), &texts(5), 1);
    let out = dir.path().join("out");
    fs::write(&out, "mine").unwrap();
    assert!(matches!(run(&input, Some(&out), &options(|_| {})), Err(Error::Exists { .. })));
    assert_eq!(fs::read(&out).unwrap(), b"mine");
}
