//! Broken, huge, odd and missing input: a clear message or a counted skip, never a panic or a hang.

use crate::command::{Outcome, lookalike, run, run_with, scan_json, shell};
use crate::corpus::{documents, write};
use crate::dir::Dir;
use crate::words::{Random, line};
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};

fn scan(dir: &Dir, flags: &[&str]) -> Value {
    run(lookalike(["scan", "--json", "."]).args(flags).current_dir(dir.path())).json()
}

/// The kind of skip of a document; none if it was not skipped.
fn skip<'a>(report: &'a Value, id: &str) -> Option<&'a str> {
    let skips = report["skipped"].as_array().expect("a list");
    skips.iter().find(|s| s["id"] == id).map(|s| s["kind"].as_str().expect("a kind"))
}

#[track_caller]
fn says(outcome: &Outcome, words: &[&str]) {
    for word in words {
        assert!(outcome.stderr.contains(word), "no {word:?} in: {}", outcome.stderr);
    }
}

#[test]
fn a_truncated_gzip() {
    let dir = Dir::new();
    let documents = documents(300, 61);
    write(&dir, "whole.jsonl", &documents);
    let cut = "gzip -c whole.jsonl > w.gz && head -c $(($(wc -c < w.gz) / 2)) w.gz > cut.jsonl.gz";
    run(shell(cut).current_dir(dir.path())).expect(0);
    let outcome = run(lookalike(["scan", "--json", "cut.jsonl.gz"]).current_dir(dir.path())).expect(2);
    says(&outcome, &["cut.jsonl.gz", "breaks off", "the rest was scanned"]);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("a report of what could be read");
    let read = report["documents"].as_u64().expect("a number");
    assert!((50..300).contains(&read), "about half of the lines are complete, {read} were read");
    assert_eq!(skip(&report, "cut.jsonl.gz"), Some("truncated"));
    // what was read is what the first lines alone would give
    let first = write(&dir, "first.jsonl", &documents[..read as usize]);
    let expected = scan_json([first]);
    assert_eq!(report["clusters"], expected["clusters"]);
}

#[test]
fn a_damaged_gzip_and_one_that_is_none() {
    let dir = Dir::new();
    write(&dir, "whole.jsonl", &documents(200, 62));
    run(shell("gzip -c whole.jsonl > bad.jsonl.gz").current_dir(dir.path())).expect(0);
    let mut bytes = fs::read(dir.at("bad.jsonl.gz")).expect("written");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 40].fill(0x55);
    fs::write(dir.at("bad.jsonl.gz"), bytes).expect("written");
    dir.write("none.jsonl.gz", "this is not gzip at all");
    for name in ["bad.jsonl.gz", "none.jsonl.gz"] {
        says(&run(lookalike(["scan", name]).current_dir(dir.path())).expect(2), &[name]);
    }
}

#[test]
fn lines_that_are_no_json() {
    let dir = Dir::new();
    let mut random = Random(63);
    let text = random.text(60);
    let lines = line("a", &text)
        + "{\"id\": \"b\", \"text\": \"unfinished\n"
        + "[1, 2]\n\n"
        + "{\"id\": \"c\"}\n"
        + "{\"id\": \"d\", \"text\": 7}\n"
        + "{\"id\": {}, \"text\": \"odd id\"}\n"
        + &line("e", &text);
    dir.write("mixed.jsonl", lines);
    let outcome = run(lookalike(["scan", "--json", "mixed.jsonl"]).current_dir(dir.path())).expect(2);
    says(&outcome, &["mixed.jsonl:2", "JSON"]);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(report["documents"], 2);
    assert_eq!(report["summary"]["identical"], 1, "the good lines around were scanned");
    assert_eq!(skip(&report, "mixed.jsonl:2"), Some("not JSON"));
    assert_eq!(skip(&report, "mixed.jsonl:3"), Some("not JSON"));
    assert_eq!(skip(&report, "c"), Some("no text"));
    assert_eq!(skip(&report, "d"), Some("no text"));
    assert_eq!(report["skipped"].as_array().map(Vec::len), Some(5), "{}", report["skipped"]);
}

