//! Looking back: lost pages, holders, changes, and search results that look alike.

use crate::command::{lookalike, run, run_with};
use crate::dir::Dir;
use crate::index::{json, text};
use crate::words::{Random, line, sentences};
use serde_json::Value;
use std::fs;

const STAY: &str = "https://a.example/stay.html";
const EDIT: &str = "https://a.example/edit.html";
const OLD: &str = "https://a.example/old/faq.html";
const NEW: &str = "https://a.example/help/faq.html";
const DEAD: &str = "https://a.example/dead.html";
const COPY: &str = "https://b.example/copy.html";

/// Two sweeps of a small web: a page stays, one is edited, one moves, one dies, and another host has a copy.
pub(crate) fn web(dir: &Dir) {
    let mut random = Random(121);
    let [stay, edit, moves, dead] = [0; 4].map(|_| random.words(250));
    let edited = random.mutate(&edit, 6);
    let moved = random.mutate(&moves, 2);
    let first = [(STAY, &stay), (EDIT, &edit), (OLD, &moves), (DEAD, &dead), (COPY, &stay)];
    let second = [(STAY, &stay), (EDIT, &edited), (NEW, &moved), (COPY, &stay)];
    let lines = |pages: &[(&str, &Vec<&'static str>)]| {
        pages.iter().map(|(url, words)| line(url, &sentences(words))).collect::<String>()
    };
    dir.write("stay.txt", sentences(&stay));
    for (verb, pages, date) in [("build", &first[..], "2026-05-01"), ("add", &second[..], "2026-05-08")] {
        let mut command = lookalike(["index", verb, "web.index", "-", "--sweep", date]);
        run_with(command.current_dir(dir.path()), lines(pages).as_bytes()).expect(0);
    }
}

/// Sizes depend on how the index is laid out, which is no business of the one who looks at it.
fn without_sizes(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut words: Vec<&str> = line.split(' ').collect();
        for at in 1..words.len() {
            if ["bytes", "KB", "MB"].contains(&words[at].trim_end_matches(',')) {
                words[at - 1] = "N";
            }
        }
        out += &(words.join(" ") + "\n");
    }
    out
}

#[test]
fn what_became_of_a_page() {
    let dir = Dir::new();
    web(&dir);
    let lost = |url: &str| json(&dir, &["lost", "web.index", url]);
    assert_eq!(lost(STAY)["status"], "unchanged");
    assert_eq!(lost(EDIT)["status"], "changed");
    let moved = lost(OLD);
    assert_eq!((&moved["status"], &moved["found"][0]["url"]), (&"moved".into(), &NEW.into()));
    assert_eq!((&moved["last"], &moved["now"]), (&"2026-05-01".into(), &"2026-05-08".into()));
    let gone = lost(DEAD);
    assert_eq!((&gone["status"], &gone["found"]), (&"gone".into(), &Value::Array(Vec::new())));
    let before = json(&dir, &["lost", "web.index", EDIT, "--at", "2026-05-01"]);
    assert_eq!(before["last"], "2026-05-01");
}

/// A crawl that was cut tells nothing of the pages that it does not have.
#[test]
fn a_sweep_that_could_not_be_read_as_a_whole() {
    let dir = Dir::new();
    web(&dir);
    let status = |url: &str| json(&dir, &["lost", "web.index", url])["status"].clone();
    let before = [STAY, EDIT, OLD, DEAD, COPY].map(status);
    let add = |file: &str| {
        run(lookalike(["index", "add", "web.index", file, "--sweep", "2026-05-15"]).current_dir(dir.path()))
    };
    let stay = line(STAY, &fs::read_to_string(dir.at("stay.txt")).expect("text"));
    dir.write("cut.jsonl", format!("{stay}{{\"id\": \"{EDIT}\", \"te"));
    let cut = add("cut.jsonl").expect(2);
    assert!(cut.stderr.contains("could not read all of cut.jsonl"), "{}", cut.stderr);
    assert_eq!([STAY, EDIT, OLD, DEAD, COPY].map(status), before);
    let changes = json(&dir, &["changes", "web.index"]);
    assert_eq!((&changes["sweeps"], &changes["incomplete"]), (&2.into(), &1.into()));
    assert!(text(&dir, &["index", "info", "web.index"]).contains("not all of cut.jsonl could be read"));
    // the whole of it, in the same sweep: what it does not have is gone
    dir.write("cut.jsonl", &stay);
    add("cut.jsonl").expect(0);
    assert_eq!([STAY, EDIT, DEAD].map(status), ["unchanged", "gone", "gone"]);
    assert_eq!(json(&dir, &["changes", "web.index"])["incomplete"], 0);
}

