//! The promises of a generated corpus, on what is written.

use super::edits::{KINDS, Kind};
use super::{Corpus, truth, write};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_core::{shingle, text};
use std::collections::{BTreeSet, HashMap};

/// Documents and truth as written with so many threads.
fn written(seed: u64, documents: u64, threads: usize) -> (String, String) {
    let corpus = Corpus::new(seed, 160, 0.3);
    let (mut out, mut file) = (Vec::new(), Vec::new());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| write(&corpus, documents, &mut out, Some((&mut file, 10)))).expect("memory takes all");
    (String::from_utf8(out).expect("UTF-8"), String::from_utf8(file).expect("UTF-8"))
}

fn parsed(lines: &str) -> Vec<(String, String)> {
    let document = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let field = |name: &str| value[name].as_str().expect("a string").to_owned();
        (field("id"), field("text"))
    };
    lines.lines().map(document).collect()
}

#[test]
fn the_same_seed_gives_the_same_bytes_whatever_the_threads() {
    let once = written(1, 3_000, 1);
    assert!(once == written(1, 3_000, 3));
    assert!(once.0 != written(2, 3_000, 1).0);
    assert!(once.0.starts_with(&written(1, 1_000, 2).0), "a smaller corpus is the beginning of a larger one");
}

#[test]
fn the_truth_is_what_brute_force_says() {
    let (lines, file) = written(5, 1_500, 2);
    let fp = FeatureHasher::default();
    // from words, window by window: not the way of the generator
    let windows = |body: &str| -> BTreeSet<Vec<u64>> {
        let words: Vec<u64> = text::words(body, &fp).into_iter().map(|word| word.hash).collect();
        if words.len() < 10 { BTreeSet::from([words]) } else { words.windows(10).map(<[u64]>::to_vec).collect() }
    };
    let sets: HashMap<String, BTreeSet<Vec<u64>>> =
        parsed(&lines).into_iter().map(|(id, body)| (id, windows(&body))).collect();
    let mut rows = 0;
    for row in file.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (a, b) = (&sets[cells[0]], &sets[cells[1]]);
        let common = a.intersection(b).count() as f64;
        let expected = [common / (a.len() + b.len()) as f64, common / a.len() as f64, common / b.len() as f64];
        let expected = [expected[0] / (1.0 - expected[0]), expected[1], expected[2]];
        for (cell, expected) in cells[3..].iter().zip(expected) {
            assert!((cell.parse::<f64>().expect("a number") - expected).abs() < 1e-9, "{row}: {expected}");
        }
        rows += 1;
    }
    assert!((400..700).contains(&rows), "three in ten are copies, some of two: {rows}");
}

#[test]
fn documents_read_like_a_language() {
    let (lines, _) = written(3, 2_000, 2);
    let documents = parsed(&lines);
    assert!(documents.iter().enumerate().all(|(at, (id, _))| *id == format!("d{at}")));
    let bytes = documents.iter().map(|(_, body)| body.len()).sum::<usize>() / documents.len();
    assert!((800..1_200).contains(&bytes), "about 1 KB: {bytes}");
    for (id, body) in &documents {
        assert!(!body.starts_with([' ', '\n', '.', ',']) && !body.ends_with([' ', '\n']), "{id}: {body:?}");
        for wrong in ["  ", " .", " ,", ",,", "..", ".,", ",.", "\n\n\n", "\n ", " \n", "\n.", "\n,"] {
            assert!(!body.contains(wrong), "{id} has {wrong:?}: {body:?}");
        }
    }
    let all: String = documents.into_iter().map(|(_, body)| body).collect();
    assert!(all.contains(". ") && all.contains(", ") && all.contains(".\n\n") && all.contains("? "));
}

#[test]
fn likeness_is_by_kind() {
    let corpus = Corpus::new(9, 400, 0.5);
    let mut sums: HashMap<String, (f64, f64, u32)> = HashMap::new();
    for truth in (0..1_500).flat_map(|index| truth::about(&corpus, index, 10)) {
        let sum = sums.entry(truth.kind.clone()).or_default();
        sum.0 += truth.overlap.resemblance();
        sum.1 += truth.overlap.a_in_b();
        sum.2 += 1;
    }
    assert_eq!(sums.len(), KINDS.len());
    let mean = |kind: Kind| {
        let (resemblance, containment, pairs) = sums[&kind.name()];
        (resemblance / f64::from(pairs), containment / f64::from(pairs))
    };
    assert!((mean(Kind::Identical).0 - 1.0).abs() < 1e-12);
    // a shingle survives if none of its ten words was touched
    for (percent, least, most) in [(1, 0.77, 0.9), (5, 0.35, 0.55), (20, 0.03, 0.12), (40, 0.0, 0.02)] {
        let got = mean(Kind::Mutated(percent)).0;
        assert!((least..most).contains(&got), "{percent} %: {got}");
    }
    let half = mean(Kind::Excerpt(2));
    assert!(half.0 > 0.4 && half.0 < 0.55 && half.1 > 0.999, "{half:?}");
    assert!(mean(Kind::Reordered).0 > 0.7);
}

#[test]
fn a_document_can_be_made_again_on_its_own() {
    let corpus = Corpus::new(4, 100, 0.9);
    let mut out = Vec::new();
    write(&corpus, 300, &mut out, None).expect("memory takes all");
    let lines = String::from_utf8(out).expect("UTF-8");
    let fp = FeatureHasher::default();
    for (index, (_, body)) in parsed(&lines).iter().enumerate() {
        assert_eq!(corpus.text(index as u64), *body);
        let plan = corpus.plan(index as u64);
        assert!(plan.sources().iter().all(|&source| source < index as u64 && corpus.plan(source).kind.is_none()));
        if plan.kind == Some(Kind::Joined) {
            let set = |body: &str| shingle::set_of_text(body, 10, &fp);
            let source = set(&corpus.text(plan.sources()[0]));
            assert!(Overlap::of(&source, &set(body)).a_in_b() > 0.999);
        }
    }
}
