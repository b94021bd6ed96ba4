//! What a calibration says, held against what is known of corpora that are made here.

use crate::common::{Random, Text, options, resemblance, run, shards, texts};
use lookalike_dedup::Error;
use lookalike_dedup::calibrate::{
    CalibrateOptions, Calibration, Calibrator, Judge, Judgement, Judgements, SampledPair, Suggestion,
};
use std::collections::BTreeMap;
use std::path::Path;

fn calibrate(input: &Path, change: impl FnOnce(&mut CalibrateOptions)) -> Calibration {
    let mut options = CalibrateOptions::default();
    change(&mut options);
    Calibrator::new(options).run(&[input.to_owned()]).unwrap().calibration
}

/// Pairs of two kinds: `s…` are the same with single words changed, `d…` have a part in common and go on differently.
fn planted(seed: u64, families: usize) -> Vec<Text> {
    let mut random = Random::new(seed);
    let mut texts = Vec::new();
    for family in 0..families {
        let words = random.words(150);
        let mut other = words.clone();
        let kind = if random.below(5) < 2 { 's' } else { 'd' };
        if kind == 's' {
            for _ in 0..=random.below(30) {
                let at = random.below(other.len());
                other[at] = format!("changed{}", random.below(1000));
            }
        } else {
            let part = 3 + random.below(85);
            let new = random.words(part);
            other.splice(150 - part.., new);
        }
        texts.push((format!("{kind}{family}a"), words.join(" ")));
        texts.push((format!("{kind}{family}b"), other.join(" ")));
    }
    texts
}

fn is_same(pair: &SampledPair) -> bool {
    pair.a.id.starts_with('s')
}

/// What everybody would say of these pairs.
fn judged(pairs: &[SampledPair]) -> Judgements {
    let mut judgements = Judgements::default();
    for pair in pairs {
        let judgement = if is_same(pair) { Judgement::Same } else { Judgement::Different };
        judgements.add(&pair.a.content, &pair.b.content, judgement);
    }
    judgements
}

#[test]
fn intervals_hold_what_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let (mut held, mut all, mut narrow) = (BTreeMap::<&str, u32>::new(), BTreeMap::<&str, u32>::new(), 0);
    for seed in 0..10 {
        let input = shards(&dir.path().join(seed.to_string()), &planted(seed, 500), 2);
        let census = calibrate(&input, |o| o.per_stratum = usize::MAX);
        assert_eq!(census.sample.len() as u64, census.pairs);
        let found = calibrate(&input, |o| {
            o.per_stratum = 15;
            o.judgements = Some(judged(&census.sample));
        });
        assert_eq!((found.judged_by, found.pairs), (Judge::People, census.pairs));
        assert!(found.sample.len() < 215 && found.sample.len() > 150, "{}", found.sample.len());
        for (at, measure) in found.measures.iter().enumerate() {
            for row in &measure.thresholds {
                let is_above = |pair: &SampledPair| pair.scores[at].unwrap() >= row.threshold;
                let count = |wanted: &dyn Fn(&SampledPair) -> bool| census.sample.iter().filter(|p| wanted(p)).count();
                let above_same = count(&|p| is_above(p) && is_same(p)) as f64;
                let (above, same) = (count(&is_above), count(&is_same));
                if at == 0 {
                    assert_eq!(row.pairs, above as u64);
                }
                let shares = [("precision", row.precision, above), ("recall", row.recall, same)];
                for (name, estimate, of) in shares {
                    let Some(estimate) = estimate.filter(|_| of > 0) else { continue };
                    let truth = above_same / of as f64;
                    *all.entry(name).or_default() += 1;
                    *held.entry(name).or_default() +=
                        u32::from(estimate.low - 1e-9 <= truth && truth <= estimate.high + 1e-9);
                    narrow += u32::from(estimate.high - estimate.low < 0.25);
                }
            }
        }
    }
    for (name, all) in &all {
        assert!(*all > 500 && f64::from(held[name]) >= 0.9 * f64::from(*all), "{name}: {} of {all}", held[name]);
    }
    assert!(narrow > 600, "{narrow}: and they say something");
}

