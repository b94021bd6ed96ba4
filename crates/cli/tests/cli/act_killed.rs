//! `lookalike act` killed at random moments: nothing is lost, the log knows, and both ways out of it work.

use crate::act::report;
use crate::command::{lookalike, run};
use crate::dir::Dir;
use crate::words::Random;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Moments at which each of the four actions is killed.
const MOMENTS: usize = 50;
/// Sets of identical files, and files in each.
const SETS: usize = 6;
const FILES: usize = 4;

const ACTIONS: [&[&str]; 4] = [&["--hardlink"], &["--symlink"], &["--move", "away"], &["--remove"]];

/// The content of a file by its set.
fn content(set: usize) -> Vec<u8> {
    Random(set as u64).next().to_le_bytes().repeat(100 + 300 * set)
}

fn name(set: usize, file: usize) -> String {
    format!("tree/{file}/deep/{set}.bin")
}

/// A new tree, and the report about it.
fn prepare() -> Dir {
    let dir = Dir::new();
    let names: Vec<Vec<String>> = (0..SETS).map(|set| (0..FILES).map(|file| name(set, file)).collect()).collect();
    for (set, names) in names.iter().enumerate() {
        for name in names {
            dir.write(name, content(set));
        }
    }
    let sets: Vec<Vec<&str>> = names.iter().map(|set| set.iter().map(String::as_str).collect()).collect();
    dir.write("r.json", report(&dir, &sets));
    dir
}

fn start(dir: &Dir, action: &[&str]) -> Child {
    let mut command = lookalike([&["act", "r.json", "--yes", "-q"], action].concat());
    command.current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the command starts")
}

/// All files below a folder that are no links, with their content.
fn files(folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let kind = path.symlink_metadata().expect("it is there").file_type();
        if kind.is_dir() {
            files(&path, all);
        } else if kind.is_file() {
            let content = fs::read(&path).expect("readable");
            all.insert(path.display().to_string(), content);
        }
    }
}

/// What the log says: names that were announced, and of those the ones whose end it does not know. Each temporary name too.
struct ActLog {
    announced: BTreeSet<String>,
    open: usize,
    text: String,
}

fn act_log(dir: &Dir) -> ActLog {
    let text = fs::read_to_string(dir.at("r.json.act.jsonl")).unwrap_or_default();
    let (mut announced, mut open) = (BTreeSet::new(), BTreeSet::new());
    // a last line without its end was never written
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let record: Value = serde_json::from_str(line).expect("a line of the log");
        match record["record"].as_str() {
            Some("intent") => {
                announced.insert(record["path"].as_str().expect("a path").to_owned());
                open.insert(record["n"].as_u64());
            }
            Some("done" | "back") => drop(open.remove(&record["n"].as_u64())),
            _ => {}
        }
    }
    ActLog { announced, open: open.len(), text }
}

#[track_caller]
fn check(dir: &Dir, links: bool, moment: &str) {
    let act_log = act_log(dir);
    let root = dir.path().canonicalize().expect("it is there");
    let all = everything(dir);
    assert!(act_log.open <= 1, "{moment}: one after the other");
    let mut missing = 0;
    for set in 0..SETS {
        let wanted = content(set);
        assert!(all.values().any(|found| *found == wanted), "{moment}: the content of set {set} is lost");
        let mut gone = 0;
        for file in 0..FILES {
            let name = name(set, file);
            if fs::read(dir.at(&name)).is_ok_and(|found| found == wanted) {
                continue;
            }
            gone += 1;
            let whole = root.join(&name).display().to_string();
            assert!(act_log.announced.contains(&whole), "{moment}: {name} is missing, and the log does not know");
        }
        assert!(gone < FILES, "{moment}: no name of set {set} is left");
        missing += gone;
    }
    if links {
        assert!(missing <= act_log.open, "{moment}: {missing} names are missing where only links were made");
    }
    for left in all.keys().filter(|path| path.contains(".lookalike-act-")) {
        let name = left.rsplit('/').next().expect("a name");
        assert!(act_log.text.contains(name), "{moment}: {left} is left, and the log does not know");
    }
}

/// All names that are no symbolic links, with their content and how many names it has.
fn tree(dir: &Dir) -> BTreeMap<String, (Vec<u8>, u64)> {
    let all = everything(dir).into_iter();
    all.map(|(path, content)| {
        let names = Path::new(&path).metadata().expect("it is there").nlink();
        (path.replace(&dir.path().display().to_string(), ""), (content, names))
    })
    .collect()
}

fn everything(dir: &Dir) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    files(&dir.at("tree"), &mut all);
    if dir.at("away").exists() {
        files(&dir.at("away"), &mut all);
    }
    all
}

fn finish(dir: &Dir, arguments: &[&str], moment: &str) {
    let outcome = run(lookalike(["act", "-q"]).args(arguments).current_dir(dir.path()));
    assert_eq!(outcome.code, Some(0), "{moment}: {arguments:?}: {}", outcome.stderr);
}

#[test]
fn killed_at_random_moments() {
    let mut random = Random(11);
    let mut interrupted = 0;
    for action in ACTIONS {
        let dir = prepare();
        let before = tree(&dir);
        let begin = Instant::now();
        assert!(start(&dir, action).wait().expect("it ends").success(), "{action:?}");
        let takes = begin.elapsed();
        let complete = tree(&dir);
        assert_ne!(complete, before);
        for number in 0..MOMENTS {
            let dir = prepare();
            let mut child = start(&dir, action);
            std::thread::sleep(Duration::from_nanos(random.below(takes.as_nanos() as usize) as u64));
            child.kill().expect("it can be killed");
            interrupted += usize::from(!child.wait().expect("it ends").success());
            let moment = format!("{} number {number}", action[0]);
            check(&dir, matches!(action[0], "--hardlink" | "--symlink"), &moment);
            if number % 2 == 0 {
                finish(&dir, &[&["r.json", "--yes"], action].concat(), &moment);
                assert_eq!(tree(&dir), complete, "{moment}: done by a second run");
            }
            if dir.at("r.json.act.jsonl").exists() {
                finish(&dir, &["--undo", "r.json.act.jsonl", "--yes"], &moment);
            }
            assert_eq!(tree(&dir), before, "{moment}: undone");
        }
    }
    assert!(interrupted > MOMENTS, "only {interrupted} were killed in time");
}

#[test]
fn undo_killed_at_random_moments() {
    let mut random = Random(12);
    for action in ACTIONS {
        let dir = prepare();
        let before = tree(&dir);
        let undo = || {
            let mut command = lookalike(["act", "--undo", "r.json.act.jsonl", "--yes", "-q"]);
            command.current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().expect("the command starts")
        };
        assert!(start(&dir, action).wait().expect("it ends").success());
        let begin = Instant::now();
        assert!(undo().wait().expect("it ends").success());
        let takes = begin.elapsed();
        for number in 0..8 {
            assert!(start(&dir, action).wait().expect("it ends").success(), "{action:?} {number}");
            let mut child = undo();
            std::thread::sleep(Duration::from_nanos(random.below(takes.as_nanos() as usize) as u64));
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            let moment = format!("undo of {} number {number}", action[0]);
            for set in 0..SETS {
                assert!(everything(&dir).values().any(|found| *found == content(set)), "{moment}: set {set} is lost");
            }
            finish(&dir, &["--undo", "r.json.act.jsonl", "--yes"], &moment);
            assert_eq!(tree(&dir), before, "{moment}");
        }
    }
}
