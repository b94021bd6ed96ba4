//! The rules of the house inside its crates: no module sees, even by detours, a module that sees it, and floors see only what is below.

use crate::command::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a crate, by their paths, and the modules that each uses.
type Modules = BTreeMap<String, BTreeSet<String>>;

/// Crates whose modules must not go round in circles.
const CRATES: [&str; 12] =
    ["core", "extract", "corpus", "store", "remote", "hamming", "engine", "index", "act", "report", "server", "cli"];

/// In a crate, modules that begin so must not use modules that begin so.
const FORBIDDEN: [(&str, &str, &[&str]); 8] = [
    ("engine", "report", &["run", "lens", "scanner"]),
    ("engine", "run", &["lens", "scanner", "compare", "all"]),
    // what joins the lenses is above them
    ("engine", "lens", &["compare", "all"]),
    ("engine", "compare", &["all", "scanner"]),
    ("engine", "lens::shingles", &["lens::chunks", "lens::simhash", "lens::passages", "scanner"]),
    ("engine", "lens::chunks", &["lens::shingles", "lens::simhash", "lens::passages", "scanner"]),
    ("engine", "lens::passages", &["lens::shingles", "lens::chunks", "lens::simhash", "scanner"]),
    // near fingerprints are verified by shingles: the one lens that sees another
    ("engine", "lens::simhash", &["lens::chunks", "lens::passages", "scanner"]),
];

/// The source files of a crate by module path, without those for tests.
fn sources(folder: &Path) -> BTreeMap<String, String> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![(folder.to_owned(), String::new())]);
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path: PathBuf = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
            let join = |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix}::{name}") };
            if name == "tests" {
                continue;
            }
            if path.is_dir() {
                folders.push((path, join(&name)));
            } else if path.extension().is_some_and(|e| e == "rs") {
                let module = if ["mod", "lib", "main"].contains(&name.as_str()) { prefix.clone() } else { join(&name) };
                let text = fs::read_to_string(&path).expect("UTF-8");
                found.insert(module, text);
            }
        }
    }
    found
}

/// A source without its tests and comments.
fn plain(text: &str) -> String {
    let product = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = product.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Paths with braces, as single paths.
fn expand(path: &str) -> Vec<String> {
    let Some(open) = path.find('{') else { return vec![path.trim().to_owned()] };
    let inner = &path[open + 1..path.rfind('}').unwrap_or(path.len())];
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[from..]);
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(expand).map(|part| format!("{}{part}", path[..open].trim())).collect()
}

/// The paths into its own crate that a module names: `a::b::Name` for `crate::a::b::Name`.
fn paths(module: &str, text: &str) -> Vec<String> {
    let text = plain(text);
    let mut found = Vec::new();
    for (at, _) in ["crate::", "super::", "self::"].iter().flat_map(|word| text.match_indices(*word)) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &text[at..];
        let is_use = text[..at].trim_end().ends_with("use");
        let end = if is_use {
            rest.find(';').unwrap_or(rest.len())
        } else {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len())
        };
        let flat = rest[..end].split_whitespace().collect::<Vec<_>>().join(" ");
        for path in expand(&flat) {
            let path = path.split(" as ").next().unwrap_or_default().trim_end_matches("::self");
            let mut own: Vec<&str> = if module.is_empty() { Vec::new() } else { module.split("::").collect() };
            let mut parts: Vec<&str> = path.split("::").collect();
            if parts[0] == "crate" {
                own.clear();
                parts.remove(0);
            }
            while parts.first().is_some_and(|part| ["self", "super"].contains(part)) {
                if parts.remove(0) == "super" {
                    own.pop();
                }
            }
            own.extend(parts);
            found.push(own.join("::"));
        }
    }
    found
}

/// What a module gives on from its children: `run` gives on `Session` of `run::session`.
fn given_on(sources: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (module, text) in sources {
        for statement in
            plain(text).split(';').filter_map(|s| s.split_once("pub use ").or(s.split_once("pub(crate) use ")))
        {
            for path in expand(&statement.1.split_whitespace().collect::<Vec<_>>().join(" ")) {
                let (path, alias) =
                    path.split_once(" as ").map_or((path.as_str(), None), |(p, a)| (p, Some(a.to_owned())));
                let path = path.trim_start_matches("self::").trim_start_matches("crate::");
                let join = |rest: &str| if module.is_empty() { rest.to_owned() } else { format!("{module}::{rest}") };
                let Some((from, name)) = path.rsplit_once("::") else { continue };
                let target = [join(from), from.to_owned()].into_iter().find(|m| sources.contains_key(m));
                if let Some(target) = target {
                    names.insert(join(&alias.unwrap_or_else(|| name.to_owned())), target);
                }
            }
        }
    }
    names
}

