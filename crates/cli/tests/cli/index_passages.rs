//! An index of passages from the outside: where does this text come from?

use crate::command::{at, lookalike, run};
use crate::copies::cohort;
use crate::dir::Dir;
use crate::index::{json, text};
use serde_json::Value;

/// The index of an earlier year.
fn earlier() -> Dir {
    let dir = Dir::new();
    cohort(&dir);
    let built = json(&dir, &["index", "build", "2024.index", "2024", "--lens", "passages"]);
    assert_eq!((&built["read"], &built["added"]), (&4.into(), &4.into()));
    dir
}

/// Names of the sources, most similar first.
fn sources(answer: &Value) -> Vec<&str> {
    let sources = answer["matches"].as_array().unwrap();
    sources.iter().map(|source| source["seen"][0]["url"].as_str().unwrap()).collect()
}

#[test]
fn a_copy_is_traced_to_its_source() {
    let dir = earlier();
    let answer = json(&dir, &["query", "2024.index", "handed-in/peggy.py"]);
    assert_eq!((answer["known"].as_bool(), &answer["language"]), (Some(false), &"python".into()));
    assert_eq!(sources(&answer)[0], "2024/victor.py", "{answer}");
    let [first, second] = [0, 1].map(|at| answer["matches"][at]["similarity"].as_f64().unwrap_or(0.0));
    assert!(first > 1.3 * second, "the others have only the base in common: {first}, {second}");
    let source = &answer["matches"][0];
    let passage = &source["passages"][0];
    assert_eq!(passage["text"].as_str().map(str::is_empty), Some(false));
    // the lines of a passage are where its bytes are
    let theirs = std::fs::read_to_string(dir.path().join("2024/victor.py")).unwrap();
    let place = |name: &str| passage["document"][name].as_u64().unwrap() as usize;
    assert_eq!(theirs[..place("start")].matches('\n').count() + 1, place("line"));
    assert_eq!(theirs[..place("end")].matches('\n').count() + 1, place("last_line"));

    let told = text(&dir, &["query", "2024.index", "handed-in/peggy.py", "--limit", "1"]);
    assert!(told.contains("2024/victor.py") && told.contains("↔ its lines"), "{told}");
    let code = |file: &str| run(lookalike(["query", "2024.index", file, "--exit-code"]).current_dir(dir.path()));
    code("handed-in/peggy.py").expect(1);
    dir.write("other.txt", "Nothing in here was ever seen by anybody, in code or in prose.");
    code("other.txt").expect(0);
    let itself = json(&dir, &["query", "2024.index", "--url", "2024/walter.py"]);
    assert_eq!(sources(&itself)[..2], ["2024/walter.py", "2024/yves.py"], "{itself}");
}

