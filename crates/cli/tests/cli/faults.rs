//! Full disks, Ctrl-C and kill: a clear message, and nothing half-written stays behind.

use crate::command::{Outcome, Running, lookalike, run, shell};
use crate::corpus::{documents, write};
use crate::dir::{Dir, names_in};
use crate::words::{Random, line, sentences};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Runs the command where no file may grow beyond so many blocks (of 512 or 1024 bytes, as the shell has it):
/// then writing fails as on a full disk.
fn on_a_full_disk(blocks: u32, arguments: &str, dir: &Dir) -> Outcome {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$LOOKALIKE\" {arguments}");
    run(shell(&script).current_dir(dir.path()))
}

#[track_caller]
fn says(outcome: &Outcome, words: &[&str]) {
    for word in words {
        assert!(outcome.stderr.contains(word), "no {word:?} in: {}", outcome.stderr);
    }
    assert_eq!(outcome.stderr.lines().count(), 1, "one message: {}", outcome.stderr);
}

#[test]
fn a_full_disk_under_the_spill_files() {
    let dir = Dir::new();
    write(&dir, "corpus.jsonl", &documents(1500, 51));
    let (tmp, out) = (dir.folder("tmp"), dir.folder("out"));
    let flags = "scan corpus.jsonl --tmp tmp --output out/report.json --json --pairs out/pairs.csv --save out/run";
    // from the first spool to the last
    for blocks in [0, 8, 64, 200] {
        let failed = on_a_full_disk(blocks, flags, &dir).expect(2);
        says(&failed, &["tmp", "free some space", "another folder"]);
        assert_eq!(failed.stdout, "");
        assert_eq!((names_in(&tmp), names_in(&out)), (vec![], vec![]), "{blocks} blocks");
    }
}

#[test]
fn a_full_disk_under_spilled_streams() {
    let dir = Dir::new();
    write(&dir, "corpus.jsonl", &documents(1500, 52));
    dir.folder("tmp");
    let failed = on_a_full_disk(100, "scan - --tmp tmp < corpus.jsonl", &dir).expect(2);
    says(&failed, &["tmp", "free some space"]);
    assert_eq!((failed.stdout.as_str(), names_in(&dir.at("tmp"))), ("", vec![]));
}

/// Ids that take six times as many bytes in a report as in the catalogue.
fn long_ids(dir: &Dir) {
    let id = |at: usize| format!("{at:05}{}", "\u{1}".repeat(120));
    dir.write("corpus.jsonl", (0..3000).map(|at| line(&id(at), "a few words in all of them")).collect::<String>());
}

#[test]
fn a_full_disk_under_the_report() {
    let dir = Dir::new();
    long_ids(&dir);
    let out = dir.folder("out");
    fs::write(out.join("old.json"), "the report of yesterday").expect("written");
    for name in ["new.json", "old.json"] {
        let failed = on_a_full_disk(1300, &format!("scan corpus.jsonl --json --output out/{name}"), &dir).expect(2);
        says(&failed, &[&format!("out/{name}"), "free some space"]);
        assert_eq!((failed.stdout.as_str(), names_in(&out)), ("", vec!["old.json".to_owned()]));
    }
    assert_eq!(fs::read_to_string(out.join("old.json")).expect("still there"), "the report of yesterday");
}

#[test]
fn a_full_disk_under_standard_output() {
    let dir = Dir::new();
    long_ids(&dir);
    let failed = on_a_full_disk(1300, "scan corpus.jsonl --json > report.json", &dir).expect(2);
    says(&failed, &["standard output"]);
    if Path::new("/dev/full").exists() {
        let verbs = ["scan corpus.jsonl", "scan corpus.jsonl --csv", "compare corpus.jsonl corpus.jsonl", "man"];
        for verb in verbs.into_iter().chain(["--help", "scan -h", "--version"]) {
            let failed = run(shell(&format!("exec \"$LOOKALIKE\" {verb} > /dev/full")).current_dir(dir.path()));
            says(&failed.expect(2), &["standard output"]);
        }
    }
}

