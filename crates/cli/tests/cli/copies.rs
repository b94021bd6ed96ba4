//! `lookalike copies` on a made-up cohort: who copied what is known.

use crate::command::{at, lookalike, run};
use crate::dir::Dir;
use crate::programs::{Hand, Program};
use crate::words::Random;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write as _;

/// Twelve who worked alone, and four who did not:
///
/// * `mallory.py` is `alice.py` under other names, with other comments;
/// * `oscar.py` is `bob.py` with its functions in another order;
/// * `trudy.py` has half of `carol.py`;
/// * `peggy.py` is a program of an earlier year (`2024/victor.py`), under other names.
///
/// All begin with the same base, `given/skeleton.py`.
pub(crate) fn cohort(dir: &Dir) {
    let mut random = Random(711);
    let base = Program::new(&mut random, 2);
    dir.write("given/skeleton.py", base.python(hand(0)));
    let mut own = Vec::new();
    for name in ["alice", "bob", "carol", "dan", "erin", "frank", "grace", "heidi", "ivan", "judy", "kim", "leo"] {
        let program = Program::new(&mut random, 6);
        write(dir, &format!("handed-in/{name}.py"), &base, &program, hand(own.len() + 1));
        own.push(program);
    }
    write(dir, "handed-in/mallory.py", &base, &own[0], Hand { names: 8, comments: true });
    write(dir, "handed-in/oscar.py", &base, &own[1].reordered(&mut random), hand(2));
    let half = Program(own[2].0[..3].to_vec()).with(&Program::new(&mut random, 3));
    write(dir, "handed-in/trudy.py", &base, &half, hand(9));
    let earlier: Vec<Program> = (0..3).map(|_| Program::new(&mut random, 6)).collect();
    for (program, name) in earlier.iter().zip(["victor", "walter", "xena"]) {
        write(dir, &format!("2024/{name}.py"), &base, program, hand(4));
    }
    // two of 2024 copied from each other, which is nobody's business now
    write(dir, "2024/yves.py", &base, &earlier[1], hand(5));
    write(dir, "handed-in/peggy.py", &base, &earlier[0], hand(10));
}

fn hand(names: usize) -> Hand {
    Hand { names, comments: names.is_multiple_of(3) }
}

fn write(dir: &Dir, path: &str, base: &Program, own: &Program, hand: Hand) {
    // base code is not renamed: people leave it as it is
    dir.write(path, format!("{}{}", base.python(self::hand(0)), own.python(hand)));
}

/// Who copied is at least this similar, whatever he renamed; who did not is less.
const ALIKE: f64 = 0.2;

/// The copied pairs among the submissions of this year.
const COPIED: [[&str; 2]; 3] = [["alice.py", "mallory.py"], ["bob.py", "oscar.py"], ["carol.py", "trudy.py"]];

fn report(dir: &Dir, arguments: &[&str]) -> Value {
    let mut whole = at(dir, &[&["copies", "--json"], arguments].concat()).json();
    whole["passages"].take()
}

/// Names of pairs of at least this similarity.
fn pairs(report: &Value, least: f64) -> BTreeSet<[String; 2]> {
    let name = |at: &Value| {
        let submission = &report["submissions"][at.as_u64().expect("an index") as usize];
        let name = submission["name"].as_str().expect("a name");
        name.rsplit('/').next().expect("the last part").to_owned()
    };
    let listed = report["pairs"].as_array().expect("a list").iter();
    let similar = listed.filter(|pair| pair["similarity"].as_f64().expect("a number") >= least);
    similar.map(|pair| [name(&pair["a"]), name(&pair["b"])]).collect()
}

fn expected(named: &[[&str; 2]]) -> BTreeSet<[String; 2]> {
    named.iter().map(|pair| pair.map(str::to_owned)).collect()
}

