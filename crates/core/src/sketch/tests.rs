use super::*;
use crate::feature_hash::FeatureHasher;
use crate::sets::{self, Overlap};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn sketch(sampling: Sampling, features: impl IntoIterator<Item = u64>) -> Sketch {
    let mut sampler = Sampler::new(sampling);
    features.into_iter().for_each(|f| sampler.push(f));
    sampler.finish()
}

/// The definitions of the paper, on the whole set.
fn naive(sampling: Sampling, features: &[u64]) -> Sketch {
    let set: BTreeSet<u64> = features.iter().copied().collect();
    let at = |level: u8| set.iter().copied().filter(|f| f % (1 << level) == 0).collect::<Vec<u64>>();
    match sampling {
        Sampling::Min(s) => {
            let features: Vec<u64> = set.into_iter().take(s as usize).collect();
            Sketch { level: u8::from(features.len() == s as usize), features }
        }
        Sampling::Mod(m) => Sketch { level: 0, features: set.into_iter().filter(|f| f % u64::from(m) == 0).collect() },
        Sampling::Nested(size) => {
            let size = size as usize;
            let uncrowded = (0u8..64).find(|i| at(*i).len() <= size * 2).unwrap();
            let level_of = |n: usize| (0u8..64).find(|i| n >> i <= size).unwrap().max(uncrowded);
            let by_length = level_of(features.len());
            let level =
                if at(by_length).len() * 4 >= size { by_length } else { level_of(at(uncrowded).len() << uncrowded) };
            Sketch { level, features: at(level) }
        }
    }
}

fn samplings() -> impl Strategy<Value = Sampling> {
    prop_oneof![
        (1u32..50).prop_map(Sampling::Min),
        (1u32..50).prop_map(Sampling::Mod),
        (8u32..50).prop_map(Sampling::Nested)
    ]
}

proptest! {
    #[test]
    fn streaming_equals_the_definition(sampling in samplings(), seeds in prop::collection::vec(0u64..2000, 0..3000), repeat in 1usize..4) {
        let fp = FeatureHasher::default();
        let features: Vec<u64> = seeds.iter().cycle().take(seeds.len() * repeat).map(|x| fp.permute(*x)).collect();
        let expected = naive(sampling, &features);
        prop_assert_eq!(&sketch(sampling, features.iter().copied()), &expected);
        prop_assert_eq!(&sketch(sampling, features.iter().rev().copied()), &expected);
        let mut sampler = Sampler::new(sampling);
        features.chunks(500).for_each(|some| sampler.extend(some));
        prop_assert_eq!(&sampler.finish(), &expected);
    }

    #[test]
    fn crafted_features_do_not_break_it(sampling in samplings(), features in prop::collection::vec(prop_oneof![Just(0u64), (0u32..64).prop_map(|i| 1 << i), any::<u64>()], 0..2000)) {
        prop_assert_eq!(sketch(sampling, features.iter().copied()), naive(sampling, &features));
    }

    #[test]
    fn names_parse_back(sampling in samplings()) {
        prop_assert_eq!(sampling.to_string().parse::<Sampling>(), Ok(sampling));
    }
}

#[test]
fn a_sketch_has_fifty_to_a_hundred_features() {
    let fp = FeatureHasher::default();
    for n in [101u64, 150, 200, 1000, 5000, 70_000] {
        let total: usize = (0..40u64)
            .map(|seed| sketch(Sampling::default(), (0..n).map(|x| fp.permute(x + (seed << 32)))).features.len())
            .sum();
        let mean = total as f64 / 40.0;
        assert!((48.0..=102.0).contains(&mean), "{n} shingles: {mean} features");
    }
    // a document that repeats three shingles ten thousand times keeps them
    assert_eq!(sketch(Sampling::default(), (0..30_000u64).map(|x| fp.permute(x % 3))).features.len(), 3);
}

