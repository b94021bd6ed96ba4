//! `--memory` is kept by every verb for every format, or the document is refused and the least memory that works is named.
//!
//! Some cells of the table are tested with all other tests. The whole table takes an hour:
//! `MEMORY_TABLE=whole cargo test -p lookalike-cli --test cli memory_table -- --nocapture` runs and prints it.

use crate::dir::Dir;
use crate::memory_cases::{CASES, Ended, case, folder, least, measured};
use crate::shard_samples::{self as shards, TextColumn};
use crate::words::Random;
use std::fs;
use std::path::Path;

/// The verbs that read documents. `IN` is the folder, `CASE` the document, `OUT` a path where nothing exists, `INDEX` an index of two
/// small documents.
const VERBS: [&str; 28] = [
    "scan IN",
    "scan IN --estimate",
    "scan IN --contained",
    "scan IN --html OUT",
    "scan IN --lens chunks",
    "scan IN --lens simhash",
    "scan IN --lens simhash --weight tf --verify",
    "scan IN --lens all",
    "files IN",
    "dedup IN -o OUT",
    "dedup IN -o OUT --annotate",
    "dedup IN -o OUT --paragraphs",
    "dedup IN -o OUT --exact-substrings=50",
    "dedup IN --dry-run",
    "calibrate IN",
    "copies IN",
    "copies IN --lang text",
    "copies IN --html OUT",
    "compare CASE IN/a.txt",
    "moss -l ascii CASE IN/a.txt",
    "sketch IN -o OUT",
    "simhash fingerprint IN",
    "simhash idf IN -o OUT",
    "index build OUT IN",
    "index build OUT IN --lens chunks",
    "index build OUT IN --lens simhash",
    "index build OUT IN --lens passages",
    "index add INDEX IN",
];

/// Bytes of memory that a command may take under a limit in MiB.
fn most(limit: u64) -> u64 {
    (limit << 20) / 10 * 11 + (40 << 20)
}

fn arguments(verb: &str, name: &str, limit: u64) -> Vec<String> {
    let words = verb.split(' ').map(|word| match word {
        "CASE" => format!("IN/{name}"),
        "INDEX" => "OUT".to_owned(),
        word => word.to_owned(),
    });
    let mut words: Vec<String> = words.map(|word| word.replace("IN", &format!("in-{name}"))).collect();
    words.extend(["--memory".to_owned(), format!("{limit}M")]);
    if !verb.starts_with("compare") {
        words.extend(["-q".to_owned(), "-j".to_owned(), "2".to_owned()]);
    }
    if verb.starts_with("scan") || verb.starts_with("copies") || verb.starts_with("files") {
        words.push("--json".to_owned());
    }
    words
}

fn remove(path: &Path) {
    let _ = fs::remove_dir_all(path);
    let _ = fs::remove_file(path);
    let _ = fs::remove_dir_all(path.with_extension("partial"));
}

/// One cell: the measured memory, as it is printed.
fn cell(dir: &Dir, verb: &str, name: &str, limit: u64) -> Result<String, String> {
    let out = dir.at("OUT");
    runs(limit, |limit| {
        remove(&out);
        if verb.contains("INDEX") {
            let small = dir.write("small.txt", "some words of a text that is small".repeat(40));
            let small = small.to_str().expect("UTF-8");
            crate::command::at(dir, &["index", "build", "OUT", small, "-q"]).expect(0);
        }
        measured(&arguments(verb, name, limit), dir.path())
    })
}

/// Runs a command under a limit, and again with the memory that it names if it is refused. Returns the memory of each run.
fn runs(limit: u64, command: impl Fn(u64) -> Ended) -> Result<String, String> {
    let run = |limit: u64| -> Result<Ended, String> {
        let ended = command(limit);
        let (peak, most) = (ended.peak, most(limit));
        if ended.peak > most {
            return Err(format!("{} MB under {limit}M, at most {} are allowed", peak >> 20, most >> 20));
        }
        if !matches!(ended.code, Some(0 | 2)) || ended.stderr.contains("panicked") {
            return Err(format!("ended with {:?}: {}", ended.code, ended.stderr));
        }
        Ok(ended)
    };
    let mut ended = run(limit)?;
    let first = ended.peak >> 20;
    let (mut now, mut steps) = (limit, String::new());
    // how much a PDF takes is not known before it was read, so the next run may name more
    for _ in 0..6 {
        let Some(needed) = least(&ended) else { break };
        if needed <= now {
            return Err(format!("needs {needed}M, and has {now}M: {}", ended.stderr));
        }
        ended = run(needed)?;
        now = needed;
        steps = format!("{steps}, {} under {needed}M", ended.peak >> 20);
    }
    if let Some(needed) = least(&ended) {
        return Err(format!("does not end with {needed}M{steps}"));
    }
    Ok(format!("{first}{steps}"))
}

