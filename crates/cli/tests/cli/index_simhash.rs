//! An index of fingerprints from the outside: was this page seen, or one much like it?

use crate::command::{at, lookalike, run, run_with};
use crate::dir::Dir;
use crate::index::{json, text};
use crate::words::{Random, line, sentences};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A folder `site` of pages, most with near-copies, and an index of it.
fn seen() -> Dir {
    let dir = Dir::new();
    let mut random = Random(1812);
    for page in 0..20 {
        let words = random.words(300);
        dir.write(format!("site/p{page:02}.txt"), sentences(&words));
        for copy in 0..page % 4 {
            dir.write(format!("site/p{page:02}-{copy}.txt"), sentences(&random.mutate(&words, 1 + copy)));
        }
    }
    dir.write("site/blank.txt", " … ");
    let built = json(&dir, &["index", "build", "seen.index", "site", "--lens", "simhash"]);
    assert_eq!(
        (&built["read"], &built["added"], &built["skipped"][0]["kind"]),
        (&50.into(), &50.into(), &"empty".into())
    );
    dir
}

/// Distances and names of what was found.
fn found(answer: &Value) -> Vec<(u64, String)> {
    let of = |near: &Value| (near["distance"].as_u64().unwrap(), near["seen"][0]["url"].as_str().unwrap().to_owned());
    let mut found: Vec<_> = answer["matches"].as_array().unwrap().iter().map(of).collect();
    assert!(found.is_sorted_by_key(|near| near.0), "{answer}");
    found.sort();
    found
}

/// The fingerprints of `site`, as `simhash fingerprint` makes them.
fn fingerprints(dir: &Dir, flags: &[&str]) -> BTreeMap<String, u64> {
    let lines = at(dir, &[&["simhash", "fingerprint", "-q", "site"], flags].concat()).expect(0).stdout;
    let parse = |line: &str| {
        let (fingerprint, id) = line.split_once('\t').unwrap();
        (id.to_owned(), u64::from_str_radix(fingerprint, 16).unwrap())
    };
    lines.lines().map(parse).collect()
}

/// What comparing with every fingerprint finds.
fn near(fingerprints: &BTreeMap<String, u64>, name: &str, k: u32) -> Vec<(u64, String)> {
    let distances =
        fingerprints.iter().map(|(other, fingerprint)| ((fingerprint ^ fingerprints[name]).count_ones(), other));
    let mut near: Vec<_> =
        distances.filter(|near| near.0 <= k).map(|(distance, other)| (u64::from(distance), other.clone())).collect();
    near.sort();
    near
}

#[test]
fn what_is_near_is_found() {
    let dir = seen();
    let fingerprints = fingerprints(&dir, &[]);
    let mut more_than_itself = 0;
    for name in fingerprints.keys() {
        for k in [0, 3, 7] {
            let answer = json(&dir, &["query", "seen.index", name, "--distance", &k.to_string(), "--limit", "100"]);
            assert_eq!(found(&answer), near(&fingerprints, name, k), "{name}, {k}");
            assert_eq!(
                (answer["known"].as_bool(), answer["found"].as_u64()),
                (Some(true), Some(found(&answer).len() as u64))
            );
            assert_eq!(answer["fingerprint"], format!("{:016x}", fingerprints[name]));
            more_than_itself += usize::from(answer["found"].as_u64() > Some(1));
        }
    }
    assert!(more_than_itself > 20, "{more_than_itself}");
    let by_name = json(&dir, &["query", "seen.index", "--url", "site/p03.txt", "--distance", "7"]);
    assert_eq!(found(&by_name), near(&fingerprints, "site/p03.txt", 7));
    let one = json(&dir, &["query", "seen.index", "site/p03.txt", "--distance", "7", "--limit", "1"]);
    assert_eq!(one["matches"][0], by_name["matches"][0]);
    assert_eq!(one["more"].as_u64(), by_name["found"].as_u64().map(|all| all - 1));

    let told = text(&dir, &["query", "seen.index", "site/p03.txt", "--distance", "7"]);
    assert!(
        told.contains("in the index") && told.contains("nearest first") && told.contains("within 7 bits"),
        "{told}"
    );
    let code = |file: &str| run(lookalike(["query", "seen.index", file, "--exit-code"]).current_dir(dir.path()));
    dir.write("copy.txt", fs::read(dir.path().join("site/p00.txt")).unwrap());
    dir.write("other.txt", "Nothing in here was ever seen by anybody, neither in code nor in prose.");
    code("copy.txt").expect(1);
    code("site/p00.txt").expect(0);
    assert!(code("other.txt").expect(0).stdout.contains("nothing found"));
}

