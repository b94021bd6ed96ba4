//! Saved runs: clustering again equals scanning again, and damage is found.

use crate::command::{Outcome, lookalike, run};
use crate::corpus::{documents, write};
use crate::dir::{Dir, names_in};
use crate::words::{Random, sentences};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn save(dir: &Dir, count: usize, flags: &[&str]) -> std::path::PathBuf {
    let input = write(dir, "corpus.jsonl", &documents(count, 21));
    let saved = dir.at("run");
    run(lookalike(["scan", "-q", "--save"]).arg(&saved).args(flags).arg(&input)).expect(0);
    saved
}

fn recluster(saved: &Path, flags: &[&str]) -> Outcome {
    run(lookalike(["recluster", "--json"]).arg(saved).args(flags))
}

/// What phases count depends on the way, not on the answer.
fn without_phases(mut report: Value) -> Value {
    let fields = report.as_object_mut().expect("an object");
    fields.remove("phases");
    fields.remove("usage");
    report
}

#[track_caller]
fn same(again: Value, scanned: Value) {
    let (again, mut scanned) = (without_phases(again), without_phases(scanned));
    // for this the documents are read again
    scanned["shingles"].as_object_mut().unwrap().remove("dominant");
    assert_eq!(again["summary"], scanned["summary"]);
    let clusters = |report: &Value| report["clusters"].as_array().expect("a list").clone();
    for (again, scanned) in clusters(&again).iter().zip(&clusters(&scanned)) {
        assert_eq!(again, scanned);
    }
    assert_eq!(again, scanned);
}

/// Saves with the first flags, and clusters again with the second.
#[track_caller]
fn again_equals_scan(saved_with: &[&str], then: &[&str]) {
    let dir = Dir::new();
    let saved = save(&dir, 1500, &[&["--max-df", "60"], saved_with].concat());
    let scanned = run(lookalike(["scan", "--json", "--max-df", "60"])
        .args(saved_with.iter().filter(|flag| !then.contains(flag) || !flag.starts_with("--")))
        .args(then)
        .arg(dir.at("corpus.jsonl")))
    .json();
    assert!(scanned["summary"]["clusters"].as_u64() > Some(50), "there is something to cluster");
    fs::remove_file(dir.at("corpus.jsonl")).expect("the originals are not needed");
    same(recluster(&saved, then).json(), scanned);
}

#[test]
fn a_higher_threshold() {
    again_equals_scan(&[], &["--threshold", "0.8"]);
}

#[test]
fn the_same_policy() {
    again_equals_scan(&["--contained", "0.8"], &[]);
}

#[test]
fn another_linkage() {
    again_equals_scan(&[], &["--linkage", "single", "--threshold", "0.6"]);
}

#[test]
fn containment_dropped() {
    let dir = Dir::new();
    let saved = save(&dir, 1000, &["--contained", "0.8"]);
    let scanned = run(lookalike(["scan", "--json"]).arg(dir.at("corpus.jsonl"))).json();
    same(recluster(&saved, &["--contained", "off"]).json(), scanned);
}

#[test]
fn estimates_stay_estimates() {
    again_equals_scan(&["--estimate"], &["--threshold", "0.8"]);
}

#[test]
fn min_sketches() {
    again_equals_scan(&["--sketch", "min:64"], &["--threshold", "0.7"]);
}

/// A crowd is compared with its leaders only, and who leads depends on the threshold.
#[test]
fn a_crowd() {
    let mut random = Random(22);
    let words = random.words(400);
    let page = |random: &mut Random| {
        let changes = 1 + random.below(5);
        sentences(&random.mutate(&words, changes))
    };
    let pages: Vec<(String, String)> = (0..600).map(|at| (format!("c{at:04}"), page(&mut random))).collect();
    let dir = Dir::new();
    let (input, saved) = (write(&dir, "crowd.jsonl", &pages), dir.at("run"));
    run(lookalike(["scan", "-q", "--max-df", "100", "--save"]).arg(&saved).arg(&input)).expect(0);
    let scanned = run(lookalike(["scan", "--json", "--max-df", "100", "--threshold", "0.8"]).arg(&input)).json();
    same(recluster(&saved, &["--threshold", "0.8"]).json(), scanned);
}

