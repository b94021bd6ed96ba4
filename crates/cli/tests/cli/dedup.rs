//! A corpus without its near-duplicates, from the outside.

use crate::command::{lookalike, run};
use crate::corpus::{documents, jsonl};
use crate::dir::Dir;
use crate::outputs::man_pages;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

fn corpus() -> Dir {
    let dir = Dir::new();
    let all = documents(300, 5);
    for (at, some) in all.chunks(all.len().div_ceil(3)).enumerate() {
        dir.write(format!("in/part-{at}.jsonl"), jsonl(some));
    }
    dir
}

/// Every file below a folder and its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(&path).expect("a file");
                found.insert(path.strip_prefix(folder).expect("below it").to_owned(), bytes);
            }
        }
    }
    found
}

#[test]
fn what_a_newcomer_sees() {
    let dir = corpus();
    let told = run(lookalike(["dedup", "in", "-o", "out", "--html", "page.html"]).current_dir(dir.path())).expect(0);
    assert!(told.stdout.contains("documents removed") && told.stdout.contains("out: corpus/"), "{}", told.stdout);
    assert!(told.stderr.contains("needs") && told.stderr.contains("of disk"), "{}", told.stderr);
    let page = fs::read_to_string(dir.at("page.html")).expect("the page");
    assert!(page.contains("Rates by source") && page.contains("<details>"));
    assert_eq!(page.matches("<script").count(), 1, "the choice of colours");
    let summary: Value = serde_json::from_slice(&fs::read(dir.at("out/summary.json")).expect("a file")).expect("JSON");
    let lines = |folder: &str| {
        let all = files(&dir.at(folder));
        all.values().map(|bytes| bytes.split(|b| *b == b'\n').count() as u64 - 1).sum::<u64>()
    };
    assert!(summary["removed"].as_u64() > Some(20));
    assert_eq!(Some(lines("in") - lines("out/corpus")), summary["removed"].as_u64());
    let json = run(lookalike(["dedup", "in", "--dry-run", "--json", "-q"]).current_dir(dir.path())).expect(0).stdout;
    let told: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(told["removed"], summary["removed"]);
    assert!(!dir.at("out.partial").exists());
}

#[test]
fn wrong_asks_are_refused() {
    let dir = corpus();
    dir.write("in/bad.jsonl.zst", "not compressed");
    dir.folder("there");
    for (arguments, expected) in [
        (&["in"][..], "--output"),
        (&["in", "-o", "there"], "there exists already"),
        (&["in", "-o", "out"], "bad.jsonl.zst"),
        (&["nowhere/*.jsonl", "-o", "out"], "nowhere/*.jsonl"),
        (&["in/part-0.jsonl", "-o", "out", "--text-field", "body"], "use --text-field text"),
        (&["in/part-0.jsonl", "-o", "out", "--id-field", "idd"], "use --id-field id"),
        (&["in/part-0.jsonl", "-o", "out", "--keep", "best:qualitty"], "--keep best:FIELD"),
        (&["in/part-0.jsonl", "-o", "out", "--source-field", "nosuch"], "--source-field"),
        (&["in/part-0.jsonl", "-o", "out", "--drop-only-from", "in/c"], "no source is called \"in/c\""),
        (&["in/part-0.jsonl", "-o", "out", "--keep", "source-priority:a,b"], "--keep source-priority"),
        (
            &["in/part-0.jsonl", "-o", "out", "--against", "in/part-1.jsonl", "--against-field", "q"],
            "use --against-field text",
        ),
        (&["in/part-0.jsonl", "-o", "out", "--keep", "best"], "best"),
        (&["in/part-0.jsonl", "-o", "out", "--against", "there"], "there"),
        (&["in/part-0.jsonl", "-o", "out", "--paragraphs", "--exact-substrings"], "cannot be used with"),
        (&["in/part-0.jsonl", "-o", "out", "--like", "unknown"], "fineweb"),
    ] {
        let told = run(lookalike([&["dedup"], arguments].concat()).current_dir(dir.path())).expect(2);
        assert!(told.stderr.contains(expected), "{arguments:?}: {}", told.stderr);
        assert!(!dir.at("out").exists() && !dir.at("out.partial").exists(), "{arguments:?}");
    }
}

