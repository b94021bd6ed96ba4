//! `lookalike calibrate`: from a corpus to a threshold, judged by alignment and by people.

use crate::command::{at, refused};
use crate::dir::Dir;
use crate::words::{Random, line, sentences};
use serde_json::Value;
use std::fs;

/// Pairs that are the same with some words changed (`s…`), and pairs with a part in common (`d…`); a copy, and an empty document.
fn corpus(dir: &Dir) {
    let mut random = Random(20);
    let mut lines = line("empty", "");
    for pair in 0..120 {
        let words = random.words(120);
        let (kind, other) = if pair % 2 == 0 {
            let changes = 1 + random.below(20);
            ('s', random.mutate(&words, changes))
        } else {
            let kept = 120 - 5 - random.below(60);
            ('d', [&words[..kept], &random.words(120 - kept)].concat())
        };
        lines += &line(&format!("{kind}{pair}a"), &sentences(&words));
        lines += &line(&format!("{kind}{pair}b"), &sentences(&other));
        if pair == 0 {
            lines += &line("copy", &sentences(&words));
        }
    }
    dir.write("corpus.jsonl", lines);
}

/// A file that says what is known of all pairs.
fn judgements(calibration: &Value) -> String {
    let pairs = calibration["sample"].as_array().expect("a list").iter();
    let rows = pairs.map(|pair| {
        let same = pair["a"]["id"].as_str().is_some_and(|id| id.starts_with('s') || id == "copy");
        let content = |side: &str| pair[side]["content"].as_str().expect("a content id").to_owned();
        format!("{},{},{}\n", content("a"), content("b"), if same { "same" } else { "different" })
    });
    format!("a,b,judgement\n{}", rows.collect::<String>())
}

#[test]
fn on_the_terminal() {
    let dir = Dir::new();
    corpus(&dir);
    let shown = at(&dir, &["calibrate", "corpus.jsonl", "--precision", "0.8", "--per-stratum", "6"]).expect(0).stdout;
    assert!(shown.contains("judged by alignment, not by people"), "{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn help() {
    insta::assert_snapshot!(at(&Dir::new(), &["calibrate", "--help"]).expect(0).stdout);
}

#[test]
fn people_decide() {
    let dir = Dir::new();
    corpus(&dir);
    let first = at(&dir, &["calibrate", "corpus.jsonl", "--json"]).json();
    assert_eq!((first["schema"].as_u64(), first["judged_by"].as_str()), (Some(1), Some("alignment")));
    assert_eq!((first["documents"].as_u64(), first["identical"].as_u64()), (Some(241), Some(1)));
    dir.write("judged.csv", judgements(&first));
    let judged = ["calibrate", "corpus.jsonl", "--judged", "judged.csv", "--precision", "0.9"];
    let told = at(&dir, &[&judged[..], &["--json"]].concat()).json();
    assert_eq!((told["judged_by"].as_str(), told["judgements"]["unjudged"].as_u64()), (Some("people"), Some(0)));
    // every pair was judged: there is nothing to guess
    for row in told["measures"][0]["thresholds"].as_array().expect("a list") {
        assert_eq!(row["precision"]["low"], row["precision"]["high"], "{row}");
    }
    let shown = at(&dir, &judged).expect(0).stdout;
    assert!(shown.contains("judged by people") && !shown.contains("judged by alignment"), "{shown}");
    // a few judgements leave it open
    let few: Vec<String> = judgements(&first).lines().take(6).map(str::to_owned).collect();
    dir.write("few.csv", few.join("\n"));
    let shown = at(&dir, &["calibrate", "corpus.jsonl", "--judged", "few.csv"]).expect(0).stdout;
    assert!(shown.contains("No threshold can be suggested") && shown.contains("too few pairs"), "{shown}");
}

#[test]
fn the_command_that_is_suggested_removes_what_was_said() {
    let dir = Dir::new();
    corpus(&dir);
    let asked =
        ["calibrate", "corpus.jsonl", "-w", "4", "--precision=0.8", "--per-stratum", "60", "--html", "page.html"];
    let told = at(&dir, &[&asked[..], &["--json", "-o", "told.json", "-q"]].concat());
    assert_eq!((told.code, told.stdout.as_str(), told.stderr.as_str()), (Some(0), "", ""));
    let told: Value = serde_json::from_str(&fs::read_to_string(dir.at("told.json")).expect("a file")).expect("JSON");
    let words: Vec<&str> = told["command"].as_array().expect("words").iter().filter_map(Value::as_str).collect();
    let threshold = &told["suggestion"]["threshold"];
    let shown = threshold.to_string();
    assert_eq!(words, ["dedup", "corpus.jsonl", "-w", "4", "--threshold", &shown, "-o", "clean"]);
    let removed = at(&dir, &[&words[..], &["--json"]].concat()).json();
    let mut rows = told["measures"][0]["thresholds"].as_array().expect("a list").iter();
    let row = rows.find(|row| row["threshold"] == *threshold).expect("its row");
    assert_eq!(removed["removed"], row["removed"]);
    let page = fs::read_to_string(dir.at("page.html")).expect("a page");
    assert!(page.contains("Content-Security-Policy") && !page.contains("corpus.jsonl#"), "texts are packed");
}

#[test]
fn what_is_wrong_is_refused() {
    let dir = Dir::new();
    corpus(&dir);
    let with = |flags: &[&'static str]| [&["calibrate", "corpus.jsonl"][..], flags].concat();
    refused(&dir, &with(&["--explore", "0.99"]), &["at most 0.95"]);
    refused(&dir, &with(&["--explore", "0"]), &["more than 0"]);
    refused(&dir, &with(&["--precision", "95%"]), &["write 0.95"]);
    refused(&dir, &with(&["--per-stratum", "0"]), &["at least 1"]);
    refused(&dir, &with(&["--judged", "nowhere.json"]), &["nowhere.json"]);
    dir.write("wrong.json", "{\"schema\":1,\"judgements\":[{\"a\":\"x\",\"b\":\"y\",\"judgement\":\"same\"}]}");
    refused(&dir, &with(&["--judged", "wrong.json"]), &["wrong.json", "judgement 1", "content id"]);
    refused(&dir, &with(&["--embed-limit", "1M"]), &["--html"]);
    dir.write("nothing.jsonl", "");
    let shown = at(&dir, &["calibrate", "nothing.jsonl"]);
    assert_ne!(shown.code, None);
    assert!(!shown.stderr.contains("panicked"), "{}", shown.stderr);
}
