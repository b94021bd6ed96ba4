//! `lookalike act`: what a report lists becomes links, is moved or removed, and comes back.

use crate::command::{Outcome, lookalike, run, run_with, shell};
use crate::dir::{Dir, names_in};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// A report of the chunks lens, as far as act reads it. Ids are names in the folder.
pub(crate) fn report(dir: &Dir, sets: &[Vec<&str>]) -> String {
    let modified = |name: &str| {
        let found = dir.at(name).symlink_metadata().expect("it is there");
        found.mtime() * 1_000_000_000 + found.mtime_nsec()
    };
    let files = |set: &[&str]| set.iter().map(|id| json!({"id": id, "modified": modified(id)})).collect::<Vec<_>>();
    let set = |set: &Vec<&str>| {
        let bytes = dir.at(set[0]).metadata().expect("it is there").len();
        json!({"bytes": bytes, "content": "00", "files": files(set)})
    };
    let sets: Vec<Value> = sets.iter().map(set).collect();
    json!({"schema": 1, "documents": 9, "chunks": {"mean": 1.0, "identical": sets, "base": dir.path()}}).to_string()
}

/// Two sets, and the report beside the folder.
fn prepare() -> Dir {
    let dir = Dir::new();
    for name in ["docs/a.txt", "docs/copy of a.txt", "old/docs/a.txt"] {
        dir.write(name, "the same text");
    }
    for name in ["b.bin", "old/b.bin"] {
        dir.write(name, [0u8, 159, 146, 150]);
    }
    let sets = [vec!["docs/a.txt", "docs/copy of a.txt", "old/docs/a.txt"], vec!["b.bin", "old/b.bin"]];
    dir.write("report.json", report(&dir, &sets));
    dir
}

fn act(dir: &Dir, arguments: &[&str]) -> Outcome {
    run(lookalike(["act"]).args(arguments).current_dir(dir.path()))
}

fn inode(dir: &Dir, name: &str) -> u64 {
    dir.at(name).symlink_metadata().expect("it is there").ino()
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word:?} in {text}");
    }
}

#[test]
fn a_dry_run_on_the_terminal() {
    let dir = prepare();
    let outcome = act(&dir, &["report.json", "--hardlink"]).expect(0);
    insta::assert_snapshot!(outcome.stdout);
    assert_eq!(outcome.stderr, "");
    assert_ne!(inode(&dir, "b.bin"), inode(&dir, "old/b.bin"));
    assert_eq!(dir.names(), ["b.bin", "docs", "old", "report.json"], "not even a log");
    let moved = act(&dir, &["report.json", "--move", "away", "--keep", "oldest", "--json"]).json();
    assert_eq!(
        (&moved["dry_run"], &moved["keep"], &moved["totals"]["planned"]),
        (&json!(true), &json!("oldest"), &json!(3))
    );
    assert!(!dir.at("away").exists());
}

#[test]
fn it_is_done_and_undone() {
    let dir = prepare();
    let old = fs::Permissions::from_mode(0o600);
    fs::set_permissions(dir.at("old/b.bin"), old).expect("set");
    let before = (dir.at("old/b.bin").metadata().expect("there").mtime_nsec(), 0o600);
    for action in [&["--hardlink"][..], &["--symlink"], &["--move", "away/from here"], &["--remove"]] {
        let done = act(&dir, &[&["report.json", "--yes"], action].concat()).expect(0);
        says(&done.stdout, &["3 files", "To undo it: lookalike act --undo report.json.act.jsonl"]);
        let found = dir.at("old/b.bin").symlink_metadata().ok();
        match action[0] {
            "--hardlink" => assert_eq!(inode(&dir, "b.bin"), inode(&dir, "old/b.bin")),
            "--symlink" => assert_eq!(fs::read_link(dir.at("old/b.bin")).expect("a link"), Path::new("../b.bin")),
            "--move" => assert!(found.is_none() && dir.at("away/from here/old/docs/a.txt").exists()),
            _ => assert!(found.is_none()),
        }
        let dry = act(&dir, &["--undo", "report.json.act.jsonl"]).expect(0);
        says(&dry.stdout, &["3 files would be restored", "Nothing was done"]);
        let undone = act(&dir, &["--undo", "report.json.act.jsonl", "--yes", "--json"]).json();
        assert_eq!((&undone["done"], &undone["failed"]), (&json!(3), &json!(0)), "{undone}");
        let found = dir.at("old/b.bin").symlink_metadata().expect("there again");
        assert!(found.is_file() && found.ino() != inode(&dir, "b.bin"));
        assert_eq!((found.mtime_nsec(), found.mode() & 0o777), before);
    }
    let nothing = act(&dir, &["--undo", "report.json.act.jsonl", "--yes"]).expect(0);
    says(&nothing.stdout, &["nothing is left to undo"]);
}

