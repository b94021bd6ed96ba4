//! The forms of a report by chunks: the terminal, JSON by lines, CSV, pairs, fdupes, a spreadsheet, a page.

use crate::chunks::{clusters, edited, identical, list, scan};
use crate::command::{at, lookalike, run};
use crate::dir::Dir;
use crate::page::{decide, decision};
use crate::words::{Random, sentences};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Copies, an edited copy, an excerpt, a preamble that most share, a folder in another, an empty file.
pub(crate) fn mixed(dir: &Dir) {
    let mut random = Random(221);
    let preamble = random.text(400);
    for page in 0..8 {
        let text = format!("{preamble}{}", random.text(1500));
        dir.write(format!("docs/site/page-{page}.html"), &text);
        if page < 3 {
            dir.write(format!("docs/mirror/page-{page}.html"), &text);
        }
    }
    let words = random.words(4000);
    let manual = sentences(&words);
    dir.write("docs/manual/manual-2.txt", edited(&mut random, &manual, 4));
    dir.write("docs/manual/manual.txt", manual);
    dir.write("docs/manual/chapter.txt", sentences(&words[600..1800]));
    dir.write("docs/manual/empty.txt", "");
}

#[test]
fn on_the_terminal() {
    let dir = Dir::new();
    mixed(&dir);
    insta::assert_snapshot!(at(&dir, &["scan", "--lens", "chunks", "docs"]).expect(0).stdout);
}

#[test]
fn help_of_the_new_verbs() {
    let help = |verb: &[&str]| run(lookalike(verb).arg("--help")).expect(0).stdout;
    insta::assert_snapshot!("help_of_sketch", help(&["sketch"]));
    insta::assert_snapshot!("help_of_templates", help(&["templates"]));
    insta::assert_snapshot!("help_of_templates_mark", help(&["templates", "mark"]));
    insta::assert_snapshot!("help_of_recluster", help(&["recluster"]));
}

#[test]
fn by_lines_and_rows() {
    let dir = Dir::new();
    mixed(&dir);
    let report = scan(&dir, &["docs"]);
    let text = at(&dir, &["scan", "--lens", "chunks", "docs", "--ndjson"]).expect(0).stdout;
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["type"], &lines[0]["summary"]), (&"scan".into(), &report["summary"]));
    let found = lines.iter().filter(|line| line["type"] == "cluster").count();
    assert!(found > 2 && found == list(&report, "clusters").len(), "{text}");
    let csv = at(&dir, &["scan", "--lens", "chunks", "docs", "--csv"]).expect(0).stdout;
    let ids: BTreeSet<String> = csv.lines().skip(1).map(|row| row.split(',').nth(2).expect("an id").into()).collect();
    assert_eq!(ids, clusters(&report).into_iter().flatten().collect());
}

/// Whoever cleans up a share wants to know whose a file is, and since when it is there.
#[cfg(unix)]
#[test]
fn owner_age_and_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    mixed(&dir);
    let file = fs::File::options().write(true).open(dir.at("docs/manual/manual.txt")).expect("written");
    file.set_permissions(fs::Permissions::from_mode(0o640)).expect("it is ours");
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(951_825_601)).expect("it is ours");
    let csv = at(&dir, &["files", "docs", "--csv"]).expect(0).stdout;
    assert!(csv.lines().next().expect("a header").ends_with(",modified,owner,permissions"), "{csv}");
    let row = csv.lines().find(|row| row.contains(",docs/manual/manual.txt,")).expect("it is in a cluster");
    assert!(row.contains(",2000-02-29T12:00:01,") && row.ends_with(",rw-r-----"), "{row}");
    let owner = row.rsplit(',').nth(1).expect("an owner");
    assert!(!owner.is_empty(), "{row}");
    // other lenses read what may be no files
    assert!(!at(&dir, &["scan", "docs", "--csv"]).expect(0).stdout.contains("owner"));
}

#[test]
fn pairs() {
    let dir = Dir::new();
    mixed(&dir);
    at(&dir, &["scan", "--lens", "chunks", "docs", "-q", "--pairs", "pairs.jsonl"]).expect(0);
    let text = fs::read_to_string(dir.at("pairs.jsonl")).expect("written");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let find = |a: &str, b: &str| {
        rows.iter().find(|row| (row["a"].as_str(), row["b"].as_str()) == (Some(a), Some(b))).cloned()
    };
    let manual = find("docs/manual/manual-2.txt", "docs/manual/manual.txt").expect("a pair");
    let common = manual["shared_bytes"].as_u64().expect("shared bytes") as f64;
    let of = |name: &str| fs::metadata(dir.at(name)).expect("written").len() as f64;
    assert!((manual["a_in_b"].as_f64().unwrap() - common / of("docs/manual/manual-2.txt")).abs() < 1e-9, "{manual}");
    assert!(find("docs/mirror/page-0.html", "docs/site/page-0.html").is_some(), "copies are pairs too: {text}");
    let least = rows.iter().map(|row| row["a_in_b"].as_f64().unwrap().max(row["b_in_a"].as_f64().unwrap()));
    assert!(least.fold(1.0, f64::min) >= 0.5, "{text}");
}

