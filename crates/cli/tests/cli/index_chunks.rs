//! An index of chunks from the outside: do we have this file, or a version of it?

use crate::command::{at, lookalike, run, run_with};
use crate::dir::Dir;
use crate::index::{json, text};
use crate::words::Random;
use serde_json::Value;
use std::fs;

/// Files that are no text, versions and parts of each other: an image, an archive that holds it, and zeros.
fn files() -> Dir {
    let dir = Dir::new();
    let mut random = Random(5);
    let image = random.bytes(60_000);
    let archive = [random.bytes(20_000), image.clone(), random.bytes(30_000)].concat();
    dir.write("kept/image.raw", &image);
    dir.write("kept/archive.tar", archive);
    dir.write("kept/zeros.bin", vec![0; 40_000]);
    dir.write("newer.raw", [&image[..30_000], b"another line", &image[30_000..]].concat());
    dir.write("new.bin", random.bytes(9000));
    let built = json(&dir, &["index", "build", "files.index", "kept", "--lens", "chunks"]);
    assert_eq!((&built["read"], &built["added"]), (&3.into(), &3.into()));
    dir
}

/// Names, classes and shared bytes of what was found.
fn found(answer: &Value) -> Vec<(&str, &str, u64)> {
    let matches = answer["matches"].as_array().unwrap().iter();
    matches
        .map(|found| {
            let name = found["seen"][0]["url"].as_str().unwrap();
            (name, found["class"].as_str().unwrap(), found["shared_bytes"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn a_version_is_found_whatever_the_bytes_are() {
    let dir = files();
    let answer = json(&dir, &["query", "files.index", "newer.raw"]);
    assert_eq!(
        (&answer["lens"], &answer["known"], &answer["bytes"]),
        (&"chunks".into(), &false.into(), &60_012.into())
    );
    let [(image, near, most), (archive, _, less)] = found(&answer)[..] else { panic!("{answer}") };
    assert_eq!((image, near, archive), ("kept/image.raw", "near", "kept/archive.tar"));
    assert!(most > 50_000 && less > 50_000 && most < 60_000, "{answer}");
    let told = text(&dir, &["query", "files.index", "newer.raw"]);
    assert!(told.contains("not in the index") && told.contains("in common") && told.contains("near"), "{told}");

    let same = json(&dir, &["query", "files.index", "kept/image.raw"]);
    assert_eq!(found(&same)[0], ("kept/image.raw", "identical", 60_000));
    // what it keeps is enough
    fs::remove_dir_all(dir.path().join("kept")).unwrap();
    let by_name = json(&dir, &["query", "files.index", "--url", "kept/image.raw"]);
    assert_eq!(found(&by_name), found(&same));
    let code = |file: &str| run(lookalike(["query", "files.index", file, "--exit-code"]).current_dir(dir.path()));
    code("newer.raw").expect(1);
    code("new.bin").expect(0);
    let newer = fs::read(dir.path().join("newer.raw")).unwrap();
    let piped = run_with(lookalike(["query", "files.index", "-", "--json"]).current_dir(dir.path()), &newer).json();
    assert_eq!(piped["matches"], answer["matches"]);
    let strict = json(&dir, &["query", "files.index", "newer.raw", "--threshold", "1"]);
    assert!(found(&strict).is_empty());
    let large = json(&dir, &["query", "files.index", "newer.raw", "--min-shared", "60000"]);
    assert!(found(&large).is_empty());
}

#[test]
fn it_grows_and_shrinks() {
    let dir = files();
    assert_eq!(json(&dir, &["index", "add", "files.index", "newer.raw", "new.bin"])["added"], 2);
    assert_eq!(json(&dir, &["index", "add", "files.index", "kept"])["unchanged"], 3);
    let both = json(&dir, &["query", "files.index", "newer.raw"]);
    assert_eq!((found(&both).len(), found(&both)[0].1), (3, "identical"));
    json(&dir, &["index", "remove", "files.index", "kept/archive.tar"]);
    let before = json(&dir, &["query", "files.index", "newer.raw"]);
    assert_eq!(found(&before).len(), 2);
    json(&dir, &["index", "merge", "files.index"]);
    assert_eq!(json(&dir, &["query", "files.index", "newer.raw"]), before);
    let info = json(&dir, &["index", "info", "files.index"]);
    assert_eq!((&info["lens"], &info["documents"], &info["clusters"]), (&"chunks".into(), &4.into(), &0.into()));
    assert_eq!(info["recipe"], "bytes|chunks:mean=1000|hash=xxh3-128|v=1");
    assert!(!text(&dir, &["index", "info", "files.index"]).contains("clusters"));
    assert!(json(&dir, &["index", "verify", "files.index"])["damages"].as_array().unwrap().is_empty());
    assert!(text(&dir, &["index", "list", "files.index"]).contains("new.bin"));
}

#[test]
fn files_are_read_as_files_reads_them() {
    let dir = Dir::new();
    let mut random = Random(9);
    let line = format!("{{\"id\": \"x\", \"text\": \"{}\"}}\n", random.words(5000).join(" "));
    dir.write("kept/many.jsonl", line.repeat(2));
    dir.write("kept/.gitignore", "secret.bin\n");
    dir.write("kept/secret.bin", random.text(300));
    let built = json(&dir, &["index", "build", "files.index", "kept", "--lens", "chunks"]);
    assert_eq!(built["added"], 2, "shards are files, and ignored files are files: {built}");
    let fewer = ["index", "build", "fewer.index", "kept", "--lens", "chunks", "--ignore-files"];
    assert_eq!(json(&dir, &fewer)["added"], 1);
    let answer = json(&dir, &["query", "files.index", "kept/many.jsonl"]);
    assert_eq!(found(&answer)[0].1, "identical");
    // and lines are texts where lines are asked for
    let lines = at(&dir, &["query", "files.index", "--batch", "kept/many.jsonl"]).expect(0).stdout;
    assert_eq!(lines.lines().count(), 2);
    assert!(lines.lines().all(|line| line.contains("many.jsonl")), "a line is inside the file: {lines}");
}

#[test]
fn what_it_cannot_do_is_said() {
    let dir = files();
    for (arguments, why) in [
        (&["query", "files.index", "newer.raw", "--distance", "3"][..], "--distance is a flag of the simhash lens"),
        (&["query", "files.index", "newer.raw", "--max-df", "1000"], "takes a share"),
        (&["query", "files.index", "kept/missing.raw"], "kept/missing.raw"),
        (
            &["index", "build", "x.index", "kept", "--lens", "chunks", "-w", "5"],
            "--words (-w) is a flag of the shingles",
        ),
        (&["index", "build", "x.index", "kept", "--lens", "chunks", "--avg-chunk", "3"], "64"),
        (&["index", "add", "files.index", "newer.raw", "--avg-chunk", "500"], "use the same --avg-chunk"),
        (&["index", "add", "files.index", "newer.raw", "--key", "x"], "without a key"),
        (&["lost", "files.index", "kept/image.raw"], "it has chunks, not shingles"),
        (&["holders", "files.index", "kept/image.raw"], "it has chunks, not shingles"),
        (&["changes", "files.index"], "it has chunks, not shingles"),
        (&["scan", "kept", "--against", "files.index"], "has chunks, not shingles"),
    ] {
        let outcome = at(&dir, arguments).expect(2);
        assert!(outcome.stderr.contains(why), "{arguments:?}: {}", outcome.stderr);
        assert!(!dir.path().join("x.index").exists(), "{arguments:?}");
    }
}

#[test]
fn a_key_is_kept() {
    let dir = files();
    json(&dir, &["index", "build", "secret.index", "kept", "--lens", "chunks", "--key", "sesame"]);
    let outcome = at(&dir, &["query", "secret.index", "newer.raw"]).expect(2);
    assert!(outcome.stderr.contains("give that key with --key"), "{}", outcome.stderr);
    let answer = json(&dir, &["query", "secret.index", "newer.raw", "--key", "sesame"]);
    assert_eq!(found(&answer)[0].0, "kept/image.raw");
}