#[test]
fn what_fails_is_told_and_the_rest_is_done() {
    let dir = prepare();
    dir.write("docs/copy of a.txt", "another text!");
    let dry = act(&dir, &["report.json", "--remove"]).expect(0);
    says(&dry.stdout, &["would fail   docs/copy of a.txt  has changed since the scan", "1 would fail"]);
    let done = act(&dir, &["report.json", "--remove", "--yes"]).expect(2);
    says(&done.stdout, &["failed       docs/copy of a.txt", "2 files removed"]);
    says(&done.stderr, &["1 could not be done"]);
    assert_eq!(fs::read_to_string(dir.at("docs/copy of a.txt")).expect("still there"), "another text!");
    assert!(!dir.at("old/docs/a.txt").exists());
    let quiet = act(&dir, &["report.json", "--remove", "--yes", "-q"]).expect(2);
    assert_eq!(quiet.stdout, "");
}

#[test]
fn policies_and_reference_folders() {
    let dir = prepare();
    let kept = |arguments: &[&str]| {
        let acted = act(&dir, &[arguments, &["--symlink", "--json"]].concat()).json();
        acted["sets"].as_array().expect("sets").iter().map(|set| set["kept"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(kept(&["report.json"]), ["docs/a.txt", "b.bin"]);
    assert_eq!(kept(&["report.json", "--keep", "under", "old"]), ["old/docs/a.txt", "old/b.bin"]);
    assert_eq!(kept(&["--keep", "under:old", "report.json"]), ["old/docs/a.txt", "old/b.bin"]);
    assert_eq!(kept(&["--keep", "shortest-path", "report.json"]), ["docs/a.txt", "b.bin"]);
    assert_eq!(kept(&["--keep", "under", "docs", "report.json"]), [json!("docs/a.txt"), Value::Null]);
    assert_eq!(kept(&["report.json", "--reference", "old/docs", "--reference", "docs"])[0], "docs/a.txt");
    assert_eq!(kept(&["report.json", "--min-size", "5"]), ["docs/a.txt"]);
    act(&dir, &["report.json", "--remove", "--yes", "--reference", "old"]).expect(0);
    assert!(dir.at("old/docs/a.txt").exists() && !dir.at("docs/a.txt").exists() && !dir.at("b.bin").exists());
}

#[test]
fn wrong_reports_and_flags() {
    let dir = prepare();
    dir.write("text.txt", "some words");
    let shingles = run(lookalike(["scan", "docs", "--json"]).current_dir(dir.path())).expect(0).stdout;
    dir.write("shingles.json", shingles);
    for (arguments, words) in [
        (&["shingles.json", "--remove"][..], &["shingles.json", "another lens", "files --json"][..]),
        (&["text.txt", "--remove"], &["text.txt", "is not a JSON report", "files --json"]),
        (&["missing.json", "--remove"], &["missing.json", "No such file", "files --json"]),
        (&["--remove"], &["expected a report"]),
        (&["report.json"], &["--hardlink|--symlink|--move <DIR>|--reflink|--trash|--remove|--undo <LOG>"]),
        (&["report.json", "--remove", "--symlink"], &["cannot be used with"]),
        (&["report.json", "--undo", "x", "--remove"], &["cannot be used with"]),
        (&["report.json", "--undo", "x"], &["cannot be used with"]),
        (&["--undo", "missing.jsonl"], &["missing.jsonl", "No such file"]),
        (&["--undo", "text.txt", "--yes"], &["text.txt", "is not a log of actions"]),
        (&["report.json", "--remove", "--keep", "largest"], &["--keep", "largest"]),
        (&["report.json", "--remove", "--keep", "newest", "more"], &["expected one policy"]),
        (&["report.json", "--remove", "--reference", "nowhere"], &["--reference nowhere", "folder that exists"]),
        (&["report.json", "--move", "text.txt"], &["--move text.txt", "is not a folder"]),
        (&["report.json", "--remove", "--yes", "--log", "text.txt"], &["text.txt", "is not a log of actions"]),
        (&["report.json", "--remove", "--yes", "--log", "no/log"], &["no/log", "cannot be written"]),
    ] {
        let outcome = act(&dir, arguments).expect(2);
        says(&outcome.stderr, words);
        assert_eq!(outcome.stdout, "", "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(dir.at("text.txt")).expect("untouched"), "some words");
    assert!(dir.at("old/b.bin").exists());
}

#[test]
fn a_report_on_standard_input() {
    let dir = prepare();
    let text = fs::read(dir.at("report.json")).expect("written");
    let outcome = run_with(lookalike(["act", "-", "--hardlink", "--yes", "--json"]).current_dir(dir.path()), &text);
    let acted = outcome.json();
    let log = acted["log"].as_str().expect("a name");
    assert!(log.starts_with("lookalike-act-") && dir.at(log).exists(), "{log}");
    act(&dir, &["--undo", log, "--yes"]).expect(0);
    assert_ne!(inode(&dir, "b.bin"), inode(&dir, "old/b.bin"));
}

#[test]
fn hostile_names() {
    let dir = Dir::new();
    let strange = "x\u{1b}[31m\n\u{202e}";
    let bytes = OsStr::from_bytes(b"caf\xe9");
    for name in [OsStr::new("a"), OsStr::new(strange), bytes] {
        dir.write(name, "content");
    }
    let modified = |name: &OsStr| {
        let found = dir.at(name).metadata().expect("there");
        found.mtime() * 1_000_000_000 + found.mtime_nsec()
    };
    let file = |id: &str, name: &OsStr| json!({"id": id, "modified": modified(name)});
    let files = [file("a", OsStr::new("a")), file("caf\\xE9", bytes), file(strange, OsStr::new(strange))];
    let set = json!({"bytes": 7, "content": "00", "files": files});
    dir.write("r.json", json!({"schema": 1, "chunks": {"identical": [set], "base": dir.path()}}).to_string());
    let shown = act(&dir, &["r.json", "--remove"]).expect(0).stdout;
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown:?}");
    says(&shown, &["x\\u{1b}[31m\\u{a}\\u{202e}", "caf\\xE9"]);
    let told = act(&dir, &["r.json", "--remove", "--yes", "--json"]).json();
    assert_eq!(told["sets"][0]["files"][1]["id"], strange);
    assert_eq!(names_in(dir.path()), ["a", "r.json", "r.json.act.jsonl"]);
    let undone = act(&dir, &["--undo", "r.json.act.jsonl", "--yes"]).expect(0).stdout;
    assert!(!undone.contains('\u{1b}') && !undone.contains('\u{202e}'), "{undone:?}");
    assert_eq!(fs::read(dir.at(bytes)).expect("back"), b"content");
}

#[test]
fn folders_that_may_not_be_changed() {
    let dir = prepare();
    let closed = |mode: u32| fs::set_permissions(dir.at("old"), fs::Permissions::from_mode(mode)).expect("set");
    closed(0o555);
    // the superuser may change everything
    let writable = fs::write(dir.at("old/try"), "").and_then(|()| fs::remove_file(dir.at("old/try"))).is_ok();
    for action in ["--hardlink", "--symlink", "--remove"] {
        let dry = act(&dir, &["report.json", action]).expect(0).stdout;
        assert_eq!(dry.contains("would fail   old/b.bin  cannot change names in"), !writable, "{dry}");
        if !writable {
            act(&dir, &["report.json", action, "--yes"]).expect(2);
        }
    }
    closed(0o755);
    assert_eq!(fs::read(dir.at("old/b.bin")).expect("there"), fs::read(dir.at("b.bin")).expect("there"));
}

#[test]
fn from_one_device_to_another() {
    let dir = prepare();
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
    if other.path().metadata().expect("there").dev() == dir.path().metadata().expect("there").dev() {
        return;
    }
    let away = other.path().join("away");
    let time = dir.at("old/b.bin").metadata().expect("there").mtime_nsec();
    act(&dir, &["report.json", "--yes", "--move", away.to_str().expect("plain")]).expect(0);
    assert!(!dir.at("old/b.bin").exists());
    assert_eq!(away.join("old/b.bin").metadata().expect("moved").mtime_nsec(), time);
    assert_eq!(names_in(&away.join("old")), ["b.bin", "docs"], "no temporary copies");
    act(&dir, &["--undo", "report.json.act.jsonl", "--yes"]).expect(0);
    assert_eq!(dir.at("old/b.bin").metadata().expect("back").mtime_nsec(), time);
    assert!(!away.join("old/b.bin").exists());
    // and a hard link never goes there
    fs::create_dir_all(away.join("x")).expect("made");
    fs::copy(dir.at("b.bin"), away.join("x/b")).expect("copied");
    let far = away.join("x/b");
    dir.write("far.json", report(&dir, &[vec!["b.bin", far.to_str().expect("plain")]]));
    let root = away.to_str().expect("plain");
    let failed = act(&dir, &["far.json", "--symlink", "--yes"]).expect(2);
    says(&failed.stdout, &["where the report was made, nor below a root"]);
    let failed = act(&dir, &["far.json", "--hardlink", "--yes", "--root", root]).expect(2);
    says(&failed.stdout, &["is on another device than the kept file; a symbolic link would do"]);
    act(&dir, &["far.json", "--symlink", "--yes", "--root", root]).expect(0);
    assert_eq!(fs::read(&far).expect("through the link"), fs::read(dir.at("b.bin")).expect("there"));
}

#[test]
fn a_full_disk_under_the_log() {
    for action in ["--hardlink", "--remove"] {
        let mut failed = 0;
        for blocks in 0..100 {
            let dir = prepare();
            let script =
                format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$LOOKALIKE\" act report.json {action} --yes");
            let outcome = run(shell(&script).current_dir(dir.path()));
            let has = |name: &str| dir.at(name).exists();
            if outcome.code == Some(0) {
                break;
            }
            failed += 1;
            let outcome = outcome.expect(2);
            says(&outcome.stderr, &["cannot write the log report.json.act.jsonl", "nothing more is done"]);
            assert!(has("docs/a.txt") && has("b.bin"));
            act(&dir, &["--undo", "report.json.act.jsonl", "--yes"]).expect(0);
            assert!(has("old/b.bin") && has("docs/copy of a.txt") && has("old/docs/a.txt"));
        }
        assert!((1..100).contains(&failed), "{failed}");
    }
}

#[test]
fn help() {
    insta::assert_snapshot!(run(&mut lookalike(["act", "--help"])).expect(0).stdout);
}
