//! What reaches a terminal: names and texts of strangers must not command it, and a closed pipe is no error.

use crate::command::{Outcome, lookalike, run, shell};
use crate::corpus::{documents, write};
use crate::dir::Dir;
use crate::words::Random;
use serde_json::Value;

const EVIL: [&str; 9] = [
    "title \u{1b}]0;owned\u{7}.txt",
    "clear \u{1b}[2J\u{1b}[H.txt",
    "line\nlookalike: all is well.txt",
    "carriage\rreturn.txt",
    "bidi \u{202e}txt.exe\u{2066}.txt",
    "c1 \u{9b}31m \u{85}.txt",
    "delete \u{7f}\u{8}\u{8}.txt",
    "zero\u{200b}width\u{feff}.txt",
    "quotes '\" `$(x)` \\.txt",
];

fn evil_folder() -> Dir {
    let dir = Dir::new();
    let mut random = Random(71);
    let words = random.words(200);
    for (at, name) in EVIL.iter().enumerate() {
        let mut copy = words.clone();
        copy[10 * at] = "\u{1b}[31mred\u{1b}]8;;http://x\u{7}";
        copy[10 * at + 5] = "\u{202e}drow\u{9b}2J\u{7f}";
        dir.write(name, copy.join(" "));
        dir.write(format!("empty {name}"), "");
    }
    dir
}

/// Takes our own colours out.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(part.len());
        if let Some(rest) = part[end..].strip_prefix('m') {
            out.push_str(rest);
        } else {
            out.push_str("\u{1b}[");
            out.push_str(part);
        }
    }
    out
}

#[track_caller]
fn is_harmless(what: &str, text: &str) {
    let bad = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if let Some(at) = text.find(bad) {
        panic!("{what} at {at}: {:?}", text[at..].chars().take(60).collect::<String>());
    }
    assert!(!text.contains("\nlookalike: all is well"), "{what}: a name made a line of its own");
}

#[test]
fn names_and_texts_of_strangers() {
    let dir = evil_folder();
    for colours in [false, true] {
        for flags in [&[][..], &["--contained", "0.5"], &["--estimate"], &["--linkage", "single"], &["--stats"]] {
            let mut command = lookalike(["scan", "."]);
            command.args(flags).current_dir(dir.path());
            if colours {
                // then nothing strips what the renderer let through
                command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
            }
            let outcome = run(&mut command).expect(0);
            assert_eq!(outcome.stdout.contains('\u{1b}'), colours);
            is_harmless("stdout", &without_colours(&outcome.stdout));
            is_harmless("stderr", &outcome.stderr);
            assert!(outcome.stdout.contains("owned"), "the name is still recognisable");
        }
    }
}

#[test]
fn a_comparison_of_strangers() {
    let dir = evil_folder();
    for pair in EVIL.windows(2) {
        let mut command = lookalike(["compare", pair[0], pair[1]]);
        command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").current_dir(dir.path());
        let outcome = run(&mut command).expect(0);
        assert!(outcome.stdout.contains("red"), "differences are shown: {}", outcome.stdout);
        is_harmless("compare", &without_colours(&outcome.stdout));
    }
}

#[test]
fn templates_of_strangers() {
    let dir = Dir::new();
    let mut random = Random(72);
    let header = "\u{1b}[2Jbuy \u{9b}now \u{202e}here \u{7f}and always come back for very much more of this";
    for at in 0..30 {
        dir.write(format!("{at}.txt"), format!("{header} {}", random.text(40)));
    }
    let mut command = lookalike(["scan", ".", "--max-df", "20"]);
    command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").current_dir(dir.path());
    let outcome = run(&mut command).expect(0);
    assert!(outcome.stdout.contains("always come back"), "{}", outcome.stdout);
    is_harmless("templates", &without_colours(&outcome.stdout));
}

