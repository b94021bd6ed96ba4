//! What was named and not read is an error with its cause; what was left out is listed.

use crate::command::{at, lookalike, refused, run};
use crate::dir::Dir;
use serde_json::Value;
use std::io::Write;

const PARQUET: &[u8] = b"PAR1\x15\x04\x15\x00\x00\xff\x00PAR1";

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).expect("memory");
    encoder.finish().expect("memory")
}

fn lines(name: &str) -> String {
    let text = "these are more than ten words, so that they can be compared with others";
    let line = |n: u32| {
        format!("{{\"id\": \"{name}{n}\", \"meta\": {{\"url\": \"u:{name}{n}\"}}, \"text\": \"{text} {name} {n}\"}}\n")
    };
    line(0) + &line(1)
}

/// Ids and kinds of what was skipped.
fn skipped(report: &Value) -> Vec<(&str, &str)> {
    let skipped = report["skipped"].as_array().expect("a list");
    skipped.iter().map(|skip| (skip["id"].as_str().expect("an id"), skip["kind"].as_str().expect("a kind"))).collect()
}

#[test]
fn files_that_cannot_be_read_are_named_with_their_cause() {
    let dir = Dir::new();
    dir.write("data/a.parquet", PARQUET);
    dir.write("data/b.parquet", PARQUET);
    dir.write("crawl.warc", "WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n");
    dir.write("crawl.warc.gz", gzip(b"WARC/1.0\r\n"));
    dir.write("docs/a.txt", "these are more than ten words, so that they can be compared with others");
    for (input, cause) in [
        ("data/a.parquet", "Parquet"),
        ("data", "Parquet"),
        ("crawl.warc", "crawl.warc"),
        ("crawl.warc.gz", "crawl.warc.gz"),
    ] {
        for verb in [&["scan"][..], &["scan", "--lens", "simhash"], &["index", "build", "x.index"], &["copies"]] {
            let outcome = at(&dir, &[verb, &[input]].concat()).expect(2);
            assert!(outcome.stderr.contains(cause), "{verb:?} {input}: {}", outcome.stderr);
            assert!(!outcome.stderr.contains("check the paths"), "{verb:?} {input}: {}", outcome.stderr);
            let _ = std::fs::remove_dir_all(dir.at("x.index"));
        }
        // beside something that can be read, too
        let outcome = at(&dir, &["scan", "docs", input]).expect(2);
        assert!(outcome.stderr.contains(input) && outcome.stderr.contains(cause), "{}", outcome.stderr);
    }
    // what lies in a folder beside documents is only listed
    dir.write("docs/table.parquet", PARQUET);
    let report = at(&dir, &["scan", "docs", "--json"]).expect(2).stdout;
    let report = serde_json::from_str(&report).expect("JSON");
    assert_eq!(skipped(&report).iter().map(|skip| skip.0).collect::<Vec<_>>(), ["docs/table.parquet"]);
    // bytes can be compared whatever they are
    at(&dir, &["files", "data"]).expect(0);
}

#[test]
fn a_folder_of_shards_is_a_corpus() {
    let dir = Dir::new();
    dir.write("shards/a.jsonl", lines("a"));
    dir.write("shards/b.ndjson", lines("b"));
    dir.write("shards/sub/c.jsonl.gz", gzip(lines("c").as_bytes()));
    let count = |arguments: &[&str]| at(&dir, arguments).json()["documents"].clone();
    assert_eq!(count(&["scan", "shards", "--json"]), 6);
    assert_eq!(count(&["scan", "--lens", "simhash", "shards", "--json"]), 6);
    assert_eq!(count(&["files", "shards", "--json"]), 3, "these are files");
    let built = at(&dir, &["index", "build", "x.index", "shards", "--json"]).json();
    assert_eq!(built["read"], 6, "{built}");
    let query = at(&dir, &["query", "x.index", "--url", "c1", "--json"]).json();
    assert_eq!(query["query"], "c1", "{query}");
}

#[test]
fn fields_that_are_not_there_are_told_with_those_that_are() {
    let dir = Dir::new();
    dir.write("a.jsonl", lines("a"));
    dir.write("shards/a.jsonl", lines("a"));
    for input in ["a.jsonl", "shards"] {
        let outcome = at(&dir, &["scan", input, "--text-field", "content"]).expect(2);
        for word in [
            "none of the first records has the field \"content\"",
            "\"id\", \"meta.url\", \"text\"",
            "use --text-field text",
        ] {
            assert!(outcome.stderr.contains(word), "no {word:?} in {}", outcome.stderr);
        }
        refused(
            &dir,
            &["scan", input, "--id-field", "url"],
            &["a.jsonl", "none of the first records has the field \"url\"", "use --id-field meta.url"],
        );
        let report =
            at(&dir, &["scan", input, "--id-field", "meta.url", "--text-field", "text", "--pairs", "p.tsv", "--json"])
                .json();
        assert_eq!(report["documents"], 2);
        let pairs = std::fs::read_to_string(dir.at("p.tsv")).expect("pairs");
        assert!(pairs.contains("u:a0\tu:a1"), "{pairs}");
    }
}

#[test]
fn what_is_empty_may_come_to_nothing() {
    let dir = Dir::new();
    dir.write("docs/empty.txt", "");
    dir.folder("nothing");
    at(&dir, &["scan", "docs"]).expect(0);
    run(&mut lookalike(["scan", "-"])).expect(0);
    let outcome = at(&dir, &["scan", "nothing"]).expect(2);
    assert!(outcome.stderr.contains("no files were found"), "{}", outcome.stderr);
}

#[test]
fn what_ignore_files_and_dots_leave_out_is_listed() {
    let dir = Dir::new();
    let text = "these are more than ten words, so that they can be compared with others";
    dir.write("share/.gitignore", "*.log\nbuild/\n");
    for name in ["a.txt", "b.log", "build/c.txt", ".d/e.txt"] {
        dir.write(format!("share/{name}"), format!("{text} {name}"));
    }
    let report = at(&dir, &["scan", "share", "--json"]).json();
    assert_eq!(report["documents"], 1);
    let left_out = [
        ("share/.d", "hidden"),
        ("share/.gitignore", "hidden"),
        ("share/b.log", "ignored"),
        ("share/build", "ignored"),
    ];
    assert_eq!(skipped(&report), left_out);
    let told = at(&dir, &["scan", "share"]).expect(0).stdout;
    assert!(told.contains("2 hidden") && told.contains("2 ignored"), "{told}");
    // a share is no repository
    let files = at(&dir, &["files", "share", "--json"]).json();
    assert_eq!(files["documents"], 3);
    assert_eq!(skipped(&files), [("share/.d", "hidden"), ("share/.gitignore", "hidden")]);
    let obeyed = at(&dir, &["files", "share", "--ignore-files", "--json"]).json();
    assert_eq!(skipped(&obeyed), left_out);
    // nothing but what is left out
    let outcome = at(&dir, &["scan", "share", "--include", "*.log"]).expect(2);
    assert!(outcome.stderr.contains("share/b.log: ignored"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--no-ignore"), "{}", outcome.stderr);
}