#[test]
fn a_page_that_was_never_seen() {
    let dir = Dir::new();
    web(&dir);
    for form in [&[][..], &["--json"]] {
        let mut command = lookalike(["lost", "web.index", "https://a.example/never.html"]);
        let unknown = run(command.args(form).current_dir(dir.path())).expect(2);
        assert_eq!(unknown.stdout, "");
        assert_eq!(
            unknown.stderr,
            "lookalike: error: https://a.example/never.html: was never seen by web.index; check its spelling\n"
        );
    }
}

#[test]
fn whom_to_tell() {
    let dir = Dir::new();
    web(&dir);
    let by_url = json(&dir, &["holders", "web.index", STAY]);
    assert_eq!((&by_url["asked"], &by_url["current"]), (&"name".into(), &1.into()));
    assert_eq!((&by_url["holders"][0]["url"], &by_url["holders"][0]["role"]), (&COPY.into(), &"copy".into()));
    let by_file = json(&dir, &["holders", "web.index", "stay.txt"]);
    let urls: Vec<&str> =
        by_file["holders"].as_array().expect("a list").iter().filter_map(|h| h["url"].as_str()).collect();
    assert_eq!((&by_file["asked"], urls), (&"file".into(), vec![STAY, COPY]));
    assert!(text(&dir, &["holders", "web.index", "stay.txt"]).starts_with("asked for the file stay.txt\n"));
    let csv = text(&dir, &["holders", "web.index", "stay.txt", "--csv"]);
    assert!(csv.starts_with("url,host,role,held,resemblance,"), "{csv}");
    assert!(
        csv.lines().nth(1).is_some_and(|row| row.starts_with("https://a.example/stay.html,a.example,copy,1,1,")),
        "{csv}"
    );
    let counted = json(&dir, &["holders", "web.index", "stay.txt", "--verify"]);
    assert_eq!(counted["holders"][0]["verified"], false, "what came as a stream cannot be read again");
}

/// A name that the index knows comes before a file of that name.
#[test]
fn a_name_before_a_file() {
    let dir = Dir::new();
    let mut random = Random(122);
    let (a, b) = (random.text(100), random.text(100));
    dir.write("page.txt", &a);
    json(&dir, &["index", "build", "x.index", "page.txt"]);
    dir.write("page.txt", &b);
    dir.write("more.jsonl", line("copy of the old", &a) + &line("copy of the new", &b));
    json(&dir, &["index", "add", "x.index", "more.jsonl"]);
    let holders = json(&dir, &["holders", "x.index", "page.txt"]);
    assert_eq!((&holders["asked"], &holders["holders"][0]["url"]), (&"name".into(), &"copy of the old".into()));
    let other = json(&dir, &["holders", "x.index", "./page.txt"]);
    assert_eq!((&other["asked"], &other["holders"][0]["url"]), (&"file".into(), &"copy of the new".into()));
    let neither = run(lookalike(["holders", "x.index", "nobody"]).current_dir(dir.path())).expect(2);
    assert!(
        neither.stderr.contains("nobody: expected a URL or id that x.index knows, or a file"),
        "{}",
        neither.stderr
    );
    let share =
        run(lookalike(["holders", "x.index", "page.txt", "--contained", "0"]).current_dir(dir.path())).expect(2);
    assert!(share.stderr.contains("--contained"), "{}", share.stderr);
}

#[test]
fn from_sweep_to_sweep() {
    let dir = Dir::new();
    web(&dir);
    let changes = json(&dir, &["changes", "web.index"]);
    let interval = &changes["intervals"][0];
    assert_eq!((&changes["sweeps"], &changes["urls"], &interval["days"]), (&2.into(), &6.into(), &7.0.into()));
    assert_eq!(
        ["both", "unchanged", "changed", "born", "died"].map(|name| interval[name].as_u64()),
        [Some(3), Some(2), Some(1), Some(1), Some(2)]
    );
    assert_eq!(interval["moves"]["within_host"], 1);
    let csv = text(&dir, &["changes", "web.index", "--csv"]);
    assert!(csv.lines().nth(1).is_some_and(|row| row.starts_with("2026-05-01,2026-05-08,7,3,2,1,1,0,2,")), "{csv}");
    let shown = text(&dir, &["changes", "web.index", "--html", "changes.html"]);
    assert!(shown.starts_with("6 URLs in 2 dated sweeps"), "{shown}");
    let page = fs::read_to_string(dir.at("changes.html")).expect("written");
    assert!(page.starts_with("<!doctype html>") && page.contains("web.index"));
    let nowhere = run(lookalike(["changes", "web.index", "--html", "no/such.html"]).current_dir(dir.path())).expect(2);
    assert!(nowhere.stderr.contains("no/such.html"), "{}", nowhere.stderr);
    let wrong = run(lookalike(["changes", "web.index", "--threshold", "2"]).current_dir(dir.path())).expect(2);
    assert!(wrong.stderr.contains("--threshold"), "{}", wrong.stderr);
}

