//! Questions to an index: by file, by name, many at once.

use crate::command::{lookalike, run, run_with};
use crate::corpus::{documents, jsonl};
use crate::dir::Dir;
use crate::index::{json, site, text};
use crate::words::{Random, line, overlap, sentences, shingles};
use serde_json::Value;
use std::fs;

/// Three pages: one, a near-copy, one that holds the first; and a stranger.
fn family(dir: &Dir) {
    let mut random = Random(101);
    let words = random.words(300);
    dir.write("site/one.txt", sentences(&words));
    dir.write("site/near.txt", sentences(&random.mutate(&words, 4)));
    dir.write("site/holds.txt", sentences(&[words, random.words(700)].concat()));
    dir.write("site/stranger.txt", random.text(300));
    json(dir, &["index", "build", "site.index", "site", "--sweep", "2026-05-01", "--contained", "0.9"]);
}

fn urls(answer: &Value) -> Vec<&str> {
    let matches = answer["matches"].as_array().expect("a list").iter();
    matches.map(|found| found["seen"][0]["url"].as_str().expect("a name")).collect()
}

#[test]
fn by_file_and_by_name() {
    let dir = Dir::new();
    family(&dir);
    let by_name = json(&dir, &["query", "site.index", "--url", "site/one.txt"]);
    assert_eq!(urls(&by_name), ["site/one.txt", "site/near.txt", "site/holds.txt"]);
    let classes: Vec<&str> =
        by_name["matches"].as_array().expect("a list").iter().filter_map(|m| m["class"].as_str()).collect();
    assert_eq!(classes, ["identical", "near", "contained"]);
    for found in by_name["matches"].as_array().expect("a list") {
        let [value, low, high] =
            ["value", "low", "high"].map(|name| found["resemblance"][name].as_f64().expect("a number"));
        assert!(low <= value && value <= high && found["seen"][0]["first"] == "2026-05-01", "{found}");
        assert!(found.get("verified").is_none(), "{found}");
    }
    let by_file = json(&dir, &["query", "site.index", "site/one.txt"]);
    assert_eq!(by_file, by_name, "the same document, called the same");
    let text = fs::read(dir.at("site/one.txt")).expect("read");
    let stdin = run_with(lookalike(["query", "site.index", "-", "--json"]).current_dir(dir.path()), &text).json();
    assert_eq!((&stdin["known"], &stdin["matches"]), (&true.into(), &by_name["matches"]));
    assert_eq!(json(&dir, &["query", "site.index", "--url", "site/one.txt"]), by_name);
}

#[test]
fn flags_decide_what_is_a_match() {
    let dir = Dir::new();
    family(&dir);
    let ask = |flags: &[&str]| json(&dir, &[&["query", "site.index", "site/one.txt"], flags].concat());
    assert_eq!(urls(&ask(&["--contained", "off"])), ["site/one.txt", "site/near.txt"]);
    assert_eq!(urls(&ask(&["--threshold", "0.97", "--contained", "0.99"])), ["site/one.txt", "site/holds.txt"]);
    assert_eq!(urls(&ask(&["--threshold", "0.2", "--contained", "off"])).len(), 3);
    let few = ask(&["--limit", "1"]);
    assert_eq!((urls(&few), &few["more"]), (vec!["site/one.txt"], &2.into()));
    let code = |file: &str, flags: &[&str]| {
        run(lookalike(["query", "site.index", file, "--exit-code"]).args(flags).current_dir(dir.path())).code
    };
    assert_eq!(code("site/one.txt", &[]), Some(1));
    assert_eq!(code("site/one.txt", &["--limit", "1"]), Some(1), "what is not shown was found too");
    assert_eq!(code("site/stranger.txt", &[]), Some(0), "it is itself in the index, and nothing else is");
    assert_eq!(code("site/near.txt", &["--threshold", "1", "--contained", "off"]), Some(0));
    fs::copy(dir.at("site/stranger.txt"), dir.at("elsewhere.txt")).expect("copied");
    assert_eq!(code("elsewhere.txt", &[]), Some(1));
}

