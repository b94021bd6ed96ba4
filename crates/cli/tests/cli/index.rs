//! The index from the outside: build, add, remove, merge, verify, info.

use crate::command::{lookalike, run, run_with};
use crate::corpus::{documents, jsonl};
use crate::dir::Dir;
use crate::words::{Random, line};
use serde_json::Value;
use std::fs;

/// Runs a verb in a folder; it must succeed and give one JSON object with a schema.
#[track_caller]
pub(crate) fn json(dir: &Dir, arguments: &[&str]) -> Value {
    let value = run(lookalike(arguments).arg("--json").current_dir(dir.path())).json();
    assert_eq!((&value["schema"], &value["lookalike"]), (&1.into(), &env!("CARGO_PKG_VERSION").into()), "{value}");
    value
}

/// Runs a verb in a folder; it must succeed. Gives what it wrote.
#[track_caller]
pub(crate) fn text(dir: &Dir, arguments: &[&str]) -> String {
    run(lookalike(arguments).current_dir(dir.path())).expect(0).stdout
}

/// A folder `site` of generated documents, and their names.
pub(crate) fn site(dir: &Dir, count: usize, seed: u64) -> Vec<String> {
    let named = documents(count, seed).into_iter().map(|(id, text)| {
        let name = format!("site/{id}.txt");
        dir.write(&name, text);
        name
    });
    named.collect()
}

/// All answers of an index, by name: what a change must leave alone.
fn answers(dir: &Dir, names: &[String]) -> Vec<String> {
    names.iter().map(|name| json(dir, &["query", "site.index", "--url", name])["matches"].to_string()).collect()
}

#[test]
fn a_round_trip() {
    let dir = Dir::new();
    let names = site(&dir, 60, 91);
    let built = json(&dir, &["index", "build", "site.index", "site"]);
    assert_eq!((&built["read"], &built["observed"], &built["unchanged"]), (&60.into(), &60.into(), &0.into()));
    let info = json(&dir, &["index", "info", "site.index"]);
    assert_eq!((&info["urls"], &info["observations"], &info["documents"]), (&60.into(), &60.into(), &built["added"]));
    assert!(info["clusters"].as_u64() > Some(3), "{info}");
    assert_eq!(info["recipe"], "auto|words|shingles:w=10|sample=nested:100|v=3");
    let first = answers(&dir, &names);

    let again = json(&dir, &["index", "add", "site.index", "site"]);
    assert_eq!(
        ["read", "unchanged", "added", "observed", "removed"].map(|name| again[name].as_u64()),
        [Some(60), Some(60), Some(0), Some(0), Some(0)]
    );
    assert_eq!(answers(&dir, &names), first, "nothing changed");

    for more in [line("x", "some words of its own that nobody else has"), line("y", "and some more of that kind")] {
        dir.write("more.jsonl", more);
        json(&dir, &["index", "add", "site.index", "more.jsonl"]);
    }
    let segments = |info: &Value| info["segments"].as_array().map(Vec::len);
    assert!(segments(&json(&dir, &["index", "info", "site.index"])) > Some(1));
    json(&dir, &["index", "merge", "site.index"]);
    assert_eq!(segments(&json(&dir, &["index", "info", "site.index"])), Some(1));
    assert_eq!(answers(&dir, &names), first, "a merge changes no answer");

    let gone = json(&dir, &["index", "remove", "site.index", "x", "y"]);
    assert_eq!((&gone["removed"], &gone["dropped"]), (&2.into(), &2.into()));
    let checked = json(&dir, &["index", "verify", "site.index"]);
    assert_eq!(checked["damages"], Value::Array(Vec::new()));
    assert!(checked["files"].as_u64() >= Some(2) && checked["bytes"].as_u64() > Some(1000), "{checked}");
    assert_eq!(answers(&dir, &names), first);
    let info = json(&dir, &["index", "info", "site.index"]);
    assert_eq!((&info["urls"], &info["documents"]), (&60.into(), &built["added"]));
}

#[test]
fn a_changed_file_replaces_what_was_there() {
    let dir = Dir::new();
    let mut random = Random(92);
    dir.write("site/a.txt", random.text(80));
    let old = dir.write("site/b.txt", random.text(80));
    json(&dir, &["index", "build", "site.index", "site"]);
    let moved = dir.at("old.txt");
    fs::rename(&old, &moved).expect("moved");
    dir.write("site/b.txt", random.text(80));
    let changed = json(&dir, &["index", "add", "site.index", "site"]);
    assert_eq!(
        ["unchanged", "added", "observed", "removed", "dropped"].map(|name| changed[name].as_u64()),
        [Some(1), Some(1), Some(1), Some(1), Some(1)]
    );
    assert_eq!(json(&dir, &["query", "site.index", "old.txt"])["matches"], Value::Array(Vec::new()));
    let now = json(&dir, &["query", "site.index", "site/b.txt"]);
    assert_eq!((&now["known"], &now["matches"][0]["seen"][0]["url"]), (&true.into(), &"site/b.txt".into()));
}

