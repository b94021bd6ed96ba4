//! `simhash plan`, `batch`, `near`, `build` and `lookup`: the same answers by every way and from every kind of file, and what is refused.

use crate::command::{self, at};
use crate::dir::Dir;
use serde_json::Value;
use std::collections::BTreeSet;

/// Numbers from a seed.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |n: u64| {
        let z = (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ (z >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb)
    })
}

/// 2,000 fingerprints, one in ten near the one before; and 50 queries near every fortieth.
fn fingerprints() -> (Vec<u64>, Vec<u64>) {
    let mut fingerprints: Vec<u64> = Vec::new();
    for (at, fresh) in numbers(1).take(2000).enumerate() {
        fingerprints.push(if at % 10 == 9 { fingerprints[at - 1] ^ (1 << (at % 64)) } else { fresh });
    }
    let queries = fingerprints
        .iter()
        .step_by(40)
        .zip(numbers(2))
        .map(|(fingerprint, dice)| fingerprint ^ (3 << (dice % 63)))
        .collect();
    (fingerprints, queries)
}

fn raw(fingerprints: &[u64]) -> Vec<u8> {
    fingerprints.iter().flat_map(|fingerprint| fingerprint.to_le_bytes()).collect()
}

fn lines(fingerprints: &[u64], id: impl Fn(usize) -> String) -> String {
    fingerprints
        .iter()
        .enumerate()
        .map(|(at, fingerprint)| format!("{fingerprint:016x}\t{}", id(at)))
        .collect::<Vec<_>>()
        .join("\n")
        + "\n"
}

/// What comparing all with all finds: query, fingerprint, distance.
fn expected(fingerprints: &[u64], queries: &[u64], k: u32) -> BTreeSet<(usize, usize, u32)> {
    let pairs = queries.iter().enumerate().flat_map(|(q, query)| {
        fingerprints.iter().enumerate().map(move |(at, fingerprint)| (q, at, (query ^ fingerprint).count_ones()))
    });
    pairs.filter(|pair| pair.2 <= k).collect()
}

#[track_caller]
fn ok(dir: &Dir, arguments: &[&str]) -> String {
    at(dir, &[&["simhash"], arguments].concat()).expect(0).stdout
}

#[track_caller]
fn refused(dir: &Dir, arguments: &[&str], words: &[&str]) {
    command::refused(dir, &[&["simhash"], arguments].concat(), words);
}

/// Pairs of tab-separated lines.
fn pairs(text: &str) -> BTreeSet<(usize, usize, u32)> {
    let number = |text: Option<&str>| text.expect("three of them").parse::<usize>().expect("a number");
    let pair = |line: &str| {
        let mut fields = line.split('\t');
        (number(fields.next()), number(fields.next()), number(fields.next()) as u32)
    };
    text.lines().filter(|line| !line.starts_with("query")).map(pair).collect()
}

#[test]
fn every_way_finds_the_same() {
    let (fingerprints, queries) = fingerprints();
    let dir = Dir::new();
    dir.write("fingerprints.u64", raw(&fingerprints));
    dir.write("queries.u64", raw(&queries));
    dir.write("fingerprints.txt", lines(&fingerprints, |at| at.to_string()));
    dir.write("queries.hex", queries.iter().map(|query| format!("{query:x}")).collect::<Vec<_>>().join("\n"));
    for k in [0, 1, 3, 7] {
        let (expected, k) = (expected(&fingerprints, &queries, k), k.to_string());
        assert!(k == "0" || k == "1" || expected.len() >= 50);
        for (a, b) in [
            ("fingerprints.u64", "queries.u64"),
            ("fingerprints.txt", "queries.hex"),
            ("fingerprints.u64", "queries.hex"),
        ] {
            assert_eq!(pairs(&ok(&dir, &["batch", "-q", a, b, "--distance", &k])), expected, "{a} {b} -k {k}");
        }
        let store = format!("store{k}");
        ok(&dir, &["build", "fingerprints.u64", "-o", &store, "--distance", &k, "--json"]);
        let found = ok(&dir, &["lookup", &store, "--queries", "queries.u64", "--distance", &k, "--limit", "100"]);
        assert_eq!(pairs(&found), expected, "lookup -k {k}");
        for threads in ["1", "2"] {
            let found = ok(
                &dir,
                &["batch", "-q", "fingerprints.u64", "queries.u64", "--distance", &k, "-j", threads, "--memory", "1M"],
            );
            assert_eq!(
                found,
                ok(&dir, &["batch", "-q", "fingerprints.u64", "queries.u64", "--distance", &k]),
                "{threads} threads"
            );
        }
    }
}

#[test]
fn names_and_limits() {
    let (fingerprints, queries) = fingerprints();
    let dir = Dir::new();
    dir.write("fingerprints.txt", lines(&fingerprints, |at| format!("page {at}")));
    dir.write("queries.txt", lines(&queries, |at| format!("q{at}\u{1b}[31m")));
    let found = ok(&dir, &["batch", "-q", "fingerprints.txt", "queries.txt", "--limit", "1"]);
    let first = found.lines().nth(1).expect("a pair");
    assert!(first.starts_with("q0") && first.contains("\tpage 0\t2") && !first.contains('\u{1b}'), "{first:?}");
    assert_eq!(found.lines().count(), 51, "one for each query");
    let json: Value =
        serde_json::from_str(&ok(&dir, &["batch", "-q", "fingerprints.txt", "queries.txt", "--json"])).expect("JSON");
    assert_eq!(json["pairs"].as_u64().expect("a number") as usize, expected(&fingerprints, &queries, 3).len());
    assert_eq!(json["listed"][0]["id"], "page 0");
    assert_eq!((json["fingerprints"].as_u64(), json["queries"].as_u64()), (Some(2000), Some(50)));
}

