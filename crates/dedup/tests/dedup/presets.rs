//! Pipelines by name.

use crate::common::{Random, Text, options, removed, run, shards};
use lookalike_dedup::{DedupOptions, Preset};

fn like(name: &str) -> DedupOptions {
    options(|o| Preset::named(name).unwrap().apply(o))
}

/// Pairs of texts of which one word in so many is another.
fn pairs(count: usize, every: usize) -> Vec<Text> {
    let mut random = Random::new(every as u64);
    let mut texts = Vec::new();
    for at in 0..count {
        // numbers are all the same there
        let letters =
            |word: &String| word.bytes().map(|b| char::from(if b.is_ascii_digit() { b + 49 } else { b })).collect();
        let words: Vec<String> = random.words(600).iter().map(letters).collect();
        let mut other = words.clone();
        for word in other.iter_mut().step_by(every) {
            *word = format!("other{}", "x".repeat(at % 50));
        }
        texts.push((format!("{at}a"), words.join(" ")));
        texts.push((format!("{at}b"), other.join(" ")));
    }
    texts
}

#[test]
fn as_many_pairs_are_found_as_there() {
    let dir = tempfile::tempdir().unwrap();
    // five shingles of so many words are lost for each word: the resemblance follows
    for (every, name) in [(25, "fineweb"), (33, "fineweb"), (40, "refinedweb"), (33, "olmo")] {
        let texts = pairs(300, every);
        let input = shards(&dir.path().join(format!("{every}{name}")), &texts, 1);
        let lost = 5.0 / every as f64;
        let resemblance = (1.0 - lost) / (1.0 + lost);
        let expected = Preset::named(name).unwrap().banding.probability(resemblance) * 300.0;
        let found = removed(&run(&input, None, &like(name)).unwrap()).len() as f64;
        assert!((found - expected).abs() < 35.0, "{name} at {resemblance}: {found}, expected {expected}");
    }
}

#[test]
fn texts_are_read_as_there() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random::new(5);
    let words = random.words(100);
    let plain = words.join(" ");
    let texts: Vec<Text> = vec![
        ("plain".into(), format!("café in 1999 {plain}")),
        ("folded".into(), format!("CAFE in 2026 {plain}")),
        ("spaced".into(), format!("café in 1999, {}!", words.join(",  "))),
    ];
    let input = shards(dir.path(), &texts, 1);
    let gone = |name: &str| removed(&run(&input, None, &like(name)).unwrap()).len();
    // without accents and numbers, and without punctuation, all are the same
    assert_eq!(gone("fineweb"), 2);
    let same = run(&input, None, &like("slimpajama")).unwrap();
    assert!(!removed(&same).is_empty(), "punctuation does not count");
    assert_eq!(gone("nemo"), 1, "white space does");
}
