//! By chunks too, the same files and flags give the same bytes, whatever the threads, the memory or the order of reading.

use crate::command::{lookalike, run, run_with};
use crate::corpus::documents;
use crate::dir::Dir;
use crate::words::Random;
use serde_json::Value;

/// Files with copies, excerpts and edits, some 20 KB each.
fn folder(dir: &Dir) -> Vec<String> {
    let texts: Vec<String> = documents(1200, 231).into_iter().map(|(_, text)| text).collect();
    let name = |at: usize| format!("docs/{}/{at:03}.txt", at % 7);
    let mut random = Random(232);
    (0..300)
        .map(|at| {
            // neighbours overlap
            let from = at * 3;
            let to = from + 8 + random.below(6);
            dir.write(name(at), texts[from..to].concat());
            name(at)
        })
        .collect()
}

#[test]
fn order_threads_and_memory_do_not_show() {
    let dir = Dir::new();
    let mut names = folder(&dir);
    let flags = ["scan", "--lens", "chunks", "--json", "--exact"];
    for more in [&[][..], &["--linkage", "single"], &["--refine"], &["--key", "a secret"], &["--threshold", "0.2"]] {
        let scan = |limits: &[&str], names: &[String]| {
            let mut command = lookalike(flags);
            command.args(more).args(limits).arg("--stdin").current_dir(dir.path());
            run_with(&mut command, names.join("\n").as_bytes()).expect(0).stdout
        };
        names.sort();
        let first = scan(&["-j", "2", "--memory", "4G"], &names);
        Random(233).shuffle(&mut names);
        let second = scan(&["-j", "1", "--memory", "16M"], &names);
        let report: Value = serde_json::from_str(&first).expect("JSON");
        assert!(report["summary"]["clusters"].as_u64() > Some(10), "there is something to compare: {more:?}");
        assert!(first == second, "{more:?}: the reports differ");
        assert!(!first.contains("a secret"), "the key stays secret");
    }
    names.sort();
    let list = run_with(lookalike(flags).arg("--stdin").current_dir(dir.path()), names.join("\n").as_bytes());
    let walked = run(lookalike(flags).arg("docs").current_dir(dir.path()));
    assert!(list.expect(0).stdout == walked.expect(0).stdout, "a list and a folder");
}

/// With a cache the second scan reads only what has changed, and the report is the same byte for byte.
#[cfg(unix)]
#[test]
fn a_cache_changes_nothing_but_the_work() {
    use std::time::{Duration, UNIX_EPOCH};
    let dir = Dir::new();
    let mut random = Random(311);
    for page in 0..20 {
        let text = random.text(400 + page);
        dir.write(format!("docs/{page}.txt"), &text);
        dir.write(format!("docs/copy-{page}.txt"), text.replacen("river", "lake", 1));
    }
    let plain = |flags: &[&str]| {
        let mut command = lookalike(["files", "docs", "--json"]);
        run(command.args(flags).current_dir(dir.path())).expect(0).stdout
    };
    let cached = || {
        let report: Value = serde_json::from_str(&plain(&["--cache", "cache", "--stats"])).expect("a report");
        let phases = report["phases"].as_array().expect("phases").iter();
        phases.filter_map(|phase| phase["cached"].as_u64()).sum::<u64>()
    };
    let before = plain(&[]);
    // what was touched a moment ago is not kept: it may change once more without its times telling
    std::thread::sleep(Duration::from_millis(2100));
    assert_eq!(cached(), 0);
    assert_eq!(plain(&["--cache", "cache"]), before);
    assert_eq!(cached(), 40);
    for flags in [&["--exact"][..], &["--refine"], &["-j1"], &["--memory", "16M"]] {
        assert_eq!(plain(&[flags, &["--cache", "cache"]].concat()), plain(flags), "{flags:?}");
    }
    // the same size and the same time of the last change: only the inode tells
    let file = dir.at("docs/3.txt");
    let (text, time) = (std::fs::read_to_string(&file).expect("text"), file.metadata().expect("a file").modified());
    let changed: String = text.chars().rev().collect();
    std::fs::write(&file, changed).expect("it is ours");
    let handle = std::fs::File::options().write(true).open(&file).expect("it is ours");
    handle.set_modified(time.unwrap_or(UNIX_EPOCH)).expect("it is ours");
    assert_eq!(cached(), 39);
    assert_eq!(plain(&["--cache", "cache"]), plain(&[]));
    assert_ne!(plain(&[]), before);
    // a damaged cache is as good as none
    for entry in std::fs::read_dir(dir.at("cache")).expect("a folder") {
        std::fs::write(entry.expect("a file").path(), "something else").expect("it is ours");
    }
    assert_eq!(plain(&["--cache", "cache"]), plain(&[]));
}
