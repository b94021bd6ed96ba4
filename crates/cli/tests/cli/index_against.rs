//! `scan --against INDEX`: only what is new, or touches the new.

use crate::command::{lookalike, run};
use crate::dir::Dir;
use crate::index::json;
use crate::words::{Random, sentences};

/// Three old pages in an index; then the same folder with a copy of one, a near-copy of another, a new pair, and a loner.
fn old_and_new(dir: &Dir) {
    let mut random = Random(8);
    let pages: Vec<Vec<&'static str>> = (0..5).map(|_| random.words(300)).collect();
    for (name, page) in ["a", "b", "c"].iter().zip(&pages) {
        dir.write(format!("docs/{name}.txt"), sentences(page));
    }
    dir.write("docs/a-again.txt", sentences(&pages[0]));
    json(dir, &["index", "build", "old.index", "docs", "--sweep", "2026-03-04"]);
    dir.write("docs/b-changed.txt", sentences(&random.mutate(&pages[1], 3)));
    dir.write("docs/new.txt", sentences(&pages[3]));
    dir.write("docs/new-too.txt", sentences(&random.mutate(&pages[3], 2)));
    dir.write("docs/loner.txt", sentences(&pages[4]));
}

#[test]
fn only_what_is_new_or_touches_the_new() {
    let dir = Dir::new();
    old_and_new(&dir);
    let report = json(&dir, &["scan", "docs", "--against", "old.index"]);
    let against = &report["against"];
    assert_eq!((&against["known"], &against["new"]), (&4.into(), &4.into()), "{against}");
    let touching = against["touching"].as_array().expect("a list");
    assert_eq!(touching.len(), 1, "{against}");
    assert_eq!((&touching[0]["id"], &touching[0]["url"]), (&"docs/b-changed.txt".into(), &"docs/b.txt".into()));
    assert_eq!(touching[0]["date"], "2026-03-04");
    let compared = run(lookalike(["compare", "docs/b-changed.txt", "docs/b.txt", "--json"]).current_dir(dir.path()));
    assert_eq!(touching[0]["verified"]["resemblance"], compared.json()["resemblance"], "counted on the originals");
    let clusters = report["clusters"].as_array().expect("a list");
    let mut leads: Vec<&str> = clusters.iter().map(|c| c["representative"].as_str().expect("an id")).collect();
    leads.sort_unstable();
    assert_eq!(leads.len(), 2, "a and its copy are known, both: {leads:?}");
    assert!(leads[0].starts_with("docs/b") && leads[1].starts_with("docs/new"), "{leads:?}");
    assert_eq!(report["summary"]["clusters"], 2);
}

#[test]
fn on_the_terminal_and_by_exit_code() {
    let dir = Dir::new();
    old_and_new(&dir);
    let scan = |paths: &[&str]| {
        let mut command = lookalike(["scan", "--against", "old.index", "--exit-code", "-q"]);
        run(command.args(paths).current_dir(dir.path()))
    };
    let shown = scan(&["docs"]).expect(1).stdout;
    insta::assert_snapshot!(shown);
    scan(&["docs/a.txt"]).expect(1);
    scan(&["docs/loner.txt"]).expect(0);
    let other = run(lookalike(["scan", "docs", "--against", "old.index", "-w", "5"]).current_dir(dir.path())).expect(2);
    assert!(other.stderr.contains("another recipe: expected auto|words|shingles:w=5"), "{}", other.stderr);
    assert_eq!(other.stdout, "", "it is refused before anything is read");
}
