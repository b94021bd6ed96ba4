//! `--output` of every verb: the file has what standard output would have had, and a failed write leaves no file.

use crate::command::{Outcome, lookalike, run, run_with, shell};
use crate::copies::cohort;
use crate::dir::{Dir, names_in};
use crate::words::{Random, line, sentences};
use std::fs;
use std::process::Command;

/// A command line without `--output`.
struct Case {
    verb: &'static str,
    arguments: &'static [&'static str],
}

const fn case(verb: &'static str, arguments: &'static [&'static str]) -> Case {
    Case { verb, arguments }
}

/// Verbs whose `--output` replaces standard output.
const REPORTS: &[Case] = &[
    case("scan", &["docs"]),
    case("files", &["docs"]),
    case("calibrate", &["docs"]),
    case("recluster", &["run"]),
    case("copies", &["handed-in/alice.py", "handed-in/bob.py", "handed-in/mallory.py"]),
    case("compare", &["docs/0.txt", "docs/1.txt"]),
    case("query", &["pages.index", "docs/0.txt"]),
    case("query", &["pages.index", "--batch", "new.jsonl"]),
    case("lost", &["pages.index", "gone.html"]),
    case("lost", &["pages.index", "--all"]),
    case("holders", &["pages.index", "gone.html"]),
    case("changes", &["pages.index"]),
    case("collapse", &["pages.index"]),
    case("simhash fingerprint", &["docs"]),
    case("simhash near", &["docs.tsv"]),
    case("simhash batch", &["docs.tsv", "docs.tsv"]),
];

/// Verbs whose `--output` is a result of its own.
const RESULTS: &[Case] = &[
    case("dedup", &["docs"]),
    case("sketch", &["docs"]),
    case("simhash idf", &["docs"]),
    case("simhash build", &["docs.tsv"]),
    case("moss", &["-l", "python", "handed-in/alice.py", "handed-in/bob.py"]),
];

/// Forms of a report that a flag without a value chooses.
const FORMS: [&str; 5] = ["--json", "--ndjson", "--csv", "--sarif", "--plain"];

/// Inputs of all cases.
fn inputs() -> Dir {
    let dir = Dir::new();
    let mut random = Random(91);
    let mut old = random.words(80);
    let texts: Vec<String> = (0..5)
        .map(|_| {
            old = random.mutate(&old, 2);
            sentences(&old)
        })
        .collect();
    for (at, text) in texts.iter().enumerate() {
        dir.write(format!("docs/{at}.txt"), text);
    }
    // a line that is longer than a narrow terminal, and a name that looks like a colour
    dir.write(format!("docs/{}\u{1b}[31m.txt", "long-".repeat(20)), &texts[0]);
    cohort(&dir);
    dir.write("first.jsonl", line("gone.html", &texts[0]) + &line("stays.html", &texts[4]));
    dir.write("second.jsonl", line("here.html", &texts[0]) + &line("stays.html", &texts[4]));
    dir.write("new.jsonl", line("asked", &texts[1]));
    for arguments in [
        "index build pages.index first.jsonl --sweep 2026-01-01 -q",
        "index add pages.index second.jsonl --sweep 2026-02-01 -q",
        "simhash fingerprint docs -q -o docs.tsv",
        "scan docs -q --save run",
    ] {
        run(lookalike(arguments.split(' ')).current_dir(dir.path())).expect(0);
    }
    dir
}

fn words(case: &Case) -> impl Iterator<Item = &'static str> {
    case.verb.split(' ').chain(case.arguments.iter().copied())
}

fn ask(command: &mut Command, dir: &Dir) -> Outcome {
    run_with(command.current_dir(dir.path()), b"here.html\nstays.html\nunknown.html\n")
}

/// A name of a man page, and the flags on it. Man pages are made from the table of flags.
pub(crate) fn man_pages(dir: &Dir) -> Vec<(String, String)> {
    let folder = dir.at("man");
    run(lookalike(["man"]).arg(&folder)).expect(0);
    let page = |name: String| {
        let text = fs::read_to_string(folder.join(&name)).expect("a man page").replace('\\', "");
        (name.trim_start_matches("lookalike-").trim_end_matches(".1").to_owned(), text)
    };
    names_in(&folder).into_iter().map(page).collect()
}

/// Whether a man page has an entry of a flag: a line such as `fB-ofR, fB--outputfR fI<FILE>fR`, backslashes left out.
fn has_flag(page: &str, flag: &str) -> bool {
    let entries = page.lines().filter(|line| line.starts_with("fB-"));
    entries
        .flat_map(|line| line.split("fB"))
        .any(|word| word.strip_prefix(flag).is_some_and(|rest| rest.starts_with("fR")))
}

/// The man page of a verb.
fn page_of<'a>(pages: &'a [(String, String)], verb: &str) -> &'a str {
    let name = verb.replace(' ', "-");
    pages.iter().find(|(page, _)| *page == name).map_or_else(|| panic!("no man page of {verb}"), |(_, page)| page)
}

