//! Too little text to tell is a class of its own.

use crate::command::{at, scan_json};
use crate::dir::Dir;

/// Pages that are made by scripts: two words each, and nothing else in common.
fn pages() -> Dir {
    let dir = Dir::new();
    for page in 0..5 {
        dir.write(format!("{page}.html"), format!("<html><title>Test page</title><script>run({page})</script></html>"));
    }
    dir.write("copy.html", "<html><title>Test page</title><script>run(0)</script></html>");
    dir
}

#[test]
fn pages_with_few_words_are_listed_and_not_alike() {
    let dir = pages();
    let report = scan_json([dir.path()]);
    assert_eq!(report["documents"], 6);
    let clusters = report["clusters"].as_array().expect("a list");
    assert_eq!(clusters.len(), 1, "{report}");
    assert_eq!(clusters[0]["members"][0]["class"], "identical");
    assert_eq!(clusters[0]["members"].as_array().expect("a list").len(), 1, "the same bytes");
    let skipped = report["skipped"].as_array().expect("a list");
    assert_eq!(skipped.len(), 6);
    assert_eq!(skipped[0]["kind"], "too little text");
    assert_eq!(skipped[0]["reason"], "too little text: 2 words, at least 10 are compared");
    let told = at(&dir, &["scan", "."]).expect(0).stdout;
    assert!(told.contains("6 too little text"), "{told}");
}

#[test]
fn how_little_is_too_little_can_be_said() {
    let dir = pages();
    let members = |flags: &[&str]| {
        let report = at(&dir, &[&["scan", ".", "--json"], flags].concat()).json();
        report["clusters"][0]["members"].as_array().expect("a cluster").len()
    };
    assert_eq!(members(&["--min-words", "2"]), 5);
    assert_eq!(members(&["--min-words", "0"]), 5);
    assert_eq!(members(&["-w", "2"]), 5);
    assert_eq!(members(&["--min-words", "3"]), 1);
    let class = |flags: &[&str]| {
        at(&dir, &[&["compare", "0.html", "1.html", "--json"], flags].concat()).json()["class"].clone()
    };
    assert_eq!(class(&[]), "too little text");
    assert_eq!(class(&["--min-words", "1"]), "lexical");
    assert_eq!(at(&dir, &["compare", "0.html", "copy.html", "--json"]).json()["class"], "identical");
}

#[test]
fn an_index_finds_only_their_bytes() {
    let dir = pages();
    let found = |page: &str| {
        let answer = at(&dir, &["query", "x.index", page, "--json"]).json();
        answer["matches"].as_array().map_or(0, Vec::len)
    };
    at(&dir, &["index", "build", "x.index", "1.html", "2.html", "copy.html"]).expect(0);
    assert_eq!(found("0.html"), 1, "copy.html");
    assert_eq!(found("3.html"), 0);
}
