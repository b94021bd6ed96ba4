//! The rules of the house: which crate may see which, how long a file may be, and what no file may hold.

use crate::command::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each crate, and the crates of the workspace that it may use; dev-dependencies count too.
const ALLOWED: [(&str, &[&str]); 21] = [
    ("lookalike-core", &[]),
    ("lookalike-extract", &["lookalike-core"]),
    // knows nothing of the requests that it sends
    ("lookalike-process", &[]),
    ("lookalike-languages", &["lookalike-core", "lookalike-process"]),
    // a program of its own, which nothing links
    ("lookalike-parser", &["lookalike-extract", "lookalike-languages", "lookalike-process"]),
    ("lookalike-corpus", &["lookalike-core"]),
    ("lookalike-store", &["lookalike-core"]),
    // the network, and nothing of documents
    ("lookalike-remote", &[]),
    ("lookalike-hamming", &["lookalike-core", "lookalike-corpus", "lookalike-store"]),
    (
        "lookalike-engine",
        &[
            "lookalike-core",
            "lookalike-extract",
            "lookalike-languages",
            "lookalike-process",
            "lookalike-corpus",
            "lookalike-store",
            "lookalike-hamming",
        ],
    ),
    // the only crate that changes a user's file
    ("lookalike-act", &["lookalike-core", "lookalike-corpus", "lookalike-store"]),
    (
        "lookalike-index",
        &[
            "lookalike-core",
            "lookalike-corpus",
            "lookalike-store",
            "lookalike-extract",
            "lookalike-hamming",
            "lookalike-engine",
        ],
    ),
    // writes new corpora; sees the index for what is known already
    (
        "lookalike-dedup",
        &["lookalike-core", "lookalike-corpus", "lookalike-store", "lookalike-engine", "lookalike-index"],
    ),
    // the steps of a dedup, one partition at a time; sees the dedup of one machine only in tests
    (
        "lookalike-distributed",
        &["lookalike-core", "lookalike-corpus", "lookalike-store", "lookalike-engine", "lookalike-dedup"],
    ),
    // the facade: what `cargo add lookalike` gives; it re-exports whatever is below
    (
        "lookalike",
        &[
            "lookalike-core",
            "lookalike-extract",
            "lookalike-languages",
            "lookalike-corpus",
            "lookalike-store",
            "lookalike-hamming",
            "lookalike-engine",
            "lookalike-index",
            "lookalike-dedup",
            "lookalike-act",
        ],
    ),
    // the page's scripts and styles know nothing of documents
    ("lookalike-web", &[]),
    ("lookalike-report", &["lookalike", "lookalike-web"]),
    // keywords are flags: it asks the command for options
    ("lookalike-python", &["lookalike", "lookalike-distributed", "lookalike-report", "lookalike-cli"]),
    ("lookalike-server", &["lookalike", "lookalike-report", "lookalike-web"]),
    ("lookalike-cli", &["lookalike", "lookalike-remote", "lookalike-report", "lookalike-server"]),
    // Beside the house, not in it: it measures the binary from outside and makes its inputs with the lower rooms.
    ("lookalike-eval", &["lookalike-core", "lookalike-extract"]),
];

/// Lines of the longest file that is still easy to hold in the head.
const LONGEST: usize = 800;

/// Complaints about edges, from `(crate, its dependencies)`.
fn forbidden(edges: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let rule = |name: &str| ALLOWED.iter().find(|(from, _)| *from == name);
    let mut complaints = Vec::new();
    for (from, dependencies) in edges {
        let Some((_, allowed)) = rule(from) else {
            complaints.push(format!("{from} has no place in the design"));
            continue;
        };
        for to in dependencies.iter().filter(|to| edges.contains_key(*to)) {
            if !allowed.contains(&to.as_str()) {
                complaints.push(format!("{from} must not use {to}"));
            }
        }
    }
    complaints
}

/// All edges of the workspace, whatever their kind or platform.
fn edges() -> BTreeMap<String, Vec<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let name = |value: &serde_json::Value| value["name"].as_str().expect("a name").to_owned();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    packages
        .map(|package| (name(package), package["dependencies"].as_array().expect("a list").iter().map(name).collect()))
        .collect()
}

#[test]
fn crates_see_only_what_the_design_allows() {
    let edges = edges();
    assert!(edges.len() >= 7, "the whole workspace is looked at: {edges:?}");
    assert!(edges["lookalike-cli"].contains(&"lookalike".to_owned()), "edges are found at all");
    assert_eq!(forbidden(&edges), Vec::<String>::new());
}

/// Dependencies that parse hostile documents in unsafe code, or without a bound that they keep themselves.
const HOSTILE: [&str; 4] = ["tree-sitter", "hayro", "mail-parser", "quick-xml"];