#[test]
fn every_verb_with_an_output_has_a_case() {
    let pages = man_pages(&Dir::new());
    let cases = |cases: &[Case]| cases.iter().map(|case| case.verb.replace(' ', "-")).collect::<Vec<_>>();
    let (reports, results) = (cases(REPORTS), cases(RESULTS));
    for (name, page) in &pages {
        let is_report = page.contains("Write to this file instead of standard output");
        assert_eq!(
            reports.contains(name),
            is_report,
            "{name}: a case in REPORTS for each --output that replaces standard output"
        );
        assert_eq!(
            results.contains(name),
            has_flag(page, "-o") && !is_report,
            "{name}: a case in RESULTS for each other --output"
        );
    }
}

#[test]
fn an_output_has_what_standard_output_would_have_and_no_colours() {
    let dir = inputs();
    let pages = man_pages(&dir);
    let out = dir.folder("out");
    for case in REPORTS {
        let page = page_of(&pages, case.verb);
        for form in [""].into_iter().chain(FORMS.into_iter().filter(|form| has_flag(page, form))) {
            let line = || lookalike(words(case).chain((!form.is_empty()).then_some(form)));
            let expected = ask(&mut line(), &dir).expect(0);
            assert!(
                !expected.stdout.is_empty(),
                "{} {:?} {form}: nothing on standard output",
                case.verb,
                case.arguments
            );
            // neither colours that are forced nor the width of a terminal change a file
            let mut command = line();
            command.arg("--output").arg(out.join("result"));
            command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").env("COLUMNS", "40");
            let written = ask(&mut command, &dir).expect(0);
            assert_eq!(written.stdout, "", "{} {:?} {form}", case.verb, case.arguments);
            assert_eq!(names_in(&out), ["result"], "{} {:?} {form}", case.verb, case.arguments);
            let file = fs::read_to_string(out.join("result")).expect("UTF-8");
            assert_eq!(file, expected.stdout, "{} {:?} {form}", case.verb, case.arguments);
            fs::remove_file(out.join("result")).expect("it is there");
        }
    }
}

#[test]
fn an_output_that_is_a_result_of_its_own_appears() {
    let dir = inputs();
    let out = dir.folder("out");
    for case in RESULTS {
        let written = ask(lookalike(words(case)).args(["-q", "-o", "out/result"]), &dir).expect(0);
        // moss prints its report, as MOSS does
        assert_eq!(written.stdout.is_empty(), case.verb != "moss", "{}: {}", case.verb, written.stdout);
        assert_eq!(names_in(&out), ["result"], "{}", case.verb);
        let result = out.join("result");
        if result.is_dir() { fs::remove_dir_all(result) } else { fs::remove_file(result) }.expect("it is there");
    }
}

#[test]
fn a_failed_write_is_an_error_and_leaves_no_file() {
    let dir = inputs();
    let out = dir.folder("out");
    for case in REPORTS.iter().chain(RESULTS) {
        let line: Vec<&str> = words(case).collect();
        let missing = ask(lookalike(&line).args(["-o", "missing/result"]), &dir).expect(2);
        assert!(missing.stderr.contains("missing"), "{line:?}: {}", missing.stderr);
        assert_eq!(missing.stdout, "", "{line:?}");
        // no file may grow: writing fails as on a full disk
        let script = format!("trap '' XFSZ; ulimit -f 0; exec \"$LOOKALIKE\" {} -o out/result", line.join(" "));
        let full = ask(&mut shell(&script), &dir).expect(2);
        assert!(full.stderr.contains("error: "), "{line:?}: {}", full.stderr);
        // a dedup that stopped can be resumed
        let left: Vec<String> = names_in(&out).into_iter().filter(|name| name != "result.partial").collect();
        assert_eq!(left, [""; 0], "{line:?}: {}", full.stderr);
        let _ = fs::remove_dir_all(out.join("result.partial"));
    }
}

/// A report for people ends where a screen does; a file has all of it.
#[test]
fn a_file_of_near_fingerprints_lists_all_clusters() {
    let dir = Dir::new();
    let rows = (0..30_u64).flat_map(|at| {
        let first = at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..30).map(move |copy| format!("{first:016x}\tcluster-{at}-{copy}\n"))
    });
    dir.write("many.tsv", rows.collect::<String>());
    let near = |more: &[&str]| ask(lookalike(["simhash", "near", "many.tsv", "-q"]).args(more), &dir).expect(0).stdout;
    let shown = near(&[]);
    assert!(shown.contains("and 10 more clusters") && shown.contains("and 9 more"), "{shown}");
    near(&["-o", "near.txt"]);
    let file = fs::read_to_string(dir.at("near.txt")).expect("written");
    let ids = (0..30).flat_map(|at| (0..30).map(move |copy| format!("cluster-{at}-{copy}")));
    let missing: Vec<String> =
        ids.filter(|id| !file.lines().any(|line| line.split_whitespace().any(|word| word == id))).collect();
    assert_eq!(missing, [""; 0]);
    assert!(!file.contains(" more"), "{file}");
}
