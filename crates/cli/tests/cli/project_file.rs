//! `lookalike.toml`: defaults of a project.

use crate::command::{lookalike, run};
use crate::dir::Dir;
use crate::words::Random;
use serde_json::Value;

/// A folder with two near-copies, one of them hidden in a folder that the project leaves out.
fn project(dir: &Dir, text: &str) {
    let mut random = Random(91);
    let words = random.words(200);
    dir.write("site/docs/a.txt", words.join(" "));
    dir.write("site/docs/b.txt", random.mutate(&words, 6).join(" "));
    dir.write("site/old/c.txt", words.join(" "));
    dir.write("site/lookalike.toml", text);
}

fn scan(dir: &Dir, flags: &[&str]) -> Value {
    let outcome = run(lookalike(["scan", "site/docs", "--json"]).args(flags).current_dir(dir.path())).expect(0);
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

#[test]
fn defaults_from_above_and_the_command_line_wins() {
    let dir = Dir::new();
    project(
        &dir,
        "# what everybody here wants\nthreshold = 0.99\n\n[scan]\nexclude = ['b.txt']\n[index.build]\nthreshold = 0.5\n",
    );
    let report = scan(&dir, &[]);
    assert_eq!((&report["documents"], &report["policy"]["threshold"]), (&1.into(), &0.99.into()), "{report}");
    let report = scan(&dir, &["--threshold", "0.4", "--exclude", "nothing"]);
    assert_eq!((&report["documents"], &report["policy"]["threshold"]), (&2.into(), &0.4.into()));
    // what it says for other lenses is not for this one
    run(lookalike(["scan", "site/docs", "--lens", "simhash"]).current_dir(dir.path())).expect(0);
    let shown = run(lookalike(["scan", "site/docs", "--show-config", "--threshold", "0.4"]).current_dir(dir.path()));
    let shown = shown.expect(0).stdout;
    assert!(shown.lines().next().expect("a file").ends_with("site/lookalike.toml"), "{shown}");
    assert_eq!(shown.lines().skip(1).collect::<Vec<_>>(), ["  line 5    --exclude=b.txt"]);
    let none = run(lookalike(["scan", ".", "--show-config"]).current_dir(dir.path())).expect(0).stdout;
    assert_eq!(none, "no lookalike.toml here or in a folder above\n");
}

#[test]
fn what_is_wrong_is_told_with_file_and_line() {
    for (text, told) in [
        ("\nthreshhold = 0.5\n", "lookalike.toml:2: threshhold is no flag; the nearest is threshold"),
        ("threshold = 7\n", "lookalike.toml:1: invalid value '7' for '--threshold"),
        ("[scan]\nhtml = 'x.html'\n", "lookalike.toml:2: html cannot be set in a project file"),
    ] {
        let dir = Dir::new();
        project(&dir, text);
        let wrong = run(lookalike(["scan", "site/docs"]).current_dir(dir.path())).expect(2);
        assert!(wrong.stderr.contains(told) && wrong.stdout.is_empty(), "{}", wrong.stderr);
        // what the command line says is not looked for in the file
        assert!(!dir.at("x.html").exists());
    }
}
