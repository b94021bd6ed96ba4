//! Templates: what a cluster shares is marked, ignored without cutting again, and can come back.

use crate::chunks::{clusters, list, scan, sets};
use crate::command::at;
use crate::dir::Dir;
use crate::words::Random;
use serde_json::{Value, json};
use std::fs;

/// So many pages have the preamble.
const PAGES: usize = 24;

/// Pages with a long preamble, of which two share their content too, among others.
fn site() -> Dir {
    let dir = Dir::new();
    let mut random = Random(251);
    let preamble = random.text(2000);
    dir.write("preamble.html", &preamble);
    let article = random.text(700);
    for page in 0..PAGES {
        let own = if page < 2 { article.clone() + &random.text(60) } else { random.text(760) };
        dir.write(format!("site/page-{page:02}.html"), format!("{preamble}{own}"));
    }
    for page in 0..60 {
        dir.write(format!("site/other-{page:02}.html"), random.text(900));
    }
    at(&dir, &["scan", "--lens", "chunks", "site", "-q", "--save", "run"]).expect(0);
    dir
}

fn json(dir: &Dir, arguments: &[&str]) -> Value {
    let value = at(dir, &[arguments, &["--json"]].concat()).json();
    assert_eq!(value["schema"], 1, "{value}");
    value
}

fn pages(range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|page| format!("site/page-{page:02}.html")).collect()
}

#[test]
fn marking_disbands_a_cluster_and_unmarking_brings_it_back() {
    let dir = site();
    let before = json(&dir, &["recluster", "run"]);
    assert_eq!(clusters(&before), [pages(0..PAGES)].into());
    let suggestions = list(&before["chunks"], "suggestions");
    assert_eq!((&suggestions[0]["cluster"], &suggestions[0]["documents"]), (&json!(1), &json!(PAGES)));

    let marked = json(&dir, &["templates", "mark", "run", "--cluster", "1", "--name", "preamble"]);
    let preamble = fs::metadata(dir.at("preamble.html")).expect("written").len();
    assert_eq!((&marked["name"], &marked["documents"]), (&json!("preamble"), &json!(PAGES)));
    let bytes: u64 = list(&marked, "chunks").iter().map(|chunk| chunk["bytes"].as_u64().expect("bytes")).sum();
    assert!(bytes <= preamble && bytes + 2 * 2759 > preamble, "{bytes} of {preamble}");

    let after = json(&dir, &["recluster", "run"]);
    assert_eq!(clusters(&after), [pages(0..2)].into(), "what is the same beyond the preamble is seen now");
    let applied = &list(&after["chunks"], "templates")[0];
    assert_eq!(
        [&applied["name"], &applied["documents"], &applied["bytes"]],
        [&json!("preamble"), &json!(PAGES), &json!(bytes)]
    );
    // shares are of the bytes without the template
    let (cluster, member) = (&after["clusters"][0], &after["clusters"][0]["members"][0]);
    let own = |value: &Value| {
        let whole = fs::metadata(dir.at(value.as_str().expect("an id"))).expect("written").len();
        (whole - bytes) as f64
    };
    let common = member["shared_bytes"].as_u64().expect("shared bytes") as f64;
    assert!(common < 9000.0, "the preamble does not count: {member}");
    assert!((member["containment"].as_f64().unwrap() - common / own(&member["id"])).abs() < 1e-9, "{member}");
    assert!((member["contained_by"].as_f64().unwrap() - common / own(&cluster["representative"])).abs() < 1e-9);

    let unmarked = json(&dir, &["templates", "unmark", "run", "preamble"]);
    assert_eq!(unmarked["chunks"], marked["chunks"]);
    assert_eq!(json(&dir, &["recluster", "run"]), before, "as it was");
}

#[test]
fn a_list_of_ones_own() {
    let dir = site();
    let mark = ["templates", "mark", "run", "--cluster", "1", "--templates", "templates.json"];
    let name = json(&dir, &mark)["name"].as_str().expect("a name").to_owned();
    assert!(!name.is_empty(), "a name is made up");
    assert_eq!(clusters(&json(&dir, &["recluster", "run"])), [pages(0..PAGES)].into(), "the list of the run is empty");
    let again = json(&dir, &["recluster", "run", "--templates", "templates.json"]);
    assert_eq!(clusters(&again), [pages(0..2)].into());
    let scanned = scan(&dir, &["site", "--templates", "templates.json"]);
    assert_eq!((&scanned["clusters"], &scanned["summary"]), (&again["clusters"], &again["summary"]));
    // for version control: text, and a chunk a line
    let text = fs::read_to_string(dir.at("templates.json")).expect("written");
    let chunks = list(&json(&dir, &["templates", "show", &name, "--templates", "templates.json"]), "chunks").len();
    assert!(chunks > 5 && text.ends_with('\n') && text.lines().count() > chunks, "{text}");
    assert!(text.contains("bytes|chunks:mean=1000|hash=xxh3-128|v=1"), "{text}");
    // one list for the next run
    at(&dir, &["scan", "--lens", "chunks", "site", "-q", "--save", "run-2"]).expect(0);
    let other = json(&dir, &["recluster", "run-2", "--templates", "templates.json"]);
    assert_eq!(other["clusters"], again["clusters"]);
    json(&dir, &["templates", "unmark", &name, "--templates", "templates.json"]);
    assert_eq!(json(&dir, &["templates", "list", "--templates", "templates.json"])["templates"], json!([]));
}

