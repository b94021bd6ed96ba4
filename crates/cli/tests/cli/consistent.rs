//! The same habits in every verb: defaults, empty documents, files for results.

use crate::command::{at, refused};
use crate::dir::Dir;
use crate::words::{Random, line, sentences};

/// An index of ten pages, and a file with copies of them that changed by a fifth, beside an empty document.
fn pages(flags: &[&str]) -> Dir {
    let (dir, mut random) = (Dir::new(), Random(5));
    let (mut old, mut new) = (String::new(), line("none", ""));
    for page in 0..10 {
        let words = random.words(200);
        old += &line(&format!("old{page}"), &sentences(&words));
        new += &line(&format!("new{page}"), &sentences(&random.mutate(&words, 5)));
    }
    dir.write("old.jsonl", old);
    dir.write("new.jsonl", new);
    at(&dir, &[&["index", "build", "x.index", "old.jsonl"], flags].concat()).expect(0);
    dir
}

/// Ids of the documents with a match.
fn matched(answers: &str) -> Vec<String> {
    let lines = answers.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let found = lines.filter(|answer| answer["matches"].as_array().is_some_and(|found| !found.is_empty()));
    found.map(|answer| answer["query"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn an_index_is_asked_with_its_own_threshold() {
    for (flags, count) in [(&[][..], 10), (&["--threshold", "0.99"], 0)] {
        let dir = pages(flags);
        let batch = at(&dir, &["query", "x.index", "--batch", "new.jsonl"]).expect(0);
        assert_eq!(matched(&batch.stdout).len(), count);
        let asked = at(&dir, &["query", "x.index", "--batch", "new.jsonl", "--threshold", "0.5"]).expect(0);
        assert_eq!(matched(&asked.stdout).len(), 10, "a flag says otherwise");
    }
}

#[test]
fn an_empty_document_is_no_fault_of_a_batch() {
    let dir = pages(&[]);
    let batch = at(&dir, &["query", "x.index", "--batch", "new.jsonl"]).expect(0);
    assert!(batch.stderr.contains("no answer for 1 of 11 (1 empty)"), "{}", batch.stderr);
    assert!(batch.stdout.lines().next().is_some_and(|line| line.contains("\"error\":\"empty\"")), "{}", batch.stdout);
    // a line that is broken is
    dir.write("broken.jsonl", line("a", "some words") + "{\"id\": \"b\", \"text\": \"some\n");
    at(&dir, &["query", "x.index", "--batch", "broken.jsonl"]).expect(2);
    let wrong = at(&dir, &["query", "x.index", "--batch", "new.jsonl", "--text-field", "body"]).expect(2);
    assert!(wrong.stderr.contains("none of the first records has the field \"body\""), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("use --text-field text"), "{}", wrong.stderr);
}

#[test]
fn every_answer_can_be_written_to_a_file() {
    let dir = pages(&["--sweep", "2026-01-01"]);
    at(&dir, &["index", "add", "x.index", "new.jsonl", "--sweep", "2026-02-01"]).expect(0);
    dir.write("page.txt", "some words that stand in no other place");
    for verb in [
        &["query", "x.index", "page.txt"][..],
        &["query", "x.index", "--batch", "new.jsonl"],
        &["lost", "x.index", "old1"],
        &["holders", "x.index", "old1"],
        &["holders", "x.index", "old1", "--csv"],
        &["changes", "x.index"],
        &["compare", "page.txt", "page.txt"],
    ] {
        let shown = at(&dir, verb).expect(0).stdout;
        assert!(!shown.is_empty(), "{verb:?}");
        assert_eq!(at(&dir, &[verb, &["-o", "answer"]].concat()).expect(0).stdout, "", "{verb:?}");
        assert_eq!(std::fs::read_to_string(dir.at("answer")).expect("a file"), shown, "{verb:?}");
    }
}

#[test]
fn a_percentage_is_told_as_a_share() {
    let dir = Dir::new();
    dir.write("a.txt", "words");
    refused(&dir, &["scan", "a.txt", "--threshold", "80%"], &["write 0.8"]);
    refused(&dir, &["scan", "a.txt", "--contained", "90%"], &["write 0.9"]);
}
