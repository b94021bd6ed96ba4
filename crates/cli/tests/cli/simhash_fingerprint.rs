//! `simhash fingerprint` and `simhash idf`: fingerprints that never change, whoever makes them; and what is refused.

use crate::command::{self, at, lookalike, run};
use crate::dir::Dir;
use crate::words::{Random, line};
use serde_json::Value;
use std::fs;

fn docs() -> Dir {
    let dir = Dir::new();
    dir.write("docs/rose.txt", "a rose is a rose is a rose");
    dir.write("docs/rose.html", "<title>A rose</title><p>is <b>a rose</b> is a rose");
    dir.write("docs/empty.txt", "");
    dir.write("docs/dots.txt", " … ");
    dir.write("docs/other.txt", "Straße und Ærø, 東京");
    dir
}

/// Standard output of a run that succeeds.
#[track_caller]
fn summary(dir: &Dir, flags: &[&str]) -> String {
    at(dir, &[&["simhash", "fingerprint", "-q", "docs"], flags].concat()).expect(0).stdout
}

/// Must fail with all these words on standard error, and nothing on standard output.
#[track_caller]
fn refused(dir: &Dir, arguments: &[&str], words: &[&str]) {
    command::refused(dir, &[&["simhash"], arguments].concat(), words);
}

#[test]
fn golden_lines() {
    let dir = docs();
    let expected =
        "68410e1c47a3b892\tdocs/other.txt\n3b69b08ca6be5af0\tdocs/rose.html\n3b69b08ca6be5af0\tdocs/rose.txt\n";
    assert_eq!(summary(&dir, &["--ngrams", "1-3", "--weight", "tf"]), expected);
    let wide = summary(&dir, &["--ngrams", "1-3", "--weight", "tf", "--bits", "128"]);
    assert!(wide.contains("182d8d275c066fdc3b69b08ca6be5af0\tdocs/rose.txt\n"), "{wide}");
    let log = summary(&dir, &["--ngrams", "1-3", "--weight", "log"]);
    assert!(log.contains("3b69b09ca6be5af0\tdocs/rose.txt\n"), "{log}");
    assert_eq!(summary(&dir, &["--ngrams", "1-3"]), log);
    assert_ne!(summary(&dir, &["--key", "secret"]), summary(&dir, &[]));
}

#[test]
fn empty_documents_are_counted_and_left_out() {
    let dir = docs();
    let outcome = at(&dir, &["simhash", "fingerprint", "docs"]).expect(0);
    assert_eq!(outcome.stdout.lines().count(), 3);
    for told in
        ["2 documents left out, 2 of them empty", "docs/dots.txt: empty: no words in it", "docs/empty.txt: empty"]
    {
        assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
    }
    let json: Value = at(&dir, &["simhash", "fingerprint", "docs", "--json", "--stop-words", "en"]).json();
    assert_eq!(json["documents"], 3);
    assert_eq!(json["empty"], 2);
    assert_eq!(json["fingerprints"].as_array().map(Vec::len), Some(3));
    assert_eq!(json["skipped"][0]["id"], "docs/dots.txt");
    assert!(json["recipe"].as_str().is_some_and(|recipe| recipe.contains("|stop=en|")), "{json}");
    // of nothing but stop words nothing is left
    dir.write("docs/stop.txt", "to be or not to be");
    let json: Value = at(&dir, &["simhash", "fingerprint", "docs", "--json", "--stop-words", "de,en"]).json();
    assert_eq!(json["empty"], 3);
    assert!(json.to_string().contains("empty: no words in it but stop words"), "{json}");
}

#[test]
fn raw_numbers_are_the_lines() {
    let dir = docs();
    for (bits, bytes) in [("64", 8), ("128", 16)] {
        let told = ["--bits", bits, "--raw", "fingerprints.raw", "-o", "fingerprints.tsv"];
        assert_eq!(summary(&dir, &told), "");
        let lines = fs::read_to_string(dir.at("fingerprints.tsv")).expect("lines");
        let raw = fs::read(dir.at("fingerprints.raw")).expect("numbers");
        let digits = |number: &[u8]| number.iter().rev().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        let raw: Vec<String> = raw.chunks(bytes).map(digits).collect();
        let lines: Vec<&str> = lines.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(raw, lines);
    }
    // without a file for lines only numbers are written
    assert_eq!(summary(&dir, &["--raw", "again.raw"]), "");
    assert_eq!(fs::read(dir.at("again.raw")).expect("numbers").len(), 24);
}

#[test]
fn the_same_whatever_the_threads_the_memory_or_the_order() {
    let dir = Dir::new();
    let mut random = Random(8);
    let lines: Vec<String> = (0..400).map(|at| line(&format!("d{at}"), &random.text(40 + at % 90))).collect();
    dir.write("a.jsonl", lines.concat());
    dir.write("b.jsonl", lines.iter().rev().cloned().collect::<String>());
    let fingerprint =
        |file: &str, flags: &[&str]| at(&dir, &[&["simhash", "fingerprint", file], flags].concat()).expect(0).stdout;
    let once = fingerprint("a.jsonl", &["-j", "1"]);
    assert_eq!(once.lines().count(), 400);
    assert_eq!(fingerprint("a.jsonl", &["-j", "5", "--memory", "64M"]), once);
    let backwards = fingerprint("b.jsonl", &[]);
    assert!(backwards.lines().rev().eq(once.lines()));
    let count = |file: &str, flags: &[&str]| {
        at(&dir, &[&["simhash", "idf", file, "-o", "t.lki", "-q"], flags].concat()).expect(0);
        fs::read(dir.at("t.lki")).expect("a table")
    };
    let table = count("a.jsonl", &["-j", "1"]);
    assert_eq!(count("b.jsonl", &["-j", "3", "--memory", "64M"]), table);
    assert_ne!(count("a.jsonl", &["--limit", "20"]), table);
}