/// Two sets with a known overlap, under many permutations: the mean of the estimates is the truth, within what chance allows,
/// and the 95% interval holds the truth in about 95% of the cases.
#[test]
fn estimates_are_unbiased_and_intervals_honest() {
    const TRIALS: u32 = 1500;
    for (only_a, both, only_b) in [(300u64, 700u64, 300u64), (100, 400, 2500), (800, 200, 800)] {
        let size = |x: u64| x as f64;
        let truth = [
            size(both) / size(only_a + both + only_b),
            size(both) / size(only_a + both),
            size(both) / size(both + only_b),
        ];
        for sampling in [Sampling::Min(100), Sampling::Mod(25), Sampling::Nested(100)] {
            let (mut sum, mut square, mut inside) = ([0.0; 3], [0.0; 3], [0u32; 3]);
            for trial in 0..TRIALS {
                let fp = FeatureHasher::with_key(&format!("trial {trial}"));
                let a = sketch(sampling, (0..only_a + both).map(|x| fp.permute(x)));
                let b = sketch(sampling, (only_a..only_a + both + only_b).map(|x| fp.permute(x)));
                let e = SampleOverlap::of(sampling, &a, &b).estimate(sampling);
                let all = [Some(e.resemblance), e.a_in_b, e.b_in_a];
                for (i, e) in all.into_iter().enumerate().filter_map(|(i, e)| Some((i, e?))) {
                    sum[i] += e.value;
                    square[i] += e.value * e.value;
                    inside[i] += u32::from(e.low <= truth[i] && truth[i] <= e.high);
                }
            }
            let n = f64::from(TRIALS);
            for i in 0..if sampling.estimates_containment() { 3 } else { 1 } {
                let mean = sum[i] / n;
                let error = ((square[i] / n - mean * mean) / n).sqrt();
                assert!(
                    (mean - truth[i]).abs() < 4.5 * error,
                    "{sampling} number {i}: {mean} for {}, error {error}",
                    truth[i]
                );
                let cover = f64::from(inside[i]) / n;
                assert!(cover > 0.925, "{sampling} number {i}: interval holds the truth in {cover}");
            }
        }
    }
}

#[test]
fn whole_samples_are_exact() {
    let fp = FeatureHasher::default();
    let (a, b): (Vec<u64>, Vec<u64>) =
        ((0..60).map(|x| fp.permute(x)).collect(), (20..90).map(|x| fp.permute(x)).collect());
    let sort = |mut v: Vec<u64>| {
        sets::into_set(&mut v);
        v
    };
    let truth = Overlap::of(&sort(a.clone()), &sort(b.clone()));
    for sampling in [Sampling::Min(100), Sampling::Mod(1), Sampling::Nested(100)] {
        let e =
            SampleOverlap::of(sampling, &sketch(sampling, a.clone()), &sketch(sampling, b.clone())).estimate(sampling);
        assert_eq!(e.resemblance, Estimate::exact(truth.resemblance()), "{sampling}");
        assert_eq!(e.a_in_b, Some(Estimate::exact(truth.a_in_b())), "{sampling}");
        assert_eq!(e.b_in_a, Some(Estimate::exact(truth.b_in_a())), "{sampling}");
    }
}

/// The sample of a text is frozen with its fingerprints.
#[test]
fn golden_sketches() {
    let fp = FeatureHasher::default();
    let text = (0..1000).map(|n| format!("word{}", n * n % 997)).collect::<Vec<_>>().join(" ");
    let features = crate::shingle::set_of_text(&text, 10, &fp);
    let golden = |sampling: Sampling| {
        let sketch = sketch(sampling, features.iter().copied());
        let sum = sketch.features.iter().fold(0u64, |h, f| h.rotate_left(5) ^ f);
        format!("{sampling} level {} features {} sum {sum:016x}", sketch.level, sketch.features.len())
    };
    let got = [Sampling::Nested(100), Sampling::Min(64), Sampling::Mod(25)].map(golden);
    assert_eq!(got, GOLDEN);
}
const GOLDEN: [&str; 3] = [
    "nested:100 level 4 features 63 sum ca24a6cb151b2d11",
    "min:64 level 1 features 64 sum 4163f31895a06b1e",
    "mod:25 level 0 features 44 sum a4fadc23e1255227",
];