#[test]
fn numbers_are_those_of_the_documents_and_of_dedup() {
    let dir = tempfile::tempdir().unwrap();
    let mut corpus = texts(200);
    corpus.extend(planted(9, 100));
    let input = shards(dir.path(), &corpus, 2);
    let by_id: BTreeMap<&str, &str> = corpus.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let found = calibrate(&input, |_| {});
    assert_eq!((found.judged_by, found.documents), (Judge::Alignment, corpus.len() as u64));
    assert!(found.sample.len() > 100);
    for pair in &found.sample {
        let (a, b) = (by_id[pair.a.id.as_str()], by_id[pair.b.id.as_str()]);
        assert!((pair.scores[0].unwrap() - resemblance(a, b)).abs() < 1e-9);
        let stratum = &found.strata[pair.stratum];
        assert!(stratum.from <= pair.scores[0].unwrap() && pair.scores[0].unwrap() < stratum.to);
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
        let (a, b) = (words(a), words(b));
        let bags = a.intersection(&b).count() as f64 / a.union(&b).count() as f64;
        let one = found.measures.iter().position(|of| of.measure.to_string() == "w=1").unwrap();
        assert!((pair.scores[one].unwrap() - bags).abs() < 1e-9);
        assert_eq!(pair.judgement == Some(Judgement::Same), pair.aligned.unwrap() >= 0.8);
    }
    for row in &found.measures[0].thresholds {
        let removed = run(&input, None, &options(|o| o.shingles.policy.threshold = row.threshold)).unwrap();
        assert_eq!(row.removed, Some(removed.summary.removed), "{}", row.threshold);
    }
}

#[test]
fn the_answer_does_not_depend_on_shards_threads_or_memory() {
    let dir = tempfile::tempdir().unwrap();
    let corpus = planted(5, 300);
    let json = |calibration: &Calibration| serde_json::to_string(calibration).unwrap();
    let few = |o: &mut CalibrateOptions| o.per_stratum = 7;
    // ids of shards are in no answer: documents have their own
    let first = json(&calibrate(&shards(&dir.path().join("a"), &corpus, 1), few));
    let mut backwards = corpus.clone();
    backwards.reverse();
    for (at, (shard_count, threads, memory)) in
        [(5, 1, 64 << 20), (2, 3, 1 << 30), (7, 2, 20 << 20)].into_iter().enumerate()
    {
        let input = shards(&dir.path().join(at.to_string()), &backwards, shard_count);
        let found = calibrate(&input, |o| {
            few(o);
            (o.scan.resources.threads, o.scan.resources.memory) = (threads, memory);
        });
        assert_eq!(json(&found), first, "{at}");
    }
}

#[test]
fn what_people_say_is_found_again_as_long_as_documents_are_what_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let mut corpus = planted(3, 60);
    let input = shards(&dir.path().join("before"), &corpus, 1);
    let before = calibrate(&input, |_| {});
    let judgements = judged(&before.sample);
    let first = &before.sample[0];
    let changed = corpus.iter_mut().find(|(id, _)| *id == first.a.id).unwrap();
    changed.1.push_str(" and more");
    let input = shards(&dir.path().join("after"), &corpus, 1);
    let after = calibrate(&input, |o| o.judgements = Some(judgements.clone()));
    assert!(after.judgements.of_other_pairs >= 1, "{:?}", after.judgements);
    assert!(after.judgements.unjudged >= 1, "{:?}", after.judgements);
    let counts = &after.judgements;
    assert_eq!(counts.same + counts.different + counts.of_other_pairs, judgements.len() as u64);
    // a few of them leave it open, and say so
    let some = calibrate(&input, |o| o.judgements = Some(judged(&before.sample[..8])));
    assert!(matches!(some.suggestion, Suggestion::TooFewPairs { .. }), "{:?}", some.suggestion);
}

#[test]
fn nothing_to_compare_is_told() {
    let dir = tempfile::tempdir().unwrap();
    for (name, texts) in [("none", vec![]), ("short", vec![("a", "cat"), ("b", "dog"), ("c", "cat"), ("d", "")])] {
        let texts: Vec<Text> = texts.into_iter().map(|(id, text)| (id.into(), text.into())).collect();
        let found = calibrate(&shards(&dir.path().join(name), &texts, 1), |_| {});
        assert_eq!((found.pairs, found.suggestion), (0, Suggestion::NoPairs), "{name}");
        assert!(found.measures.iter().all(|of| of.thresholds.iter().all(|row| row.precision.is_none())));
    }
}

#[test]
fn options_without_meaning_are_refused() {
    let input = Path::new("nowhere");
    let changes: [fn(&mut CalibrateOptions); 6] = [
        |o| o.explore = 0.0,
        |o| o.explore = 0.96,
        |o| o.explore = f64::NAN,
        |o| o.precision = 1.5,
        |o| o.per_stratum = 0,
        |o| o.shingles.recipe.w = 0,
    ];
    for change in changes {
        let mut options = CalibrateOptions::default();
        change(&mut options);
        let refused = Calibrator::new(options).run(&[input.to_owned()]);
        assert!(matches!(refused, Err(Error::WrongOption { .. })));
    }
}