/// What a scan ignored, clustering again ignores too.
#[test]
fn a_saved_run_keeps_its_list() {
    let dir = site();
    json(&dir, &["templates", "mark", "run", "--cluster", "1", "--templates", "list.json"]);
    at(&dir, &["scan", "--lens", "chunks", "site", "-q", "--templates", "list.json", "--save", "run-2"]).expect(0);
    assert_eq!(clusters(&json(&dir, &["recluster", "run-2"])), [pages(0..2)].into());
    assert_eq!(list(&json(&dir, &["templates", "list", "run-2"]), "templates").len(), 1);
}

#[test]
fn by_file_and_by_chunk() {
    let dir = site();
    let marked = json(&dir, &["templates", "mark", "run", "--file", "preamble.html"]);
    assert_eq!(clusters(&json(&dir, &["recluster", "run"])), [pages(0..2)].into());
    let chunks = list(&marked, "chunks");
    json(&dir, &["templates", "unmark", "run", marked["name"].as_str().expect("a name")]);
    // chunk by chunk, by the beginning of the hash
    for chunk in &chunks[..chunks.len() - 1] {
        let hash = chunk["hash"].as_str().expect("a hash");
        assert_eq!(hash.len(), 32, "{chunk}");
        let one = json(&dir, &["templates", "mark", "run", "--chunk", &hash[..12], "--name", hash]);
        assert_eq!(one["chunks"], json!([chunk]));
    }
    assert_eq!(clusters(&json(&dir, &["recluster", "run"])), [pages(0..2)].into());
    let listed = json(&dir, &["templates", "list", "run"]);
    assert_eq!(list(&listed, "templates").len(), chunks.len() - 1);
}

/// Cluster numbers are those of the report that the same flags give.
#[test]
fn numbers_are_those_of_the_policy() {
    let dir = site();
    let flags = ["--threshold", "0.1", "--min-shared", "1K"];
    let shown = json(&dir, &[&["recluster", "run"], &flags[..]].concat());
    assert_eq!(clusters(&shown), [pages(0..PAGES)].into());
    let marked = json(&dir, &[&["templates", "mark", "run", "--cluster", "1"], &flags[..]].concat());
    assert_eq!(marked["documents"], PAGES);
    // the second cluster of the list as it is now
    let next = json(&dir, &["templates", "mark", "run", "--cluster", "1"]);
    assert_eq!((&next["documents"], clusters(&json(&dir, &["recluster", "run"]))), (&json!(2), sets([])));
    assert_ne!(next["name"], marked["name"]);
    assert_eq!(list(&json(&dir, &["templates", "list", "run"]), "templates").len(), 2);
}

#[test]
fn on_the_terminal() {
    let dir = site();
    let mut told = vec![at(&dir, &["templates", "list", "run"]).expect(0).stdout];
    for arguments in [
        &["templates", "mark", "run", "--cluster", "1"][..],
        &["templates", "mark", "run", "--file", "preamble.html", "--name", "whole"],
        &["templates", "list", "run"],
        &["templates", "show", "run", "whole"],
        &["templates", "unmark", "run", "whole"],
    ] {
        told.push(at(&dir, arguments).expect(0).stdout);
    }
    insta::assert_snapshot!(told.join("----\n"));
}

#[test]
fn a_keyed_run() {
    let dir = site();
    at(&dir, &["scan", "--lens", "chunks", "site", "-q", "--save", "keyed", "--key", "k"]).expect(0);
    for (key, code) in [(&["--key", "k"][..], 0), (&["--key", "other"], 2), (&[], 2)] {
        let mark = ["templates", "mark", "keyed", "--file", "preamble.html"];
        let outcome = at(&dir, &[&mark[..], key].concat()).expect(code);
        assert!(code == 0 || outcome.stderr.contains("key"), "{}", outcome.stderr);
    }
    assert_eq!(clusters(&json(&dir, &["recluster", "keyed"])), [pages(0..2)].into(), "its hashes suffice");
}

