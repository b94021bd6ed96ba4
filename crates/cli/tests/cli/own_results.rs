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
