//! `scan --lens all`: pairs with what the two are to each other.

use crate::command::{lookalike, run};
use crate::dir::Dir;
use crate::words::{Random, sentences};
use serde_json::Value;

/// A text, and others that are something to it.
fn folder() -> Dir {
    let dir = Dir::new();
    let mut random = Random(48);
    let words = random.words(400);
    let text = sentences(&words);
    let misread = |c: (usize, char)| if c.0.is_multiple_of(19) && c.1.is_alphabetic() { 'x' } else { c.1 };
    dir.write("text.txt", &text);
    dir.write("small-errors.txt", text.chars().enumerate().map(misread).collect::<String>());
    dir.write("b-in-a.txt", sentences(&words[100..200]));
    let quoted = format!("{}{}{}", random.text(150), sentences(&words[200..260]), random.text(150));
    dir.write("passages.txt", quoted);
    dir.write("unrelated.txt", random.text(400));
    dir
}

fn scanned(dir: &Dir, flags: &[&str]) -> String {
    run(lookalike(["scan", "--lens", "all", "."]).args(flags).current_dir(dir.path())).expect(0).stdout
}

#[test]
fn pairs_on_the_terminal() {
    insta::assert_snapshot!("pairs", scanned(&folder(), &[]));
    insta::assert_snapshot!("some_pairs", scanned(&folder(), &["--relation", "passages,version", "--top", "1"]));
}

#[test]
fn pairs_as_json_and_rows() {
    let dir = folder();
    let report: Value = serde_json::from_str(&scanned(&dir, &["--json"])).expect("JSON");
    assert_eq!(report["lens"], "all");
    let links = report["relations"]["links"].as_array().expect("pairs");
    for link in links {
        let there = run(lookalike(["compare", "--json"])
            .args([&link["a"], &link["b"]].map(|id| id.as_str().expect("a name")))
            .current_dir(dir.path()));
        assert_eq!(there.json()["relation"], link["relation"], "{link:#}");
    }
    assert_eq!(links.len(), 4, "{report:#}");
    let quoted: Value = serde_json::from_str(&scanned(&dir, &["--json", "--disagreement", "quotation"])).expect("JSON");
    let quoted = quoted["relations"]["links"].as_array().expect("pairs");
    assert!(!quoted.is_empty() && quoted.iter().all(|link| link["disagreement"] == "quotation"));
    let rows = scanned(&dir, &["--csv", "--relation", "small-errors"]);
    assert_eq!(rows.lines().count(), 2, "{rows}");
    assert!(rows.starts_with("a,b,relation,disagreement,"));
}

#[test]
fn what_it_has_not_is_refused() {
    let dir = folder();
    for flags in [&["--save", "run"][..], &["--estimate"], &["--pairs", "pairs.csv"], &["--distance", "3"]] {
        let refused = run(lookalike(["scan", "--lens", "all", "."]).args(flags).current_dir(dir.path())).expect(2);
        assert!(refused.stderr.contains("with --lens all leave it out"), "{}", refused.stderr);
    }
}
