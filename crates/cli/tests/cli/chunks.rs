//! The chunks lens from the outside: what it finds in files whose common bytes are known.

use crate::command::{lookalike, run};
use crate::dir::Dir;
use crate::words::{Random, sentences};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

/// `lookalike scan --lens chunks --json` in a folder, which must succeed.
#[track_caller]
pub(crate) fn scan(dir: &Dir, arguments: &[&str]) -> Value {
    run(lookalike(["scan", "--lens", "chunks", "--json"]).args(arguments).current_dir(dir.path())).json()
}

pub(crate) fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap_or_else(|| panic!("{name} is a list in {value}"))
}

/// The ids of each cluster.
pub(crate) fn clusters(report: &Value) -> BTreeSet<Vec<String>> {
    let id = |value: &Value| value.as_str().expect("an id").to_owned();
    let cluster = |cluster: &Value| {
        let members = list(cluster, "members").iter().map(|m| id(&m["id"]));
        let mut ids: Vec<String> = members.chain([id(&cluster["representative"])]).collect();
        ids.sort();
        ids
    };
    list(report, "clusters").iter().map(cluster).collect()
}

/// Sets of ids, as [`clusters`] gives them.
pub(crate) fn sets<const N: usize>(sets: [&[&str]; N]) -> BTreeSet<Vec<String>> {
    sets.iter().map(|set| set.iter().map(|&id| id.to_owned()).collect()).collect()
}

/// The ids of each set of identical files.
pub(crate) fn identical(report: &Value) -> Vec<Vec<&str>> {
    list(&report["chunks"], "identical")
        .iter()
        .map(|set| list(set, "files").iter().filter_map(|file| file["id"].as_str()).collect())
        .collect()
}

/// A copy with so many lines replaced: a word more or less would break all lines after it in another place.
pub(crate) fn edited(random: &mut Random, text: &str, lines: usize) -> String {
    let mut copy: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    for _ in 0..lines {
        let at = random.below(copy.len());
        copy[at] = random.text(12);
    }
    copy.concat()
}

/// The one member of the one cluster.
#[track_caller]
fn only_member(report: &Value) -> &Value {
    assert_eq!(list(report, "clusters").len(), 1, "{report}");
    let members = list(&report["clusters"][0], "members");
    assert_eq!(members.len(), 1, "{report}");
    &members[0]
}

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} is a number in {value}"))
}

#[test]
fn identical_files() {
    let dir = Dir::new();
    let mut random = Random(201);
    let [copied, twice, alone] = [3000, 1500, 2000].map(|words| random.text(words));
    for (name, text) in [
        ("docs/a/manual.txt", &copied),
        ("docs/b/handbook.txt", &copied),
        ("docs/c/old.txt", &copied),
        ("docs/a/terms.txt", &twice),
        ("docs/b/terms.txt", &twice),
        ("docs/c/alone.txt", &alone),
    ] {
        dir.write(name, text);
    }
    let report = scan(&dir, &["docs"]);
    let expected = [
        vec!["docs/a/manual.txt", "docs/b/handbook.txt", "docs/c/old.txt"],
        vec!["docs/a/terms.txt", "docs/b/terms.txt"],
    ];
    assert_eq!(identical(&report), expected, "most bytes to be freed first");
    assert_eq!(list(&report["chunks"], "identical")[0]["bytes"], copied.len());
    assert_eq!(clusters(&report), expected.iter().map(|set| set.iter().map(|&id| id.into()).collect()).collect());
    assert_eq!((&report["summary"]["identical"], &report["documents"]), (&json!(3), &json!(6)));
    assert_eq!(report["recipe"], "bytes|chunks:mean=1000|hash=xxh3-128|v=1");
    assert_eq!(report["chunks"]["base"].as_str().map(|base| fs::canonicalize(base).expect("a folder")), {
        Some(fs::canonicalize(dir.path()).expect("a folder"))
    });
    for file in list(&list(&report["chunks"], "identical")[0], "files") {
        assert!(file["modified"].as_i64() > Some(1_000_000_000_000_000_000), "in nanoseconds: {file}");
    }
}

/// What is reported is a lower bound, and near the truth if the edits are few.
#[test]
fn an_edited_copy() {
    let dir = Dir::new();
    let mut random = Random(202);
    let words = random.words(5000);
    let (begin, end) = words.split_at(2400);
    let (old, new) = (sentences(&words), sentences(begin) + &random.text(24) + &sentences(end));
    dir.write("docs/old.txt", &old);
    dir.write("docs/new.txt", &new);
    dir.write("docs/other.txt", random.text(5000));
    let report = scan(&dir, &["docs"]);
    assert_eq!(clusters(&report), sets([&["docs/new.txt", "docs/old.txt"]]));
    let cluster = &report["clusters"][0];
    assert_eq!((&cluster["representative"], &cluster["bytes"]), (&"docs/new.txt".into(), &new.len().into()));
    let member = only_member(&report);
    let common = member["shared_bytes"].as_u64().expect("shared bytes") as usize;
    assert!(common <= old.len() && common + 3 * 2800 > old.len(), "{common} of {}", old.len());
    assert_eq!((&member["class"], member.get("exact_bytes")), (&"near".into(), None));
    let shares = ["resemblance", "containment", "contained_by"].map(|name| number(member, name));
    let (a, b, common) = (old.len() as f64, new.len() as f64, common as f64);
    for (found, expected) in shares.iter().zip([common / (a + b - common), common / a, common / b]) {
        assert!((found - expected).abs() < 1e-9, "{shares:?}");
    }
    let report = scan(&dir, &["docs", "--exact"]);
    let exact = only_member(&report)["exact_bytes"].as_u64().expect("counted") as usize;
    // all of the old file but what the alignment may lose beside the cut
    assert!(exact <= old.len() && exact + 100 > old.len(), "{exact} of {}", old.len());
    assert_eq!(only_member(&report)["shared_bytes"], common as u64, "the lower bound stays");
}