#[test]
fn pieces_are_cut() {
    let dir = Dir::new();
    let shared = "this paragraph of more than ten words stands in every document of the corpus";
    let lines: String = (0..5)
        .map(|at| {
            serde_json::json!({ "id": at, "text": format!("own {at}\n\n{shared}\n\nend {at}") }).to_string() + "\n"
        })
        .collect();
    dir.write("a.jsonl", lines);
    for flag in ["--paragraphs", "--paragraphs=line", "--exact-substrings=12"] {
        let out = dir.at(format!("out{flag}"));
        let command = ["dedup", "a.jsonl", flag, "-o", out.to_str().expect("UTF-8")];
        let told = run(lookalike(command).current_dir(dir.path())).expect(0);
        assert!(told.stdout.contains("4 repeated"), "{flag}: {}", told.stdout);
        let text = fs::read_to_string(out.join("corpus/a.jsonl")).expect("a shard");
        assert_eq!(text.matches("stands in every document").count(), 1, "{flag}: {text}");
        assert_eq!(text.lines().count(), 5);
    }
}

/// Moments at which a run is killed.
const MOMENTS: u32 = 20;

#[test]
fn killed_at_any_moment_it_goes_on() {
    let dir = Dir::new();
    let all = documents(4000, 9);
    for (at, some) in all.chunks(all.len().div_ceil(8)).enumerate() {
        dir.write(format!("in/part-{at}.jsonl"), jsonl(some));
    }
    let begin = Instant::now();
    run(lookalike(["dedup", "in", "-o", "whole", "-q"]).current_dir(dir.path())).expect(0);
    let (took, expected) = (begin.elapsed(), files(&dir.at("whole")));
    let mut stopped = 0;
    for moment in 0..MOMENTS {
        let out = format!("out{moment}");
        let mut command = lookalike(["dedup", "in", "-o", &out, "-q"]);
        let mut child = command.current_dir(dir.path()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(took * (2 * moment + 1) / (2 * MOMENTS));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        if !dir.at(&out).exists() || dir.at(format!("{out}.partial")).exists() {
            stopped += 1;
            let again = run(lookalike(["dedup", "in", "-o", &out, "-q", "--resume"]).current_dir(dir.path()));
            again.expect(0);
        }
        assert!(files(&dir.at(&out)) == expected, "moment {moment}");
        assert!(!dir.at(format!("{out}.partial")).exists(), "moment {moment}");
    }
    assert!(stopped > 5 || took < Duration::from_millis(200), "{stopped} of {MOMENTS}");
}

#[test]
fn killed_while_it_reads_it_keeps_the_files_that_it_has_read() {
    let dir = Dir::new();
    let all = documents(6000, 9);
    for (at, some) in all.chunks(all.len().div_ceil(30)).enumerate() {
        dir.write(format!("in/part-{at:02}.jsonl"), jsonl(some));
    }
    run(lookalike(["dedup", "in", "-o", "whole", "-q"]).current_dir(dir.path())).expect(0);
    let start = |more: &[&str]| {
        let mut command = lookalike([&["dedup", "in", "-o", "out", "-q", "-j", "1"], more].concat());
        command.current_dir(dir.path()).stderr(Stdio::null()).spawn().expect("it starts")
    };
    let step = dir.at("out.partial").join("work/reading.step");
    let so_far = || fs::read_to_string(&step).ok().filter(|step| !step.is_empty());
    let (mut kills, mut before) = (0, None);
    while kills < 5 {
        let mut child = start(if kills == 0 { &[] } else { &["--resume"] });
        // it is killed as soon as it has kept more than the last run
        while so_far().is_none() || so_far() == before {
            if child.try_wait().expect("it runs or has ended").is_some() {
                break;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        if so_far().is_none() {
            break;
        }
        (kills, before) = (kills + 1, so_far());
    }
    assert!(kills > 0, "it was never killed while it read");
    if !dir.at("out").exists() {
        run(lookalike(["dedup", "in", "-o", "out", "-q", "--resume"]).current_dir(dir.path())).expect(0);
    }
    assert!(files(&dir.at("out")) == files(&dir.at("whole")));
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_what_is_kept() {
    let dir = Dir::new();
    let all = documents(8000, 9);
    let chunks: Vec<_> = all.chunks(all.len().div_ceil(40)).map(jsonl).collect();
    for (at, some) in chunks.iter().enumerate() {
        dir.write(format!("many/part-{at:02}.jsonl"), some);
    }
    dir.write("one/all.jsonl", chunks.concat().repeat(4));
    let interrupted = |input: &str, wait_for: &str| {
        let mut command = lookalike(["dedup", input, "-o", "out", "-j", "1"]);
        let child = command.current_dir(dir.path()).stderr(Stdio::piped()).spawn().expect("it starts");
        let begin = Instant::now();
        while !dir.at("out.partial").join(wait_for).exists() && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_micros(200));
        }
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    let (code, told) = interrupted("many", "work/reading.step");
    assert_eq!(code, Some(130), "{told}");
    let step = fs::read_to_string(dir.at("out.partial").join("work/reading.step")).expect("it is kept");
    let last = step.split("\"last\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("the last file");
    assert!(told.contains(&format!("with --resume goes on after {last} (")), "{told}");
    let told = run(lookalike(["dedup", "many", "-o", "out"]).current_dir(dir.path())).expect(2).stderr;
    assert!(told.contains("the same command with --resume goes on"), "{told}");
    run(lookalike(["dedup", "many", "-o", "out", "--resume", "-q"]).current_dir(dir.path())).expect(0);
    fs::remove_dir_all(dir.at("out")).expect("it is there");
    // of one file nothing is kept before its end
    let (code, told) = interrupted("one", "work/entries");
    assert_eq!(code, Some(130), "{told}");
    assert!(told.contains("the next run starts anew") && !told.contains("--resume"), "{told}");
    assert!(!dir.at("out.partial").exists());
}

#[test]
fn help() {
    insta::assert_snapshot!(run(&mut lookalike(["dedup", "--help"])).expect(0).stdout);
}

/// With it, `object_storage.py` of lookalike-remote asks a whole service.
#[cfg(not(feature = "object-store"))]
#[test]
fn an_address_says_how_to_read_it() {
    let dir = corpus();
    for args in [
        &["scan", "s3://bucket/in/"][..],
        &["scan", "in", "https://host/a.jsonl"],
        &["dedup", "gs://bucket/*.jsonl", "-o", "out"],
        &["dedup", "in", "-o", "az://bucket/out"],
    ] {
        let told = run(lookalike(args).current_dir(dir.path())).expect(2).stderr;
        assert!(told.contains("://") && told.contains("--features object-store"), "{told}");
    }
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1, "nothing is made");
}

/// Flags of dedup, each with words before it and with it. With them `summary.json` must have other options than without.
const FLAGS: &[(&str, &[&str], &[&str])] = &[
    ("words", &[], &["-w", "6"]),
    ("sketch", &[], &["--sketch", "nested:50"]),
    ("select", &[], &["--select", "main"]),
    ("drop", &[], &["--drop", "nav"]),
    ("like", &[], &["--like", "olmo"]),
    ("threshold", &[], &["--threshold", "0.7"]),
    ("contained", &[], &["--contained", "0.9"]),
    ("min-words", &[], &["--min-words", "9"]),
    ("max-df", &[], &["--max-df", "500"]),
    ("boilerplate", &[], &["--boilerplate", "drop"]),
    ("linkage", &[], &["--linkage", "single"]),
    ("keep", &[], &["--keep", "first"]),
    ("decisions", &[], &["--decisions", "decisions.json"]),
    ("source-field", &[], &["--source-field", "source"]),
    ("drop-only-from", &[], &["--drop-only-from", "in"]),
    ("against", &[], &["--against", "bench.jsonl"]),
    ("against-field", &["--against", "bench.jsonl"], &["--against-field", "body"]),
    ("against-share", &["--against", "bench.jsonl"], &["--against-share", "0.4"]),
    ("update", &[], &["--update", "new.index"]),
    ("paragraphs", &[], &["--paragraphs"]),
    ("exact-substrings", &[], &["--exact-substrings=40"]),
    ("annotate", &[], &["--annotate"]),
    ("allow-damaged", &[], &["--allow-damaged"]),
    ("id-field", &[], &["--id-field", "name"]),
    ("text-field", &[], &["--text-field", "body"]),
    ("include", &[], &["--include", "*.jsonl"]),
    ("exclude", &[], &["--exclude", "*.md"]),
    ("hidden", &[], &["--hidden"]),
    ("no-ignore", &[], &["--no-ignore"]),
    ("follow-links", &[], &["--follow-links"]),
    ("one-fs", &[], &["--one-fs"]),
    ("min-size", &[], &["--min-size", "1"]),
    ("max-size", &[], &["--max-size", "1M"]),
];

/// Flags of dedup that decide where something is written, what is shown, or what the run may use.
const OTHER_FLAGS: [&str; 11] =
    ["dry-run", "resume", "memory", "threads", "tmp", "json", "output", "html", "show-config", "quiet", "help"];

#[test]
fn the_summary_has_every_flag() {
    let dir = Dir::new();
    let record = |(id, text): &(String, String)| {
        let record = serde_json::json!({ "id": id, "name": id, "source": "web", "text": text, "body": text });
        format!("{record}\n")
    };
    let lines: String = documents(20, 3).iter().map(record).collect();
    dir.write("in/a.jsonl", &lines);
    dir.write("bench.jsonl", &lines);
    let decided = serde_json::json!([{ "id": "a", "content": "00000000000000000000000000000000" }]);
    let decisions = serde_json::json!({
        "decisions": 1,
        "clusters": [{ "representative": "a", "verdict": "not-duplicates", "documents": decided }],
    });
    dir.write("decisions.json", decisions.to_string());
    let options = |words: &[&str]| {
        run(lookalike(["dedup", "in", "-o", "out", "-q"]).args(words).current_dir(dir.path())).expect(0);
        let summary = fs::read(dir.at("out/summary.json")).expect("a summary");
        fs::remove_dir_all(dir.at("out")).expect("a result");
        serde_json::from_slice::<Value>(&summary).expect("JSON")["options"].take()
    };
    for (flag, before, with) in FLAGS {
        assert!(options(before) != options(&[*before, *with].concat()), "the summary does not have --{flag}");
    }
    let pages = man_pages(&Dir::new());
    let (_, page) = pages.iter().find(|(name, _)| name == "dedup").expect("the page of dedup");
    let entries = page.lines().filter(|line| line.starts_with("fB-"));
    let flags = entries.filter_map(|line| line.split("fB").find_map(|word| word.strip_prefix("--")));
    let flags: Vec<&str> = flags.filter_map(|word| word.split("fR").next()).collect();
    assert!(flags.len() > 30, "{flags:?}");
    for flag in flags {
        let is_known = FLAGS.iter().any(|(known, ..)| *known == flag) || OTHER_FLAGS.contains(&flag);
        assert!(is_known, "--{flag}: is it in the summary? Then it belongs to FLAGS");
    }
}
