//! The parser program is beside the command, or where an environment variable says. Without it the command says what it needs.

use crate::command::{PARSER, PROGRAM, lookalike, plain, run};
use crate::dir::Dir;
use crate::office_samples::{docx, email, pdf};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

const TEXT: &str =
    "The committee met on Tuesday in the large hall and heard the report of the treasurer about the last year";

/// Two programs that only a grammar can read, and two documents of each kind.
fn folder() -> Dir {
    let dir = Dir::new();
    let program = "function area(w, h)\n  local total = w * h -- of all\n  if total > 10 then return total end\n  return 0\nend\n";
    dir.write("code/a.lua", program);
    dir.write("code/b.lua", program.replace("total", "sum"));
    for name in ["a", "b"] {
        dir.write(format!("texts/{name}.txt"), TEXT);
        dir.write(format!("texts/{name}.pdf"), pdf(&[TEXT]));
        dir.write(format!("texts/{name}.docx"), docx(&[TEXT]));
        dir.write(format!("texts/{name}.eml"), email("", &[TEXT]));
    }
    dir
}

/// The reasons for which files were read word by word.
fn degraded(report: &Value) -> Vec<String> {
    let submissions = report["passages"]["submissions"].as_array().expect("a list").iter();
    let files = submissions.flat_map(|submission| submission["files"].as_array().expect("a list"));
    files.filter_map(|file| file["degraded"].as_str().map(str::to_owned)).collect()
}

/// The reasons for which documents were skipped, and the kinds of these reasons.
fn skipped(report: &Value) -> Vec<(String, String)> {
    let text = |skip: &Value, field: &str| skip[field].as_str().expect("a string").to_owned();
    let skips = report["skipped"].as_array().expect("a list").iter();
    skips.map(|skip| (text(skip, "kind"), text(skip, "reason"))).collect()
}

/// Fails unless programs are read word by word and documents are skipped, for a reason that holds all these words.
fn degrades(command: impl Fn() -> Command, dir: &Dir, words: &[&str]) {
    let mut copies = command();
    let report = run(copies.args(["copies", "code", "--json"]).current_dir(dir.path())).json();
    let reasons = degraded(&report);
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert_eq!(report["passages"]["pairs"].as_array().expect("a list").len(), 1, "words are compared: {report}");
    let mut scan = command();
    let report = run(scan.args(["scan", "texts", "--json"]).current_dir(dir.path())).json();
    let skips = skipped(&report);
    assert_eq!((report["documents"].as_u64(), skips.len()), (Some(2), 6), "{report}");
    assert!(skips.iter().all(|(kind, _)| kind == "needs lookalike-parser"), "{skips:?}");
    for reason in reasons.iter().chain(skips.iter().map(|(_, reason)| reason)) {
        for word in words {
            assert!(reason.contains(word), "no {word:?} in: {reason}");
        }
    }
}

#[test]
fn beside_the_command_it_is_found() {
    let dir = folder();
    let report = run(lookalike(["copies", "code", "--json"]).current_dir(dir.path())).json();
    assert_eq!(degraded(&report), Vec::<String>::new());
    let report = run(lookalike(["scan", "texts", "--json"]).current_dir(dir.path())).json();
    assert_eq!((report["documents"].as_u64(), skipped(&report).len()), (Some(8), 0));
}

#[test]
fn without_it_reports_say_what_they_need_and_how_to_build_it() {
    let dir = folder();
    let alone = dir.folder("bin").join("lookalike");
    fs::hard_link(PROGRAM, &alone).or_else(|_| fs::copy(PROGRAM, &alone).map(drop)).expect("a copy of the command");
    let command = || plain(&alone);
    degrades(
        command,
        &dir,
        &["not found", "cargo install --path crates/parser", "cargo build --release -p lookalike-parser"],
    );
    // a variable names it
    let mut copies = command();
    copies.args(["copies", "code", "--json"]).current_dir(dir.path()).env("LOOKALIKE_PARSER", &*PARSER);
    assert_eq!(degraded(&run(&mut copies).json()), Vec::<String>::new());
}

#[test]
fn a_program_of_another_build_is_refused_by_name() {
    let dir = folder();
    let script = |name: &str, text: &str| {
        let path = dir.write(name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        path
    };
    let with = |parser: &Path| {
        let parser = parser.to_owned();
        move || {
            let mut command = lookalike::<&str>([]);
            command.env("LOOKALIKE_PARSER", &parser);
            command
        }
    };
    let other = script("other-parser", "#!/bin/sh\nprintf 'other bu'; cat > /dev/null\n");
    degrades(with(&other), &dir, &["other-parser is of another build; build it with `cargo install"]);
    let broken = script("broken-parser", "#!/bin/sh\nexit 1\n");
    degrades(with(&broken), &dir, &["broken-parser cannot be started: it ends without a greeting"]);
}

#[test]
fn a_named_program_that_does_not_exist_is_an_error() {
    let dir = folder();
    let mut scan = lookalike(["scan", "texts"]);
    let outcome = run(scan.current_dir(dir.path()).env("LOOKALIKE_PARSER", "no/such/parser")).expect(2);
    let wanted = format!("{}/no/such/parser: no such file", dir.path().display());
    assert!(outcome.stderr.contains("LOOKALIKE_PARSER") && outcome.stderr.contains(&wanted), "{}", outcome.stderr);
}