#[test]
fn one_sweep_cannot_change() {
    let dir = Dir::new();
    dir.write("a.txt", "some words");
    json(&dir, &["index", "build", "x.index", "a.txt"]);
    assert!(text(&dir, &["changes", "x.index"]).contains("two sweeps with dates"));
    assert_eq!(json(&dir, &["changes", "x.index"])["undated"], 1);
}

#[test]
fn search_results_that_look_alike() {
    let dir = Dir::new();
    web(&dir);
    let results = format!("{COPY}\nhttps://c.example/\n{STAY}\r\n{EDIT}\n\n");
    let collapse = |flags: &[&str], input: &str| {
        run_with(lookalike(["collapse", "web.index"]).args(flags).current_dir(dir.path()), input.as_bytes())
    };
    let groups = collapse(&["--json"], &results).json();
    assert_eq!((&groups["schema"], &groups["results"], &groups["unknown"]), (&1.into(), &4.into(), &1.into()));
    let first = &groups["groups"][0];
    assert_eq!((&first["url"], &first["others"][0]["url"]), (&COPY.into(), &STAY.into()));
    assert_eq!(
        collapse(&["--plain"], &results).expect(0).stdout,
        format!("{COPY}\n\t{STAY}\nhttps://c.example/\n{EDIT}\n")
    );
    assert!(collapse(&[], &results).expect(0).stdout.starts_with("4 results in 3 groups; 1 not in the index\n"));
    for nothing in ["", "\n\r\n"] {
        let refused = collapse(&["--json"], nothing).expect(2);
        assert_eq!(
            (refused.stdout.as_str(), refused.stderr.as_str()),
            ("", "lookalike: error: standard input is empty: expected URLs or ids, best first, one per line\n")
        );
    }
    let binary = collapse_bytes(&dir, b"\xff\xfe\n");
    assert!(binary.contains("UTF-8"), "{binary}");
}

fn collapse_bytes(dir: &Dir, input: &[u8]) -> String {
    run_with(lookalike(["collapse", "web.index"]).current_dir(dir.path()), input).expect(2).stderr
}

#[test]
fn first_sight() {
    let dir = Dir::new();
    web(&dir);
    insta::assert_snapshot!("query_on_the_terminal", text(&dir, &["query", "web.index", "--url", EDIT]));
    insta::assert_snapshot!("info_on_the_terminal", without_sizes(&text(&dir, &["index", "info", "web.index"])));
    insta::assert_snapshot!("lost_on_the_terminal", text(&dir, &["lost", "web.index", OLD]));
    insta::assert_snapshot!("holders_on_the_terminal", text(&dir, &["holders", "web.index", STAY]));
}

/// Names of strangers must not command the terminal.
#[test]
fn names_of_strangers() {
    let dir = Dir::new();
    let mut random = Random(123);
    let page = random.text(100);
    let evil = ["https://x.example/\u{1b}[2J\u{202e}owned", "https://x.example/\u{9b}2J\u{7}owned\u{7f}"];
    dir.write("pages.jsonl", evil.map(|url| line(url, &page)).concat());
    for (verb, date) in [("build", "2026-05-01"), ("add", "2026-05-08")] {
        text(&dir, &["index", verb, "x.index", "pages.jsonl", "--sweep", date]);
    }
    let missing = format!("{}!", evil[0]);
    for verb in [
        &["query", "x.index", "--url", evil[0]][..],
        &["query", "x.index", "--url", &missing],
        &["holders", "x.index", evil[1]],
        &["holders", "x.index", &missing],
        &["lost", "x.index", evil[0]],
        &["lost", "x.index", &missing],
        &["collapse", "x.index"],
        &["index", "remove", "x.index", &missing],
        &["index", "remove", "x.index", evil[0]],
        &["index", "build", &missing, "pages.jsonl"],
        &["index", "info", evil[1]],
    ] {
        let mut command = lookalike(verb);
        // then nothing strips what the renderer let through
        command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").current_dir(dir.path());
        let outcome = run_with(&mut command, (evil.join("\n") + "\n").as_bytes());
        assert!(outcome.code.is_some_and(|code| code != 101), "{verb:?}");
        let all = outcome.stdout + &outcome.stderr;
        assert!(all.contains("owned") || all.contains("x.index"), "{verb:?}: {all}");
        for bad in ["\u{1b}[2J", "\u{202e}", "\u{9b}", "\u{7}", "\u{7f}"] {
            assert!(!all.contains(bad), "{verb:?}: {}", all.escape_debug());
        }
    }
}

