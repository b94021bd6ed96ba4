//! The report page and the decisions that it exports. What a reader sees of the page is tested in a browser: `web/tests`.

use crate::command::{Outcome, lookalike, run, shell};
use crate::corpus::{documents, write};
use crate::dir::Dir;
use serde_json::json;
use std::fs;

/// Two pages of a form, two copies of a letter, one of them newer, and something else.
fn folder() -> Dir {
    let dir = Dir::new();
    let words = |from: u32, n: u32| (from..from + n).map(|at| format!("word{at}")).collect::<Vec<_>>().join(" ");
    dir.write("docs/letter.txt", words(0, 200));
    dir.write("docs/letter-new.txt", words(0, 200) + " with a postscript");
    dir.write("docs/form-a.txt", words(1000, 150) + " filled in by Anna about her bicycle");
    dir.write("docs/form-b.txt", words(1000, 150) + " filled in by Bert about his garden fence");
    dir.write("docs/other.txt", words(5000, 200));
    dir
}

fn scan(dir: &Dir, flags: &[&str]) -> Outcome {
    run(lookalike(["scan", "docs", "--quiet"]).args(flags).current_dir(dir.path()))
}

/// Decides about documents as they are now.
pub(crate) fn decision(dir: &Dir, verdict: &str, ids: &[&str]) -> serde_json::Value {
    let document = |id: &&str| {
        let hash = blake3::hash(&fs::read(dir.at(id)).expect("a document")).to_hex();
        json!({ "id": id, "content": hash[..32] })
    };
    let documents: Vec<_> = ids.iter().map(document).collect();
    json!({ "representative": ids[0], "verdict": verdict, "keep": [ids[0]], "note": "agreed", "documents": documents })
}

pub(crate) fn decide(dir: &Dir, clusters: &[serde_json::Value]) {
    dir.write("decisions.json", json!({ "decisions": 1, "clusters": clusters }).to_string());
}

#[test]
fn a_page_is_one_file_without_a_way_out() {
    let dir = folder();
    scan(&dir, &["--html", "page.html", "--json"]).json();
    let page = fs::read_to_string(dir.at("page.html")).expect("UTF-8");
    assert!(page.starts_with("<!doctype html>"));
    assert!(page.contains("default-src 'none'; script-src 'sha256-"));
    assert_eq!(page.matches("<script").count(), 4, "data, texts, the script, and what unpacks it");
    for outside in ["src=", "href=\"http", "url(http", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("postscript"), "texts are packed");
    // no texts, and no pieces of texts
    let small = scan(&dir, &["--html", "small.html", "--embed-limit", "0", "--max-df", "1", "--json"]);
    small.expect(0);
    assert!(fs::metadata(dir.at("small.html")).unwrap().len() < page.len() as u64);
}

#[test]
fn equal_scans_make_equal_pages_if_told_the_time() {
    let dir = Dir::new();
    // so many that little memory spills
    write(&dir, "corpus.jsonl", &documents(4000, 71));
    let [little, much] = [("16M", "1"), ("1G", "2")].map(|(memory, threads)| {
        let mut command =
            lookalike(["scan", "corpus.jsonl", "-q", "--html", "p.html", "--memory", memory, "-j", threads]);
        run(command.current_dir(dir.path()).env("SOURCE_DATE_EPOCH", "1700000000")).expect(0);
        fs::read(dir.at("p.html")).unwrap()
    });
    assert!(little == much, "neither memory nor threads show");
}

#[test]
fn a_page_appears_whole_or_not_at_all() {
    let dir = folder();
    dir.write("page.html", "the old one");
    let script = "trap '' XFSZ; ulimit -f 20; exec \"$LOOKALIKE\" scan docs --quiet --html page.html";
    let failed = run(shell(script).current_dir(dir.path())).expect(2);
    assert!(failed.stderr.contains("page.html") && failed.stderr.contains("free some space"), "{}", failed.stderr);
    assert_eq!(fs::read_to_string(dir.at("page.html")).unwrap(), "the old one");
    assert_eq!(dir.names(), ["docs", "page.html"]);
    let failed = scan(&dir, &["--html", "nowhere/page.html"]).expect(2);
    assert!(failed.stderr.contains("nowhere is no folder"), "{}", failed.stderr);
    for (flags, words) in [
        (["--html", "page.html", "-o", "docs/../page.html"], "two results would be written"),
        (["--html", "-", "--top", "1"], "a file called -"),
    ] {
        let failed = scan(&dir, &flags).expect(2);
        assert!(failed.stderr.contains(words), "{}", failed.stderr);
    }
    let failed = scan(&dir, &["--explore", "0.2"]).expect(2);
    assert!(failed.stderr.contains("--html"), "{}", failed.stderr);
    let failed = scan(&dir, &["--html", "page.html", "--explore", "2"]).expect(2);
    assert!(failed.stderr.contains("expected a share from 0 to 1"), "{}", failed.stderr);
}