#[test]
fn a_lower_threshold_is_refused() {
    let dir = Dir::new();
    let saved = save(&dir, 100, &["--threshold", "0.6"]);
    for (flags, says) in [
        (["--threshold", "0.5"], "--threshold 0.6"),
        (["--threshold", "1.5"], "--threshold"),
        (["--threshold", "nan"], "--threshold"),
        (["--contained", "0.9"], "--contained"),
        (["--contained", "much"], "--contained"),
    ] {
        let refused = recluster(&saved, &flags).expect(2);
        assert!(refused.stderr.contains(says), "{flags:?}: {}", refused.stderr);
        assert!(
            refused.stderr.contains("scan again") || refused.stderr.contains("expected"),
            "says what to do: {}",
            refused.stderr
        );
        assert_eq!(refused.stdout, "");
    }
    recluster(&saved, &["--threshold", "0.6"]).expect(0);
}

#[test]
fn what_is_no_run_is_refused() {
    let dir = Dir::new();
    let missing = recluster(&dir.at("nowhere"), &[]).expect(2);
    assert!(missing.stderr.contains("nowhere") && missing.stderr.contains("--save"), "{}", missing.stderr);
    let empty = recluster(&dir.folder("empty"), &[]).expect(2);
    assert!(empty.stderr.contains("run.json"), "{}", empty.stderr);
}

#[test]
fn nothing_is_overwritten() {
    let dir = Dir::new();
    let saved = save(&dir, 50, &[]);
    let before = fs::read(saved.join("documents")).expect("saved");
    let input = dir.at("corpus.jsonl");
    let refused = run(lookalike(["scan", "--save"]).arg(&saved).arg(&input)).expect(2);
    assert!(refused.stderr.contains("exists already"), "{}", refused.stderr);
    assert_eq!(refused.stdout, "", "nothing is shown of a scan that was not kept as asked");
    assert_eq!(fs::read(saved.join("documents")).expect("still there"), before);
    assert_eq!(dir.names(), ["corpus.jsonl", "run"]);
}

/// Damages each file of a run at many places, one at a time, and puts it right again.
fn damaged(saved: &Path, mut check: impl FnMut(&str, &str)) {
    for name in names_in(saved) {
        let path = saved.join(&name);
        let whole = fs::read(&path).expect("saved");
        assert!(!whole.is_empty(), "{name}");
        let places = if name == "run.json" { whole.len() } else { 24 };
        for place in 0..places {
            let at = if places == whole.len() { place } else { place * (whole.len() - 1) / (places - 1) };
            let mut broken = whole.clone();
            broken[at] ^= 1 << (place % 7);
            fs::write(&path, &broken).expect("written");
            check(&name, &format!("bit {} of byte {at}", place % 7));
        }
        for part in 0..8 {
            let cut = whole.len() * part / 8;
            fs::write(&path, &whole[..cut]).expect("written");
            check(&name, &format!("cut at {cut}"));
        }
        fs::write(&path, [&whole[..], b"more"].concat()).expect("written");
        check(&name, "four bytes more");
        fs::remove_file(&path).expect("removed");
        check(&name, "removed");
        fs::write(&path, &whole).expect("written");
    }
}

#[test]
fn damage_never_changes_the_answer() {
    let dir = Dir::new();
    let saved = save(&dir, 120, &[]);
    let right = recluster(&saved, &[]).expect(0).stdout;
    let mut wrong = Vec::new();
    damaged(&saved, |name, how| {
        let outcome = recluster(&saved, &[]);
        assert!(!outcome.stderr.contains("panicked"), "{name}, {how}: {}", outcome.stderr);
        match outcome.code {
            Some(2) => {
                assert_eq!(outcome.stdout, "");
                assert!(outcome.stderr.contains(saved.to_str().expect("UTF-8")), "{name}, {how}: {}", outcome.stderr);
            }
            // nothing that counts was hit
            Some(0) if outcome.stdout == right && matches!(name, "run.json" | "sketches") => {}
            code => wrong.push(format!("{name}, {how}: exit code {code:?}")),
        }
    });
    assert!(
        wrong.is_empty(),
        "{} kinds of damage went unnoticed, the first: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(10)]
    );
    assert_eq!(recluster(&saved, &[]).expect(0).stdout, right, "put right again");
}