/// The edges between the modules of a crate. What a module declares, or gives on from a child, is no edge.
fn modules(sources: &BTreeMap<String, String>) -> Modules {
    let given_on = given_on(sources);
    let resolve = |path: &str| {
        let mut path = path.to_owned();
        for _ in 0..4 {
            let Some(target) = given_on.get(&path) else { break };
            path.clone_from(target);
        }
        let parts: Vec<&str> = path.split("::").collect();
        (1..=parts.len()).rev().map(|n| parts[..n].join("::")).find(|m| sources.contains_key(m))
    };
    let mut edges = Modules::new();
    for (module, text) in sources {
        let is_below = |other: &str| module.is_empty() || other.starts_with(&format!("{module}::"));
        let used = paths(module, text).iter().filter_map(|path| resolve(path)).collect::<BTreeSet<_>>();
        let used = used.into_iter().filter(|other| other != module && !is_below(other)).collect();
        edges.insert(module.clone(), used);
    }
    edges
}

/// Groups of modules that see each other, by detours too.
fn cycles(edges: &Modules) -> Vec<Vec<&str>> {
    let reach = |from: &str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            for other in edges.get(module).into_iter().flatten() {
                if seen.insert(other.as_str()) {
                    next.push(other);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges.keys().map(|m| (m.as_str(), reach(m))).collect();
    let (mut found, mut done) = (Vec::new(), BTreeSet::new());
    for (module, others) in &reached {
        if !done.contains(module) && others.contains(module) {
            let group: Vec<&str> = others.iter().copied().filter(|other| reached[other].contains(module)).collect();
            done.extend(group.iter().copied());
            found.push(group);
        }
    }
    found
}

fn begins(module: &str, prefix: &str) -> bool {
    module == prefix || module.starts_with(&format!("{prefix}::"))
}

#[test]
fn no_module_sees_one_that_sees_it() {
    let mut complaints = Vec::new();
    for name in CRATES {
        let sources = sources(&root().join("crates").join(name).join("src"));
        let edges = modules(&sources);
        assert!(edges.len() > 3 && edges.values().any(|used| !used.is_empty()), "{name} was looked at");
        complaints.extend(cycles(&edges).into_iter().map(|group| format!("{name}: {}", group.join(", "))));
    }
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn floors_see_only_what_is_below() {
    let mut complaints = Vec::new();
    for (name, floor, above) in FORBIDDEN {
        let sources = sources(&root().join("crates").join(name).join("src"));
        for (module, used) in modules(&sources).iter().filter(|(module, _)| begins(module, floor)) {
            for other in used.iter().filter(|other| above.iter().any(|above| begins(other, above))) {
                complaints.push(format!("{name}: {module} must not use {other}"));
            }
        }
    }
    assert_eq!(complaints, Vec::<String>::new());
}

#[test]
fn a_cycle_would_be_found() {
    let source = |text: &str| text.to_owned();
    let made_up = BTreeMap::from([
        (String::new(), source("pub mod a;\npub mod b;\npub mod floor;")),
        ("a".into(), source("use crate::b::{self, Thing};\n#[cfg(test)]\nmod tests { use crate::floor::low::X; }")),
        ("b".into(), source("// use crate::nothing;\nfn f() -> crate::floor::High { super::floor::make() }")),
        ("floor".into(), source("mod low;\npub use low::High;\npub fn make() {}")),
        ("floor::low".into(), source("use crate::{a::Name, other as alias};")),
    ]);
    let edges = modules(&made_up);
    assert_eq!(edges["b"], BTreeSet::from(["floor".to_owned(), "floor::low".to_owned()]));
    assert_eq!(cycles(&edges), [["a", "b", "floor::low"]]);
    assert!(
        cycles(&BTreeMap::from([
            ("a".to_owned(), BTreeSet::from(["b".to_owned()])),
            ("b".to_owned(), BTreeSet::new())
        ]))
        .is_empty()
    );
}