/// However an index came about, and whatever the machine, it gives the same answers.
#[test]
fn in_one_go_or_in_parts() {
    let dir = Dir::new();
    let all = documents(90, 93);
    dir.write("all.jsonl", jsonl(&all));
    json(&dir, &["index", "build", "site.index", "all.jsonl", "--threads", "2", "--memory", "32M"]);
    let names: Vec<String> = all.iter().map(|(id, _)| id.clone()).collect();
    let whole = answers(&dir, &names);
    fs::remove_dir_all(dir.at("site.index")).expect("removed");
    for (at, part) in all.chunks(30).enumerate() {
        let verb = if at == 0 { "build" } else { "add" };
        let mut command = lookalike(["index", verb, "site.index", "-", "--quiet", "-j", "1"]);
        let outcome = run_with(command.current_dir(dir.path()), jsonl(part).as_bytes()).expect(0);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""), "quiet");
    }
    assert_eq!(answers(&dir, &names), whole);
}

#[test]
fn names_to_remove_on_standard_input() {
    let dir = Dir::new();
    site(&dir, 10, 94);
    json(&dir, &["index", "build", "site.index", "site"]);
    let remove = |input: &str, flags: &[&str]| {
        let mut command = lookalike(["index", "remove", "site.index", "--json"]);
        run_with(command.args(flags).current_dir(dir.path()), input.as_bytes())
    };
    let gone = remove("site/d00001.txt\r\n\nsite/d00002.txt\n", &["--stdin", "site/d00003.txt"]).json();
    assert_eq!(gone["removed"], 3);
    let some = remove("site/d00004.txt\nnobody\nsite/d00001.txt\n", &["--stdin"]).expect(2);
    assert_eq!(serde_json::from_str::<Value>(&some.stdout).expect("valid JSON")["removed"], 1, "the rest is removed");
    assert_eq!(
        some.stderr,
        "lookalike: warning: nobody: not in this index; check its spelling\n\
         lookalike: warning: site/d00001.txt: not in this index; check its spelling\n"
    );
    assert_eq!(json(&dir, &["index", "info", "site.index"])["urls"], 6);
}

#[test]
fn removed_from_one_sweep_only() {
    let dir = Dir::new();
    site(&dir, 4, 95);
    json(&dir, &["index", "build", "site.index", "site", "--sweep", "2026-05-01"]);
    json(&dir, &["index", "add", "site.index", "site", "--sweep", "2026-05-08"]);
    let name = "site/d00001.txt";
    let seen = || json(&dir, &["query", "site.index", "--url", name])["matches"][0]["seen"][0].clone();
    assert_eq!((&seen()["first"], &seen()["last"]), (&"2026-05-01".into(), &"2026-05-08".into()));
    json(&dir, &["index", "remove", "site.index", name, "--sweep", "2026-05-08"]);
    assert_eq!((&seen()["first"], &seen()["last"]), (&"2026-05-01".into(), &"2026-05-01".into()));
    let twice = ["index", "remove", "site.index", name, "--sweep", "2026-05-08"];
    let twice = run(lookalike(twice).current_dir(dir.path())).expect(2);
    assert!(twice.stderr.contains("not in the sweep of 2026-05-08"), "{}", twice.stderr);
    let before = json(&dir, &["index", "info", "site.index"])["sweeps"].clone();
    json(&dir, &["index", "add", "site.index", "site", "--sweep", "2062-05-08"]);
    json(&dir, &["index", "remove", "site.index", "--sweep", "2062-05-08", "--all"]);
    assert_eq!(json(&dir, &["index", "info", "site.index"])["sweeps"], before, "a sweep with a wrong date is undone");
    let none = ["index", "remove", "site.index", "--sweep", "2062-05-08", "--all"];
    run(lookalike(none).current_dir(dir.path())).expect(2);
}