#[expect(clippy::print_stdout, reason = "the table is what the test is run for")]
fn table(verbs: &[&str], cases: &[(&str, usize)], limits: &[u64]) -> Vec<String> {
    let dir = Dir::new();
    let mut wrong = Vec::new();
    for (name, bytes) in cases {
        let folder = folder(&dir, name, *bytes);
        let size = fs::metadata(folder.join(name)).map_or(0, |file| file.len());
        for verb in verbs {
            for limit in limits {
                let measured = cell(&dir, verb, name, *limit);
                let shown = measured.as_ref().map_or_else(|error| format!("**{error}**"), Clone::clone);
                println!("| {name} {:.1} MB | {verb} | {limit}M | {shown} |", size as f64 / 1e6);
                wrong.extend(measured.err().map(|error| format!("{name}, {verb}, {limit}M: {error}")));
            }
        }
        remove(&folder);
    }
    wrong
}

/// Cells of the table, or all of it.
#[test]
fn every_verb_stays_within_the_limit_or_says_what_it_needs() {
    let wrong = if std::env::var("MEMORY_TABLE").is_ok_and(|which| which == "whole") {
        // MEMORY_CASES and MEMORY_VERBS choose rows: words with commas between
        let chosen = |variable: &str, text: &str| {
            std::env::var(variable).map_or(true, |words| words.split(',').any(|word| text.contains(word)))
        };
        // what is packed unpacks to much more
        let sized = |name: &'static str| (name, if name.starts_with("packed") { 1_000_000 } else { 9_000_000 });
        let cases: Vec<_> = CASES.into_iter().filter(|name| chosen("MEMORY_CASES", name)).map(sized).collect();
        let verbs: Vec<_> = VERBS.into_iter().filter(|verb| chosen("MEMORY_VERBS", verb)).collect();
        table(&verbs, &cases, &[64, 256])
    } else {
        let cases =
            [("emphasis.md", 4_000_000), ("parts.eml", 1_500_000), ("packed.pdf", 300_000), ("latin.html", 6_000_000)];
        table(&["scan IN"], &cases, &[64])
    };
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Verbs with `--memory` that read no documents: on files and an index that are larger than the limit.
#[test]
#[expect(clippy::print_stdout, reason = "the table is what the test is run for")]
fn verbs_without_documents_stay_within_the_limit() {
    let whole = std::env::var("MEMORY_TABLE").is_ok_and(|which| which == "whole");
    let (fingerprints, names, limits): (u64, usize, &[u64]) =
        if whole { (30_000_000, 200_000, &[64, 256]) } else { (300_000, 500, &[64]) };
    let dir = Dir::new();
    let mut random = Random(41);
    let file =
        |random: &mut Random, count: u64| -> Vec<u8> { (0..count).flat_map(|_| random.next().to_le_bytes()).collect() };
    dir.write("seen.u64", file(&mut random, fingerprints));
    dir.write("new.u64", file(&mut random, fingerprints / 10));
    let texts: Vec<_> = (0..names).map(|at| (format!("{at:0>120}"), random.text(100))).collect();
    for (name, texts) in [("old.jsonl", &texts[..names / 2]), ("new.jsonl", &texts[names / 2..])] {
        dir.write(name, shards::file("jsonl", &shards::records(texts), TextColumn::Good));
    }
    let verbs = [
        "simhash near seen.u64 -o OUT",
        "simhash batch seen.u64 new.u64 -o OUT",
        "simhash build seen.u64 -o OUT",
        "index remove pages --sweep 2026-05-01 --all",
        "index merge pages",
    ];
    for lens in ["shingles", "chunks", "passages", "simhash"] {
        for limit in limits {
            remove(&dir.at("pages"));
            for line in [
                format!("index build pages old.jsonl --lens {lens} --sweep 2026-05-01 -q"),
                "index add pages new.jsonl --sweep 2026-06-01 -q".to_owned(),
            ] {
                crate::command::at(&dir, &line.split(' ').collect::<Vec<_>>()).expect(0);
            }
            for verb in verbs {
                if lens != "shingles" && !verb.starts_with("index") {
                    continue;
                }
                let measured = runs(*limit, |limit| {
                    remove(&dir.at("OUT"));
                    let line = format!("{verb} --memory {limit}M -j 2 -q");
                    let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
                    measured(&line, dir.path())
                });
                println!("| {lens} | {verb} | {limit}M | {measured:?} |");
                assert!(measured.is_ok(), "{lens}, {verb}, {limit}M: {measured:?}");
            }
        }
    }
}

#[test]
fn every_case_is_what_it_is_called() {
    for name in CASES {
        let bytes = case(name, 20_000);
        let least = if name.starts_with("packed") { 300 } else { 1500 };
        assert!(bytes.len() > least, "{name}: {}", bytes.len());
    }
}
