//! A build without default features: it says what it lacks, and what it can do it does as the others.
//!
//! `./test --all` builds it: `LOOKALIKE_SMALL=… cargo test -p lookalike-cli --test cli -- --ignored small_build`.

use crate::command::{Outcome, lookalike, plain, run};
use crate::dir::{Dir, names_in};
use crate::shard_samples::{self as shards, TextColumn};
use crate::words::Random;
use std::fs;

fn small(dir: &Dir, arguments: &[&str]) -> Outcome {
    let program = std::env::var_os("LOOKALIKE_SMALL").expect("LOOKALIKE_SMALL names a build without default features");
    run(plain(program).args(arguments).current_dir(dir.path()))
}

/// A folder `in` with shards of some formats, each of the same documents.
fn corpus(dir: &Dir, formats: &[&str]) {
    let mut random = Random(51);
    let mut texts: Vec<_> = (0..40).map(|at| (format!("d{at}"), random.text(80))).collect();
    texts.extend((0..10).map(|at| (format!("copy{at}"), texts[at].1.clone())).collect::<Vec<_>>());
    dir.folder("in");
    for format in formats {
        dir.write(format!("in/a.{format}"), shards::file(format, &shards::records(&texts), TextColumn::Good));
    }
}

#[test]
#[ignore = "needs LOOKALIKE_SMALL"]
fn it_says_what_it_lacks() {
    let formats = ["parquet", "arrow", "arrows", "jsonl.zst", "warc.zst", "zip", "tar.gz"];
    let dir = Dir::new();
    corpus(&dir, &formats);
    for format in formats {
        let is_archive = ["zip", "tar.gz"].contains(&format);
        let verbs = if is_archive {
            ["copies", "copies --lang text", "dedup -o out"]
        } else {
            ["scan", "index build new.index", "dedup -o out"]
        };
        for verb in verbs {
            let file = format!("in/a.{format}");
            let line: Vec<&str> = verb.split(' ').chain([file.as_str()]).collect();
            let failed = small(&dir, &line).expect(2);
            assert!(failed.stderr.contains("built without"), "{line:?}: {}", failed.stderr);
            assert_eq!(names_in(dir.path()), ["in"], "{line:?}");
        }
    }
    dir.write("one.u64", [0; 8]);
    dir.write("one.parquet", fs::read(dir.at("in/a.parquet")).expect("a file"));
    dir.write("a.txt", Random(52).text(80));
    for line in [
        &["serve", "in"][..],
        &["scan", "in", "--xlsx", "report.xlsx"],
        &["simhash", "near", "one.parquet"],
        &["index", "build", "new.index", "a.txt", "--lens", "passages"],
    ] {
        let failed = small(&dir, line).expect(2);
        assert!(failed.stderr.contains("built without"), "{line:?}: {}", failed.stderr);
    }
    let failed = small(&dir, &["scan", "s3://bucket/in/"]).expect(2);
    assert!(failed.stderr.contains("--features object-store"), "{}", failed.stderr);
}

/// Shards that it cannot read are as they were, or there is no result.
#[test]
#[ignore = "needs LOOKALIKE_SMALL"]
fn dedup_loses_no_shard() {
    for format in ["parquet", "arrow", "jsonl.zst", "warc.zst", "zip", "tar.gz"] {
        let dir = Dir::new();
        corpus(&dir, &["jsonl", format]);
        for flags in [&[][..], &["--allow-damaged"], &["--annotate"], &["--paragraphs"]] {
            let line = [&["dedup", "in", "-o", "out", "-q"][..], flags].concat();
            let outcome = small(&dir, &line);
            if outcome.code == Some(0) {
                let name = format!("a.{format}");
                let kept = fs::read(dir.at("out/corpus").join(&name));
                assert_eq!(kept.ok(), fs::read(dir.at("in").join(&name)).ok(), "{line:?}");
            } else {
                assert_eq!((outcome.code, dir.at("out").exists()), (Some(2), false), "{line:?}: {}", outcome.stderr);
            }
            for made in ["out", "out.partial"] {
                let _ = fs::remove_dir_all(dir.at(made));
            }
        }
    }
}

#[test]
#[ignore = "needs LOOKALIKE_SMALL"]
fn its_results_are_those_of_the_others() {
    let dir = Dir::new();
    corpus(&dir, &["jsonl", "csv", "jsonl.gz"]);
    let both = |line: &[&str]| {
        let whole = run(lookalike(line).current_dir(dir.path())).expect(0).stdout;
        let small = small(&dir, line).expect(0).stdout;
        // times and memory differ
        let steady = |text: &str| {
            let mut value: serde_json::Value = serde_json::from_str(text).expect("JSON");
            value.as_object_mut().expect("an object").retain(|key, _| !["usage", "phases"].contains(&key.as_str()));
            value
        };
        assert_eq!(steady(&whole), steady(&small), "{line:?}");
    };
    both(&["scan", "in", "--json", "-q"]);
    both(&["files", "in", "--json", "-q"]);
    both(&["copies", "in", "--lang", "text", "--json", "-q"]);
    run(lookalike(["dedup", "in", "-o", "whole", "-q"]).current_dir(dir.path())).expect(0);
    small(&dir, &["dedup", "in", "-o", "small", "-q"]).expect(0);
    for name in names_in(&dir.at("whole/corpus")) {
        let [whole, small] =
            ["whole", "small"].map(|out| fs::read(dir.at(out).join("corpus").join(&name)).expect("a file"));
        assert_eq!(whole, small, "{name}");
    }
    let rows = fs::read_to_string(dir.at("small/duplicates.jsonl")).expect("the proof");
    let removed: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).expect("JSON")).collect();
    assert_eq!(removed.len(), 110, "two of three shards, and ten of the first");
    assert!(removed.iter().all(|row| row["duplicate_of"].is_string() && row["verified"] == true), "{}", removed[0]);
}
