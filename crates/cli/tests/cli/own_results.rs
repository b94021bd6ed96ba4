//! Results of this run and of earlier ones in a folder that is read: they are no documents, and are listed.

use crate::command::{lookalike, run};
use crate::corpus::{documents, jsonl};
use crate::dir::Dir;
use serde_json::Value;
use std::fs;

/// A folder of single files.
fn folder() -> Dir {
    let dir = Dir::new();
    for (id, text) in documents(40, 3) {
        dir.write(format!("in/{}.txt", id.replace('/', "_")), text);
    }
    dir
}

/// The number of documents, and the ids that were left out as written by lookalike.
fn seen(dir: &Dir, arguments: &[&str], report: Option<&str>) -> (u64, Vec<String>) {
    let told = run(lookalike(arguments).current_dir(dir.path())).expect(0).stdout;
    let json = report.map_or(told, |report| fs::read_to_string(dir.at(report)).expect("a report"));
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let skipped = report["skipped"].as_array().expect("a list").iter();
    let own =
        skipped.filter(|skip| skip["kind"] == "own result").map(|skip| skip["id"].as_str().expect("an id").into());
    (report["documents"].as_u64().expect("a number"), own.collect())
}

#[test]
fn files_that_the_run_writes_are_no_documents() {
    let dir = folder();
    let (documents, own) = seen(&dir, &["scan", "in", "--json"], None);
    assert_eq!(own, [""; 0]);
    let outputs = [("--html", "in/page.html"), ("--pairs", "in/pairs.csv"), ("--xlsx", "in/table.xlsx")];
    let mut command = vec!["scan", "in", "--json", "-q", "-o", "in/report.json", "--save", "in/saved"];
    command.extend(outputs.iter().flat_map(|(flag, path)| [flag, path]));
    assert_eq!(seen(&dir, &command, Some("in/report.json")), (documents, Vec::new()));
    // a saved run is never written twice
    fs::remove_dir_all(dir.at("in/saved")).expect("it was saved");
    let again = ["in/page.html", "in/pairs.csv", "in/report.json", "in/table.xlsx"].map(String::from);
    assert_eq!(seen(&dir, &command, Some("in/report.json")), (documents, again.to_vec()));
}

#[test]
fn folders_of_earlier_runs_are_no_documents() {
    let dir = folder();
    let (documents, _) = seen(&dir, &["scan", "in", "--json"], None);
    for command in [
        &["scan", "in", "-q", "--save", "in/saved"][..],
        &["index", "build", "in/index", "in", "-q"],
        &["dedup", "in", "-o", "in/clean", "-q"],
    ] {
        run(lookalike(command).current_dir(dir.path())).expect(0);
    }
    let earlier = ["in/clean", "in/index", "in/saved"].map(String::from).to_vec();
    assert_eq!(seen(&dir, &["scan", "in", "--json"], None), (documents, earlier.clone()));
    let (files, own) = seen(&dir, &["files", "in", "--json"], None);
    assert_eq!((files, own), (documents, earlier));
    // one that is named is read
    let (_, own) = seen(&dir, &["scan", "in/clean/corpus", "--json"], None);
    assert_eq!(own, [""; 0]);
}

#[test]
fn a_file_cannot_be_read_and_written() {
    let dir = Dir::new();
    let lines = jsonl(&documents(20, 3));
    dir.write("a.jsonl", &lines);
    for flag in ["-o", "--html", "--pairs"] {
        let told = run(lookalike(["scan", "a.jsonl", "--json", flag, "a.jsonl"]).current_dir(dir.path())).expect(2);
        assert!(told.stderr.contains("a.jsonl: the run cannot both read and write it"), "{flag}: {}", told.stderr);
        assert_eq!(fs::read_to_string(dir.at("a.jsonl")).expect("it stays"), lines);
    }
}