/// The crates other than the parser that depend on a crate that parses hostile documents, or on the parser itself.
fn parsers(edges: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let is_parser = |name: &String| name == "lookalike-parser" || HOSTILE.iter().any(|prefix| name.starts_with(prefix));
    let others = edges.iter().filter(|(from, _)| *from != "lookalike-parser");
    let found =
        others.flat_map(|(from, to)| to.iter().filter(|to| is_parser(to)).map(move |to| format!("{from} uses {to}")));
    found.collect()
}

#[test]
fn only_the_parser_program_links_grammars_and_readers_of_documents() {
    let edges = edges();
    assert!(HOSTILE.iter().all(|prefix| edges["lookalike-parser"].iter().any(|name| name.starts_with(prefix))));
    assert_eq!(parsers(&edges), Vec::<String>::new());
    let made_up =
        BTreeMap::from([("lookalike-cli".to_owned(), vec!["tree-sitter-c".to_owned(), "lookalike-parser".to_owned()])]);
    assert_eq!(parsers(&made_up), ["lookalike-cli uses tree-sitter-c", "lookalike-cli uses lookalike-parser"]);
}

#[test]
fn a_forbidden_edge_would_be_found() {
    let edge = |from: &str, to: &[&str]| (from.to_owned(), to.iter().map(|&s| s.to_owned()).collect());
    let made_up = BTreeMap::from([
        edge("lookalike-core", &["lookalike-store", "serde"]),
        edge("lookalike-store", &["lookalike-core"]),
        edge("lookalike-corpus", &["lookalike-extract"]),
        edge("lookalike-extract", &[]),
        edge("lookalike-report", &["lookalike-core"]),
        edge("lookalike-surprise", &[]),
    ]);
    assert_eq!(
        forbidden(&made_up),
        [
            "lookalike-core must not use lookalike-store",
            "lookalike-corpus must not use lookalike-extract",
            "lookalike-report must not use lookalike-core",
            "lookalike-surprise has no place in the design",
        ]
    );
}

/// Every file of the tree that people wrote.
fn files() -> Vec<PathBuf> {
    const GENERATED: [&str; 8] =
        [".git", "target", "node_modules", "artifacts", "coverage", ".venv", "__pycache__", ".pytest_cache"];
    let (mut files, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the tree") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            if path.is_symlink() || GENERATED.contains(&name) || path == root().join("fuzzing/corpus") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if !name.ends_with(".snap.new") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 100, "the tree was walked");
    files
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["rs", "js", "css", "py"].iter().any(|source| e == *source))
}

fn too_long(path: &Path, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (is_source(path) && lines > LONGEST).then(|| format!("{}: {lines} lines, at most {LONGEST}", path.display()))
}

/// Lines with a needle.
fn holding(path: &Path, text: &str, needles: &[String]) -> Vec<String> {
    let found = |line: &str| needles.iter().any(|needle| line.contains(needle.as_str()));
    let lines = text.lines().zip(1..).filter(|(line, _)| found(line));
    lines.map(|(line, number)| format!("{}:{number}: {}", path.display(), line.trim())).collect()
}

/// Put together here, so that this file does not find itself.
fn unfinished() -> Vec<String> {
    ["TO|DO", "FIX|ME", "todo|!(", "unimple|mented!("].map(|s| s.replace('|', "")).to_vec()
}

fn places_of_one_machine() -> Vec<String> {
    ["/wo|rk/", "/ro|ot/", "/Us|ers/", "C:|\\Users"].map(|s| s.replace('|', "")).to_vec()
}

#[test]
fn no_file_is_over_long() {
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
    let complaints: Vec<String> = files().iter().filter_map(|path| too_long(path, &text(path))).collect();
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn nothing_is_left_unfinished_or_bound_to_one_machine() {
    let mut complaints = Vec::new();
    for path in files() {
        // what is no UTF-8 is no text of ours
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if is_source(&path) {
            complaints.extend(holding(&path, &text, &unfinished()));
        }
        complaints.extend(holding(&path, &text, &places_of_one_machine()));
    }
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn bad_files_would_be_found() {
    let path = Path::new("some/file.rs");
    assert!(too_long(path, &"x\n".repeat(LONGEST)).is_none());
    assert!(too_long(path, &"x\n".repeat(LONGEST + 1)).is_some());
    assert!(too_long(Path::new("some/words.txt"), &"x\n".repeat(LONGEST + 1)).is_none());
    let needles = [unfinished(), places_of_one_machine()].concat();
    for needle in &needles {
        assert_eq!(holding(path, &format!("fine\nlet x = {needle}"), &needles).len(), 1, "{needle}");
    }
}
