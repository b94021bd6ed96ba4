//! Fingerprints held against the paper's loop, and frozen.

use super::*;
use crate::bits::FingerprintBits;
use crate::feature_hash::FeatureHasher;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The paper, word for word: f numbers, up by the weight for a 1, down for a 0; the signs are the fingerprint.
fn naive<F: FingerprintBits>(features: &[(F, u64)]) -> Option<F> {
    let mut v = vec![0i64; F::WIDTH as usize];
    for (feature, weight) in features {
        for (i, v) in v.iter_mut().enumerate() {
            let one = (*feature >> i as u32).low() & 1 == 1;
            *v += if one { weight.cast_signed() } else { -weight.cast_signed() };
        }
    }
    let bit = |i: usize| F::from_low(u64::from(v[i] > 0)) << i as u32;
    features.iter().any(|(_, weight)| *weight > 0).then(|| (0..v.len()).map(bit).fold(F::ZERO, |all, bit| all | bit))
}

fn twins<F: FingerprintBits>(features: &[u64], weights: &[u16], times: usize) {
    let rows: Vec<F> = features.iter().map(|feature| F::spread(*feature)).collect();
    let mut counter = Counter::default();
    (0..times).for_each(|_| counter.add(&rows));
    let expected: Vec<(F, u64)> = rows.iter().map(|row| (*row, times as u64)).collect();
    assert_eq!(counter.finish(), naive(&expected));
    // and it is empty again
    for (row, weight) in rows.chunks(100).zip(weights.chunks(100)) {
        counter.add_weighted(row, weight);
    }
    let expected: Vec<(F, u64)> = rows.iter().copied().zip(weights.iter().map(|w| u64::from(*w))).collect();
    assert_eq!(counter.finish(), naive(&expected));
    assert_eq!(counter.finish(), None);
}

#[test]
fn many_features_carry_far() {
    // one place in front of all others, one exactly in the middle
    let rows: Vec<u64> =
        (0..200_001u64).map(|i| u64::from(i % 2 == 0) << 7 | u64::from(i < 100_000) << 9 | 1 << 63).collect();
    let mut counter = Counter::default();
    counter.add(&rows);
    assert_eq!(counter.finish(), Some(1 << 63 | 1 << 7));
    counter.add_weighted(&rows, &vec![u16::MAX; rows.len()]);
    assert_eq!(counter.finish(), Some(1 << 63 | 1 << 7));
}

#[test]
fn a_few_heavy_features_carry_through_what_many_light_ones_left() {
    // 2^n - 1 light votes: one heavy vote more goes through all planes
    for light in [15usize, 255, 4095, 4096, 65_535] {
        for heavy in 1..4 {
            for weight in [2u16, 3, 64, 300] {
                let rows: Vec<u64> = (0..light + heavy).map(|at| if at < light { 0b011 } else { 0b101 }).collect();
                let weights: Vec<u16> = (0..rows.len()).map(|at| if at < light { 1 } else { weight }).collect();
                let expected: Vec<(u64, u64)> = vec![(0b011, light as u64), (0b101, heavy as u64 * u64::from(weight))];
                let mut counter = Counter::default();
                counter.add_weighted(&rows, &weights);
                assert_eq!(counter.finish(), naive(&expected), "{light} light, {heavy} of {weight}");
            }
        }
    }
}

#[test]
fn nothing_has_no_fingerprint() {
    assert_eq!(Counter::<u64>::default().finish(), None);
    let mut counter = Counter::<u64>::default();
    counter.add_weighted(&[7, 9], &[0, 0]);
    assert_eq!(counter.finish(), None);
    assert_eq!(fingerprint::<u64>("auto|words|simhash:f=64:n=1-3|weight=tf|v=2", ""), None);
    assert_eq!(fingerprint::<u64>("auto|words|simhash:f=64:n=1-3|weight=tf|v=2", " … \u{200b} – "), None);
    assert_eq!(fingerprint::<u64>("auto|words|simhash:f=64:n=1-3|weight=tf|stop=en|v=2", "to be, or not to be"), None);
}

