//! System calls that fail, one at a time: the answer is the same as ever, or there is an error and everything is as it was before.
//! Spill files are among them. `strace` makes the calls fail; where it cannot, there is nothing to see.
#![cfg(target_os = "linux")]

use crate::command::{Outcome, PROGRAM, lookalike, run, shell};
use crate::corpus::{documents, write};
use crate::dir::{Dir, names_in};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What may fail, and how.
const FAULTS: [(&str, &str); 12] = [
    ("openat", "EIO"),
    ("read", "EIO"),
    ("pread64", "EIO"),
    ("write", "ENOSPC"),
    ("writev", "ENOSPC"),
    ("pwrite64", "ENOSPC"),
    ("statx", "EIO"),
    ("lseek", "EIO"),
    ("fsync,fdatasync", "EIO"),
    ("rename,renameat,renameat2,linkat,link", "EIO"),
    ("getdents64", "EIO"),
    ("ftruncate,flock,unlink,unlinkat,mkdir", "EIO"),
];

/// Calls of each kind that are made to fail: the first ones, then fewer and fewer of the rest.
fn places() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(1), |n| Some(n + 1 + n / 6)).take_while(|n| *n < 400)
}

pub(crate) fn can_trace() -> bool {
    let works = std::process::Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    works.is_ok_and(|output| output.status.success())
}

/// Runs the command for each fault, in a folder that `prepare` fills, and lets `check` look at what it left.
fn with_each_fault(arguments: &str, prepare: impl Fn(&Dir), check: impl Fn(&Dir, &Outcome)) {
    if !can_trace() {
        return;
    }
    let mut refused = 0;
    for (calls, error) in FAULTS {
        for place in places() {
            let dir = Dir::new();
            prepare(&dir);
            let log = dir.at("strace.log");
            let script = format!(
                "exec strace -f -qq -o {} -e trace={calls} -e inject={calls}:error={error}:when={place} {PROGRAM} {arguments}",
                log.display()
            );
            let outcome = run(shell(&script).current_dir(dir.path()));
            let faults = fs::read_to_string(&log).unwrap_or_default().matches("INJECTED").count();
            if faults == 0 {
                break;
            }
            fs::remove_file(&log).expect("the log is there");
            if outcome.code == Some(127) && outcome.stderr.contains("shared libraries") {
                continue; // it was not even loaded
            }
            let said = format!("{calls} {error} {place}: {:?} {}", outcome.code, outcome.stderr);
            assert!(matches!(outcome.code, Some(0 | 2)) && !outcome.stderr.contains("panicked"), "{said}");
            // the message itself may be what cannot be written
            let is_told = outcome.stderr.contains("lookalike: ") || calls.starts_with("write");
            assert!(outcome.code == Some(0) || is_told, "{said}");
            refused += u32::from(outcome.code == Some(2));
            // strace counts the calls of each thread: where two failed, what one of them did is not told by the other
            if faults == 1 {
                check(&dir, &outcome);
            }
        }
    }
    assert!(refused > 10, "only {refused} faults were noticed");
}

/// A report without what may differ from run to run. None if it lists something that could not be read, or not again.
fn report(path: &Path) -> Option<String> {
    let mut report: serde_json::Value = serde_json::from_slice(&fs::read(path).expect("a report")).expect("JSON");
    report.as_object_mut().expect("an object").retain(|name, _| !["phases", "usage"].contains(&name.as_str()));
    (report["skipped"] == serde_json::json!([])).then(|| report.to_string())
}

