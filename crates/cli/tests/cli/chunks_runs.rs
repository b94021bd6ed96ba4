//! Saved runs of the chunks lens: clustering again equals scanning again, and damage is found.

use crate::chunks::{clusters, scan, sets};
use crate::chunks_forms::mixed;
use crate::command::at;
use crate::dir::{Dir, names_in};
use serde_json::Value;
use std::fs;

fn save(flags: &[&str]) -> Dir {
    let dir = Dir::new();
    mixed(&dir);
    at(&dir, &[&["scan", "--lens", "chunks", "docs", "-q", "--save", "run"], flags].concat()).expect(0);
    dir
}

fn recluster(dir: &Dir, flags: &[&str]) -> Value {
    at(dir, &[&["recluster", "run", "--json"], flags].concat()).json()
}

/// What phases count depends on the way, and what needs the originals is not in a run.
fn comparable(mut report: Value) -> Value {
    report.as_object_mut().expect("an object").remove("phases");
    let chunks = &mut report["chunks"];
    chunks.as_object_mut().expect("an object").remove("base");
    let drop_from = |list: &mut Value, field: &str| {
        let parts = list.as_array_mut().expect("a list").iter_mut();
        parts.for_each(|part| drop(part.as_object_mut().expect("an object").remove(field)));
    };
    drop_from(&mut chunks["frequent"], "text");
    drop_from(&mut chunks["suggestions"], "text");
    for set in chunks["identical"].as_array_mut().expect("a list") {
        drop_from(&mut set["files"], "modified");
    }
    report
}

#[test]
fn again_equals_scan() {
    for flags in [
        &[][..],
        &["--threshold", "0.8"],
        &["--threshold", "0.2"],
        &["--min-shared", "10K"],
        &["--linkage", "single"],
        &["--threshold", "0.3", "--linkage", "single", "--min-shared", "1K"],
    ] {
        let dir = save(&[]);
        let scanned = scan(&dir, &[&["docs"], flags].concat());
        assert!(!clusters(&scanned).is_empty(), "{flags:?}");
        fs::remove_dir_all(dir.at("docs")).expect("the originals are not needed");
        assert_eq!(comparable(recluster(&dir, flags)), comparable(scanned), "{flags:?}");
    }
}

#[test]
fn what_is_not_given_stays() {
    let dir = save(&["--threshold", "0.8", "--avg-chunk", "500", "--key", "k"]);
    let scanned = scan(&dir, &["docs", "--threshold", "0.8", "--avg-chunk", "500", "--key", "k"]);
    let again = recluster(&dir, &[]);
    assert_eq!((&again["policy"], &again["recipe"]), (&scanned["policy"], &scanned["recipe"]));
    assert_eq!(clusters(&again), clusters(&scanned));
}

#[test]
fn nothing_is_overwritten() {
    let dir = save(&[]);
    let refused = at(&dir, &["scan", "--lens", "chunks", "docs", "--save", "run"]).expect(2);
    assert!(refused.stderr.contains("run exists already"), "{}", refused.stderr);
}

/// Every file of a run is changed at many places, cut and removed: what is told then is the truth or an error.
#[test]
fn damage_never_changes_the_answer() {
    let dir = save(&[]);
    let right = at(&dir, &["recluster", "run", "--json"]).expect(0).stdout;
    let mut wrong = Vec::new();
    let mut check = |name: &str, how: String| {
        let outcome = at(&dir, &["recluster", "run", "--json"]);
        assert!(!outcome.stderr.contains("panicked"), "{name}, {how}: {}", outcome.stderr);
        match outcome.code {
            Some(2) if outcome.stdout.is_empty() && outcome.stderr.contains("run") => {}
            Some(0) if outcome.stdout == right => {}
            code => wrong.push(format!("{name}, {how}: exit code {code:?}")),
        }
    };
    for name in names_in(&dir.at("run")) {
        let path = dir.at("run").join(&name);
        let whole = fs::read(&path).expect("saved");
        for place in 0..24 {
            let mut broken = whole.clone();
            let byte = place * (whole.len() - 1) / 23;
            broken[byte] ^= 1 << (place % 7);
            fs::write(&path, &broken).expect("written");
            check(&name, format!("bit {} of byte {byte}", place % 7));
        }
        for part in 0..4 {
            fs::write(&path, &whole[..whole.len() * part / 4]).expect("written");
            check(&name, format!("{part} quarters of it"));
        }
        fs::remove_file(&path).expect("removed");
        check(&name, "removed".to_owned());
        fs::write(&path, &whole).expect("written");
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(at(&dir, &["recluster", "run", "--json"]).expect(0).stdout, right, "put right again");
}

#[test]
fn a_run_of_each_lens_has_its_flags() {
    let dir = save(&[]);
    at(&dir, &["scan", "docs", "-q", "--save", "words"]).expect(0);
    for (arguments, flag, lens) in [
        (["recluster", "run", "--contained", "0.8"], "--contained", "the shingles lens, and run is of the chunks lens"),
        (["recluster", "words", "--min-shared", "1K"], "--min-shared", "the chunks lens, and words is"),
        (["recluster", "words", "--templates", "x"], "--templates", "the chunks lens, and words is"),
        (["recluster", "words", "--report-format", "fdupes"], "--report-format fdupes", "is for --lens chunks"),
    ] {
        let refused = at(&dir, &arguments).expect(2);
        assert!(refused.stderr.contains(flag) && refused.stderr.contains(lens), "{arguments:?}: {}", refused.stderr);
        assert_eq!(refused.stdout, "");
    }
    at(&dir, &["recluster", "words", "--threshold", "0.8"]).expect(0);
    assert_ne!(clusters(&recluster(&dir, &["--threshold", "0.2"])), sets([]));
}