proptest! {
    #[test]
    fn counting_upright_is_the_papers_loop(
        features in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..4], 0..300),
        weights in prop::collection::vec(prop_oneof![any::<u16>(), 0u16..5], 300),
        times in 1usize..4,
    ) {
        let weights = &weights[..features.len()];
        twins::<u64>(&features, weights, times);
        twins::<u128>(&features, weights, times);
    }

    #[test]
    fn the_whole_way_is_the_definition(
        words in prop::collection::vec("[abc]", 0..40),
        least in 1usize..4,
        more in 0usize..3,
        weight in prop::sample::select(vec![Weight::Tf, Weight::Log, Weight::Binary]),
        tabled in any::<bool>(),
    ) {
        let fp = FeatureHasher::default();
        let hashes: Vec<u64> = words.iter().map(|word| fp.word(word.as_bytes())).collect();
        let mut counts = BTreeMap::<u64, usize>::new();
        for n in least..=least + more {
            for window in hashes.windows(n) {
                let rolled = window.iter().fold(0u64, |h, word| h.rotate_left(1) ^ word);
                *counts.entry(fp.permute(rolled)).or_default() += 1;
            }
        }
        let idf = tabled.then(|| {
            let listed: Vec<FeatureWeight> = counts.keys().step_by(2).map(|feature| FeatureWeight { feature: *feature, weight: 3 }).collect();
            Arc::new(Idf::new(&listed, 9).unwrap())
        });
        let recipe = SimhashRecipe {
            ngrams: Ngrams::new(least, least + more).unwrap(),
            weight,
            idf: idf.as_ref().map(|idf| idf.name().to_owned()),
            ..SimhashRecipe::default()
        };
        let hasher = Simhasher::new(&recipe, "", idf.clone()).unwrap();
        let text = words.join(" ");
        if words.len() >= least {
            let weigh = |(feature, count): (&u64, &usize)| {
                let tf = match weight {
                    Weight::Tf => *count as u64,
                    Weight::Log => 1 + u64::from(count.ilog2()),
                    Weight::Binary => 1,
                };
                (*feature, tf * idf.as_ref().map_or(1, |idf| u64::from(idf.weight(*feature))))
            };
            let weighed: Vec<(u64, u64)> = counts.iter().map(weigh).collect();
            prop_assert_eq!(hasher.fingerprint::<u64>(&text, &mut Scratch::default()), naive(&weighed));
        } else {
            prop_assert_eq!(hasher.fingerprint::<u64>(&text, &mut Scratch::default()).is_some(), !words.is_empty());
        }
        let wide = hasher.fingerprint::<u128>(&text, &mut Scratch::default());
        prop_assert_eq!(wide.map(|wide| wide as u64), hasher.fingerprint::<u64>(&text, &mut Scratch::default()));
    }
}

fn fingerprint<F: FingerprintBits>(recipe: &str, text: &str) -> Option<F> {
    let hasher = Simhasher::new(&recipe.parse().unwrap(), "", None).unwrap();
    hasher.fingerprint(text, &mut Scratch::default())
}

const ROSE: &str = "a rose is a rose is a rose";
const PAPER: &str = "Given a set of features and their weights, we use simhash to make an f-bit fingerprint as follows: each \
    feature is hashed, and its bits raise or lower the components of a vector. Straße, Ærø und 東京.";

#[test]
fn golden() {
    let recipes = [
        "auto|words|simhash:f=64:n=1-3|weight=tf|v=2",
        "auto|words|simhash:f=64:n=1|weight=tf|v=2",
        "auto|words|simhash:f=64:n=3|weight=tf|v=2",
        "auto|words|simhash:f=64:n=1-3|weight=log|v=2",
        "auto|words|simhash:f=64:n=1-3|weight=binary|v=2",
        "auto|words|simhash:f=64:n=1-3|weight=tf|stop=de,en|v=2",
        "auto|words|simhash:f=64:n=2-3|weight=tf|v=2",
    ];
    let got: Vec<String> = recipes
        .iter()
        .flat_map(|recipe| [ROSE, PAPER].map(|text| format!("{:032x}", fingerprint::<u128>(recipe, text).unwrap())))
        .collect();
    assert_eq!(got, GOLDEN);
    let narrow = format!("{:016x}", fingerprint::<u64>(recipes[0], PAPER).unwrap());
    assert_eq!(narrow, GOLDEN[1][16..]);
}
const GOLDEN: [&str; 14] = [
    "182d8d275c066fdc3b69b08ca6be5af0",
    "120b4ca8fcc37e4e50616c10c9e72a9b",
    "313501a7ec2472d83122a08dea3c9ad8",
    "f78f4d8edde336eb3076d71addefea9e",
    "684dce1710422bddebed70de22b94b78",
    "2603430aa9a3e95ec229e9708a163a05",
    "182d8c2754066fdd3b69b09ca6be5af0",
    "120b4ca8fcc37e4e50616c10c9e72a9b",
    "182d8c2754066fdd3b69b09ca6be5af0",
    "320b4ca8fdc77e4e50656e10c9e73a9f",
    "297861a228083ad01ce10406e2221090",
    "622ed8381d31584b40ed775149d5980c",
    "0c2c8e3716436f0d3ae9529a07af7a70",
    "124b8ea8b8cffe0ede696cc088a6389b",
];