#[test]
fn bytes_that_are_no_text() {
    let dir = Dir::new();
    let mut random = Random(64);
    let text = random.text(80);
    dir.write("clean.txt", &text);
    let mut invalid = text.clone().into_bytes();
    invalid[100] = 0xff;
    invalid[101] = 0xfe;
    dir.write("invalid.txt", &invalid);
    let mut nul = text.clone().into_bytes();
    nul[200] = 0;
    dir.write("nul.txt", &nul);
    dir.write("zeros.bin", [0u8; 5000]);
    dir.write("noise.dat", (0..5000).map(|_| random.next() as u8).collect::<Vec<u8>>());
    dir.write("empty.txt", "");
    dir.write("blank.txt", " \n\t\n");
    let report = scan(&dir, &[]);
    for binary in ["zeros.bin", "noise.dat"] {
        assert_eq!(skip(&report, binary), Some("binary"), "{}", report["skipped"]);
    }
    assert_eq!((skip(&report, "empty.txt"), skip(&report, "blank.txt")), (Some("empty"), Some("empty")));
    assert_eq!(skip(&report, "invalid.txt"), None, "one bad byte does not hide a text");
    assert_eq!(report["clusters"][0]["members"].as_array().map(Vec::len), Some(1), "{}", report["clusters"]);
    let counted = report["documents"].as_u64().zip(report["skipped"].as_array()).map(|(d, s)| d + s.len() as u64);
    assert_eq!(counted, Some(7), "every file is read or accounted for");
}

#[test]
fn a_huge_single_line() {
    let dir = Dir::new();
    let paragraph = format!("<p>{}</p>", Random(65).text(100).replace('\n', " "));
    let html = format!("<html><body>{}</body></html>", paragraph.repeat((40 << 20) / paragraph.len()));
    assert!(html.len() > 39 << 20 && !html.contains('\n'));
    dir.write("huge.html", &html);
    dir.write("page.html", format!("<html><body>{paragraph}{paragraph}</body></html>"));
    // takes no room on the disk
    File::create(dir.at("beyond.html")).and_then(|file| file.set_len((64 << 20) + 1)).expect("a sparse file");
    let report = scan(&dir, &[]);
    assert_eq!(skip(&report, "beyond.html"), Some("too large"));
    assert_eq!(report["documents"], 2);
    assert_eq!(report["clusters"].as_array().map(Vec::len), Some(1), "the same paragraph again and again");
}

#[test]
fn a_line_beyond_the_limit() {
    let dir = Dir::new();
    let text = Random(66).text(50);
    let lines = line("a", &text) + &line("long", &"word ".repeat(600_000)) + &line("b", &text);
    dir.write("lines.jsonl", lines);
    let report = run(lookalike(["scan", "--json", "--max-size", "1M", "lines.jsonl"]).current_dir(dir.path())).json();
    assert_eq!((&report["documents"], &report["summary"]["identical"]), (&2.into(), &1.into()));
    let skipped = &report["skipped"][0];
    assert_eq!(skipped["kind"], "too large", "{skipped}");
}

#[test]
fn a_million_nested_tags() {
    let dir = Dir::new();
    let text = Random(67).text(100);
    for tag in ["div", "b", "table", "svg"] {
        let deep = 1_000_000 / if tag == "div" { 1 } else { 10 };
        dir.write(format!("{tag}.html"), format!("<{tag}>").repeat(deep) + &text + &format!("</{tag}>").repeat(deep));
    }
    dir.write("quote.md", "> ".repeat(100_000) + &text);
    dir.write("list.md", "- ".repeat(100_000) + &text);
    dir.write("plain.txt", &text);
    let report = scan(&dir, &[]);
    assert_eq!(report["skipped"], serde_json::json!([]));
    assert!(report["summary"]["lexical"].as_u64() >= Some(3), "the text inside is still found: {}", report["clusters"]);
}

#[test]
fn files_that_are_no_files() {
    let dir = Dir::new();
    dir.write("a.txt", "one document");
    run(shell("mkfifo pipe").current_dir(dir.path())).expect(0);
    let report = scan(&dir, &[]);
    assert_eq!((skip(&report, "pipe"), &report["documents"]), (Some("special file"), &1.into()));
    // named on the command line it must not be waited for either
    for arguments in [["scan", "pipe"], ["scan", "/dev/zero"]] {
        let named = run(lookalike(arguments).current_dir(dir.path()));
        assert!(matches!(named.code, Some(0 | 2)), "{:?}: {}", named.code, named.stderr);
        assert!((named.stdout + &named.stderr).contains("not a file"));
    }
    says(&run(lookalike(["compare", "pipe", "a.txt"]).current_dir(dir.path())).expect(2), &["pipe"]);
}

#[test]
fn unreadable_files() {
    let dir = Dir::new();
    dir.write("open.txt", "one document");
    let path = dir.write("closed.txt", "another document");
    dir.write("folder/inside.txt", "a third");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("set");
    fs::set_permissions(dir.at("folder"), fs::Permissions::from_mode(0o000)).expect("set");
    // root reads everything
    let readable = fs::read(&path).is_ok();
    let report = scan(&dir, &[]);
    fs::set_permissions(dir.at("folder"), fs::Permissions::from_mode(0o755)).expect("set");
    let short = Some("too little text");
    let expected = if readable { (3, short, None) } else { (1, Some("unreadable"), Some("unreadable")) };
    let found = (report["documents"].as_u64().expect("a number"), skip(&report, "closed.txt"), skip(&report, "folder"));
    assert_eq!(found, expected);
}

