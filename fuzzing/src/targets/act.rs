//! Forged reports and forged logs. Whatever they say, no content may be gone afterwards.
//!
//! What is forged names only files of a folder of our own: bytes from anywhere are read, but not acted upon. They would
//! find `/` one day.

use lookalike::act::{ActOptions, ActRequest, Action, KeepPolicy, act, undo};
use lookalike::{Cancel, Silent};
use crate::folder;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Files of the stage. Contents that there are twice may be acted on, all others never.
const FILES: [(&str, &str); 9] = [
    ("docs/a.txt", "twice"),
    ("docs/b.txt", "twice"),
    ("docs/deep/c.txt", "twice"),
    ("docs/only.txt", "only here"),
    ("docs/.lookalike-act-0123456789abcdef", "kept aside"),
    ("docs/deep/.lookalike-act-0123456789abcdef", "twice"),
    ("other/d.txt", "two"),
    ("other/e.txt", "two"),
    ("other/precious.txt", "precious"),
];

/// Other names that a forger may write: what is not there, folders, links, and ways around.
const NAMES: [&str; 11] = [
    "docs/new.txt",
    "docs/.lookalike-act-fedcba9876543210",
    "docs/.lookalike-act-short",
    "docs/deep/../a.txt",
    "docs/../other/precious.txt",
    "docs/link.txt",
    "docs/folder-link/precious.txt",
    "docs",
    "other/moved/a.txt",
    "other/.lookalike-act-0123456789abcdef",
    "docs/hard.txt",
];

pub(crate) fn fuzz(bytes: &[u8]) {
    let stage = folder().join("stage");
    set(&stage);
    let (report, log) = (stage.join("report.json"), stage.join("report.json.act.jsonl"));
    read_only(bytes, &log);
    let mut dice = bytes.iter().copied();
    let mut roll = move || dice.next().unwrap_or(0);
    let options = options(&stage, &mut roll);
    fs::write(&report, forged_report(&stage, &mut roll).to_string()).expect("the folder is ours");
    if roll() % 4 != 0 {
        fs::write(&log, forged_log(&stage, &mut roll)).expect("the folder is ours");
    }
    let before = contents(&stage);
    let text = fs::read(&report).expect("just written");
    let acting = |apply| {
        let request = ActRequest { report: &text, decisions: None, name: "report.json", options: &options, log: &log, apply };
        let _ = act(&request, &Silent, &Cancel::default());
    };
    let undoing = |apply| drop(undo(&log, apply, &Silent, &Cancel::default()));
    acting(false);
    undoing(false);
    assert_eq!(contents(&stage), before, "a dry run touches nothing");
    // in both orders, and again
    for step in 0..3 {
        if roll().wrapping_add(step) % 2 == 0 { acting(true) } else { undoing(true) }
        let lost: Vec<_> = before.difference(&contents(&stage)).cloned().collect();
        assert!(lost.is_empty(), "gone: {lost:?}");
    }
}

/// Any bytes as a report and as a log, in a dry run.
fn read_only(bytes: &[u8], log: &Path) {
    let options = ActOptions::new(Action::Remove);
    let request = ActRequest { report: bytes, decisions: None, name: "report.json", options: &options, log, apply: false };
    let _ = act(&request, &Silent, &Cancel::default());
    fs::write(log, bytes).expect("the folder is ours");
    let _ = undo(log, false, &Silent, &Cancel::default());
    fs::remove_file(log).expect("the folder is ours");
}

/// Makes all files anew.
fn set(stage: &Path) {
    let _ = fs::remove_dir_all(stage);
    fs::create_dir_all(stage.join("docs/deep")).expect("the folder is ours");
    fs::create_dir_all(stage.join("other")).expect("the folder is ours");
    for (name, content) in FILES {
        fs::write(stage.join(name), content).expect("the folder is ours");
    }
    symlink("only.txt", stage.join("docs/link.txt")).expect("the folder is ours");
    symlink("../other", stage.join("docs/folder-link")).expect("the folder is ours");
    fs::hard_link(stage.join("docs/a.txt"), stage.join("docs/hard.txt")).expect("the folder is ours");
}

