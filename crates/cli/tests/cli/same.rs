//! The same documents and flags give the same bytes, whatever the threads, the memory, the order or the container.

use crate::command::{lookalike, run, run_with, shell};
use crate::corpus::{documents, jsonl, write};
use crate::dir::Dir;
use crate::words::Random;
use serde_json::Value;
use std::path::Path;

const DOCUMENTS: usize = 3000;

fn scan(input: &Path, flags: &[&str]) -> String {
    run(lookalike(["scan", "--json", "--max-df", "100"]).args(flags).arg(input)).expect(0).stdout
}

/// Not equal means a mistake, but a whole report is no message.
#[track_caller]
fn same(what: &str, a: &str, b: &str) {
    if a != b {
        let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
        let around = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(200)..text.len().min(at + 200)]).into_owned()
        };
        panic!("{what}: the reports differ at byte {at}:\n{}\n---\n{}", around(a), around(b));
    }
}

/// One thread in little memory on shuffled lines against two threads in much memory on the lines in order.
#[track_caller]
fn order_threads_and_memory_do_not_show(flags: &[&str]) -> Value {
    let dir = Dir::new();
    let mut documents = documents(DOCUMENTS, 14);
    let ordered = write(&dir, "ordered.jsonl", &documents);
    Random(5).shuffle(&mut documents);
    let shuffled = write(&dir, "shuffled.jsonl", &documents);
    let with = |more: &[&'static str]| [flags, more].concat();
    let first = scan(&ordered, &with(&["-j", "2", "--memory", "8G"]));
    same("shuffled, one thread, 16M", &first, &scan(&shuffled, &with(&["-j", "1", "--memory", "16M"])));
    let report: Value = serde_json::from_str(&first).expect("JSON");
    assert_eq!(report["documents"], DOCUMENTS);
    assert!(report["clusters"].as_array().is_some_and(|c| c.len() > 100), "there is something to compare");
    report
}

#[test]
fn threads() {
    let dir = Dir::new();
    let input = write(&dir, "corpus.jsonl", &documents(DOCUMENTS, 14));
    let one = scan(&input, &["-j", "1"]);
    for threads in ["2", "0", "7"] {
        same(&format!("-j {threads}"), &one, &scan(&input, &["-j", threads]));
    }
    let report: Value = serde_json::from_str(&one).expect("JSON");
    let templates = report["shingles"]["templates"].as_array().expect("a list");
    assert!(!templates.is_empty(), "the shared header and footer were found");
    assert!(templates[0]["documents"].as_u64() > Some(100));
    let classes = ["identical", "lexical", "shingle", "near"];
    for class in classes {
        assert!(report["summary"][class].as_u64() > Some(0), "the corpus has {class} documents");
    }
}

#[test]
fn memory() {
    let dir = Dir::new();
    let input = write(&dir, "corpus.jsonl", &documents(DOCUMENTS, 12));
    let much = scan(&input, &["--memory", "8G"]);
    for memory in ["16M", "64M"] {
        same(memory, &much, &scan(&input, &["--memory", memory]));
    }
}

#[test]
fn order_of_lines() {
    let dir = Dir::new();
    let mut documents = documents(DOCUMENTS, 13);
    let ordered = scan(&write(&dir, "corpus.jsonl", &documents), &[]);
    for seed in 0..3 {
        Random(seed).shuffle(&mut documents);
        same("shuffled", &ordered, &scan(&write(&dir, "shuffled.jsonl", &documents), &[]));
    }
    // cut in two files, given in the other order
    let (a, b) = documents.split_at(DOCUMENTS / 3);
    let (a, b) = (write(&dir, "a.jsonl", a), write(&dir, "b.jsonl", b));
    let parts = run(lookalike(["scan", "--json", "--max-df", "100"]).args([b, a])).expect(0).stdout;
    same("two files", &ordered, &parts);
}

#[test]
fn containers() {
    let dir = Dir::new();
    let mut documents = documents(1000, 14);
    for (id, _) in &mut documents {
        id.push_str(".txt");
    }
    let input = write(&dir, "corpus.jsonl", &documents);
    let plain = scan(&input, &[]);
    run(shell("gzip -kc corpus.jsonl > packed.jsonl.gz").current_dir(dir.path())).expect(0);
    same("gzip", &plain, &scan(&dir.at("packed.jsonl.gz"), &[]));
    let stdin = ["scan", "--json", "--max-df", "100", "-"];
    same("standard input", &plain, &run_with(&mut lookalike(stdin), jsonl(&documents).as_bytes()).expect(0).stdout);
    let packed = std::fs::read(dir.at("packed.jsonl.gz")).expect("written above");
    same("packed standard input", &plain, &run_with(&mut lookalike(stdin), &packed).expect(0).stdout);
    // as files of a folder, by their relative names
    for (id, text) in &documents {
        dir.write(format!("folder/{id}"), text);
    }
    let mut folder = lookalike(["scan", "--json", "--max-df", "100", "."]);
    same("a folder", &plain, &run(folder.current_dir(dir.at("folder"))).expect(0).stdout);
    let list: Vec<&str> = documents.iter().map(|(id, _)| id.as_str()).collect();
    let mut listed = lookalike(["scan", "--json", "--max-df", "100", "--stdin"]);
    same(
        "a list",
        &plain,
        &run_with(listed.current_dir(dir.at("folder")), list.join("\n").as_bytes()).expect(0).stdout,
    );
}

#[test]
fn two_documents_with_one_id() {
    let dir = Dir::new();
    let mut documents = documents(400, 15);
    documents.iter_mut().enumerate().for_each(|(at, (id, _))| *id = format!("d{}", at % 40));
    let ordered = scan(&write(&dir, "corpus.jsonl", &documents), &[]);
    documents.reverse();
    same("reversed", &ordered, &scan(&write(&dir, "reversed.jsonl", &documents), &[]));
}

#[test]
fn with_super_shingles() {
    order_threads_and_memory_do_not_show(&["--candidates", "super"]);
}

#[test]
fn with_min_sketches() {
    order_threads_and_memory_do_not_show(&["--sketch", "min:100"]);
}

#[test]
fn with_mod_sketches() {
    order_threads_and_memory_do_not_show(&["--sketch", "mod:25", "-w", "5"]);
}

#[test]
fn with_single_linkage() {
    order_threads_and_memory_do_not_show(&["--linkage", "single"]);
}

#[test]
fn with_estimates() {
    let report = order_threads_and_memory_do_not_show(&["--estimate"]);
    let near = report["clusters"].as_array().expect("a list").iter().filter_map(|c| c["members"].as_array());
    let near: Vec<&Value> = near.flatten().filter(|m| m["class"] == "near").collect();
    assert!(
        !near.is_empty() && near.iter().all(|m| m["intervals"]["resemblance"].is_array()),
        "estimates carry their interval"
    );
}

#[test]
fn with_containment() {
    let report = order_threads_and_memory_do_not_show(&["--contained", "0.8"]);
    assert!(report["summary"]["contained"].as_u64() > Some(10), "excerpts were found");
}

#[test]
fn with_a_key() {
    let report = order_threads_and_memory_do_not_show(&["--key", "a secret"]);
    assert!(!report.to_string().contains("a secret"), "the key stays secret");
}

#[test]
fn pairs_too() {
    let dir = Dir::new();
    let mut documents = documents(DOCUMENTS, 16);
    let sorted = |input: &Path, flags: &[&str]| {
        let file = dir.at("pairs.csv");
        run(lookalike(["scan", "-q", "--pairs"]).arg(&file).args(flags).arg(input)).expect(0);
        let text = std::fs::read_to_string(&file).expect("pairs were written");
        let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let ordered = sorted(&write(&dir, "corpus.jsonl", &documents), &["-j", "2"]);
    Random(9).shuffle(&mut documents);
    let shuffled = sorted(&write(&dir, "shuffled.jsonl", &documents), &["-j", "1", "--memory", "16M"]);
    assert!(ordered.len() > 1000);
    let missing: Vec<_> = ordered.iter().filter(|row| shuffled.binary_search(row).is_err()).take(5).collect();
    assert!(ordered == shuffled, "{} and {} rows; for example {missing:?}", ordered.len(), shuffled.len());
}