/// The redirect map in one go: every URL that is gone, where its content lives now, and how sure that is.
#[test]
fn the_redirect_map() {
    let dir = Dir::new();
    web(&dir);
    let csv = text(&dir, &["lost", "web.index", "--all", "--csv"]);
    let mut rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    rows[1..].sort_unstable();
    assert_eq!(rows[0][..6], ["url", "to", "status", "certainty", "probability", "role"]);
    assert_eq!(rows[1][..7], [DEAD, "", "gone", "", "", "", ""]);
    assert_eq!((&rows[2][..4], rows[2][5]), (&[OLD, NEW, "moved", "likely"][..], "near"));
    let probability: f64 = rows[2][4].parse().expect("a number");
    assert!((0.5..1.0).contains(&probability));
    assert_eq!(rows.len(), 3);
    let all = json(&dir, &["lost", "web.index", "--all"]);
    let moved = all["redirects"].as_array().expect("a list").iter().find(|row| row["url"] == OLD).expect("it is gone");
    assert_eq!(moved["to"], NEW);
    assert!(moved["held"]["low"].as_f64() < moved["held"]["value"].as_f64());
    assert!(text(&dir, &["lost", "web.index", "--all"]).contains(&format!("{OLD} → {NEW}")));
    // one URL, or all of them
    assert_eq!(
        text(&dir, &["lost", "web.index", OLD, "--csv"]).lines().nth(1),
        csv.lines().find(|row| row.starts_with(OLD))
    );
    for flags in [&["--csv"][..], &[OLD, "--all"], &[]] {
        run(lookalike([&["lost", "web.index"], flags].concat()).current_dir(dir.path())).expect(2);
    }
}

#[test]
fn what_an_index_holds() {
    let dir = Dir::new();
    web(&dir);
    let urls = |flags: &[&str]| -> Vec<String> {
        let listed = json(&dir, &[&["index", "list", "web.index"], flags].concat());
        let documents = listed["documents"].as_array().expect("a list");
        let mut urls: Vec<_> = documents.iter().map(|d| d["url"].as_str().expect("a URL").to_owned()).collect();
        urls.sort_unstable();
        urls
    };
    let mut all = [STAY, EDIT, OLD, NEW, DEAD, COPY];
    all.sort_unstable();
    assert_eq!(urls(&[]), all);
    assert_eq!(urls(&["--gone"]), [DEAD, OLD]);
    assert_eq!(urls(&["--include", "*/faq.html", "--exclude", "*/old/*"]), [NEW]);
    assert_eq!(urls(&["--sweep", "2026-05-01"]).len(), 5);
    assert!(urls(&["--min-size", "1M"]).is_empty());
    let csv = text(&dir, &["index", "list", "web.index", "--csv", "--include", "*/edit.html"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0], ["url", "content", "bytes", "first", "last", "current", "observations", "changes"]);
    assert_eq!(rows[1][3..], ["2026-05-01", "2026-05-08", "true", "2", "1"]);
    let wrong = run(lookalike(["index", "list", "web.index", "--sweep", "2026-05-02"]).current_dir(dir.path()));
    assert!(wrong.expect(2).stderr.contains("it has 2 from 2026-05-01 to 2026-05-08"));
}

#[test]
fn the_pages_that_changed() {
    let dir = Dir::new();
    web(&dir);
    let changes = json(&dir, &["changes", "web.index", "--pages", "pages.csv"]);
    let pages: Vec<(&str, &str)> = changes["pages"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|page| (page["change"].as_str().expect("a word"), page["url"].as_str().expect("a URL")))
        .collect();
    assert_eq!(pages, [("moved", OLD), ("died", DEAD), ("born", NEW), ("changed", EDIT)]);
    let csv = fs::read_to_string(dir.at("pages.csv")).expect("a file");
    assert!(csv.starts_with("from,to,change,url,moved_to,resemblance,"), "{csv}");
    assert!(csv.contains(&format!("2026-05-01,2026-05-08,moved,{OLD},{NEW},0.")), "{csv}");
    let shown = text(&dir, &["changes", "web.index"]);
    assert!(shown.contains(&format!("{OLD} → {NEW}")), "{shown}");
    // two sweeps tell nothing about averages over time
    assert!(!shown.contains("on average"), "{shown}");
}