#[test]
fn as_fdupes_prints_them() {
    let dir = Dir::new();
    mixed(&dir);
    let report = scan(&dir, &["docs"]);
    let expected: Vec<Vec<&str>> = identical(&report);
    assert_eq!(expected.len(), 3);
    let text = at(&dir, &["scan", "--lens", "chunks", "docs", "--report-format", "fdupes"]).expect(0).stdout;
    let sets: Vec<Vec<&str>> =
        text.split("\n\n").map(|set| set.lines().collect()).filter(|s: &Vec<_>| !s.is_empty()).collect();
    assert_eq!(sets, expected);
    at(&dir, &["scan", "--lens", "chunks", "docs", "-q", "--save", "run"]).expect(0);
    let again = at(&dir, &["recluster", "run", "--report-format", "fdupes"]).expect(0).stdout;
    assert_eq!(again, text);
    at(&dir, &["scan", "--lens", "chunks", "docs", "--report-format", "fdupes", "-o", "sets.txt"]).expect(0);
    assert_eq!(fs::read_to_string(dir.at("sets.txt")).expect("written"), text);
}

/// Names of the files in a ZIP archive, by its local headers.
fn zipped(bytes: &[u8]) -> Vec<String> {
    let starts = bytes.windows(4).enumerate().filter(|(_, four)| *four == b"PK\x03\x04").map(|(at, _)| at);
    starts
        .map(|at| {
            let length = usize::from(u16::from_le_bytes([bytes[at + 26], bytes[at + 27]]));
            String::from_utf8_lossy(&bytes[at + 30..at + 30 + length]).into_owned()
        })
        .collect()
}

#[test]
fn a_spreadsheet() {
    let dir = Dir::new();
    mixed(&dir);
    let flags = ["--xlsx", "files.xlsx", "--json"];
    at(&dir, &[&["scan", "--lens", "chunks", "docs"], &flags[..]].concat()).json();
    let sheets = |name: &str| {
        let bytes = fs::read(dir.at(name)).expect("written");
        zipped(&bytes).iter().filter(|name| name.starts_with("xl/worksheets/sheet")).count()
    };
    assert!(sheets("files.xlsx") >= 4, "clusters, identical sets, folders, templates");
    at(&dir, &["scan", "--lens", "chunks", "docs", "-q", "--save", "run"]).expect(0);
    at(&dir, &["recluster", "run", "-q", "--xlsx", "again.xlsx"]).expect(0);
    assert!(sheets("again.xlsx") >= 4);
    at(&dir, &["scan", "docs", "-q", "--xlsx", "words.xlsx"]).expect(0);
    assert!(sheets("words.xlsx") >= 1, "of the shingles lens too");
    let two = at(&dir, &["scan", "docs", "--xlsx", "x.xlsx", "-o", "x.xlsx"]).expect(2);
    assert!(two.stderr.contains("two results would be written"), "{}", two.stderr);
    let nowhere = at(&dir, &["scan", "docs", "--xlsx", "nowhere/x.xlsx"]).expect(2);
    assert!(nowhere.stderr.contains("nowhere is no folder"), "{}", nowhere.stderr);
}

#[test]
fn a_page() {
    let dir = Dir::new();
    mixed(&dir);
    at(&dir, &["scan", "--lens", "chunks", "docs", "-q", "--html", "page.html"]).expect(0);
    let page = fs::read_to_string(dir.at("page.html")).expect("written");
    assert!(page.starts_with("<!doctype html>") && page.len() > 10_000);
}

/// What the page exports holds for this lens too.
#[test]
fn what_people_decided() {
    let dir = Dir::new();
    mixed(&dir);
    let manuals = ["docs/manual/manual-2.txt", "docs/manual/manual.txt"];
    let scan = |verdict: &str| {
        decide(&dir, &[decision(&dir, verdict, &manuals)]);
        scan(&dir, &["docs", "--decisions", "decisions.json"])
    };
    let together =
        |report: &Value| clusters(report).iter().any(|ids| manuals.iter().all(|name| ids.iter().any(|id| id == name)));
    let kept = scan("keep");
    assert!(together(&kept));
    assert_eq!(kept["reviewed"]["decisions"], 1);
    let apart = scan("not-duplicates");
    assert!(!together(&apart), "{}", apart["clusters"]);
    assert_eq!(apart["reviewed"]["not_duplicates"], 1);
    let template = scan("template");
    assert!(!together(&template), "what they share is ignored: {}", template["clusters"]);
    assert_eq!(list(&template["chunks"], "templates").len(), 1);
}

#[test]
fn by_exit_code_and_with_statistics() {
    let dir = Dir::new();
    mixed(&dir);
    at(&dir, &["scan", "--lens", "chunks", "docs", "-q", "--exit-code"]).expect(1);
    at(&dir, &["scan", "--lens", "chunks", "docs/manual/manual.txt", "-q", "--exit-code"]).expect(0);
    let text = at(&dir, &["scan", "--lens", "chunks", "docs", "--stats"]).expect(0).stdout;
    for word in ["phase", "total", "spilled to disk", "peak memory"] {
        assert!(text.contains(word), "no {word:?} in {text}");
    }
    let report = scan(&dir, &["docs"]);
    assert!(list(&report, "phases").iter().all(|phase| phase.get("seconds").is_none()), "time only with --stats");
}

#[test]
fn nothing_to_compare() {
    let dir = Dir::new();
    dir.folder("empty");
    let outcome = at(&dir, &["scan", "--lens", "chunks", "empty", "--json"]).expect(2);
    assert!(outcome.stderr.contains("no files were found"), "{}", outcome.stderr);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!((&report["documents"], &report["chunks"]["chunks"]), (&0.into(), &0.into()));
}