/// A variable of the shell that is not set is no key, and nobody has more cores than this.
#[test]
fn an_empty_key_and_endless_threads() {
    let dir = Dir::new();
    write(&dir, "corpus.jsonl", &documents(5, 55));
    for line in ["sketch corpus.jsonl -o x.lka", "scan corpus.jsonl", "index build ix corpus.jsonl"] {
        let mut command = lookalike(line.split(' '));
        let refused = run(command.env("LOOKALIKE_KEY", "").current_dir(dir.path())).expect(2);
        assert!(refused.stderr.contains("expected a secret, found none"), "{}", refused.stderr);
        let refused = run(lookalike(line.split(' ')).args(["--key", ""]).current_dir(dir.path())).expect(2);
        assert!(refused.stderr.contains("--key"), "{}", refused.stderr);
        for threads in ["1025", "18446744073709551615"] {
            let refused = run(lookalike(line.split(' ')).args(["-j", threads]).current_dir(dir.path())).expect(2);
            assert!(refused.stderr.contains("from 0 to 1024"), "{}", refused.stderr);
        }
    }
    assert_eq!(dir.names(), ["corpus.jsonl"]);
}

/// An index of documents and a store of fingerprints are folders of the same make.
#[test]
fn another_kind_of_folder() {
    let dir = Dir::new();
    dir.write("d.txt", "a few words of a document that nobody has seen before\n");
    run(shell("echo insert 00000000000000ff 1 | \"$LOOKALIKE\" simhash online near").current_dir(dir.path())).expect(0);
    run(lookalike(["index", "build", "ix", "d.txt", "-q"]).current_dir(dir.path())).expect(0);
    for (line, words) in [
        ("query near d.txt", "is no index of documents"),
        ("index add near d.txt -q", "is no index of documents"),
        ("simhash online ix", "expected a folder of kind"),
    ] {
        let refused = run(lookalike(line.split(' ')).current_dir(dir.path())).expect(2);
        assert!(refused.stderr.contains(words) && !refused.stderr.contains("damaged"), "{}", refused.stderr);
    }
}

/// Given code that is silently not given makes false accusations.
#[cfg(target_os = "linux")]
#[test]
fn a_named_file_that_cannot_be_read() {
    let dir = Dir::new();
    dir.write("d.py", "print('a few words')\n".repeat(20));
    // can be opened, but nobody can read its first byte
    std::os::unix::fs::symlink("/proc/self/mem", dir.at("e.py")).expect("linked");
    let with = |line: &str| run(lookalike(line.split(' ')).current_dir(dir.path()));
    with("index build ix d.py -q").expect(0);
    for line in [
        "scan e.py",
        "scan d.py e.py -q --exit-code",
        "files e.py -q",
        "sketch d.py e.py -o x.lka -q",
        "simhash fingerprint e.py",
        "copies d.py --base e.py -q",
        "copies d.py --archive e.py -q",
        "index add ix e.py -q",
        "index add ix e.py -q --sweep 2026-05-15",
    ] {
        let failed = with(line).expect(2);
        assert!(failed.stderr.contains("e.py"), "{line}: {}", failed.stderr);
    }
}

/// Rust opens /dev/null in its place.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output() {
    let dir = Dir::new();
    write(&dir, "corpus.jsonl", &documents(20, 54));
    let with = |line: &str| run(shell(&format!("exec \"$LOOKALIKE\" {line}")).current_dir(dir.path()));
    for verb in ["scan corpus.jsonl", "scan corpus.jsonl --json", "compare corpus.jsonl corpus.jsonl", "man", "--help"]
    {
        says(&with(&format!("{verb} >&-")).expect(2), &["standard output", "closed"]);
        with(&format!("{verb} > /dev/null")).expect(0);
    }
    with("simhash online near < /dev/null >&-").expect(2);
    // what goes to a file needs none
    with("scan corpus.jsonl -q -o report.txt >&-").expect(0);
}

/// Families in which every two are near: many pairs of few documents.
fn families(dir: &Dir) {
    let mut random = Random(53);
    let mut lines = String::new();
    for family in 0..30 {
        let words = random.words(60);
        for at in 0..80 {
            lines += &line(&format!("{family}-{at}"), &sentences(&random.mutate(&words, 1)));
        }
    }
    dir.write("corpus.jsonl", lines);
}

#[test]
fn a_full_disk_under_the_pairs() {
    let dir = Dir::new();
    families(&dir);
    let out = dir.folder("out");
    for name in ["pairs.csv", "pairs.tsv", "pairs.jsonl"] {
        let failed = on_a_full_disk(2400, &format!("scan corpus.jsonl --pairs out/{name}"), &dir).expect(2);
        says(&failed, &[&format!("out/{name}"), "free some space"]);
        assert_eq!((failed.stdout.as_str(), names_in(&out)), ("", vec![]));
    }
}