#[test]
fn a_file_inside_another() {
    let dir = Dir::new();
    let mut random = Random(203);
    let words = random.words(12_000);
    dir.write("whole.txt", sentences(&words));
    dir.write("part.txt", sentences(&words[3000..6000]));
    let report = scan(&dir, &["."]);
    let member = only_member(&report);
    assert_eq!((&member["id"], &member["class"]), (&"part.txt".into(), &"contained".into()));
    assert!(number(member, "containment") > 0.8 && number(member, "contained_by") < 0.3, "{member}");
    assert_eq!(report["summary"]["contained"], 1);
}

#[test]
fn files_that_are_no_text() {
    let dir = Dir::new();
    let mut random = Random(204);
    let data = random.bytes(200_000);
    let mut patched = data.clone();
    patched[100_000] ^= 1;
    dir.write("disk.img", &data);
    dir.write("disk-2.img", &patched);
    dir.write("noise.bin", random.bytes(200_000));
    // runs of one byte have no cuts of their own
    dir.write("zeros.bin", vec![0; 300_000]);
    dir.write("more-zeros.bin", vec![0; 290_000]);
    let report = scan(&dir, &["."]);
    assert_eq!(report["skipped"], json!([]));
    assert_eq!(clusters(&report), sets([&["disk-2.img", "disk.img"], &["more-zeros.bin", "zeros.bin"]]));
    let disks = list(&report, "clusters").iter().flat_map(|c| list(c, "members")).find(|m| m["bytes"] == 200_000);
    assert!(number(disks.expect("a member"), "resemblance") > 0.95, "{report}");
}

#[test]
fn empty_files_are_counted_and_never_copies() {
    let dir = Dir::new();
    let mut random = Random(205);
    for name in ["docs/a", "docs/b", "docs/c"] {
        dir.write(name, "");
    }
    dir.write("docs/full", random.text(1000));
    dir.write("docs/copy", fs::read(dir.at("docs/full")).expect("written"));
    let report = scan(&dir, &["docs"]);
    assert_eq!(report["chunks"]["empty"], 3);
    assert_eq!(identical(&report), [["docs/copy", "docs/full"]]);
    assert_eq!(clusters(&report), sets([&["docs/copy", "docs/full"]]));
}

/// Files of 40 KB that share a fifth, two fifths … with the first.
#[test]
fn least_share_and_least_bytes() {
    let dir = Dir::new();
    let mut random = Random(206);
    let words = random.words(6000);
    dir.write("first.txt", sentences(&words));
    for fifths in [1, 2, 4] {
        let own = random.words(6000 - fifths * 1200);
        dir.write(format!("with-{fifths}.txt"), sentences(&words[..fifths * 1200]) + &sentences(&own));
    }
    let found = |flags: &[&str]| {
        let report = scan(&dir, &[&["."], flags].concat());
        clusters(&report).into_iter().flatten().filter(|id| id.starts_with("with")).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), ["with-4.txt"]);
    assert_eq!(found(&["--threshold", "0.3"]), ["with-2.txt", "with-4.txt"]);
    assert_eq!(found(&["--threshold", "0.1"]), ["with-1.txt", "with-2.txt", "with-4.txt"]);
    assert_eq!(found(&["--threshold", "0.95"]), Vec::<String>::new());
    // two fifths are some 16 KB
    assert_eq!(found(&["--threshold", "0.1", "--min-shared", "12K"]), ["with-2.txt", "with-4.txt"]);
    assert_eq!(found(&["--threshold", "0.1", "--min-shared", "1M"]), Vec::<String>::new());
    let policy = &scan(&dir, &[".", "--threshold", "0.3", "--min-shared", "5K"])["policy"];
    assert_eq!(
        [&policy["threshold"], &policy["contained"], &policy["min_shared"]],
        [&json!(0.3), &json!(0.3), &json!(5120)]
    );
}