#[test]
fn many_are_asked_for_at_once() {
    let dir = seen();
    let fingerprints = fingerprints(&dir, &[]);
    let lines = fingerprints.keys().map(|name| line(name, &fs::read_to_string(dir.path().join(name)).unwrap()));
    let lines = lines.collect::<String>() + &line("nothing", "?");
    let asked = run_with(
        lookalike(["query", "seen.index", "--batch", "-", "--stats"]).current_dir(dir.path()),
        lines.as_bytes(),
    );
    // one has no words, and so no answer
    let asked = asked.expect(0);
    let answers: Vec<Value> = asked.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), fingerprints.len() + 1);
    for (answer, name) in answers.iter().zip(fingerprints.keys()) {
        assert_eq!((answer["query"].as_str(), found(answer)), (Some(&**name), near(&fingerprints, name, 3)));
    }
    assert!(answers[fingerprints.len()]["error"].as_str().is_some_and(|error| error.contains("no words")));
    assert!(asked.stderr.contains("p50_ms"), "{}", asked.stderr);
}

#[test]
fn it_grows_and_shrinks() {
    let dir = seen();
    let ask = || json(&dir, &["query", "seen.index", "site/p07.txt", "--distance", "7"])["matches"].clone();
    let first = ask();
    let all = first.as_array().unwrap().len();
    assert!(all >= 2, "{first}");
    json(&dir, &["index", "remove", "seen.index", "site/p07.txt"]);
    assert_eq!(ask().as_array().unwrap().len(), all - 1);
    let added = json(&dir, &["index", "add", "seen.index", "site"]);
    assert_eq!((&added["added"], &added["unchanged"]), (&1.into(), &49.into()));
    assert_eq!(ask(), first);
    json(&dir, &["index", "merge", "seen.index"]);
    assert_eq!(ask(), first);
    let info = json(&dir, &["index", "info", "seen.index"]);
    assert_eq!((&info["lens"], &info["documents"], &info["clusters"]), (&"simhash".into(), &50.into(), &0.into()));
    assert_eq!(info["recipe"], "auto|words|simhash:f=64:n=2-3|weight=log|v=2");
    assert!(!text(&dir, &["index", "info", "seen.index"]).contains("clusters"));

    assert!(json(&dir, &["index", "verify", "seen.index"])["damages"].as_array().unwrap().is_empty());
    let files = fs::read_dir(dir.path().join("seen.index")).unwrap().map(|entry| entry.unwrap().path());
    let segment = files
        .filter(|file| file.extension().is_some_and(|end| end == "seg"))
        .max_by_key(|file| fs::metadata(file).unwrap().len());
    let segment = segment.unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&segment, bytes).unwrap();
    assert!(at(&dir, &["index", "verify", "seen.index"]).expect(2).stdout.contains("damaged"));
}

