//! What other people's crates come into the tree: from where, under which licence, and in how many versions. The lists
//! are those of `deny.toml`, so that `cargo deny` says the same.

use crate::command::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The strings of a list of `deny.toml`, which has one on each line.
fn list(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("it is there");
    let begins = format!("{name} = [");
    let lines = text.lines().skip_while(|line| *line != begins).skip(1).take_while(|line| *line != "]");
    let quoted = |line: &str| line.trim().strip_prefix('"')?.strip_suffix("\",").map(str::to_owned);
    let found: BTreeSet<String> = lines.filter_map(quoted).collect();
    assert!(!found.is_empty(), "{name} is read");
    found
}

/// Name, version and source of every crate of the lock file.
fn locked() -> Vec<[String; 3]> {
    let text = fs::read_to_string(root().join("Cargo.lock")).expect("it is there");
    let field = |package: &str, name: &str| {
        let begins = format!("{name} = \"");
        let value = package.lines().find_map(|line| line.strip_prefix(&begins)?.strip_suffix('"'));
        value.unwrap_or_default().to_owned()
    };
    let packages = text.split("[[package]]").skip(1);
    packages.map(|package| ["name", "version", "source"].map(|name| field(package, name))).collect()
}

/// Whether an expression of licences can be met by those that are allowed: `OR` and the old `/`, then `AND`, then brackets.
fn allows(allowed: &BTreeSet<String>, expression: &str) -> bool {
    let text = expression.replace('/', " OR ");
    let text = text.trim();
    let parts = |word: &str| {
        let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
        for (at, c) in text.char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth == 0 && text[at..].starts_with(word) {
                parts.push(&text[from..at]);
                from = at + word.len();
            }
        }
        parts.push(&text[from..]);
        parts
    };
    let (either, all) = (parts(" OR "), parts(" AND "));
    if either.len() > 1 {
        either.iter().any(|part| allows(allowed, part))
    } else if all.len() > 1 {
        all.iter().all(|part| allows(allowed, part))
    } else if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        allows(allowed, inner)
    } else {
        allowed.contains(text)
    }
}

#[test]
fn expressions_of_licences_are_understood() {
    let allowed = BTreeSet::from(["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned));
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "Unlicense/MIT",
        "MIT AND Zlib",
        "(GPL-3.0 OR MIT) AND Zlib",
        "GPL-3.0 OR (MIT AND Zlib)",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(allows(&allowed, good), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND GPL-3.0", "GPL-3.0 OR (MIT AND ISC)", "Apache-2.0"]
    {
        assert!(!allows(&allowed, bad), "{bad}");
    }
}

#[test]
fn crates_come_from_one_place_and_in_one_version() {
    let locked = locked();
    assert!(locked.len() > 100, "the lock file is read");
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    for [name, version, source] in &locked {
        assert!(source.is_empty() || source == CRATES_IO, "{name} {version} comes from {source}");
        *versions.entry(name).or_default() += 1;
    }
    let repeated: BTreeSet<String> =
        versions.iter().filter(|(_, count)| **count > 1).map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(repeated, list("skip"), "crates in several versions, and those that deny.toml knows of");
}

/// Of this platform: the crates of others need not be there.
#[test]
fn licences_are_allowed() {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc says its host");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", host]);
    let output = cargo.current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "all crates are looked at");
    let allowed = list("allow");
    for package in packages {
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(allows(&allowed, licence), "{} is under {licence:?}", package["name"]);
    }
}
