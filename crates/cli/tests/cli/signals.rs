//! Signals that ask the program to stop, and those that were ignored when it started.

use crate::command::{Running, lookalike, shell};
use crate::dir::Dir;
use crate::words::{Random, line, sentences};
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Starts a scan of standard input and waits until it reads; then sends signals, gives it the rest of its input, and returns its code
/// and what it printed.
fn scan_with(command: &mut Command, signals: &[&str]) -> (Option<i32>, String) {
    let mut running = Running::start(command.stdin(Stdio::piped()));
    let mut stdin = running.child.stdin.take().expect("piped");
    let text = sentences(&Random(7).words(60));
    let fill = line("first", &text).into_bytes();
    // more than a pipe holds: it was read when all of it is written, and handlers were set before
    let ignored = vec![b'\n'; 1 << 20];
    for bytes in [&fill[..], &ignored] {
        stdin.write_all(bytes).expect("it reads");
    }
    for signal in signals {
        running.signal(signal);
        thread::sleep(Duration::from_millis(200));
    }
    // one that was stopped reads no more
    let _ = stdin.write_all(line("second", &text).as_bytes());
    drop(stdin);
    let outcome = running.finish_within(Duration::from_secs(30));
    (outcome.code, outcome.stdout)
}

fn scan(before: &str) -> Command {
    shell(&format!("{before} exec \"$LOOKALIKE\" scan - --csv -q"))
}

#[test]
fn each_signal_stops_a_verb() {
    for signal in ["INT", "TERM", "HUP"] {
        let (code, printed) = scan_with(&mut lookalike(["scan", "-", "--csv", "-q"]), &[signal]);
        assert_eq!((code, printed.as_str()), (Some(130), ""), "{signal}");
    }
}

/// As under `nohup`, and as in the background of a script.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    for ignored in ["HUP", "INT", "TERM"] {
        let (code, printed) = scan_with(&mut scan(&format!("trap '' {ignored};")), &[ignored, ignored]);
        assert_eq!(code, Some(0), "{ignored}");
        assert!(printed.contains("first") && printed.contains("second"), "{ignored}: {printed}");
    }
    // the others stop it all the same
    for (ignored, signal) in [("HUP", "INT"), ("HUP", "TERM"), ("INT", "HUP")] {
        let (code, printed) = scan_with(&mut scan(&format!("trap '' {ignored};")), &[ignored, signal]);
        assert_eq!((code, printed.as_str()), (Some(130), ""), "{ignored} ignored, {signal} sent");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nohup_keeps_a_verb() {
    let dir = Dir::new();
    let mut command = shell("exec nohup \"$LOOKALIKE\" scan - --csv -q");
    let (code, printed) = scan_with(command.current_dir(dir.path()), &["HUP"]);
    assert_eq!(code, Some(0));
    assert!(printed.contains("second"), "{printed}");
}
