//! A scan by chunks and a sketch that are stopped: exit code 130, and nothing is left behind.

use crate::command::{Running, lookalike};
use crate::dir::{Dir, names_in};
use crate::words::{Random, line};
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

#[track_caller]
fn stopped(arguments: &[&str]) {
    let dir = Dir::new();
    let (tmp, out) = (dir.folder("tmp"), dir.folder("out"));
    let mut command = lookalike(arguments);
    command.args(["-", "--tmp", "tmp"]).current_dir(dir.path()).stdin(Stdio::piped());
    let mut running = Running::start(&mut command);
    let mut stdin = running.child.stdin.take().expect("piped");
    let feeder = thread::spawn(move || {
        let mut random = Random(271);
        // until nobody reads any more
        for at in 0.. {
            if stdin.write_all(line(&format!("e{at}"), &random.text(400)).as_bytes()).is_err() {
                return;
            }
        }
    });
    thread::sleep(Duration::from_millis(800));
    let asked = Instant::now();
    running.signal("INT");
    let outcome = running.finish_within(Duration::from_secs(30)).expect(130);
    assert!(asked.elapsed() < Duration::from_secs(10), "took {:?} to stop", asked.elapsed());
    assert_eq!(outcome.stdout, "");
    assert_eq!((names_in(&tmp), names_in(&out)), (vec![], vec![]));
    feeder.join().expect("feeding does not panic");
}

#[test]
fn a_scan() {
    let results = ["--save", "out/run", "--xlsx", "out/x.xlsx", "--pairs", "out/p.csv", "-o", "out/report"];
    stopped(&[&["scan", "--lens", "chunks"], &results[..]].concat());
    stopped(&[&["scan", "--lens", "chunks", "--refine"], &results[2..]].concat());
}

#[test]
fn a_sketch() {
    stopped(&["sketch", "-o", "out/x.lka"]);
    stopped(&["sketch", "--lens", "shingles", "-o", "out/x.lka"]);
}
