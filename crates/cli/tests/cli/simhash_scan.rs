//! `scan --lens simhash` and `compare --lens simhash`: what they find, what they say, what they refuse.

use crate::chunks::{clusters, list, sets};
use crate::command::{at, refused};
use crate::dir::Dir;
use crate::words::{Random, sentences};
use serde_json::Value;

/// A manual of several editions, a copy, a long one, strangers, and two documents without words.
fn docs() -> Dir {
    let dir = Dir::new();
    let mut random = Random(61);
    let words = random.words(900);
    dir.write("docs/manual.txt", sentences(&words));
    dir.write("docs/manual-copy.txt", sentences(&words));
    let mut second = words.clone();
    second[450] = "zeppelin";
    dir.write("docs/manual-2.txt", sentences(&second));
    // all of it twice: the same votes, another length
    dir.write("docs/manual-twice.txt", sentences(&[&words[..], &words].concat()));
    // the words the other way round: the same words, no phrase in common
    let backwards: Vec<&str> = words.iter().rev().copied().collect();
    dir.write("docs/reversed.txt", sentences(&backwards));
    for name in ["x", "y", "z"] {
        dir.write(format!("docs/{name}.txt"), random.text(300));
    }
    dir.write("docs/empty.txt", "");
    dir.write("docs/dots.txt", " … ");
    dir
}

#[track_caller]
fn scan(dir: &Dir, flags: &[&str]) -> Value {
    at(dir, &[&["scan", "--lens", "simhash", "--json", "docs"], flags].concat()).json()
}

#[test]
fn on_the_terminal() {
    let dir = docs();
    let shown = |flags: &[&str]| at(&dir, &[&["scan", "--lens", "simhash", "docs"], flags].concat()).expect(0).stdout;
    insta::assert_snapshot!("unverified", shown(&["--ngrams", "3", "--distance", "7"]));
    insta::assert_snapshot!("verified", shown(&["--ngrams", "1", "--verify", "--length-ratio", "0.8"]));
    insta::assert_snapshot!("csv", shown(&["--csv", "--ngrams", "3"]));
    insta::assert_snapshot!("single", shown(&["--distance", "0", "--bits", "128", "--linkage", "single"]));
    let compared = at(&dir, &["compare", "docs/manual.txt", "docs/manual-2.txt", "--lens", "simhash"]).expect(0).stdout;
    insta::assert_snapshot!("compared", compared);
}

#[test]
fn distances_are_those_of_the_fingerprints() {
    let dir = docs();
    let report = scan(&dir, &["--distance", "7", "--ngrams", "3"]);
    assert_eq!(report["documents"], 8);
    assert_eq!(report["simhash"]["empty"], 2);
    assert_eq!(list(&report, "skipped").len(), 2);
    assert_eq!(report["lens"], "simhash");
    let manuals = ["docs/manual-2.txt", "docs/manual-copy.txt", "docs/manual-twice.txt", "docs/manual.txt"];
    assert_eq!(clusters(&report), sets([&manuals]));
    let first = &report["clusters"][0]["representative"];
    for member in list(&report["clusters"][0], "members") {
        let names = [first, &member["id"]].map(|id| id.as_str().expect("an id"));
        let compared =
            at(&dir, &["compare", "--lens", "simhash", "--ngrams", "3", "--json", names[0], names[1]]).json();
        assert_eq!(member["distance"], compared["distance"], "{member}");
        let identical = member["class"] == "identical";
        assert_eq!(compared["identical"], identical);
        // only what is the same is known to resemble
        assert_eq!(member["resemblance"].is_null(), !identical, "{member}");
    }
}

#[test]
fn lengths_keep_apart() {
    let dir = docs();
    let apart = scan(&dir, &["--distance", "7", "--ngrams", "3", "--length-ratio", "0.8"]);
    let alike = ["docs/manual-2.txt", "docs/manual-copy.txt", "docs/manual.txt"];
    assert_eq!(clusters(&apart), sets([&alike]));
    assert_eq!(apart["simhash"]["length_ratio"], 0.8);
}

