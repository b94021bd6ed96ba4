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