#[test]
fn messages_about_strangers() {
    let dir = Dir::new();
    for name in EVIL {
        for arguments in [&["scan", name][..], &["compare", name, name], &["recluster", name]] {
            let outcome = run(lookalike(arguments).current_dir(dir.path())).expect(2);
            is_harmless("stderr", &outcome.stderr);
        }
    }
    dir.write("broken \u{1b}[2J\u{202e}.jsonl", "no JSON\n");
    let outcome = run(lookalike(["scan", "broken \u{1b}[2J\u{202e}.jsonl"]).current_dir(dir.path())).expect(2);
    is_harmless("stderr", &outcome.stderr);
    is_harmless("stdout", &outcome.stdout);
}

/// Ids are how programs find documents again: they must come through unchanged.
#[test]
fn json_gives_names_as_they_are() {
    let dir = evil_folder();
    let scan = |flags: &[&str]| run(lookalike(["scan", "."]).args(flags).current_dir(dir.path())).expect(0).stdout;
    let mut expected: Vec<String> = EVIL.iter().map(|&name| name.to_owned()).collect();
    expected.sort();
    let ids = |report: &Value| {
        let cluster = &report["clusters"][0];
        let members = cluster["members"].as_array().expect("a list").iter().map(|m| &m["id"]);
        let ids = members.chain([&cluster["representative"]]);
        let mut ids: Vec<String> = ids.map(|id| id.as_str().expect("an id").to_owned()).collect();
        ids.sort();
        ids
    };
    let report: Value = serde_json::from_str(&scan(&["--json"])).expect("valid JSON");
    assert_eq!(ids(&report), expected, "--json");
    scan(&["--json", "--output", "report.out"]);
    let file = std::fs::read_to_string(dir.at("report.out")).expect("written");
    std::fs::remove_file(dir.at("report.out")).expect("removed");
    assert_eq!(ids(&serde_json::from_str(&file).expect("valid JSON")), expected, "--json --output");
    for line in scan(&["--ndjson"]).lines() {
        serde_json::from_str::<Value>(line).expect("valid JSON");
    }
}

#[test]
fn csv_gives_names_as_they_are() {
    let dir = evil_folder();
    let csv = run(lookalike(["scan", ".", "--csv"]).current_dir(dir.path())).expect(0).stdout;
    for name in EVIL {
        assert!(csv.contains(&name.replace('"', "\"\"")), "no {name:?} in\n{}", csv.escape_debug());
    }
}

/// The code of the command itself in a pipeline whose reader has gone, and all that was said.
fn into_closed_pipe(arguments: &str, dir: &Dir) -> Outcome {
    let script = format!("( \"$LOOKALIKE\" {arguments}; echo \"code $?\" >&2 ) | (exec <&-; sleep 1)");
    run(shell(&script).current_dir(dir.path()))
}

#[test]
fn a_closed_pipe_is_no_error() {
    let dir = Dir::new();
    write(&dir, "corpus.jsonl", &documents(1000, 73));
    for arguments in
        ["scan corpus.jsonl", "scan corpus.jsonl --json", "scan corpus.jsonl --csv", "scan corpus.jsonl --ndjson"]
    {
        assert_eq!(into_closed_pipe(arguments, &dir).stderr, "code 0\n", "{arguments}");
    }
    let head = run(shell("\"$LOOKALIKE\" scan corpus.jsonl --top 1000 | head -1").current_dir(dir.path())).expect(0);
    assert_eq!((head.stdout.lines().count(), head.stderr.as_str()), (1, ""));
    assert!(head.stdout.starts_with("1,000 documents"), "{}", head.stdout);
}

#[test]
fn a_closed_pipe_of_the_other_verbs() {
    let dir = Dir::new();
    dir.write("a.txt", "some words");
    for arguments in ["compare a.txt a.txt", "completions bash", "man", "--help", "--version"] {
        assert_eq!(into_closed_pipe(arguments, &dir).stderr, "code 0\n", "{arguments}");
    }
}