#[test]
fn categories_keep_apart() {
    let dir = Dir::new();
    let text = Random(62).text(200);
    let line = |id: &str, site: Option<&str>| {
        let mut line = serde_json::json!({ "id": id, "text": text });
        if let Some(site) = site {
            line["site"] = site.into();
        }
        format!("{line}\n")
    };
    let lines =
        [("a1", Some("a")), ("b1", Some("b")), ("none1", None), ("a2", Some("a")), ("none2", None), ("c1", Some("c"))];
    dir.write("docs/crawl.jsonl", lines.map(|(id, site)| line(id, site)).concat());
    // from a folder it is one document; as an argument each line is
    let scan = |flags: &[&str]| {
        at(&dir, &[&["scan", "--lens", "simhash", "--json", "docs/crawl.jsonl"], flags].concat()).json()
    };
    assert_eq!(clusters(&scan(&["--category-field", "site"])), sets([&["a1", "a2"], &["none1", "none2"]]));
    assert_eq!(clusters(&scan(&[])), sets([&["a1", "a2", "b1", "c1", "none1", "none2"]]));
    refused(
        &dir,
        &["scan", "--lens", "simhash", "docs/crawl.jsonl", "--category-field", "text"],
        &["category", "\"text\""],
    );
}

/// What repeats two words is not near everything else that repeats them; what has hardly a word is near nothing.
#[test]
fn the_default_was_chosen_on_pages() {
    let dir = docs();
    let mut random = Random(67);
    // an index of a manual: the same words again and again, and what it is an index of
    for name in ["s", "g"] {
        let entries = (0..150).map(|_| format!("{} in module", random.text(1))).collect::<Vec<_>>().join(" ");
        let common = "in module python method ".repeat(400);
        dir.write(format!("docs/index-{name}.txt"), format!("{common}{entries}"));
        dir.write(format!("docs/redirect-{name}.txt"), format!("Redirecting to index {name}"));
    }
    let report = scan(&dir, &[]);
    assert_eq!(report["recipe"], "auto|words|simhash:f=64:n=2-3|weight=log|v=2");
    let together = |report: &Value, name: &str| {
        clusters(report).iter().any(|cluster| cluster.iter().filter(|id| id.contains(name)).count() > 1)
    };
    assert!(!together(&report, "index-") && !together(&report, "redirect-"), "{report}");
    assert!(together(&report, "manual"), "{report}");
    assert!(together(&scan(&dir, &["--weight", "tf"]), "index-"));
    let little = |report: &Value| list(report, "skipped").iter().filter(|s| s["kind"] == "too little text").count();
    assert_eq!((little(&report), little(&scan(&dir, &["--min-words", "0"]))), (2, 0));
    // what nobody checked says what was measured elsewhere, and with what
    let measured = &report["simhash"]["measured"];
    assert!(measured["pages"].as_u64() > Some(1000) && measured["confirmed"].as_u64() <= measured["pairs"].as_u64());
    let shown = |flags: &[&str]| at(&dir, &[&["scan", "--lens", "simhash", "docs"], flags].concat()).expect(0).stdout;
    assert!(
        shown(&[])
            .contains("pages of documentation 96 of 100 resembled each other by half or more; scan with --verify")
    );
    assert!(shown(&["--weight", "tf"]).contains("with these settings nobody measured how many hold"));
    assert!(!shown(&["--verify"]).contains("not verified"));
    assert!(scan(&dir, &["--verify"])["simhash"].get("measured").is_none());
}

#[test]
fn verified_pairs_are_counted() {
    let dir = docs();
    // single words do not tell what was written backwards; shingles do
    let report = scan(&dir, &["--distance", "7", "--ngrams", "1", "--verify"]);
    let verified = &report["simhash"]["verified"];
    let [pairs, compared, confirmed] = [&report["simhash"]["pairs"], &verified["compared"], &verified["confirmed"]]
        .map(|n| n.as_u64().expect("a number"));
    assert_eq!((pairs, verified["not_compared"].as_u64()), (compared, Some(0)));
    // the manual, its second edition, and all of it twice
    assert_eq!(confirmed, 3);
    assert!(compared > confirmed, "{verified}");
    assert_eq!(verified["precision"].as_f64(), Some(confirmed as f64 / compared as f64));
    for member in list(&report["clusters"][0], "members") {
        assert!(member["resemblance"].as_f64() >= Some(0.5), "{member}");
    }
    let none = scan(&dir, &["--distance", "7", "--ngrams", "1", "--verify", "--threshold", "1"]);
    assert!(none["simhash"]["verified"]["confirmed"].as_u64() < Some(3), "{none}");
    at(
        &dir,
        &["scan", "--lens", "simhash", "docs", "--ngrams", "1", "--distance", "7", "--verify", "--pairs", "pairs.csv"],
    )
    .expect(0);
    let rows = std::fs::read_to_string(dir.at("pairs.csv")).expect("pairs");
    assert!(rows.lines().count() > 3, "{rows}");
}

