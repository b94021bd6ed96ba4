//! `--memory` is kept where documents are large, and what cannot work says at once what it needs.

use crate::command::{PROGRAM, lookalike, run};
use crate::dir::Dir;
use crate::words::{Random, sentences};
use std::fs::File;
use std::path::PathBuf;

/// Two documents of so many words that differ in a few.
fn near(dir: &Dir, words: usize) -> [PathBuf; 2] {
    let mut random = Random(18);
    let text = random.words(words);
    [("a.txt", 0), ("b.txt", 40)].map(|(name, changes)| dir.write(name, sentences(&random.mutate(&text, changes))))
}

fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The most memory that a run had, in bytes, and what it wrote.
#[cfg(target_os = "linux")]
fn peak(arguments: &[&str]) -> (u64, String) {
    use std::io::Read;
    let mut child = lookalike(arguments).spawn().expect("the command starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let stdout = child.stdout.take().expect("piped");
    let reader = std::thread::spawn(move || {
        let mut out = String::new();
        { stdout }.read_to_string(&mut out).map(|_| out)
    });
    while child.try_wait().expect("it is a child").is_none() {
        let now = std::fs::read_to_string(&status).unwrap_or_default();
        let line = now.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(peak);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    (peak << 10, reader.join().expect("reading does not panic").expect("UTF-8"))
}

#[test]
#[cfg(target_os = "linux")]
fn large_documents_stay_within_the_cap() {
    const MOST: u64 = (64 << 20) / 10 * 11 + (40 << 20);
    let dir = Dir::new();
    let [a, b] = near(&dir, 900_000);
    for lens in ["shingles", "chunks", "simhash"] {
        // counts that are weighed by their logarithm are all held, and then less fits
        let weight: &[&str] = if lens == "simhash" { &["--weight", "tf"] } else { &[] };
        let scan = ["scan", "--lens", lens, text(&a), text(&b), "--memory", "64M", "-j", "8", "-q"];
        let (peak, out) = peak(&[&scan[..], weight].concat());
        assert!(peak > 0 && peak < MOST, "scan by {lens}: {} MB", peak >> 20);
        // changed words touch most chunks
        assert!(lens == "chunks" || out.contains("too large to show what differs here"), "{out}");
    }
    let (peak, out) = peak(&["compare", text(&a), text(&b), "--memory", "64M"]);
    assert!(peak > 0 && peak < MOST, "compare: {} MB", peak >> 20);
    assert!(out.contains("Where they differ is left out: it takes"), "{out}");
}

#[test]
fn little_memory_gives_the_same_numbers() {
    let dir = Dir::new();
    let [a, b] = near(&dir, 400_000);
    for verb in [&["scan"][..], &["scan", "--lens", "simhash", "--weight", "tf", "--verify"], &["compare"]] {
        let json = |memory: &str, threads: &str| {
            let mut arguments = [verb, &[text(&a), text(&b), "--json", "--memory", memory]].concat();
            if verb[0] == "scan" {
                arguments.extend(["-j", threads, "-q"]);
            }
            run(&mut lookalike(arguments)).expect(0).stdout
        };
        assert_eq!(json("16M", "3"), json("1G", "1"), "{verb:?}");
    }
}

#[test]
fn what_cannot_work_says_what_it_needs() {
    let dir = Dir::new();
    let large = dir.write("large.bin", Random(1).bytes(3_000_000));
    let small = dir.write("small.bin", Random(2).bytes(300));
    let copies = |memory: &str| {
        run(&mut lookalike([
            "copies",
            "--lang",
            "bytes",
            text(&large),
            text(&small),
            "--memory",
            memory,
            "--json",
            "-q",
        ]))
    };
    let refused = copies("64M").expect(2).stderr;
    let least =
        refused.split("use --memory ").nth(1).and_then(|rest| rest.split(' ').next()).expect("the least that can");
    assert!(refused.contains("large.bin: 3000000 bytes take") && refused.contains("64M are allowed"), "{refused}");
    copies(least).expect(0);
    // what is left out needs no memory
    let without =
        ["copies", "--lang", "bytes", text(&large), text(&small), "--memory", "64M", "--max-size", "1M", "-q"];
    run(&mut lookalike(without)).expect(0);
    let wide = dir.write("wide.txt", vec![0xe9; 40_000_000]);
    let refused = run(&mut lookalike(["scan", text(&wide), text(&small), "--memory", "64M", "-q"])).expect(2).stderr;
    assert!(refused.contains("wide.txt: 40000000 bytes take"), "{refused}");
}

#[test]
fn what_no_lens_can_take_is_not_read() {
    let dir = Dir::new();
    // it has no blocks; who reads it takes as much memory
    let holes = dir.at("holes.bin");
    File::create(&holes).and_then(|file| file.set_len(6 << 30)).expect("a sparse file");
    dir.write("small.bin", Random(2).bytes(300));
    for (lens, memory) in [("chunks", "64M"), ("chunks", "8G"), ("shingles", "64M")] {
        let limited = format!(
            "ulimit -v 12000000; exec {PROGRAM} scan --lens {lens} --max-size 20G --memory {memory} --json -q {}",
            text(dir.path())
        );
        let report = run(&mut crate::command::shell(&limited)).json();
        let reason = report["skipped"][0]["reason"].as_str().expect("a reason").to_owned();
        assert_eq!(reason, "too large: 6442450944 bytes, the limit is 4294967295", "{lens} {memory}");
    }
}