#[test]
fn links_in_circles() {
    let dir = Dir::new();
    dir.write("a/one.txt", Random(68).text(30));
    symlink("..", dir.at("a/up")).expect("linked");
    symlink("self", dir.at("self")).expect("linked");
    symlink("nowhere", dir.at("broken")).expect("linked");
    symlink("a/one.txt", dir.at("again.txt")).expect("linked");
    let followed = scan(&dir, &["--follow-links"]);
    assert_eq!(followed["documents"], 1, "each file once: {}", followed["skipped"]);
    let ids: Vec<&str> = ["a/up", "self", "broken"].into_iter().filter(|id| skip(&followed, id).is_none()).collect();
    assert!(ids.is_empty(), "not accounted for: {ids:?} in {}", followed["skipped"]);
    let plain = scan(&dir, &[]);
    assert_eq!((&plain["documents"], skip(&plain, "again.txt")), (&1.into(), Some("symbolic link")));
}

#[test]
fn nothing_to_read() {
    let dir = Dir::new();
    let folder = dir.folder("empty");
    let outcome = run(lookalike(["scan"]).arg(&folder)).expect(2);
    says(&outcome, &["no files were found"]);
    let json = run(lookalike(["scan", "-q", "--json"]).arg(&folder)).expect(2).stdout;
    assert!(json.contains("\"documents\":0"), "{json}");
    for script in ["scan - < /dev/null", "scan --stdin < /dev/null", "scan - <&-", "scan --stdin <&-"] {
        let outcome = run(&mut shell(&format!("exec \"$LOOKALIKE\" {script}")));
        assert!(matches!(outcome.code, Some(0 | 2)) && !outcome.stderr.is_empty(), "{script}: {}", outcome.stderr);
        assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    }
}

#[test]
fn missing_paths() {
    let dir = Dir::new();
    dir.write("here.txt", "some words");
    for arguments in [
        &["scan", "here.txt", "not/there.txt"][..],
        &["compare", "here.txt", "not/there.txt"],
        &["compare", "not/there.txt", "here.txt", "--json"],
    ] {
        let outcome = run(lookalike(arguments).current_dir(dir.path())).expect(2);
        says(&outcome, &["not/there.txt", "No such file"]);
        assert_eq!(outcome.stdout, "", "{arguments:?}");
    }
    // one missing file of a list is counted, not the end
    let listed =
        run_with(lookalike(["scan", "--json", "--stdin"]).current_dir(dir.path()), b"here.txt\nnot/there.txt\n");
    let report: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!((&report["documents"], skip(&report, "not/there.txt")), (&1.into(), Some("unreadable")));
}

#[test]
fn flags_without_meaning() {
    let dir = Dir::new();
    dir.write("a.txt", "some words");
    for (flags, says_this) in [
        (&["--threshold", "0"][..], "--threshold"),
        (&["--threshold", "1.5"], "--threshold"),
        (&["--threshold", "nan"], "--threshold"),
        (&["--threshold", "-0.5"], "threshold"),
        (&["--threshold", "half"], "--threshold"),
        (&["--contained", "0"], "--contained"),
        (&["--contained", "some"], "--contained"),
        (&["--contained", "0.9", "--candidates", "super"], "--contained"),
        (&["--contained", "0.9", "--sketch", "min:100"], "--contained"),
        (&["--sketch", "max:7"], "--sketch"),
        (&["--sketch", "mod:0"], "--sketch"),
        (&["-w", "0"], "--words"),
        (&["--memory", "lots"], "--memory"),
        (&["--memory", "1M"], "--memory"),
        (&["--max-df", "0"], "--max-df"),
        (&["--max-size", "-1"], "-1"),
        (&["--min-size", "2M", "--max-size", "1M"], "smallest size"),
        (&["--include", "a[b"], "a[b"),
        (&["--linkage", "double"], "--linkage"),
        (&["--json", "--csv"], "--json"),
        (&["-0"], "--stdin"),
        (&["--features-field", "f", "--text-field", "t"], "--features-field"),
        (&["--no-such-flag"], "--no-such-flag"),
        (&["-", "--stdin"], "standard input"),
    ] {
        let outcome = run(lookalike(["scan", "a.txt"]).args(flags).current_dir(dir.path())).expect(2);
        assert!(outcome.stderr.contains(says_this), "{flags:?}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "", "{flags:?}");
    }
}

#[test]
fn comparisons_without_meaning() {
    let dir = Dir::new();
    dir.write("a.txt", "some words");
    for flags in [["--threshold", "0"], ["--threshold", "7"], ["--threshold", "nan"], ["--contained", "-1"]] {
        let outcome = run(lookalike(["compare", "a.txt", "a.txt"]).args(flags).current_dir(dir.path()));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "compare {flags:?}");
    }
}