#[test]
fn the_recipe_is_kept() {
    let dir = seen();
    at(&dir, &["simhash", "idf", "site", "-o", "site.lki", "-q"]).expect(0);
    let flags = ["--idf", "site.lki", "--stop-words", "en"];
    // a table is of the same features
    at(&dir, &[&["index", "build", "rare.index", "site", "--lens", "simhash"][..], &flags].concat()).expect(2);
    let build = ["index", "build", "rare.index", "site", "--lens", "simhash", "--idf", "site.lki"];
    json(&dir, &build);
    let outcome = at(&dir, &["query", "rare.index", "site/p03.txt"]).expect(2);
    assert!(outcome.stderr.contains("give that file with --idf"), "{}", outcome.stderr);
    let fingerprints = fingerprints(&dir, &["--idf", "site.lki"]);
    let answer = json(&dir, &["query", "rare.index", "site/p03.txt", "--idf", "site.lki"]);
    assert_eq!(found(&answer), near(&fingerprints, "site/p03.txt", 3));
    assert_eq!(json(&dir, &["index", "add", "rare.index", "site", "--idf", "site.lki"])["unchanged"], 50);

    json(&dir, &["index", "build", "wide.index", "site", "--lens", "simhash", "--bits", "128", "--key", "sesame"]);
    let outcome = at(&dir, &["query", "wide.index", "site/p03.txt"]).expect(2);
    assert!(outcome.stderr.contains("give that key with --key"), "{}", outcome.stderr);
    let answer = json(&dir, &["query", "wide.index", "site/p03.txt", "--key", "sesame"]);
    assert_eq!(answer["fingerprint"].as_str().map(str::len), Some(32));
    assert_eq!(found(&answer)[0], (0, "site/p03.txt".to_owned()));
    assert_eq!(json(&dir, &["index", "add", "wide.index", "site", "--key", "sesame"])["unchanged"], 50);
}

#[test]
fn what_it_cannot_do_is_said() {
    let dir = seen();
    text(&dir, &["index", "build", "words.index", "site"]);
    dir.write("many.jsonl", line("x", "some words"));
    for (arguments, why) in [
        (&["query", "seen.index", "site/p03.txt", "--distance", "8"][..], "from 0 to 7"),
        (
            &["query", "seen.index", "site/p03.txt", "--threshold", "0.5"],
            "--threshold is a flag of the shingles and chunks lenses, and seen.index is of the simhash lens",
        ),
        (&["query", "seen.index", "site/p03.txt", "--verify"], "--verify is a flag of the shingles lens"),
        (&["query", "seen.index", "site/p03.txt", "-t", "20"], "--guarantee (-t) is a flag of the passages lens"),
        (&["query", "seen.index", "many.jsonl"], "--batch many.jsonl"),
        (&["query", "seen.index", "site/blank.txt"], "no words in it"),
        (&["query", "seen.index", "--url", "site/blank.txt"], "never seen"),
        (&["query", "words.index", "site/p03.txt", "--distance", "3"], "--distance is a flag of the simhash lens"),
        (
            &["index", "build", "x.index", "site", "--lens", "simhash", "-w", "5"],
            "--words (-w) is a flag of the shingles lens",
        ),
        (
            &["index", "build", "x.index", "site", "--lens", "simhash", "--max-df", "5"],
            "--max-df is a flag of the shingles lens",
        ),
        (
            &["index", "build", "x.index", "site", "--lens", "simhash", "-k", "5"],
            "--kgram (-k) is a flag of the passages lens",
        ),
        (&["index", "build", "x.index", "site", "--bits", "64"], "--bits is a flag of the simhash lens"),
        (&["index", "add", "seen.index", "site", "--sketch", "min:5"], "--sketch is a flag of the shingles lens"),
        (&["index", "add", "seen.index", "site", "--ngrams", "2"], "has another recipe"),
        (&["index", "add", "seen.index", "site", "--format", "html"], "has another recipe"),
        (&["index", "add", "seen.index", "site", "--key", "x"], "without a key"),
        (&["index", "add", "words.index", "site", "--weight", "log"], "--weight is a flag of the simhash lens"),
        (&["lost", "seen.index", "site/p03.txt"], "has fingerprints, not shingles"),
        (&["changes", "seen.index"], "has fingerprints, not shingles"),
        (&["holders", "seen.index", "site/p03.txt"], "has fingerprints, not shingles"),
        (&["scan", "site", "--against", "seen.index"], "has fingerprints, not shingles"),
    ] {
        let outcome = at(&dir, arguments).expect(2);
        assert!(outcome.stderr.contains(why), "{arguments:?}: {}", outcome.stderr);
        assert!(!dir.path().join("x.index").exists(), "{arguments:?}");
    }
}