/// With --verify the numbers are those of `lookalike compare`, and those of a naive count.
#[test]
fn verified_numbers_are_exact() {
    let dir = Dir::new();
    let names = site(&dir, 80, 102);
    json(&dir, &["index", "build", "site.index", "site"]);
    let mut compared = 0;
    for name in names.iter().step_by(5) {
        let answer =
            json(&dir, &["query", "site.index", name, "--verify", "--threshold", "0.3", "--boilerplate", "keep"]);
        for found in answer["matches"].as_array().expect("a list") {
            let other = found["seen"][0]["url"].as_str().expect("a name");
            let comparison = run(lookalike(["compare", name, other, "--json"]).current_dir(dir.path())).json();
            let verified = &found["verified"];
            assert_eq!(
                (&verified["resemblance"], &verified["query_in_document"], &verified["document_in_query"]),
                (&comparison["resemblance"], &comparison["a_in_b"], &comparison["b_in_a"])
            );
            let [a, b] = [name, other].map(|name| shingles(&fs::read_to_string(dir.at(name)).expect("read"), 10));
            assert!((verified["resemblance"].as_f64().expect("a number") - overlap(&a, &b)[0]).abs() < 1e-12);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
    // what has changed or is gone cannot be counted on
    fs::remove_file(dir.at(&names[0])).expect("removed");
    let gone = json(&dir, &["query", "site.index", "--url", &names[0], "--verify"]);
    assert!(gone["matches"][0].get("verified").is_none(), "{gone}");
}

#[test]
fn a_batch_keeps_its_order() {
    let dir = Dir::new();
    let all = documents(120, 103);
    dir.write("all.jsonl", jsonl(&all));
    json(&dir, &["index", "build", "site.index", "all.jsonl"]);
    let batch = ["query", "site.index", "--batch"];
    let answers = text(&dir, &[&batch[..], &["all.jsonl", "-j", "2"]].concat());
    let lines: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).expect("valid JSON")).collect();
    assert_eq!(lines.len(), 120);
    for ((id, _), answer) in all.iter().zip(&lines) {
        assert_eq!((&answer["query"], &answer["known"]), (&id.as_str().into(), &true.into()));
    }
    let one = json(&dir, &["query", "site.index", "--url", "d00007"]);
    assert_eq!(one["matches"], lines[7]["matches"]);
    // whatever the threads, and whatever the file is called
    assert_eq!(text(&dir, &[&batch[..], &["all.jsonl", "-j", "1"]].concat()), answers);
    fs::copy(dir.at("all.jsonl"), dir.at("all.txt")).expect("copied");
    assert_eq!(text(&dir, &[&batch[..], &["all.txt"]].concat()), answers);
    let mut command = lookalike(batch);
    let stdin = run_with(command.args(["-", "--stats"]).current_dir(dir.path()), jsonl(&all).as_bytes()).expect(0);
    assert_eq!(stdin.stdout, answers);
    let stats: Value = serde_json::from_str(&stdin.stderr).expect("one JSON object");
    assert_eq!(stats["queries"], 120);
    for pair in ["p50_ms", "p90_ms", "p99_ms", "max_ms"].windows(2) {
        assert!(stats[pair[0]].as_f64() <= stats[pair[1]].as_f64(), "{stats}");
    }
    assert!(stats["open_ms"].is_number());
}

#[test]
fn a_bad_line_of_a_batch_is_told_in_its_place() {
    let dir = Dir::new();
    let mut random = Random(104);
    let page = random.text(100);
    dir.write("all.jsonl", line("a", &page));
    json(&dir, &["index", "build", "site.index", "all.jsonl"]);
    let questions =
        [&line("first", &page), "{no JSON\n", "{\"id\":\"third\"}\n", &line("fourth", " "), &line("fifth", &page)];
    let mut command = lookalike(["query", "site.index", "--batch", "-"]);
    let outcome = run_with(command.current_dir(dir.path()), questions.concat().as_bytes()).expect(2);
    let lines: Vec<Value> = outcome.stdout.lines().map(|l| serde_json::from_str(l).expect("valid JSON")).collect();
    let queries: Vec<&str> = lines.iter().filter_map(|line| line["query"].as_str()).collect();
    assert_eq!(queries, ["first", "-:2", "third", "fourth", "fifth"]);
    let errors: Vec<bool> = lines.iter().map(|line| line["error"].is_string()).collect();
    assert_eq!(errors, [false, true, true, true, false]);
    let told = "no answer for 3 of 5 (1 empty, 1 no text, 1 not JSON); look for \"error\" in what was written\n";
    assert!(outcome.stderr.contains(told) && outcome.stderr.contains("-:2: not a JSON object"), "{}", outcome.stderr);
    let fields = serde_json::json!({ "url": "x", "body": page }).to_string();
    let mut command = lookalike(["query", "site.index", "--batch", "-", "--id-field", "url", "--text-field", "body"]);
    let other = run_with(command.arg("--exit-code").current_dir(dir.path()), fields.as_bytes()).expect(1);
    assert!(other.stdout.starts_with("{\"query\":\"x\""), "{}", other.stdout);
}

#[test]
fn a_closed_pipe_and_a_missing_file() {
    let dir = Dir::new();
    family(&dir);
    for wrong in [&["nowhere.txt"][..], &["--batch", "nowhere.jsonl"], &["--batch", "nowhere"], &["--batch", "site"]] {
        let outcome = run(lookalike(["query", "site.index"]).args(wrong).current_dir(dir.path())).expect(2);
        assert!(outcome.stderr.contains(wrong.last().expect("a name")), "{}", outcome.stderr);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.lines().count()), ("", 1));
    }
    let script = "\"$LOOKALIKE\" query site.index site/one.txt --json | true; \
                  ( \"$LOOKALIKE\" query site.index site/one.txt; echo \"code $?\" >&2 ) | (exec <&-; sleep 1)";
    let closed = run(crate::command::shell(script).current_dir(dir.path()));
    assert_eq!(closed.stderr, "code 0\n");
}