#[test]
fn a_foreign_partial_folder_is_refused() {
    let dir = folder();
    dir.write("out.partial/thesis.txt", "precious");
    for more in [&[][..], &["--resume"]] {
        let command = [&["dedup", "in", "-o", "out"], more].concat();
        let told = run(lookalike(command).current_dir(dir.path())).expect(2).stderr;
        assert!(told.contains("out.partial exists and is not the folder of an unfinished run"), "{told}");
        assert_eq!(fs::read(dir.at("out.partial/thesis.txt")).expect("it stays"), b"precious");
    }
}

#[test]
fn no_verb_reads_an_earlier_result() {
    let dir = folder();
    for command in [
        &["scan", "in", "-q", "--save", "in/saved"][..],
        &["index", "build", "in/index", "in", "-q"],
        &["dedup", "in", "-o", "in/clean", "-q"],
    ] {
        run(lookalike(command).current_dir(dir.path())).expect(0);
    }
    let (documents, _) = seen(&dir, &["scan", "in", "--json"], None);
    for (name, words) in [
        ("in/clean", "in/clean: it is a result of dedup, and no input; expected documents, as in in/clean/corpus"),
        ("in/saved", "in/saved: it is a saved run, and no input"),
        ("in/index", "in/index: it is an index or a store of fingerprints, and no input"),
    ] {
        for command in [
            &["scan", name, "--lens", "shingles"][..],
            &["scan", name, "--lens", "simhash"],
            &["files", name],
            &["dedup", name, "-o", "again"],
            &["dedup", name, "--dry-run"],
            &["calibrate", name],
            &["index", "build", "new.index", name],
            &["sketch", name, "-o", "new.lka"],
            &["simhash", "fingerprint", name],
            &["simhash", "idf", name, "-o", "new.idf"],
        ] {
            let told = run(lookalike(command).current_dir(dir.path())).expect(2).stderr;
            assert!(told.contains(words), "{command:?}: {told}");
            assert!(!dir.at("again").exists() && !dir.at("again.partial").exists(), "{command:?}");
        }
    }
    // a pattern matches no result, and says which it passed over
    let (matched, own) = seen(&dir, &["scan", "in/*", "--json"], None);
    assert_eq!(matched, documents);
    assert_eq!(own, ["in/clean", "in/index", "in/saved"]);
}

#[test]
fn a_shard_that_would_be_missing_is_named_with_the_flags() {
    let dir = folder();
    dir.write("in/.hidden.jsonl", jsonl(&documents(5, 3)));
    let told = run(lookalike(["dedup", "in", "-o", "out"]).current_dir(dir.path())).expect(2).stderr;
    assert!(told.contains("in/.hidden.jsonl: hidden") && told.contains("(--hidden, --exclude)"), "{told}");
    for flag in [&["--hidden"][..], &["--exclude", ".hidden.jsonl"]] {
        run(lookalike(["dedup", "in", "-o", "out"]).args(flag).current_dir(dir.path())).expect(0);
        fs::remove_dir_all(dir.at("out")).expect("a result");
    }
}

/// An empty folder of somebody else is as foreign as a full one, and a link leads to another.
#[cfg(unix)]
#[test]
fn no_verb_writes_into_a_folder_that_it_did_not_make() {
    let dir = folder();
    run(lookalike(["simhash", "fingerprint", "in", "-q", "-o", "in.tsv"]).current_dir(dir.path())).expect(0);
    fs::create_dir(dir.at("empty")).expect("a folder");
    std::os::unix::fs::symlink("empty", dir.at("link")).expect("a link");
    for out in ["empty", "link"] {
        for command in [
            &["dedup", "in", "-o", out][..],
            &["dedup", "in", "-o", out, "--resume"],
            &["scan", "in", "-q", "--save", out],
            &["index", "build", out, "in"],
            &["simhash", "build", "in.tsv", "-o", out],
            &["man", out],
        ] {
            run(lookalike(command).current_dir(dir.path())).expect(2);
            assert_eq!(fs::read_dir(dir.at("empty")).expect("it stays").count(), 0, "{command:?}");
            assert!(dir.at("link").is_symlink(), "{command:?}");
        }
    }
}