#[test]
fn what_cannot_be_marked() {
    let dir = site();
    at(&dir, &["scan", "--lens", "chunks", "site", "-q", "--save", "fine", "--avg-chunk", "200"]).expect(0);
    at(&dir, &["scan", "site", "-q", "--save", "words"]).expect(0);
    json(&dir, &["templates", "mark", "fine", "--cluster", "1", "--name", "mine", "--templates", "fine.json"]);
    dir.write("broken.json", "{\"templates\": [");
    dir.write("wrong.json", "{\"templates\": 3}");
    dir.write("tiny.html", "");
    let list = fs::read(dir.at("fine.json")).expect("written");
    for (arguments, words) in [
        (&["mark", "run", "--cluster", "7"][..], &["7", "cluster"][..]),
        (&["mark", "run", "--cluster", "0"], &["cluster"]),
        (&["mark", "run", "--chunk", "ffffffffffffffff"], &["ffffffffffffffff"]),
        (&["mark", "run", "--chunk", "xyz"], &["xyz"]),
        (&["mark", "run", "--file", "nowhere.html"], &["nowhere.html"]),
        (&["mark", "run", "--file", "tiny.html"], &["tiny.html"]),
        (&["mark", "nowhere", "--cluster", "1"], &["nowhere", "--save"]),
        (&["mark", "words", "--cluster", "1"], &["words", "chunks"]),
        (
            &["mark", "fine", "--file", "preamble.html", "--name", "mine", "--templates", "fine.json"],
            &["mine", "--name"],
        ),
        (&["mark", "run", "--cluster", "1", "--templates", "fine.json"], &["mean=200", "mean=1000"]),
        (&["mark", "run", "--cluster", "1", "--templates", "broken.json"], &["broken.json"]),
        (&["mark", "run", "--cluster", "1", "--templates", "wrong.json"], &["wrong.json"]),
        (&["mark", "run", "--cluster", "1", "--templates", "no/list.json"], &["no is no folder"]),
        (&["list", "--templates", "nowhere.json"], &["nowhere.json"]),
        (&["list", "nowhere"], &["nowhere", "--save"]),
        (&["list", "--templates", "broken.json"], &["broken.json"]),
        (&["show", "run", "nobody"], &["nobody", "lookalike templates list"]),
        (&["unmark", "run", "nobody"], &["nobody", "lookalike templates list"]),
    ] {
        let refused = at(&dir, &[&["templates"], arguments].concat()).expect(2);
        for word in words {
            assert!(refused.stderr.contains(word), "{arguments:?}: no {word:?} in {}", refused.stderr);
        }
        assert_eq!((refused.stdout.as_str(), refused.stderr.lines().count()), ("", 1), "{}", refused.stderr);
    }
    assert_eq!(fs::read(dir.at("fine.json")).expect("still there"), list, "a list that was refused is not changed");
    for arguments in [
        &["templates", "mark", "run"][..],
        &["templates", "mark", "run", "--cluster", "1", "--file", "preamble.html"],
        &["templates", "list"],
        &["templates", "show", "mine"],
        &["templates"],
    ] {
        at(&dir, arguments).expect(2);
    }
    for arguments in [
        &["recluster", "run", "--templates", "fine.json"][..],
        &["scan", "--lens", "chunks", "site", "--templates", "fine.json"],
    ] {
        let refused = at(&dir, arguments).expect(2);
        assert!(refused.stderr.contains("mean=200") && refused.stderr.contains("mean=1000"), "{}", refused.stderr);
    }
}

#[test]
fn the_command_that_marks_names_the_run() {
    let dir = site();
    let shown = at(&dir, &["recluster", "run"]).expect(0).stdout;
    assert!(shown.contains("lookalike templates mark run --cluster 1"), "{shown}");
    assert!(shown.contains("mark it, then lookalike recluster run"), "{shown}");
}

#[test]
fn a_template_of_a_few_bytes_is_warned_of() {
    let dir = site();
    dir.write("tiny.txt", "pip\n");
    let tiny = at(&dir, &["templates", "mark", "run", "--file", "tiny.txt"]).expect(0).stderr;
    assert!(tiny.contains("is only 4 bytes: too little for a template"), "{tiny}");
    let large = at(&dir, &["templates", "mark", "run", "--file", "preamble.html"]).expect(0).stderr;
    assert!(!large.contains("too little"), "{large}");
}

/// Copies have in common what they are: less than a link needs makes no cluster, and the copies are still listed.
#[test]
fn small_copies_make_no_cluster() {
    let dir = Dir::new();
    for copy in 0..3 {
        dir.write(format!("docs/small-{copy}"), "INSTALLER pip, and no more than that");
        dir.write(format!("docs/large-{copy}"), Random(5).text(600));
    }
    let report = json(&dir, &["files", "docs", "--min-shared", "1K"]);
    let representatives: Vec<&str> =
        list(&report, "clusters").iter().filter_map(|c| c["representative"].as_str()).collect();
    assert_eq!(representatives, ["docs/large-0"]);
    assert_eq!(list(&report["chunks"], "identical").len(), 2);
}