#[test]
fn clusters_of_a_file() {
    let (fingerprints, _) = fingerprints();
    let dir = Dir::new();
    dir.write("fingerprints.u64", raw(&fingerprints));
    let json: Value =
        serde_json::from_str(&ok(&dir, &["near", "-q", "fingerprints.u64", "--json", "--pairs", "pairs.tsv"]))
            .expect("JSON");
    assert_eq!((json["cluster_count"].as_u64(), json["redundant"].as_u64()), (Some(200), Some(200)));
    let cluster = &json["clusters"][0];
    assert_eq!((&cluster["representative"], &cluster["members"][0]["id"]), (&"8".into(), &"9".into()));
    assert_eq!(cluster["members"][0]["distance"], 1);
    let written = std::fs::read_to_string(dir.at("pairs.tsv")).expect("it was written");
    assert_eq!(written.lines().take(2).collect::<Vec<_>>(), ["a\tb\tdistance", "8\t9\t1"]);
    let shown = ok(&dir, &["near", "-q", "fingerprints.u64"]);
    assert!(shown.contains("200 clusters, 200 could go"), "{shown}");
}

#[test]
fn lookup_by_hand() {
    let (fingerprints, _) = fingerprints();
    let dir = Dir::new();
    dir.write("fingerprints.u64", raw(&fingerprints));
    let built = ok(&dir, &["build", "fingerprints.u64", "-o", "store", "--design", "1of2"]);
    assert!(built.contains("2,000 fingerprints  design 1of2") && built.contains("the tables alone"), "{built}");
    let query = format!("{:016x}", fingerprints[8]);
    let found = ok(&dir, &["lookup", "store", &query]);
    assert!(found.contains(&format!("{query}  2 fingerprints")), "{found}");
    let json: Value =
        serde_json::from_str(&ok(&dir, &["lookup", "store", &query, "--limit", "1", "--json"])).expect("JSON");
    assert_eq!(
        (json["answers"][0]["count"].as_u64(), json["answers"][0]["matches"][0]["id"].as_u64()),
        (Some(2), Some(8))
    );
    at(&dir, &["simhash", "lookup", "store", &query, "--exit-code"]).expect(1);
    at(&dir, &["simhash", "lookup", "store", "0000000000000000", "--exit-code"]).expect(0);
}

#[test]
fn the_plan_has_the_papers_designs() {
    let dir = Dir::new();
    let json: Value =
        serde_json::from_str(&ok(&dir, &["plan", "--n", "8e9", "--distance", "3", "--memory", "200G", "--json"]))
            .expect("JSON");
    let designs = json["designs"].as_array().expect("a list");
    let paper: BTreeSet<u64> =
        designs.iter().filter(|d| d["paper"] == true).filter_map(|d| d["tables"].as_u64()).collect();
    assert_eq!(paper, [4, 10, 16, 20].into());
    assert_eq!((&designs[0]["design"], &designs[0]["fits"]), (&"1of2".into(), &true.into()));
    let shown = ok(&dir, &["plan", "--n", "8_000_000_000", "--memory", "200G"]);
    assert!(shown.contains("8,000,000,000 fingerprints of 64 bits, distance 3"), "{shown}");
    assert!(
        shown.lines().any(|line| line.contains("3of6") && line.contains("31-33") && line.contains("the paper's")),
        "{shown}"
    );
}

#[test]
fn what_is_wrong_is_refused() {
    let (fingerprints, _) = fingerprints();
    let dir = Dir::new();
    dir.write("fingerprints.u64", raw(&fingerprints));
    dir.write("short.u64", [1, 2, 3]);
    dir.write("words.txt", "rose\n");
    refused(&dir, &["batch", "fingerprints.u64", "none.u64"], &["none.u64"]);
    refused(&dir, &["batch", "fingerprints.u64", "short.u64"], &["short.u64", "8"]);
    refused(&dir, &["near", "words.txt"], &["words.txt"]);
    refused(&dir, &["batch", "fingerprints.u64", "fingerprints.u64", "--distance", "8"], &["from 0 to 7"]);
    refused(&dir, &["plan", "--n", "many"], &["8e9"]);
    refused(
        &dir,
        &["build", "fingerprints.u64", "-o", "store", "--design", "1of4x1of4", "--distance", "5"],
        &["does not reach"],
    );
    refused(&dir, &["build", "fingerprints.u64", "-o", "store", "--design", "seven"], &["1of2"]);
    assert!(!dir.at("store").exists(), "nothing is left of what failed");
    ok(&dir, &["build", "-q", "fingerprints.u64", "-o", "store", "--distance", "1"]);
    refused(&dir, &["build", "fingerprints.u64", "-o", "store"], &["store"]);
    refused(&dir, &["lookup", "store", "0123456789abcdef"], &["distances up to 1"]);
    refused(&dir, &["lookup", "store", "0123"], &["16 hexadecimal digits"]);
    refused(&dir, &["lookup", "nowhere", "0123456789abcdef"], &["nowhere"]);
}