#[test]
fn two_documents_side_by_side() {
    let dir = folder();
    let mut command = lookalike(["compare", "docs/letter.txt", "docs/letter-new.txt", "--html", "pair.html"]);
    let outcome = run(command.current_dir(dir.path())).expect(0);
    assert!(outcome.stdout.contains("resemblance"), "the terminal tells as before");
    assert!(
        fs::read_to_string(dir.at("pair.html"))
            .unwrap()
            .contains("letter.txt, docs/letter-new.txt · lookalike</title>")
    );
}

#[test]
fn what_is_decided_is_not_shown_again() {
    let dir = folder();
    let letters = ["docs/letter-new.txt", "docs/letter.txt"];
    decide(&dir, &[decision(&dir, "keep", &letters)]);
    let flags = ["--decisions", "decisions.json"];
    let shown = scan(&dir, &flags).expect(0).stdout;
    assert!(shown.contains("undecided         1  to look at"), "{shown}");
    assert!(shown.contains("form-a.txt") && !shown.contains("letter"), "{shown}");
    let report = scan(&dir, &[&flags[..], &["--json"]].concat()).json();
    assert_eq!(report["reviewed"]["decided"], 1);
    let with = |verdict: &str| {
        let clusters = report["clusters"].as_array().expect("clusters");
        clusters
            .iter()
            .filter(|c| c["decision"]["verdict"] == verdict)
            .map(|c| c["decision"]["note"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(with("keep"), ["agreed"]);
    let csv = scan(&dir, &[&flags[..], &["--csv"]].concat()).expect(0).stdout;
    assert!(csv.lines().next().unwrap().ends_with("bytes,verdict"), "{csv}");
    assert_eq!(csv.lines().filter(|line| line.ends_with(",keep")).count(), 2, "{csv}");

    // nothing new: nothing found
    let forms = ["docs/form-a.txt", "docs/form-b.txt"];
    let both = |second: &str| decide(&dir, &[decision(&dir, "keep", &letters), decision(&dir, second, &forms)]);
    both("not-duplicates");
    scan(&dir, &[&flags[..], &["--exit-code"]].concat()).expect(0);
    both("template");
    let report = scan(&dir, &[&flags[..], &["--exit-code", "--json"]].concat()).json();
    assert_eq!(report["clusters"].as_array().map(Vec::len), Some(1), "the form itself is ignored");
    assert!(report["shingles"]["templates"][0]["text"].as_str().unwrap().starts_with("word1000 word1001"));
    assert_eq!(report["shingles"]["templates"][0]["named"], true);
    assert!(scan(&dir, &flags).expect(0).stdout.contains("Templates  named by a decision, and therefore ignored"));
    both("later");
    scan(&dir, &[&flags[..], &["--exit-code"]].concat()).expect(1);
    // a changed document ends a decision
    dir.write("docs/form-b.txt", fs::read_to_string(dir.at("docs/form-b.txt")).unwrap() + " again");
    decide(&dir, &[decision(&dir, "keep", &letters)]);
    dir.write("docs/letter.txt", fs::read_to_string(dir.at("docs/letter.txt")).unwrap() + " again");
    let reviewed = scan(&dir, &[&flags[..], &["--json"]].concat()).json()["reviewed"].clone();
    assert_eq!((&reviewed["decided"], &reviewed["undecided"], &reviewed["stale"]), (&json!(0), &json!(2), &json!(1)));
}

#[test]
fn a_wrong_decisions_file_is_named() {
    let dir = folder();
    dir.write("wrong.json", "{\"clusters\": 3}");
    let flags = |file: &'static str| ["--decisions", file];
    for (file, words) in [("wrong.json", "expected a decisions file"), ("missing.json", "cannot be read")] {
        let failed = scan(&dir, &flags(file)).expect(2);
        assert!(failed.stderr.contains(file) && failed.stderr.contains(words), "{}", failed.stderr);
        assert_eq!(failed.stdout, "");
    }
    decide(&dir, &[decision(&dir, "template", &["docs/form-a.txt", "docs/form-b.txt"])]);
    let failed = scan(&dir, &["--decisions", "decisions.json", "--save", "run"]).expect(2);
    assert!(failed.stderr.contains("--save"), "{}", failed.stderr);
    let failed = scan(&dir, &["--decisions", "decisions.json", "--boilerplate", "keep"]).expect(2);
    assert!(failed.stderr.contains("--boilerplate keep"), "{}", failed.stderr);
}