#[test]
fn renamed_reordered_and_half_copied() {
    let dir = Dir::new();
    cohort(&dir);
    let found = report(&dir, &["handed-in", "--base", "given"]);
    assert_eq!(pairs(&found, ALIKE), expected(&COPIED));
    assert!(found["ignored"]["base_tokens"].as_u64() > Some(0), "{}", found["ignored"]);
    for pair in found["pairs"].as_array().expect("a list").iter().take(3) {
        let passage = &pair["passages"][0];
        assert_eq!(passage["submissions"], 2, "nobody else has it: {passage}");
    }
}

#[test]
fn base_code_that_is_not_named_is_shared_by_all() {
    let dir = Dir::new();
    cohort(&dir);
    let with = report(&dir, &["handed-in", "--min-similarity", "0.2"]);
    let without = report(&dir, &["handed-in", "--min-similarity", "0.2", "--base", "given/skeleton.py"]);
    assert_eq!(with["pairs_all"], 16 * 15 / 2, "all pairs share the skeleton");
    assert!(without["pairs_all"].as_u64() < Some(60), "{}", without["pairs_all"]);
    let few = report(&dir, &["handed-in", "--max-df", "8"]);
    assert_eq!(pairs(&few, 0.15), expected(&COPIED), "what more than eight share is ignored");
}

#[test]
fn an_earlier_year() {
    let dir = Dir::new();
    cohort(&dir);
    let found = pairs(&report(&dir, &["handed-in", "--base", "given", "--archive", "2024"]), ALIKE);
    let mut all = expected(&COPIED);
    // by name: which is first depends on what the names have in common
    let from_archive: Vec<_> = found.difference(&all).cloned().collect();
    assert_eq!(from_archive.len(), 1, "{from_archive:?}");
    assert_eq!(BTreeSet::from(from_archive[0].clone()), BTreeSet::from(["peggy.py".into(), "victor.py".into()]));
    all.insert(from_archive[0].clone());
    assert_eq!(found, all, "nothing is said of two of the archive");
}

#[test]
fn one_owner_is_not_compared_with_himself() {
    let dir = Dir::new();
    cohort(&dir);
    let mut random = Random(712);
    let program = Program::new(&mut random, 5);
    dir.write("handed-in/zoe_1.py", program.python(hand(1)));
    dir.write("handed-in/zoe_2.py", program.python(hand(2)));
    let zoe = ["zoe_1.py", "zoe_2.py"].map(str::to_owned);
    assert!(pairs(&report(&dir, &["handed-in"]), ALIKE).contains(&zoe));
    assert!(!pairs(&report(&dir, &["handed-in", "--owner", "([a-z]+)(_[0-9])?\\.py"]), ALIKE).contains(&zoe));
}

/// Five who have a main program and a library each; the libraries of ben and eve are one.
fn java(dir: &Dir) {
    let mut random = Random(713);
    let [shared, main] = [4, 2].map(|functions| Program::new(&mut random, functions));
    for (at, name) in ["ann", "ben", "cy", "dot", "eve"].iter().enumerate() {
        let own = Program::new(&mut random, 5);
        let library = if ["ben", "eve"].contains(name) { &shared } else { &own };
        dir.write(format!("java/{name}/src/Library.java"), library.java(hand(at), "Library"));
        dir.write(format!("java/{name}/Main.java"), Program::new(&mut random, 2).with(&main).java(hand(at), "Main"));
    }
}

#[test]
fn java_by_folders() {
    let dir = Dir::new();
    java(&dir);
    let found = report(&dir, &["java", "--per-folder", "--max-df", "3"]);
    assert_eq!(found["submissions"].as_array().map(Vec::len), Some(5));
    assert_eq!(pairs(&found, ALIKE), expected(&[["ben", "eve"]]));
}