/// What the files of the stage hold, whatever they are called. Report and log do not count.
fn contents(stage: &Path) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![stage.join("docs"), stage.join("other")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let kind = entry.file_type().expect("just seen");
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.insert(fs::read(entry.path()).expect("just seen"));
            }
        }
    }
    found
}

fn name(roll: &mut impl FnMut() -> u8) -> &'static str {
    let at = usize::from(roll()) % (FILES.len() + NAMES.len());
    FILES.get(at).map_or_else(|| NAMES[at - FILES.len()], |(name, _)| name)
}

fn path(stage: &Path, roll: &mut impl FnMut() -> u8) -> String {
    stage.join(name(roll)).to_str().expect("our own name").to_owned()
}

fn options(stage: &Path, roll: &mut impl FnMut() -> u8) -> ActOptions {
    let action = match roll() % 6 {
        0 => Action::Hardlink,
        1 => Action::Symlink,
        2 => Action::Move(stage.join("other/moved")),
        3 => Action::Reflink,
        4 => Action::Trash(stage.join("other/trash")),
        _ => Action::Remove,
    };
    let under = |name: &str| KeepPolicy::Under(stage.join(name));
    let mut options = ActOptions::new(action);
    options.keep = match roll() % 5 {
        0 => KeepPolicy::Newest,
        1 => KeepPolicy::Oldest,
        2 => under("other"),
        3 => under("docs/folder-link"),
        _ => KeepPolicy::ShortestPath,
    };
    if roll() % 4 == 0 {
        options.reference = vec![PathBuf::from(path(stage, roll))];
    }
    options
}

fn forged_report(stage: &Path, roll: &mut impl FnMut() -> u8) -> Value {
    let base = if roll() % 2 == 0 { json!(stage.join("docs")) } else { json!(stage) };
    let sets: Vec<Value> = (0..roll() % 4)
        .map(|_| {
            let files: Vec<Value> = (0..roll() % 5)
                .map(|_| {
                    let id = match roll() % 4 {
                        // from the base, or out of it
                        0 => name(roll).to_owned(),
                        1 => format!("../{}", name(roll)),
                        _ => path(stage, roll),
                    };
                    json!({ "id": id, "modified": modified(stage, &id) })
                })
                .collect();
            let bytes = [5, 3, 9, 8][usize::from(roll() % 4)];
            json!({ "bytes": bytes, "files": files })
        })
        .collect();
    json!({ "schema": 1, "chunks": { "base": base, "identical": sets } })
}

/// As a scan would have told it: otherwise the file has changed, and nothing is done.
fn modified(stage: &Path, id: &str) -> Option<i64> {
    let time = fs::metadata(stage.join(id)).ok()?.modified().ok()?;
    i64::try_from(time.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos()).ok()
}

fn forged_log(stage: &Path, roll: &mut impl FnMut() -> u8) -> String {
    let action = |roll: u8| ["hardlink", "symlink", "move", "remove"][usize::from(roll % 4)];
    let mut lines =
        vec![json!({ "record": "run", "format": 1, "lookalike": "0.1.0", "action": action(roll()), "report": "r", "time": 1 })];
    let mut number = 0;
    for _ in 0..roll() % 8 {
        let of = 1 + u64::from(roll()) % number.max(1);
        lines.push(match roll() % 8 {
            0 => json!({ "record": "done", "n": of }),
            1 => json!({ "record": "back", "n": of }),
            2 => json!({ "record": "undo", "n": of, "temporary": path(stage, roll) }),
            _ => {
                number += 1;
                let file = path(stage, roll);
                let content = fs::read(&file).unwrap_or_default();
                let mut intent = json!({
                    "record": "intent", "n": number, "action": action(roll()), "path": file, "kept": path(stage, roll),
                    "temporary": path(stage, roll), "bytes": content.len(), "modified": modified(stage, &file).unwrap_or(1),
                    "mode": if roll() % 2 == 0 { 0o644 } else { 0o4755 }, "uid": 0, "gid": 0,
                    "content": blake3::hash(&content).to_hex().as_str(),
                });
                for field in ["target", "to", "copy"] {
                    if roll() % 2 == 0 {
                        intent[field] = path(stage, roll).into();
                    }
                }
                intent
            }
        });
        if roll() % 2 == 0 && number > 0 {
            lines.push(json!({ "record": "done", "n": number }));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