#[test]
fn a_scan_that_spills() {
    let fill = |dir: &Dir| {
        write(dir, "corpus.jsonl", &documents(60, 71));
        dir.folder("out");
        dir.folder("tmp");
    };
    let line = "scan corpus.jsonl -q -j 1 --memory 64M --tmp tmp --json -o out/report.json --pairs out/pairs.csv --save out/run";
    let whole = Dir::new();
    fill(&whole);
    run(lookalike(line.split(' ')).current_dir(whole.path())).expect(0);
    let expected = (report(&whole.at("out/report.json")), fs::read(whole.at("out/pairs.csv")).expect("pairs"));
    with_each_fault(line, fill, |dir, outcome| {
        let names = names_in(&dir.at("out"));
        assert!(names.iter().all(|name| ["pairs.csv", "report.json", "run"].contains(&name.as_str())), "{names:?}");
        assert_eq!(names_in(&dir.at("tmp")), Vec::<String>::new());
        let written = dir.at("out/report.json").exists().then(|| report(&dir.at("out/report.json")));
        if written == Some(None) {
            return;
        }
        for (name, is_whole) in [
            ("report.json", written.map(|report| report == expected.0)),
            ("pairs.csv", fs::read(dir.at("out/pairs.csv")).ok().map(|pairs| pairs == expected.1)),
        ] {
            assert_ne!(is_whole, Some(false), "{name}: {}", outcome.stderr);
            assert!(outcome.code != Some(0) || is_whole.is_some(), "{name}: {}", outcome.stderr);
        }
    });
}

#[test]
fn more_documents_for_an_index() {
    let all = documents(40, 72);
    let fill = |dir: &Dir| {
        write(dir, "old.jsonl", &all[..20]);
        write(dir, "new.jsonl", &all[20..]);
        run(lookalike(["index", "build", "ix", "old.jsonl", "-q"]).current_dir(dir.path())).expect(0);
    };
    let count = |dir: &Dir| {
        let info = run(lookalike(["index", "info", "ix", "--json"]).current_dir(dir.path())).json();
        run(lookalike(["index", "verify", "ix"]).current_dir(dir.path())).expect(0);
        info["observations"].as_u64().expect("a number")
    };
    let (before, after) = (20, all.len() as u64);
    with_each_fault("index add ix new.jsonl -q -j 1", fill, |dir, outcome| {
        let found = count(dir);
        let done = outcome.code == Some(0);
        if outcome.stderr.contains("the rest was taken") {
            return; // the input could not be read
        }
        assert!(if done { found == after } else { found == before || found == after }, "{found}: {}", outcome.stderr);
    });
}

#[test]
fn links_in_place_of_files() {
    let fill = |dir: &Dir| {
        for (name, text) in
            [("tree/a", "one content"), ("tree/b", "one content"), ("tree/c", "another"), ("tree/d", "another")]
        {
            dir.write(name, text);
        }
        let files = run(lookalike(["files", "tree", "--json", "-q"]).current_dir(dir.path())).expect(0);
        dir.write("report.json", files.stdout);
    };
    let contents = |dir: &Dir| -> BTreeSet<Vec<u8>> {
        let tree = dir.at("tree");
        names_in(&tree).iter().map(|name| fs::read(tree.join(name)).expect("a file")).collect()
    };
    with_each_fault("act report.json --remove --yes -q", fill, |dir, outcome| {
        assert_eq!(contents(dir).len(), 2, "{}", outcome.stderr);
        // what was begun can be settled and taken back
        if dir.at("report.json.act.jsonl").exists() {
            run(lookalike(["act", "--undo", "report.json.act.jsonl", "--yes", "-q"]).current_dir(dir.path())).expect(0);
            assert_eq!((names_in(&dir.at("tree")).len(), contents(dir).len()), (4, 2), "{}", outcome.stderr);
        }
    });
}

#[test]
fn fingerprints_that_were_acknowledged() {
    let fill = |dir: &Dir| {
        dir.write(
            "commands",
            "insert 00000000000000ff 1\ninsert 0000000000000f0f 2\nflush\ninsert 00000000000000fe 3\n",
        );
    };
    with_each_fault("simhash online near < commands", fill, |dir, outcome| {
        let inserted = outcome.stdout.matches("\"inserted\":true").count();
        if inserted == 0 && !dir.at("near").exists() {
            return;
        }
        let counted = run(shell("echo count | \"$LOOKALIKE\" simhash online near").current_dir(dir.path())).json();
        let count = counted["count"].as_u64().expect("a number") as usize;
        assert!((inserted..=3).contains(&count), "{inserted} were acknowledged, {count} are there: {}", outcome.stderr);
    });
}
