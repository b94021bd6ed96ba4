//! An index whose writer is killed or whose disk is full: what was committed is there, what was not is invisible, the next command works.

use crate::command::{lookalike, run, shell};
use crate::corpus::{documents, jsonl};
use crate::dir::Dir;
use crate::words::Random;
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Moments at which a verb is killed. There are four verbs.
const MOMENTS: usize = 50;

/// Each verb with its arguments, and the state that it begins with: none, or what the verb before left.
const VERBS: [&[&str]; 4] = [
    &["index", "build", "it", "first.jsonl", "--sweep", "2026-01-01", "-q"],
    &["index", "add", "it", "second.jsonl", "--sweep", "2026-02-01", "-q"],
    &["index", "remove", "it", "--stdin", "-q"],
    &["index", "merge", "it", "-q"],
];

fn prepare() -> Dir {
    let dir = Dir::new();
    let all = documents(240, 77);
    dir.write("first.jsonl", jsonl(&all[..150]));
    dir.write("second.jsonl", jsonl(&all[90..]));
    dir.write("all.jsonl", jsonl(&all));
    dir.write("names", all.iter().take(60).map(|(id, _)| id.as_str()).collect::<Vec<_>>().join("\n"));
    dir
}

fn start(dir: &Dir, verb: &[&str]) -> std::process::Child {
    let names = fs::File::open(dir.path().join("names")).expect("written before");
    let mut command = lookalike(verb);
    command.current_dir(dir.path()).stdin(names).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the command starts")
}

#[track_caller]
fn take(dir: &Dir, verb: &[&str]) {
    assert!(start(dir, verb).wait().expect("it ends").success(), "{verb:?}");
}

/// All that can be seen of the index: none if there is none.
fn seen(dir: &Dir) -> Option<String> {
    let info = run(lookalike(["index", "info", "it", "--json"]).current_dir(dir.path()));
    if info.code != Some(0) {
        assert!(info.stderr.contains("is no index"), "{}", info.stderr);
        return None;
    }
    let mut info: Value = serde_json::from_str(&info.stdout).expect("JSON");
    for inner in ["generation", "segments", "index_bytes"] {
        info.as_object_mut().expect("an object").remove(inner);
    }
    let batch = ["query", "it", "--batch", "all.jsonl", "--threshold", "0.3"];
    let answers = run(lookalike(batch).current_dir(dir.path())).expect(0).stdout;
    Some(format!("{info}\n{answers}"))
}

fn copy(dir: &Dir, from: &str, to: &str) {
    let _ = fs::remove_dir_all(dir.path().join(to));
    if dir.path().join(from).exists() {
        fs::create_dir(dir.path().join(to)).expect("a new folder");
        for entry in fs::read_dir(dir.path().join(from)).expect("a folder") {
            let entry = entry.expect("readable");
            fs::copy(entry.path(), dir.path().join(to).join(entry.file_name())).expect("a copy");
        }
    }
}

#[test]
fn killed_at_random_moments() {
    let dir = prepare();
    let mut random = Random(5);
    let (mut before, mut interrupted) = (None, 0);
    for verb in VERBS {
        copy(&dir, "it", "start");
        let begin = Instant::now();
        take(&dir, verb);
        let takes = begin.elapsed();
        let after = seen(&dir);
        copy(&dir, "it", "end");
        for _ in 0..MOMENTS {
            copy(&dir, "start", "it");
            let mut child = start(&dir, verb);
            std::thread::sleep(Duration::from_nanos(random.below(takes.as_nanos() as usize) as u64));
            child.kill().expect("it can be killed");
            interrupted += usize::from(!child.wait().expect("it ends").success());
            let found = seen(&dir);
            assert!(found == before || found == after, "{verb:?} left something else");
            let verified = run(lookalike(["index", "verify", "it"]).current_dir(dir.path()));
            assert_eq!(verified.code, Some(if found.is_some() { 0 } else { 2 }), "{}", verified.stderr);
            if found == before {
                take(&dir, verb);
                assert_eq!(seen(&dir), after, "{verb:?} again");
                let files = |name: &str| fs::read_dir(dir.path().join(name)).expect("a folder").count();
                assert_eq!(files("it"), files("end"), "{verb:?}: rubbish is left");
            }
        }
        copy(&dir, "end", "it");
        before = after;
    }
    assert!(interrupted > MOMENTS, "only {interrupted} were killed in time");
}

/// The first moment of a build: the folder has a lock file and nothing else. An empty folder would be refused.
#[test]
fn killed_before_the_first_file() {
    let dir = prepare();
    dir.folder("it");
    dir.write("it/lock", "");
    take(&dir, VERBS[0]);
    dir.write("one.u64", 7_u64.to_le_bytes());
    dir.folder("store");
    dir.write("store/lock", "");
    take(&dir, &["simhash", "build", "one.u64", "-o", "store", "-q"]);
    let hidden: Vec<String> = dir.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(hidden, [""; 0], "a temporary name is left");
}

#[test]
fn a_full_disk() {
    let dir = prepare();
    let mut before = None;
    for verb in VERBS {
        let arguments: Vec<String> = verb.iter().map(|argument| format!("'{argument}'")).collect();
        let (mut failed, mut done) = (0, false);
        copy(&dir, "it", "start");
        for blocks in (0..).map(|step| step * 40) {
            copy(&dir, "start", "it");
            let script =
                format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$LOOKALIKE\" {} < names", arguments.join(" "));
            let outcome = run(shell(&script).current_dir(dir.path()));
            if outcome.code == Some(0) {
                done = true;
                break;
            }
            failed += 1;
            let outcome = outcome.expect(2);
            assert!(outcome.stderr.contains("cannot write") && outcome.stderr.contains("large"), "{}", outcome.stderr);
            assert_eq!(seen(&dir), before, "{verb:?} with {blocks} blocks");
        }
        assert!(done && failed > 0, "{verb:?} failed {failed} times");
        before = seen(&dir);
        assert!(before.is_some());
    }
}