#[test]
fn it_grows_and_shrinks() {
    let dir = earlier();
    let all = |file: &str| json(&dir, &["query", "2024.index", file, "--min-similarity", "0.36"]);
    assert!(sources(&all("handed-in/mallory.py")).is_empty());
    let added = json(&dir, &["index", "add", "2024.index", "handed-in"]);
    assert_eq!(added["added"], 16);
    let both = all("handed-in/mallory.py");
    assert_eq!(sources(&both), ["handed-in/mallory.py", "handed-in/alice.py"]);
    assert!((both["matches"][0]["similarity"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{both}");
    assert_eq!(json(&dir, &["index", "add", "2024.index", "handed-in"])["unchanged"], 16);
    json(&dir, &["index", "remove", "2024.index", "handed-in/alice.py"]);
    assert_eq!(sources(&all("handed-in/mallory.py")), ["handed-in/mallory.py"]);
    let before = all("handed-in/oscar.py");
    json(&dir, &["index", "merge", "2024.index"]);
    assert_eq!(all("handed-in/oscar.py"), before);
    let info = json(&dir, &["index", "info", "2024.index"]);
    assert_eq!((&info["lens"], &info["documents"], &info["clusters"]), (&"passages".into(), &19.into(), &0.into()));
    assert!(info["recipe"].as_str().is_some_and(|recipe| recipe.contains("passages:code=9/11")), "{info}");
    assert!(!text(&dir, &["index", "info", "2024.index"]).contains("clusters"));
    assert!(json(&dir, &["index", "verify", "2024.index"])["damages"].as_array().unwrap().is_empty());
}

#[test]
fn archives_are_read_and_a_larger_window_may_be_asked_for() {
    let dir = Dir::new();
    cohort(&dir);
    let mut zip = zip::ZipWriter::new(std::fs::File::create(dir.path().join("2024.zip")).unwrap());
    for name in ["victor.py", "walter.py"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, &std::fs::read(dir.path().join("2024").join(name)).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    json(&dir, &["index", "build", "old.index", "2024.zip", "--lens", "passages"]);
    let small = json(&dir, &["query", "old.index", "handed-in/peggy.py"]);
    let large = json(&dir, &["query", "old.index", "handed-in/peggy.py", "-t", "40"]);
    assert!(sources(&small)[0].ends_with("victor.py") && sources(&large)[0].ends_with("victor.py"));
    let counts = [&small, &large].map(|answer| answer["fingerprints"].as_u64().unwrap());
    assert!(counts[1] * 4 < counts[0], "{counts:?}");
}

#[test]
fn what_it_cannot_do_is_said() {
    let dir = earlier();
    dir.write("many.jsonl", "{\"id\": \"x\", \"text\": \"y\"}\n");
    text(&dir, &["index", "build", "words.index", "2024"]);
    for (arguments, why) in [
        (&["query", "2024.index", "handed-in/peggy.py", "-t", "5"][..], "from 11"),
        (
            &["query", "2024.index", "handed-in/peggy.py", "--threshold", "0.5"],
            "--threshold is a flag of the shingles and chunks lenses",
        ),
        (&["query", "2024.index", "handed-in/peggy.py", "--verify"], "--verify is a flag of the shingles lens"),
        (&["query", "2024.index", "--batch", "many.jsonl"], "--archive"),
        (&["query", "2024.index", "many.jsonl"], "JSON lines"),
        (&["query", "2024.index", "2024/walter.pyx"], "2024/walter.pyx"),
        (
            &["query", "words.index", "handed-in/peggy.py", "-t", "20"],
            "--guarantee (-t) is a flag of the passages lens",
        ),
        (
            &["index", "build", "x.index", "2024", "--lens", "passages", "-w", "5"],
            "--words (-w) is a flag of the shingles lens",
        ),
        (&["index", "build", "x.index", "2024", "--lang", "python"], "--lang is a flag of the passages lens"),
        (&["index", "build", "x.index", "2024", "--lens", "passages", "--lang", "klingon"], "klingon"),
        (&["index", "add", "2024.index", "handed-in", "--sketch", "min:5"], "--sketch is a flag of the shingles lens"),
        (&["index", "add", "2024.index", "handed-in", "--key", "x"], "without a key"),
        (&["lost", "2024.index", "2024/walter.py"], "has passages, not shingles"),
        (&["scan", "handed-in", "--against", "2024.index"], "has passages, not shingles"),
    ] {
        let outcome = at(&dir, arguments).expect(2);
        assert!(outcome.stderr.contains(why), "{arguments:?}: {}", outcome.stderr);
        assert!(!dir.path().join("x.index").exists(), "{arguments:?}");
    }
}

#[test]
fn a_key_is_kept() {
    let dir = Dir::new();
    cohort(&dir);
    json(&dir, &["index", "build", "2024.index", "2024", "--lens", "passages", "--key", "sesame"]);
    let outcome = at(&dir, &["query", "2024.index", "handed-in/peggy.py"]).expect(2);
    assert!(outcome.stderr.contains("give that key with --key"), "{}", outcome.stderr);
    let answer = json(&dir, &["query", "2024.index", "handed-in/peggy.py", "--key", "sesame"]);
    assert_eq!(sources(&answer)[0], "2024/victor.py");
    // and so is it by copies, which finds the same with it
    let pairs = |key: &[&str]| {
        let report = at(&dir, &[&["copies", "handed-in", "--json"], key].concat()).json();
        let pairs = report["passages"]["pairs"].as_array().unwrap().clone();
        pairs.into_iter().take(3).map(|pair| (pair["a"].clone(), pair["b"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&["--key", "sesame"]), pairs(&[]));
}
