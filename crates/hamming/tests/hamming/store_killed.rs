//! A store whose process is killed at random moments while several threads write: nothing acknowledged is lost.
//!
//! The child is this very program, told by its environment what to do. It tells what was acknowledged, line by line, on a pipe.
#![cfg(unix)]

use lookalike_hamming::store::{OnlineStore, StoreOptions};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const MOMENTS: u64 = 200;
const THREADS: u64 = 4;
const ROLE: &str = "LOOKALIKE_ONLINE_CHILD";

fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The fingerprint of an id: those of four ids are near each other.
fn fingerprint_of(id: u64) -> u64 {
    mixed(id / 4) ^ (1 << (id % 4))
}

fn options(sync: bool, background: bool) -> StoreOptions {
    StoreOptions { memtable: 40, sync, background, memory: 1 << 20, ..StoreOptions::default() }
}

/// Inserts and deletes without end.
fn child(path: &Path, round: u64) {
    let store: OnlineStore<u64> = OnlineStore::open(path, &options(round.is_multiple_of(2), true)).expect("it opens");
    // a line is written at once
    let tell = |line: String| std::io::stdout().lock().write_all(line.as_bytes()).expect("somebody listens");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, tell) = (&store, &tell);
            scope.spawn(move || {
                for number in 0.. {
                    let id = (round * THREADS + thread) << 32 | number;
                    assert!(store.insert(fingerprint_of(id), id).expect("inserted"));
                    tell(format!("\ncame {id} .\n"));
                    if number % 5 == 4 {
                        let old = id - 3;
                        tell(format!("\nleaves {old} .\n"));
                        assert!(store.delete(fingerprint_of(old), old).expect("deleted"));
                        tell(format!("\nleft {old} .\n"));
                    }
                }
            });
        }
    });
}

fn start(path: &Path, round: u64) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "store_killed::nothing_acknowledged_is_lost", "--nocapture"])
        .env(ROLE, format!("{round} {}", path.display()));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// What is known of an id.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Came,
    MayHaveLeft,
    Left,
}

/// Every id is where it should be.
fn check(store: &OnlineStore<u64>, known: &BTreeMap<u64, Known>) {
    for (id, known) in known {
        let found = store.near(fingerprint_of(*id), 0, usize::MAX).expect("readable");
        let there = found.matches.iter().any(|hit| hit.id == *id);
        assert!(*known == Known::MayHaveLeft || there == (*known == Known::Came), "{id} {known:?}, there: {there}");
    }
}

#[test]
fn nothing_acknowledged_is_lost() {
    if let Ok(role) = std::env::var(ROLE) {
        let (round, path) = role.split_once(' ').expect("two words");
        return child(Path::new(path), round.parse().expect("a number"));
    }
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("store");
    let (mut all, mut in_vain) = (BTreeMap::new(), 0);
    for round in 0..MOMENTS {
        let mut child = start(&path, round);
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut text = String::new();
        // most are killed at work, some before they begin: while the store is opened, or its log is read
        while round % 4 > 0 && !text.contains("came") && out.read_line(&mut text).expect("letters") > 0 {}
        std::thread::sleep(Duration::from_micros(mixed(round) % 60_000));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        out.read_to_string(&mut text).expect("letters");
        let mut known = BTreeMap::new();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let [what, id, "."] = words[..] else { continue };
            let what = match what {
                "came" => Known::Came,
                "leaves" => Known::MayHaveLeft,
                "left" => Known::Left,
                _ => continue,
            };
            known.insert(id.parse::<u64>().expect("a number"), what);
        }
        in_vain += u64::from(known.is_empty());
        let store = OnlineStore::open(&path, &options(false, false)).expect("it opens again");
        check(&store, &known);
        if round % 20 == 19 {
            let wrong = store.verify();
            assert!(wrong.is_empty(), "{wrong:?}");
        }
        all.append(&mut known);
    }
    assert!(in_vain < MOMENTS / 2, "{in_vain} of {MOMENTS} were killed before they did anything");
    let store = OnlineStore::open(&path, &options(false, true)).expect("it opens");
    check(&store, &all);
    assert!(store.verify().is_empty());
    let came = all.values().filter(|known| **known == Known::Came).count() as u64;
    assert!(store.len() >= came && came > MOMENTS, "{came} came, {} are there", store.len());
}