#[test]
fn a_full_disk_under_a_saved_run() {
    let dir = Dir::new();
    families(&dir);
    let out = dir.folder("out");
    let failed = on_a_full_disk(2400, "scan corpus.jsonl --save out/run", &dir).expect(2);
    says(&failed, &["pairs", "free some space"]);
    assert_eq!((failed.stdout.as_str(), names_in(&out)), ("", vec![]));
}

/// Output that cannot be made is refused before anything is read: an hour of scanning would be lost.
#[test]
fn impossible_outputs_are_refused_at_once() {
    let dir = Dir::new();
    let taken = dir.folder("taken");
    for flags in [["--output", "missing/x"], ["--pairs", "missing/x"], ["--save", "missing/x"], ["--save", "taken"]] {
        // a stream that gives nothing and does not end
        let mut running =
            Running::start(lookalike(["scan", "-"]).args(flags).current_dir(dir.path()).stdin(Stdio::piped()));
        let stdin = running.child.stdin.take();
        let failed = running.finish_within(Duration::from_secs(5)).expect(2);
        drop(stdin);
        says(&failed, &[flags[1]]);
        assert_eq!((names_in(&taken), dir.names()), (vec![], vec!["taken".to_owned()]));
    }
}

fn endless(dir: &Dir) -> Command {
    let mut command = lookalike(["scan", "-", "--json", "--tmp", "tmp", "--output", "out/report.json"]);
    command.args(["--pairs", "out/pairs.csv", "--save", "out/run"]).current_dir(dir.path()).stdin(Stdio::piped());
    command
}

/// Feeds documents until the command is gone; pauses after the first so many.
fn feed(running: &mut Running, pause_after: usize) -> thread::JoinHandle<()> {
    let mut stdin = running.child.stdin.take().expect("piped");
    thread::spawn(move || {
        let mut random = Random(54);
        for at in 0.. {
            if stdin.write_all(line(&format!("e{at}"), &random.text(200)).as_bytes()).is_err() {
                return;
            }
            if at >= pause_after {
                thread::sleep(Duration::from_millis(50));
            }
        }
    })
}

#[track_caller]
fn interrupted(pause_after: usize) {
    let dir = Dir::new();
    let (tmp, out) = (dir.folder("tmp"), dir.folder("out"));
    let mut running = Running::start(&mut endless(&dir));
    let feeder = feed(&mut running, pause_after);
    thread::sleep(Duration::from_millis(1500));
    let asked = Instant::now();
    running.signal("INT");
    let outcome = running.finish_within(Duration::from_secs(30)).expect(130);
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(5), "took {took:?} to stop");
    assert_eq!(outcome.stdout, "");
    assert_eq!((names_in(&tmp), names_in(&out)), (vec![], vec![]));
    feeder.join().expect("feeding does not panic");
}

#[test]
fn ctrl_c_while_waiting_for_input() {
    interrupted(10);
}

#[test]
fn ctrl_c_while_reading() {
    interrupted(usize::MAX);
}

#[test]
fn a_kill_leaves_no_spill_files() {
    let dir = Dir::new();
    let tmp = dir.folder("tmp");
    dir.folder("out");
    let mut command = endless(&dir);
    let mut running = Running::start(command.args(["--memory", "16M"]));
    let feeder = feed(&mut running, usize::MAX);
    thread::sleep(Duration::from_secs(1));
    running.signal("KILL");
    let outcome = running.finish_within(Duration::from_secs(5));
    assert_eq!(outcome.code, None, "killed, not ended by itself: {}", outcome.stderr);
    assert_eq!((names_in(&tmp), names_in(&dir.at("out"))), (vec![], vec![]));
    feeder.join().expect("feeding does not panic");
}

#[test]
fn no_folder_for_spill_files() {
    let dir = Dir::new();
    dir.write("a.txt", "some words");
    let failed = run(lookalike(["scan", "a.txt", "--tmp", "nowhere"]).current_dir(dir.path())).expect(2);
    says(&failed, &["nowhere", "--tmp"]);
    assert_eq!(failed.stdout, "");
}

#[test]
fn a_cause_is_told_once() {
    let dir = Dir::new();
    long_ids(&dir);
    for failed in [
        on_a_full_disk(8, "scan corpus.jsonl", &dir),
        on_a_full_disk(1300, "scan corpus.jsonl --json --output report.json", &dir),
        run(lookalike(["scan", "corpus.jsonl", "--tmp", "nowhere"]).current_dir(dir.path())),
        run(lookalike(["scan", "nowhere"]).current_dir(dir.path())),
    ] {
        assert_eq!(failed.stderr.matches("os error").count(), 1, "{}", failed.stderr);
    }
}