#[test]
fn golden_with_a_key_and_a_table() {
    let key = FeatureHasher::key_name("secret");
    let recipe: SimhashRecipe = format!("auto|words|simhash:f=64:n=1-3|weight=tf|key={key}|v=2").parse().unwrap();
    let hasher = Simhasher::new(&recipe, "secret", None).unwrap();
    let mut scratch = Scratch::<u128>::default();
    assert_eq!(
        format!("{:032x}", hasher.fingerprint(PAPER, &mut scratch).unwrap()),
        "73d400d66ee2d4b055030d5ea100907e"
    );
    let listed: Vec<FeatureWeight> = hasher
        .features(ROSE, &mut scratch)
        .iter()
        .map(|feature| FeatureWeight { feature: *feature, weight: 1 })
        .collect();
    let idf = Arc::new(Idf::new(&listed, 30).unwrap());
    let recipe = SimhashRecipe { idf: Some(idf.name().to_owned()), ..recipe };
    let hasher = Simhasher::new(&recipe, "secret", Some(idf)).unwrap();
    assert_eq!(
        format!("{:032x}", hasher.fingerprint(PAPER, &mut scratch).unwrap()),
        "73f408cc4fe3d4b055830dde2948907e"
    );
}

#[test]
fn stop_words_leave_phrases_of_the_rest() {
    let recipe = "auto|words|simhash:f=64:n=2|weight=tf|stop=en|v=2";
    let fingerprint = |text| fingerprint::<u64>(recipe, text).unwrap();
    assert_eq!(fingerprint("the end of the story"), fingerprint("An end to that STORY"));
    assert_ne!(fingerprint("the end of the story"), fingerprint("the story of the end"));
}

#[test]
fn key_and_table_must_fit() {
    let keyed = SimhashRecipe { key: Some(FeatureHasher::key_name("one")), ..SimhashRecipe::default() };
    assert!(Simhasher::new(&keyed, "two", None).is_err());
    assert!(Simhasher::new(&SimhashRecipe::default(), "one", None).is_err());
    let idf = Arc::new(Idf::new(&[], 9).unwrap());
    assert!(Simhasher::new(&SimhashRecipe::default(), "", Some(Arc::clone(&idf))).is_err());
    let tabled = SimhashRecipe { idf: Some("00000000".into()), ..SimhashRecipe::default() };
    assert!(Simhasher::new(&tabled, "", Some(idf)).is_err());
    assert!(Simhasher::new(&tabled, "", None).is_err());
}

#[test]
fn alike_texts_have_near_fingerprints() {
    let recipe = "auto|words|simhash:f=64:n=1-3|weight=tf|v=2";
    let text = |salt: u32, edits: u32| {
        let word = |i: u32| {
            let i = if i < edits * 40 && i.is_multiple_of(40) { i + 7777 } else { i };
            format!("w{} ", i.wrapping_mul(2_654_435_761).wrapping_add(salt * 977) % 5000)
        };
        (0..800).map(word).collect::<String>()
    };
    let fingerprint = |salt, edits| fingerprint::<u64>(recipe, &text(salt, edits)).unwrap();
    assert!(fingerprint(0, 0).distance(fingerprint(0, 2)) <= 6);
    assert!(fingerprint(0, 0).distance(fingerprint(0, 2)) < fingerprint(0, 0).distance(fingerprint(0, 20)));
    assert!(fingerprint(0, 0).distance(fingerprint(1, 0)) >= 18);
}