#[test]
fn what_cannot_be_read_is_told() {
    let dir = Dir::new();
    dir.write("bad.jsonl", line("a", "some words that can be read") + "no JSON\n");
    let outcome = run(lookalike(["index", "build", "x.index", "bad.jsonl"]).current_dir(dir.path())).expect(2);
    assert!(outcome.stderr.contains("bad.jsonl:2: not a JSON object"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("skipped") && outcome.stdout.contains("bad.jsonl:2"), "{}", outcome.stdout);
    assert_eq!(json(&dir, &["index", "info", "x.index"])["documents"], 1, "the rest was taken");
    dir.folder("nothing");
    let empty = run(lookalike(["index", "build", "empty.index", "nothing"]).current_dir(dir.path())).expect(2);
    assert!(empty.stderr.contains("no files were found"), "{}", empty.stderr);
    assert_eq!(json(&dir, &["index", "info", "empty.index"])["documents"], 0);
}

#[test]
fn a_key_is_needed_again() {
    let dir = Dir::new();
    site(&dir, 6, 96);
    json(&dir, &["index", "build", "site.index", "site", "--key", "secret"]);
    for verb in [&["index", "add", "site.index", "site"][..], &["query", "site.index", "site/d00001.txt"]] {
        let refused = run(lookalike(verb).current_dir(dir.path())).expect(2);
        assert!(refused.stderr.contains("give that key with --key"), "{}", refused.stderr);
        json(&dir, &[verb, &["--key", "secret"]].concat());
        let mut by_variable = lookalike(verb);
        run(by_variable.env("LOOKALIKE_KEY", "secret").current_dir(dir.path())).expect(0);
    }
    for verb in [
        &["index", "info", "site.index"][..],
        &["index", "remove", "site.index", "site/d00002.txt"],
        &["query", "site.index", "--url", "site/d00001.txt"],
        &["lost", "site.index", "site/d00001.txt"],
        &["index", "merge", "site.index"],
    ] {
        // what reads no documents needs no key
        json(&dir, verb);
    }
    let wrong = run(lookalike(["lost", "site.index", "x", "--key", "other"]).current_dir(dir.path())).expect(2);
    assert!(wrong.stderr.contains("give that key with --key"), "{}", wrong.stderr);
    let built = run(lookalike(["index", "info", "site.index", "--key", "secret"]).current_dir(dir.path())).expect(0);
    assert!(!built.stdout.contains("secret"), "the key is never shown");
}

#[test]
fn an_index_of_features() {
    let dir = Dir::new();
    let chair = |id: &str, last: &str| {
        serde_json::json!({ "id": id, "parts": ["leg", "seat", "back", "glue", "screw", last] }).to_string() + "\n"
    };
    dir.write("parts.jsonl", chair("a", "paint") + &chair("b", "varnish"));
    json(&dir, &["index", "build", "p.index", "parts.jsonl", "--features-field", "parts"]);
    let forgotten = run(lookalike(["index", "add", "p.index", "parts.jsonl"]).current_dir(dir.path())).expect(2);
    assert!(forgotten.stderr.contains("--features-field FIELD"), "{}", forgotten.stderr);
    let again = json(&dir, &["index", "add", "p.index", "parts.jsonl", "--features-field", "parts"]);
    assert_eq!(again["unchanged"], 2);
    assert_eq!(json(&dir, &["query", "p.index", "--url", "a"])["matches"].as_array().map(Vec::len), Some(2));
    let batch = ["query", "p.index", "--batch", "parts.jsonl"];
    let file = run(lookalike(["query", "p.index", "parts.jsonl"]).current_dir(dir.path())).expect(2);
    let words = run(lookalike(batch).current_dir(dir.path())).expect(2);
    assert!(file.stderr.contains("--features-field") && words.stderr.contains("--features-field"), "{}", words.stderr);
    let answers = text(&dir, &[&batch[..], &["--features-field", "parts"]].concat());
    assert_eq!(answers.lines().count(), 2);
}

/// An index in the folder that it is made of is no document of it.
#[test]
fn an_index_does_not_read_itself() {
    let dir = Dir::new();
    site(&dir, 5, 97);
    dir.folder("deep");
    for index in ["pages.index", "deep/odd [1]*{2}.index"] {
        let built = json(&dir, &["index", "build", index, "."]);
        assert_eq!(built["read"], 5, "{built}");
        let skipped = built["skipped"].as_array().expect("a list");
        assert!(skipped.iter().all(|skip| skip["kind"] == "own result"), "{built}");
        let again = json(&dir, &["index", "add", index, "."]);
        assert_eq!((&again["read"], &again["unchanged"]), (&5.into(), &5.into()), "{again}");
        fs::remove_dir_all(dir.at(index)).expect("removed");
    }
}

#[test]
fn help() {
    let dir = Dir::new();
    for verb in [
        &["query"][..],
        &["lost"],
        &["holders"],
        &["changes"],
        &["collapse"],
        &["index"],
        &["index", "build"],
        &["index", "add"],
        &["index", "remove"],
    ] {
        let help = text(&dir, &[verb, &["--help"]].concat());
        assert!(help.contains("\nExample") && help.contains("lookalike"), "{verb:?}: {help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{verb:?}: {help}");
    }
    let add = text(&dir, &["index", "add", "--help"]);
    assert!(add.contains("[default: as in the index]") && !add.contains("[default: nested:100]"), "{add}");
    insta::assert_snapshot!("query_help", text(&dir, &["query", "--help"]));
}
