//! What can be wrong with an index, and what is said then: which file, what was expected, what was found, what helps.

use crate::command::{self, Outcome, Running, lookalike, run};
use crate::corpus::{documents, jsonl};
use crate::dir::{Dir, names_in};
use crate::index::{json, site};
use crate::words::line;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

/// Runs a verb in a folder; it must fail with one message that has all these words.
#[track_caller]
fn refused(dir: &Dir, arguments: &[&str], words: &[&str]) -> Outcome {
    let outcome = command::refused(dir, arguments, words);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    outcome
}

/// Every verb that opens an index.
const READERS: [&[&str]; 4] = [&["index", "info"], &["index", "merge"], &["query", "--url", "a"], &["index", "verify"]];

fn with_index<'a>(verb: &[&'a str], index: &'a str) -> Vec<&'a str> {
    let at = if verb[0] == "index" { 2 } else { 1 };
    [&verb[..at], &[index], &verb[at..]].concat()
}

#[test]
fn no_index_there() {
    let dir = Dir::new();
    dir.write("file.txt", "some words");
    dir.folder("folder");
    for verb in READERS {
        for name in ["nowhere", "file.txt", "folder"] {
            refused(&dir, &with_index(verb, name), &[name, "is no index", "manifest.json"]);
        }
    }
    for name in ["nowhere", "file.txt", "folder"] {
        refused(&dir, &["index", "add", name, "file.txt"], &[name, "is no index"]);
        refused(&dir, &["index", "remove", name, "x"], &[name, "is no index"]);
    }
    assert_eq!((dir.names(), names_in(&dir.at("folder"))), (vec!["file.txt".into(), "folder".into()], vec![]));
}

#[test]
fn something_is_there_already() {
    let dir = Dir::new();
    site(&dir, 3, 111);
    dir.write("full/note.txt", "mine");
    json(&dir, &["index", "build", "site.index", "site"]);
    for name in ["site.index", "full", "site/d00000.txt"] {
        refused(&dir, &["index", "build", name, "site"], &[name, "already"]);
    }
    assert_eq!(names_in(&dir.at("full")), ["note.txt"]);
    refused(&dir, &["index", "build", "no/such/folder", "site"], &["no/such/folder", "make the folder first"]);
    refused(&dir, &["index", "build", "new.index", "nowhere"], &["nowhere"]);
    assert!(!dir.at("new.index").exists(), "nothing is made for documents that are not there");
    json(&dir, &["index", "verify", "site.index"]);
}

#[test]
fn another_recipe() {
    let dir = Dir::new();
    site(&dir, 3, 112);
    json(&dir, &["index", "build", "site.index", "site", "-w", "5"]);
    let add = ["index", "add", "site.index", "site"];
    for (flags, differs) in [
        (&["-w", "10"][..], "shingles:w=5"),
        (&["--sketch", "mod:8"], "sample=mod:8"),
        (&["--format", "html"], "html|words"),
    ] {
        refused(&dir, &[&add[..], flags].concat(), &["site.index", "another recipe", differs, "build another index"]);
    }
    refused(&dir, &[&add[..], &["--key", "k"]].concat(), &["without a key"]);
    refused(&dir, &[&add[..], &["--features-field", "f"]].concat(), &["another recipe"]);
    assert_eq!(json(&dir, &[&add[..], &["-w", "5"]].concat())["unchanged"], 3, "the same is no other");
    assert_eq!(json(&dir, &add)["unchanged"], 3, "none given is no other");
}

#[test]
fn wrong_values() {
    let dir = Dir::new();
    site(&dir, 3, 113);
    for date in ["yesterday", "2026-13-01", "2026-1-1", "01.05.2026", ""] {
        refused(&dir, &["index", "build", "new.index", "site", "--sweep", date], &["--sweep", "2026-05-01", date]);
    }
    assert!(!dir.at("new.index").exists());
    json(&dir, &["index", "build", "site.index", "site"]);
    refused(&dir, &["index", "remove", "site.index", "a", "--sweep", "May"], &["--sweep", "May"]);
    refused(&dir, &["query", "site.index", "--url", "nobody"], &["nobody", "never seen"]);
    command::refused(&dir, &["query", "site.index", "--url", "a", "--threshold", "0"], &["--threshold"]);
    command::refused(&dir, &["query", "site.index", "--url", "a", "--contained", "much"], &["--contained", "off"]);
    refused(&dir, &["query", "site.index", "site"], &["is a folder"]);
    fs::rename(dir.at("site/d00000.txt"), dir.at("moved.txt")).expect("moved");
    let hint = "ask for it with --url site/d00000.txt";
    refused(&dir, &["query", "site.index", "site/d00000.txt"], &["no such file", hint]);
    for wrong in [
        &["query", "site.index"][..],
        &["query", "site.index", "x", "--url", "y"],
        &["query", "site.index", "moved.txt", "--stats"],
        &["query", "site.index", "moved.txt", "--id-field", "x"],
        &["index"],
    ] {
        assert_eq!(run(lookalike(wrong).current_dir(dir.path())).code, Some(2), "{wrong:?}");
    }
}

/// The largest segment of an index.
fn segment(dir: &Dir) -> PathBuf {
    let files = fs::read_dir(dir.at("site.index")).expect("an index").map(|entry| entry.expect("an entry").path());
    let segments = files.filter(|path| path.extension().is_some_and(|e| e == "seg"));
    segments.max_by_key(|path| path.metadata().map_or(0, |m| m.len())).expect("a segment")
}