#[test]
fn a_table_changes_fingerprints_and_recipe() {
    let dir = docs();
    let counted: Value = at(&dir, &["simhash", "idf", "docs", "-o", "docs.lki", "--json"]).json();
    // the two roses have theirs in common: 3 of two words, 3 of three
    assert_eq!([&counted["features"], &counted["documents"], &counted["empty"]], [&6, &3, &2]);
    let json: Value = at(&dir, &["simhash", "fingerprint", "docs", "--idf", "docs.lki", "--json"]).json();
    let name = counted["idf"].as_str().expect("a name");
    assert!(json["recipe"].as_str().is_some_and(|recipe| recipe.contains(&format!("|idf={name}|"))), "{json}");
    // a text in which common features are outnumbered, but for their weight
    let text = "a rose is a rose is a rose on the hill behind some other house";
    dir.write("docs/mixed.txt", text);
    assert_ne!(summary(&dir, &["--idf", "docs.lki"]), summary(&dir, &[]));
    // A table inside the folder is no document, and is listed as the run's own.
    fs::copy(dir.at("docs.lki"), dir.at("docs/docs.lki")).expect("a copy");
    let outcome = at(&dir, &["simhash", "fingerprint", "docs", "--idf", "docs/docs.lki"]).expect(0);
    assert!(
        outcome.stderr.contains("docs/docs.lki: written by lookalike: it belongs to this run"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn tables_that_do_not_fit() {
    let dir = docs();
    at(&dir, &["simhash", "idf", "docs", "-o", "docs.lki", "-q"]).expect(0);
    let with = |flags: &[&'static str]| [&["fingerprint", "docs", "--idf", "docs.lki"], flags].concat();
    for flags in [&["--ngrams", "2"][..], &["--stop-words", "en"], &["--format", "text"], &["--key", "other"]] {
        refused(&dir, &with(flags), &["docs.lki", "expected", "found", "--ngrams", "--key"]);
    }
    at(&dir, &[&["simhash"], &with(&["--weight", "log", "--bits", "128"])[..]].concat()).expect(0);
    refused(&dir, &["fingerprint", "docs", "--idf", "none.lki"], &["none.lki", "No such file"]);
    refused(&dir, &["fingerprint", "docs", "--idf", "docs"], &["docs", "table of document frequencies"]);
    refused(&dir, &["fingerprint", "docs", "--idf", "docs/rose.txt"], &["docs/rose.txt", "simhash idf"]);
    let whole = fs::read(dir.at("docs.lki")).expect("a table");
    for at in [20, whole.len() - 5] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        dir.write("damaged.lki", damaged);
        refused(&dir, &["fingerprint", "docs", "--idf", "damaged.lki"], &["damaged.lki"]);
    }
    dir.write("cut.lki", &whole[..whole.len() - 9]);
    refused(&dir, &["fingerprint", "docs", "--idf", "cut.lki"], &["cut.lki"]);
}

#[test]
fn wrong_flags() {
    let dir = docs();
    for ngrams in ["0", "3-1", "33", "1-", "x", "1-2-3"] {
        refused(&dir, &["fingerprint", "docs", "--ngrams", ngrams], &["--ngrams", ngrams, "1-3"]);
    }
    refused(&dir, &["fingerprint", "docs", "--bits", "32"], &["--bits", "64, 128"]);
    refused(&dir, &["fingerprint", "docs", "--weight", "heavy"], &["--weight", "tf, log or binary"]);
    refused(&dir, &["fingerprint", "docs", "--stop-words", "en,tlh"], &["--stop-words", "tlh", "de, en"]);
    refused(&dir, &["fingerprint", "nowhere"], &["nowhere"]);
    refused(&dir, &["fingerprint"], &["PATH"]);
    refused(&dir, &["fingerprint", "docs", "--raw", "x", "-o", "x"], &["x"]);
    refused(&dir, &["fingerprint", "docs", "-o", "no/such/file"], &["no/such"]);
    refused(&dir, &["idf", "docs"], &["--output"]);
    refused(&dir, &["idf", "docs", "-o", "t.lki", "--limit", "0"], &["--limit"]);
    refused(&dir, &["idf", "docs/empty.txt", "-o", "t.lki"], &["nothing to count"]);
    assert_eq!(dir.names(), ["docs"]);
}

#[test]
fn names_cannot_act_on_what_reads_them() {
    let dir = Dir::new();
    dir.write("docs.jsonl", line("a\tb\u{1b}[2J\nc", "some words"));
    let lines = run(lookalike(["simhash", "fingerprint", "docs.jsonl"]).current_dir(dir.path())).expect(0).stdout;
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(!lines.contains('\u{1b}') && lines.matches('\t').count() == 1, "{lines:?}");
    let json: Value = at(&dir, &["simhash", "fingerprint", "docs.jsonl", "--json"]).json();
    assert_eq!(json["fingerprints"][0]["id"], "a\tb\u{1b}[2J\nc");
}
