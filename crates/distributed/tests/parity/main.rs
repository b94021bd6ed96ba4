//! The steps on a toy engine that only shuffles, against a dedup on one machine: the same removals, byte for byte.

mod corpora;
mod malformed;
mod pipeline;
mod shuffle;
mod single_machine;

use corpora::{Corpus, Dice, Kind};
use lookalike_dedup::DedupOptions;
use pipeline::Pipeline;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Who goes, who stays in its place, how they are related, and the three shares, bit by bit.
type Removal = (String, String, String, [u64; 3]);

fn options(threshold: f64, max_df: u32) -> DedupOptions {
    let mut options = DedupOptions::default();
    options.shingles.policy.threshold = threshold;
    options.shingles.max_df = max_df;
    options
}

/// Both ways, in so many partitions; what they agree on.
fn agree(corpus: &Corpus, options: &DedupOptions, partitions: &[usize]) -> Vec<Removal> {
    let expected = single_machine::removals(corpus, options);
    for partitions in partitions {
        let pipeline = Pipeline::new(options, *partitions);
        let found = pipeline.removals(corpus);
        let (only_here, only_there) = differences(&found, &expected);
        assert!(
            only_here.is_empty() && only_there.is_empty(),
            "{partitions} partitions: only in steps {only_here:#?}, only on one machine {only_there:#?}"
        );
        assert_eq!(found, expected, "{partitions} partitions");
    }
    expected
}

fn differences<'a>(a: &'a [Removal], b: &'a [Removal]) -> (Vec<&'a Removal>, Vec<&'a Removal>) {
    let only = |a: &'a [Removal], b: &[Removal]| a.iter().filter(|r| !b.contains(r)).take(5).collect();
    (only(a, b), only(b, a))
}

fn classes(removals: &[Removal]) -> BTreeMap<&str, usize> {
    let mut classes = BTreeMap::new();
    for removal in removals {
        *classes.entry(removal.2.as_str()).or_default() += 1;
    }
    classes
}

#[test]
fn everything_at_once() {
    let corpus = Corpus::mixed(&mut Dice(1), 500, &Kind::ALL);
    for (threshold, max_df) in [(0.8, 1000), (0.8, 12), (0.6, 25), (0.9, 5)] {
        let removals = agree(&corpus, &options(threshold, max_df), &[1, 2, 7]);
        let classes = classes(&removals);
        assert!(classes.len() == 4 && removals.len() > 100, "{threshold}, {max_df}: {classes:?}");
    }
}

#[test]
fn a_template_in_most_documents() {
    let corpus = Corpus::mixed(&mut Dice(2), 400, &[Kind::Template, Kind::NearCopy, Kind::New]);
    for max_df in [8, 40] {
        let removals = agree(&corpus, &options(0.7, max_df), &[1, 3]);
        assert!(removals.len() > 30, "{}", removals.len());
    }
}

/// All that near-copies without number have in common is frequent: only bands find them.
#[test]
fn families_of_boilerplate() {
    let corpus = Corpus::families(&mut Dice(3), 4, 120);
    for (threshold, max_df) in [(0.8, 20), (0.6, 20), (0.9, 2)] {
        let removals = agree(&corpus, &options(threshold, max_df), &[1, 2, 7]);
        assert!(removals.len() > 100, "{threshold}, {max_df}: {}", removals.len());
    }
}

#[test]
fn documents_of_very_different_length() {
    let corpus = Corpus::lengths(&mut Dice(4), 160);
    for threshold in [0.2, 0.5, 0.8] {
        let removals = agree(&corpus, &options(threshold, 30), &[1, 4]);
        assert!(removals.len() > 20, "{threshold}: {}", removals.len());
    }
}

#[test]
fn chains() {
    let corpus = Corpus::chains(&mut Dice(5), 12, 25);
    for threshold in [0.5, 0.7, 0.8] {
        let removals = agree(&corpus, &options(threshold, 1000), &[1, 2, 7]);
        assert!(removals.len() > 30, "{threshold}: {}", removals.len());
    }
}

#[test]
fn bands_of_other_pipelines_are_drawn_alike() {
    let corpus = Corpus::mixed(&mut Dice(6), 300, &[Kind::New, Kind::NearCopy]);
    let mut options = options(0.7, 1000);
    options.shingles.policy.banding = Some(lookalike_core::sketch::Banding { bands: 14, rows: 8 });
    assert!(agree(&corpus, &options, &[1, 5]).len() > 30);
}

#[test]
fn few_bytes_of_memory_and_many_cells_do_not_show() {
    let corpus = Corpus::mixed(&mut Dice(7), 200, &Kind::ALL);
    let options = options(0.7, 15);
    let expected = single_machine::removals(&corpus, &options);
    for (side, memory) in [(1, 0), (3, 5000), (40, 1 << 20)] {
        let pipeline = Pipeline::new(&options, 3).with_resources(side, memory);
        assert_eq!(pipeline.removals(&corpus), expected, "side {side}, memory {memory}");
    }
}

#[test]
fn the_highest_preference_stays() {
    let mut corpus = Corpus::mixed(&mut Dice(8), 200, &Kind::ALL);
    corpus.rank(&mut Dice(9));
    let mut options = options(0.7, 15);
    options.scan.keep = lookalike_engine::Keep::Best;
    options.scan.corpus.rank_field = Some("preference".into());
    let removals = agree(&corpus, &options, &[1, 4]);
    assert!(removals.len() > 40);
    options.scan.keep = lookalike_engine::Keep::Longest;
    assert_ne!(single_machine::removals(&corpus, &options), removals, "or nothing is tested");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_corpus(
        seed: u64,
        documents in 2usize..90,
        threshold in 0.05f64..=1.0,
        max_df in 1u32..30,
        partitions in 1usize..9,
        kinds in prop::sample::subsequence(Kind::ALL.to_vec(), 1..=Kind::ALL.len()),
    ) {
        let corpus = Corpus::mixed(&mut Dice(seed), documents, &kinds);
        agree(&corpus, &options(threshold, max_df), &[partitions]);
    }
}