/// MOSS names files; those of one folder are one program.
#[test]
fn moss() {
    let dir = Dir::new();
    java(&dir);
    let folders = ["ann", "ben", "cy", "dot", "eve"];
    let files = folders.map(|name| [format!("java/{name}/Main.java"), format!("java/{name}/Helper.java")]).concat();
    for (at, name) in folders.iter().enumerate() {
        dir.write(
            format!("java/{name}/Helper.java"),
            Program::new(&mut Random(720 + at as u64), 2).java(hand(at), "Helper"),
        );
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let flags = ["moss", "-l", "java", "-d", "-m3", "-n", "5", "-c", "Exercise 3", "-x"];
    let outcome = at(&dir, &[&flags[..], &files].concat()).expect(0);
    assert!(outcome.stdout.starts_with("Exercise 3\n\n5 submissions"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("-x chooses another server"), "{}", outcome.stderr);
}

#[test]
fn a_zip_says_what_its_folder_says() {
    let dir = Dir::new();
    cohort(&dir);
    let mut packed = zip::ZipWriter::new(std::fs::File::create(dir.at("handed-in.zip")).expect("a file"));
    for name in crate::dir::names_in(&dir.at("handed-in")) {
        packed.start_file(&name, zip::write::SimpleFileOptions::default()).expect("into the file");
        packed.write_all(&std::fs::read(dir.at("handed-in").join(&name)).expect("readable")).expect("into the file");
    }
    packed.finish().expect("into the file");
    let found = report(&dir, &["handed-in.zip", "--base", "given"]);
    assert_eq!(pairs(&found, ALIKE), expected(&COPIED));
}

#[test]
fn essays() {
    let dir = Dir::new();
    let mut random = Random(714);
    let words = random.words(600);
    dir.write("essays/a.txt", crate::words::sentences(&words));
    let borrowed = [&random.words(300)[..], &words[100..350], &random.words(200)[..]].concat();
    dir.write("essays/b.txt", crate::words::sentences(&borrowed));
    for name in ["c", "d", "e"] {
        dir.write(format!("essays/{name}.txt"), random.text(700));
    }
    let found = report(&dir, &["essays", "--lang", "text"]);
    assert_eq!(pairs(&found, 0.1), expected(&[["a.txt", "b.txt"]]));
    let tokens = found["pairs"][0]["longest"].as_u64().expect("a number");
    assert!((250..=255).contains(&tokens), "the whole passage and no more: {tokens}");
}

#[test]
fn forms_and_exit_codes() {
    let dir = Dir::new();
    cohort(&dir);
    let flags = ["copies", "handed-in", "--base", "given"];
    let with = |more: &[&'static str]| at(&dir, &[&flags[..], more].concat());
    let shown = with(&[]).expect(0).stdout;
    insta::assert_snapshot!("on_the_terminal", shown);
    assert!(with(&["--stats"]).expect(0).stdout.contains("expected density"));
    with(&["--exit-code"]).expect(1);
    with(&["--exit-code", "--include", "[d-l]*.py"]).expect(0);
    let rows = with(&["--csv", "--pairs", "pairs.csv"]).expect(0).stdout;
    assert!(rows.starts_with("a,b,owner_a,"), "{rows}");
    let all = std::fs::read_to_string(dir.at("pairs.csv")).expect("written");
    assert_eq!(all.lines().count(), rows.lines().count(), "all pairs are listed");
    let sarif: Value = serde_json::from_str(&with(&["--sarif"]).expect(0).stdout).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    assert!(results.iter().any(|result| result["level"] == "error"), "{sarif}");
    let region = &results[0]["locations"][0]["physicalLocation"]["region"];
    assert!(region["charLength"].as_u64() > Some(0), "the text was read again: {region}");
}

/// A file of verdicts on the pairs of a report, as the page exports it.
fn verdicts(report: &Value, verdicts: &[(usize, &str)]) -> String {
    let party = |at: &Value| {
        let submission = &report["submissions"][at.as_u64().expect("an index") as usize];
        let content: Vec<&Value> =
            submission["files"].as_array().expect("files").iter().map(|file| &file["content"]).collect();
        json!({ "submission": submission["name"], "content": content })
    };
    let pairs: Vec<Value> = verdicts
        .iter()
        .map(|(at, verdict)| {
            let pair = &report["pairs"][at];
            json!({ "a": party(&pair["b"]), "b": party(&pair["a"]), "verdict": verdict, "note": "asked" })
        })
        .collect();
    json!({ "copies_verdicts": 1, "pairs": pairs }).to_string()
}

#[test]
fn what_is_decided_is_counted_and_not_shown_again() {
    let dir = Dir::new();
    cohort(&dir);
    let flags = ["copies", "handed-in", "--base", "given", "--decisions", "verdicts.json"];
    let with = |more: &[&'static str]| at(&dir, &[&flags[..], more].concat());
    let before = report(&dir, &["handed-in", "--base", "given"]);
    assert!(before.get("reviewed").is_none(), "nothing is said of decisions that are not there");
    dir.write("verdicts.json", verdicts(&before, &[(0, "copied"), (1, "not-copied"), (2, "again")]));
    let shown = with(&[]).expect(0).stdout;
    insta::assert_snapshot!("with_decisions", shown);
    let decided = with(&["--json"]).json()["passages"].take();
    let reviewed = &decided["reviewed"];
    for (field, number) in
        [("decisions", 3), ("decided", 2), ("copied", 1), ("not_copied", 1), ("again", 1), ("stale", 0)]
    {
        assert_eq!(reviewed[field], number, "{field}: {reviewed}");
    }
    assert_eq!(
        decided["pairs"].as_array().map(Vec::len),
        before["pairs"].as_array().map(Vec::len),
        "nothing is left out"
    );
    assert_eq!(decided["pairs"][0]["decision"], json!({ "verdict": "copied", "note": "asked" }));
    let rows = with(&["--csv"]).expect(0).stdout;
    assert!(rows.lines().next().is_some_and(|head| head.ends_with(",verdict")), "{rows}");
    assert!(rows.lines().nth(2).is_some_and(|row| row.ends_with(",not-copied")), "{rows}");
    let sarif: Value = serde_json::from_str(&with(&["--sarif"]).expect(0).stdout).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["status"], "accepted");
    // "look again" is not decided
    with(&["--exit-code"]).expect(1);
    dir.write("verdicts.json", verdicts(&before, &[(0, "copied"), (1, "copied"), (2, "not-copied")]));
    with(&["--exit-code"]).expect(0);
    // a changed submission ends a verdict
    let name = before["submissions"][before["pairs"][0]["a"].as_u64().expect("an index") as usize]["name"].clone();
    let path = format!("handed-in/{}", name.as_str().expect("a name"));
    dir.write(&path, std::fs::read_to_string(dir.at(&path)).expect("a text") + "\nlast = 1\n");
    assert_eq!(with(&["--json"]).json()["passages"]["reviewed"]["stale"], 1);
    let stale = with(&["--exit-code"]).expect(1).stdout;
    assert!(stale.contains("1 of submissions that have changed or are gone"), "{stale}");
    dir.write("verdicts.json", "{\"decisions\": 1, \"clusters\": []}");
    let refused = with(&[]).expect(2).stderr;
    assert!(refused.contains("verdicts.json") && refused.contains("about clusters of documents"), "{refused}");
}

#[test]
fn the_same_report_whatever_the_threads() {
    let dir = Dir::new();
    cohort(&dir);
    let with = |threads: &'static str| {
        at(&dir, &["copies", "--json", "handed-in", "--archive", "2024", "-j", threads]).expect(0)
    };
    assert_eq!(with("1").stdout, with("2").stdout);
}

#[test]
fn help() {
    for verb in ["copies", "moss"] {
        insta::assert_snapshot!(format!("help_of_{verb}"), run(&mut lookalike([verb, "--help"])).expect(0).stdout);
    }
}
