//! A grammar that crashes or never ends costs one file. Debug builds of the parser fail on a word, if they are told so.

use crate::command::{Running, lookalike, run};
use crate::copies::cohort;
use crate::dir::Dir;
use serde_json::Value;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// The cohort, and one more whose file holds the word, in a statement that only a parser can tell.
fn with_victim() -> Dir {
    let dir = Dir::new();
    cohort(&dir);
    let alice = fs::read_to_string(dir.at("handed-in/alice.py")).expect("of the cohort");
    dir.write("handed-in/victim.py", alice + "\nmatch unlucky:\n    case _:\n        pass\n");
    dir
}

fn faulty(dir: &Dir, fault: &str, arguments: &[&str]) -> Command {
    let mut command = lookalike(arguments);
    command.current_dir(dir.path()).env("LOOKALIKE_PARSER_FAULT", fault);
    command
}

/// The files that were read word by word, and why.
fn degraded(report: &Value) -> Vec<(String, String)> {
    let submissions = report["passages"]["submissions"].as_array().expect("a list");
    let files = submissions.iter().flat_map(|submission| submission["files"].as_array().expect("a list"));
    let reason = |file: &Value| {
        let text = |name: &str| file[name].as_str().map(str::to_owned);
        Some((text("name")?, text("degraded")?))
    };
    files.filter_map(reason).collect()
}

#[test]
fn a_crash_costs_one_file_whatever_the_threads() {
    let dir = with_victim();
    let copies = |threads| ["copies", "handed-in", "--json", "-j", threads];
    let report = run(&mut faulty(&dir, "abort:unlucky", &copies("1"))).json();
    let found = degraded(&report);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0.ends_with("victim.py") && found[0].1 == "the grammar of Python crashed on it", "{found:?}");
    assert_eq!(run(&mut faulty(&dir, "abort:unlucky", &copies("3"))).json(), report);
    // all others are what they are without it
    let sound = run(&mut faulty(&dir, "abort:nobody-wrote-this", &copies("2"))).json();
    assert_eq!(degraded(&sound), []);
    let tokens = |report: &Value| {
        let submissions = report["passages"]["submissions"].as_array().expect("a list").clone();
        let others =
            submissions.into_iter().filter(|one| !one["name"].as_str().expect("a name").ends_with("victim.py"));
        others.map(|one| one["tokens"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(tokens(&report), tokens(&sound));
}

#[test]
fn an_index_is_built_and_asked_all_the_same() {
    let dir = with_victim();
    let build = ["index", "build", "x.index", "handed-in", "--lens", "passages", "--json"];
    let built = run(&mut faulty(&dir, "abort:unlucky", &build)).json();
    assert_eq!(built["added"], 17, "{built}");
    let query = ["query", "x.index", "handed-in/victim.py", "--json"];
    let answer = run(&mut faulty(&dir, "abort:unlucky", &query)).json();
    assert_eq!(answer["known"], true, "{answer}");
}

#[test]
fn a_grammar_that_never_ends_is_ended() {
    let dir = with_victim();
    let report = run(&mut faulty(&dir, "hang:unlucky", &["copies", "handed-in", "--json"])).json();
    assert_eq!(degraded(&report).len(), 1);
}

/// A parser that another program stops uses no processor time. It is ended, the others go on.
#[test]
fn a_grammar_that_is_stopped_is_ended() {
    let dir = with_victim();
    let report = run(&mut faulty(&dir, "stop:unlucky", &["copies", "handed-in", "--json"])).json();
    let found = degraded(&report);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0.ends_with("victim.py") && found[0].1.contains("took more than 5 minutes"), "{found:?}");
}

/// The time of parsers counts as time of the run.
#[test]
#[cfg(target_os = "linux")]
fn the_processor_time_of_parsers_is_counted() {
    let dir = with_victim();
    // a second of processor time, twice if it were tried again
    let report = run(&mut faulty(&dir, "hang:unlucky", &["copies", "handed-in", "--json", "--stats"])).json();
    let seconds = report["usage"]["cpu_seconds"].as_f64().expect("a number");
    // the system counts in ticks, and less of them on a busy machine
    assert!(seconds >= 0.5, "{seconds} seconds");
    let reasons = degraded(&report);
    assert!(reasons[0].1.contains("30 seconds of processor time"), "{reasons:?}");
}

/// Processes of the group, by what the system says of all that are there.
fn group_members(group: u32) -> usize {
    let stat = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("stat")).ok();
    let is_member = |stat: &String| {
        // after the name, which stands in brackets: state, parent, group
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let (state, group_of) = (fields.next(), fields.nth(1));
        state != Some("Z") && group_of == Some(&group.to_string())
    };
    fs::read_dir("/proc").expect("Linux").flatten().filter_map(stat).filter(is_member).count()
}

/// A parser that is busy when the run is killed goes too.
#[test]
#[cfg(target_os = "linux")]
fn no_parser_outlives_its_run() {
    let dir = with_victim();
    let mut running = Running::start(&mut faulty(&dir, "hang:unlucky", &["copies", "handed-in", "--json", "-j", "1"]));
    let group = running.child.id();
    let until = Instant::now() + Duration::from_secs(30);
    while group_members(group) < 2 {
        assert!(Instant::now() < until, "no parser was started");
        std::thread::sleep(Duration::from_millis(2));
    }
    running.child.kill().expect("it runs");
    while group_members(group) > 0 {
        assert!(Instant::now() < until, "a parser is left");
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(running.finish().code, None);
}