#[test]
fn a_damaged_byte_is_found_and_named() {
    let dir = Dir::new();
    let names = site(&dir, 40, 114);
    json(&dir, &["index", "build", "site.index", "site"]);
    let path = segment(&dir);
    let whole = fs::read(&path).expect("read");
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
    for place in [whole.len() / 7, whole.len() / 2, whole.len() - 5] {
        let mut damaged = whole.clone();
        damaged[place] ^= 0x40;
        fs::write(&path, &damaged).expect("written");
        let outcome = run(lookalike(["index", "verify", "site.index"]).current_dir(dir.path())).expect(2);
        assert!(outcome.stdout.contains(&name) && outcome.stdout.contains("at byte "), "{place}: {}", outcome.stdout);
        let told = run(lookalike(["index", "verify", "site.index", "--json"]).current_dir(dir.path())).expect(2);
        let told: Value = serde_json::from_str(&told.stdout).expect("valid JSON");
        assert!(told["damages"][0].as_str().is_some_and(|d| d.contains(&name)), "{told}");
        // a question is answered from what is whole, or not at all
        fs::write(&path, &whole).expect("written");
        let before = json(&dir, &["query", "site.index", "--url", &names[0]]);
        fs::write(&path, &damaged).expect("written");
        let asked = run(lookalike(["query", "site.index", "--json", "--url", &names[0]]).current_dir(dir.path()));
        match asked.code {
            Some(0) => assert_eq!(asked.json(), before),
            _ => assert!(asked.expect(2).stderr.contains("is damaged at byte"), "{place}"),
        }
    }
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    refused(&dir, &["query", "site.index", "--url", &names[0]], &[&name, "damaged"]);
    fs::remove_file(&path).expect("removed");
    refused(&dir, &["query", "site.index", "--url", &names[0]], &[&name]);
    run(lookalike(["index", "verify", "site.index"]).current_dir(dir.path())).expect(2);
}

#[test]
fn a_damaged_manifest() {
    let dir = Dir::new();
    site(&dir, 3, 115);
    json(&dir, &["index", "build", "site.index", "site"]);
    let path = dir.at("site.index/manifest.json");
    let text = fs::read_to_string(&path).expect("read");
    for wrong in [text.replacen("0.5", "0.6", 1), text[..text.len() / 2].to_owned(), String::new()] {
        fs::write(&path, wrong).expect("written");
        refused(&dir, &["query", "site.index", "--url", "a"], &["manifest.json", "damaged"]);
        let checked = run(lookalike(["index", "verify", "site.index"]).current_dir(dir.path())).expect(2);
        assert!(checked.stdout.contains("manifest.json"), "{}", checked.stdout);
    }
}

#[test]
fn one_writer_at_a_time() {
    let dir = Dir::new();
    let names = site(&dir, 5, 116);
    json(&dir, &["index", "build", "site.index", "site"]);
    let mut first = Running::start(
        lookalike(["index", "add", "site.index", "-", "--json"]).current_dir(dir.path()).stdin(Stdio::piped()),
    );
    let mut stdin = first.child.stdin.take().expect("piped");
    // more than a pipe holds: once it is written, the index has been opened and the reading has begun
    let input = jsonl(&documents(600, 119)) + &line("late", "a page that takes its time to come in over the wire");
    assert!(input.len() > 1 << 18);
    stdin.write_all(input.as_bytes()).expect("written");
    refused(&dir, &["index", "merge", "site.index"], &["site.index is being written by another process"]);
    refused(&dir, &["index", "add", "site.index", "site"], &["wait until it has finished"]);
    refused(&dir, &["index", "remove", "site.index", &names[0]], &["wait until it has finished"]);
    // readers do not mind
    assert_eq!(json(&dir, &["query", "site.index", "--url", &names[0]])["known"], true);
    refused(&dir, &["query", "site.index", "--url", "late"], &["never seen"]);
    drop(stdin);
    assert_eq!(first.finish().json()["read"], 601);
    assert_eq!(json(&dir, &["query", "site.index", "--url", "late"])["known"], true);
}

/// Ctrl-C and kill leave the index as it was.
#[test]
fn a_writer_that_is_stopped() {
    for (signal, code) in [("INT", Some(130)), ("KILL", None)] {
        let dir = Dir::new();
        let names = site(&dir, 5, 117);
        json(&dir, &["index", "build", "site.index", "site"]);
        let mut writer = Running::start(
            lookalike(["index", "add", "site.index", "-"]).current_dir(dir.path()).stdin(Stdio::piped()),
        );
        let mut stdin = writer.child.stdin.take().expect("piped");
        stdin.write_all(line("late", "a page that never comes in whole").as_bytes()).expect("written");
        std::thread::sleep(Duration::from_millis(500));
        writer.signal(signal);
        let outcome = writer.finish_within(Duration::from_secs(20));
        drop(stdin);
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
        assert_eq!(json(&dir, &["query", "site.index", "--url", &names[0]])["known"], true);
        assert_eq!(json(&dir, &["index", "verify", "site.index"])["damages"], Value::Array(Vec::new()));
        assert_eq!(json(&dir, &["index", "add", "site.index", "site"])["unchanged"], 5);
        assert_eq!(json(&dir, &["index", "info", "site.index"])["urls"], 5);
    }
}

#[test]
fn a_build_that_is_stopped_leaves_no_index() {
    let dir = Dir::new();
    site(&dir, 5, 118);
    let mut writer =
        Running::start(lookalike(["index", "build", "site.index", "-"]).current_dir(dir.path()).stdin(Stdio::piped()));
    let stdin = writer.child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    writer.signal("INT");
    writer.finish_within(Duration::from_secs(20)).expect(130);
    drop(stdin);
    refused(&dir, &["query", "site.index", "--url", "a"], &["is no index"]);
    json(&dir, &["index", "build", "site.index", "site"]);
}