#[test]
fn menus_do_not_count_if_they_are_dropped() {
    let dir = Dir::new();
    let mut random = Random(63);
    let menu = random.text(300);
    let own: Vec<String> = (0..30).map(|_| random.text(60)).collect();
    for (at, own) in own.iter().enumerate() {
        dir.write(format!("docs/p{at:02}.txt"), format!("{menu}\n{own}"));
    }
    dir.write("docs/twin.txt", format!("{menu}\n{} zeppelin", own[7]));
    let menu_and_all = scan(&dir, &["--distance", "7"]);
    assert!(clusters(&menu_and_all).iter().any(|cluster| cluster.len() > 2), "{menu_and_all}");
    let report = scan(&dir, &["--distance", "7", "--max-df", "10"]);
    assert_eq!(clusters(&report), sets([&["docs/p07.txt", "docs/twin.txt"]]));
    assert!(report["recipe"].as_str().is_some_and(|recipe| recipe.contains("|idf=")), "{report}");
    // copies are common text throughout, and keep all of it
    for at in 0..20 {
        dir.write(format!("docs/copy{at:02}.txt"), format!("{}{}", own[3], ".".repeat(at)));
    }
    let report = scan(&dir, &["--distance", "3", "--max-df", "10"]);
    assert!(clusters(&report).iter().any(|cluster| cluster.len() == 20), "{report}");
}

#[test]
fn the_same_whatever_the_threads_the_memory_or_the_form() {
    let dir = docs();
    for flags in [
        &["--distance", "7"][..],
        &["--distance", "7", "--ngrams", "1", "--verify", "--linkage", "single"],
        &["--max-df", "3"],
    ] {
        let once = scan(&dir, &[flags, &["-j", "1"]].concat());
        assert_eq!(scan(&dir, &[flags, &["-j", "4", "--memory", "16M"]].concat()), once);
        let reversed =
            ["z", "y", "x", "reversed", "manual-twice", "manual-copy", "manual-2", "manual", "empty", "dots"];
        let paths: Vec<String> = reversed.iter().map(|name| format!("docs/{name}.txt")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        assert_eq!(at(&dir, &[&["scan", "--lens", "simhash", "--json"], flags, &paths].concat()).json(), once);
    }
}

/// What is in it is held against scans in `web/tests/twin`.
#[test]
fn a_page() {
    let dir = docs();
    let report = scan(&dir, &["--distance", "7", "--ngrams", "1", "--verify", "--html", "page.html"]);
    let page = std::fs::read_to_string(dir.at("page.html")).expect("it is written");
    assert!(page.starts_with("<!doctype html>") && page.len() > 10_000);
    assert!(report["recipe"].as_str().is_some_and(|recipe| recipe.contains("simhash")));
}

#[test]
fn what_does_not_fit_is_refused() {
    let dir = docs();
    let simhash = |flags: &[&'static str]| [&["scan", "--lens", "simhash", "docs"], flags].concat();
    for (flags, words) in [
        (&["--threshold", "0.7"][..], &["--threshold", "--verify"][..]),
        (&["-w", "5"], &["-w", "--verify"]),
        (&["--pairs", "p.csv"], &["--pairs", "--verify"]),
        (&["--html", "p.html"], &["--html", "--verify"]),
        (&["--estimate"], &["--estimate", "shingles lens"]),
        (&["--save", "run", "--verify"], &["--save", "--verify", "fingerprints"]),
        (&["--sketch", "min:10"], &["--sketch", "shingles lens"]),
        (&["--exact"], &["--exact", "chunks lens"]),
        (&["--report-format", "fdupes"], &["--report-format fdupes", "--lens chunks"]),
        (&["--distance", "65"], &["--distance", "from 0 to 7", "65"]),
        (&["--length-ratio", "1.5"], &["--length-ratio", "1.5"]),
    ] {
        refused(&dir, &simhash(flags), words);
    }
    for flags in
        [&["--distance", "2"][..], &["--verify"], &["--category-field", "site"], &["--ngrams", "2"], &["--bits", "128"]]
    {
        refused(&dir, &[&["scan", "docs"], flags].concat(), &[flags[0], "--lens simhash"]);
        refused(&dir, &[&["scan", "--lens", "chunks", "docs"], flags].concat(), &[flags[0], "--lens simhash"]);
    }
    let two = ["compare", "docs/manual.txt", "docs/manual-2.txt"];
    refused(&dir, &[&two[..], &["--distance", "2"]].concat(), &["--distance", "--lens simhash"]);
    refused(&dir, &[&two[..], &["--lens", "simhash", "--html", "x.html"]].concat(), &["--html", "shingles"]);
    refused(&dir, &["compare", "docs/empty.txt", "docs/manual.txt", "--lens", "simhash"], &["docs/empty.txt", "empty"]);
}