#[test]
fn similar_folders() {
    let dir = Dir::new();
    let mut random = Random(207);
    for at in 0..12 {
        let text = random.text(800);
        dir.write(format!("site/products/page-{at}.html"), &text);
        if at < 10 {
            dir.write(format!("backup/2019/old-{at}.html"), &text);
        }
    }
    dir.write("site/news/today.html", random.text(4000));
    dir.write("backup/note.html", random.text(60));
    let only = |folder: &str, other: &str| {
        let report = scan(&dir, &["."]);
        let folders = list(&report["chunks"], "folders");
        assert_eq!(folders.len(), 1, "{folders:?}");
        let found = folders[0].clone();
        assert_eq!((&found["folder"], &found["other"]), (&json!(folder), &json!(other)));
        assert!((0.7..0.95).contains(&number(&found, "other_share")), "{found}");
        found
    };
    // the widest folder that is inside, and the narrowest that it is inside; what is in them is not told again
    let found = only("backup", "site/products");
    assert_eq!((&found["files"], &found["other_files"]), (&json!(11), &json!(12)));
    assert!((0.98..1.0).contains(&number(&found, "share")), "all but a note is in the other: {found}");
    // with more of its own, only a part of it is
    dir.write("backup/own/notes.html", random.text(6000));
    let found = only("backup/2019", "site/products");
    assert_eq!((&found["files"], &found["inside"]), (&json!(10), &found["bytes"]));
}

/// A preamble that most files have connects nobody, and is told.
#[test]
fn what_most_files_share() {
    let dir = Dir::new();
    let mut random = Random(208);
    let preamble = random.text(600);
    for at in 0..160 {
        let begin = if at < 120 { preamble.as_str() } else { "" };
        dir.write(format!("page-{at:03}.html"), format!("{begin}{}", random.text(1500)));
    }
    let report = scan(&dir, &["."]);
    assert_eq!(clusters(&report), sets([]));
    let common = list(&report["chunks"], "frequent");
    assert!(!common.is_empty() && report["chunks"]["max_df"] == json!(0.5), "{report}");
    assert_eq!(common[0]["documents"], 120);
    assert!(common[0]["text"].as_str().is_some_and(|text| preamble.contains(text.trim_end_matches('…'))), "{common:?}");
    assert_eq!(list(&scan(&dir, &[".", "--max-df", "0.8"])["chunks"], "frequent").len(), 0);
}

#[test]
fn the_mean_that_is_asked_for() {
    let dir = Dir::new();
    dir.write("long.txt", Random(209).text(600_000));
    for mean in [64.0, 100.0, 1000.0, 5000.0] {
        let report = scan(&dir, &[".", "--avg-chunk", &mean.to_string()]);
        let chunks = &report["chunks"];
        assert!((number(chunks, "mean") / mean - 1.0).abs() < 0.05, "{mean}: {chunks}");
        let parameters = &chunks["parameters"];
        assert!((number(parameters, "tmin") - 460.0 * mean / 1015.0).abs() <= 0.5, "{parameters}");
        assert!((number(parameters, "tmax") - 2800.0 * mean / 1015.0).abs() <= 0.5, "{parameters}");
        assert!((number(parameters, "divisor") / 2.0 - number(parameters, "backup")).abs() < 1e-9, "{parameters}");
    }
}

/// Two files that share short passages only: small chunks find them, and so does a second pass with small chunks.
#[test]
fn coarse_to_fine() {
    let dir = Dir::new();
    let mut random = Random(210);
    let words = random.words(9000);
    let mut edited = words.clone();
    // a third stays; in the rest every fiftieth word is another
    (3000..9000).step_by(50).for_each(|at| edited[at] = "changed");
    dir.write("a.txt", sentences(&words));
    dir.write("b.txt", sentences(&edited));
    dir.write("c.txt", random.text(9000));
    assert_eq!(clusters(&scan(&dir, &["."])), sets([]), "chunks of 1000 bytes see a third");
    let fine = scan(&dir, &[".", "--avg-chunk", "100"]);
    assert_eq!(clusters(&fine), sets([&["a.txt", "b.txt"]]));
    let refined = scan(&dir, &[".", "--refine"]);
    assert_eq!(clusters(&refined), sets([&["a.txt", "b.txt"]]));
    let pass = &refined["chunks"]["refined"];
    assert_eq!((&pass["parameters"]["mean"], &pass["clustered_before"]), (&json!(100), &json!(0)));
    assert!((2..=3).contains(&pass["documents"].as_u64().expect("documents")), "{pass}");
    assert_eq!(scan(&dir, &[".", "--refine=200"])["chunks"]["refined"]["parameters"]["mean"], 200);
}

#[test]
fn components_instead_of_stars() {
    let dir = Dir::new();
    let mut random = Random(211);
    let parts: Vec<String> = (0..3).map(|_| random.text(3000)).collect();
    // a and c share nothing; b has two thirds of either
    dir.write("a.txt", &parts[0]);
    dir.write("b.txt", parts.concat());
    dir.write("c.txt", &parts[2]);
    dir.write("d.txt", random.text(100) + &parts[2] + &random.text(4000));
    let single = scan(&dir, &[".", "--linkage", "single"]);
    assert_eq!(clusters(&single), sets([&["a.txt", "b.txt", "c.txt", "d.txt"]]));
    assert_eq!(single["policy"]["linkage"], "single");
    for cluster in list(&scan(&dir, &["."]), "clusters") {
        assert!(list(cluster, "members").iter().all(|m| number(m, "containment") >= 0.5), "{cluster}");
    }
}
