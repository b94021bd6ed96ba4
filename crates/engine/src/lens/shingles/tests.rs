//! The pipeline with so little memory that everything spills and the join runs block by block, against the pipeline with plenty,
//! and against the definitions.

mod decided;
mod growth;
mod menus;
mod rule;

use crate::lens::shingles::engine::ShinglesEngine;
use crate::report::cluster::Class;
use crate::report::policy::Policy;
use crate::report::shingles::Candidates;
use crate::run::Session;
use crate::run::options::ScanOptions;
use crate::run::scan::{self, DocumentScan};
use crate::testing::TestOptions;
use crate::{Error, Input, Scanner, ShinglesOptions};
use lookalike_core::cluster::Linkage;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::sets::Overlap;
use lookalike_core::shingle;
use lookalike_corpus::Corpus;
use lookalike_store::{Cancel, Resources, Silent};
use std::collections::BTreeMap;
use std::io::Cursor;

/// A small generator with a seed: the same documents for ever.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % sides as u64) as usize
    }

    fn words(&mut self, n: usize) -> Vec<String> {
        (0..n).map(|_| format!("w{}", self.roll(5000))).collect()
    }
}

/// Documents of 40 to 600 words, copies with changed words, excerpts, identical copies, and a template in a third of them.
fn corpus(documents: usize) -> BTreeMap<String, String> {
    let mut dice = Dice(7);
    let template = dice.words(60).join(" ");
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut all = BTreeMap::new();
    for at in 0..documents {
        let text = match dice.roll(5) {
            0 | 1 if at > 10 => {
                let mut copy = texts[dice.roll(at)].clone();
                for _ in 0..copy.len() / 60 {
                    let place = dice.roll(copy.len());
                    copy[place] = format!("x{}", dice.roll(1000));
                }
                copy
            }
            2 if at > 10 => {
                let whole = &texts[dice.roll(at)];
                whole[whole.len() / 3..].to_vec()
            }
            _ => {
                let length = 40 + dice.roll(560);
                dice.words(length)
            }
        };
        let header = if at % 3 == 0 { format!("{template}\n") } else { String::new() };
        all.insert(format!("d{at:04}"), header + &text.join(" "));
        texts.push(text);
    }
    all
}

fn jsonl(documents: &BTreeMap<String, String>, backwards: bool) -> Vec<Input> {
    let mut lines: Vec<String> =
        documents.iter().map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":{text:?}}}\n")).collect();
    if backwards {
        lines.reverse();
    }
    vec![Input::Stream(Box::new(Cursor::new(lines.concat())))]
}

fn run(inputs: Vec<Input>, options: &TestOptions<ShinglesOptions>, threads: usize) -> DocumentScan {
    let cancel = Cancel::default();
    let session = Session::new(&options.scan, &Silent, &cancel).unwrap();
    let corpus = Corpus::open(inputs, options.scan.corpus.clone()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let engine = ShinglesEngine::new(&options.lens, &session, Vec::new()).unwrap();
    pool.install(|| scan::run(&engine, &session, corpus)).unwrap()
}

fn options(change: impl FnOnce(&mut TestOptions<ShinglesOptions>)) -> TestOptions<ShinglesOptions> {
    let lens = ShinglesOptions { max_df: 120, ..ShinglesOptions::new(ShingleRecipe::words(5)) };
    let mut scan = ScanOptions::default();
    scan.resources.memory = 1 << 30;
    let mut options = TestOptions { lens, scan };
    change(&mut options);
    options
}

#[test]
fn neither_memory_nor_threads_nor_order_show() {
    let documents = corpus(600);
    let mut linked = 0;
    for (name, change) in [
        ("star", (|_| {}) as fn(&mut TestOptions<ShinglesOptions>)),
        ("contained", |o| o.policy.contained = Some(0.8)),
        ("single", |o| o.policy.linkage = Linkage::Single),
        ("estimate", |o| o.estimate = true),
        ("super", |o| o.candidates = Candidates::Super),
        ("min", |o| o.recipe.sampling = "min:60".parse().unwrap()),
        ("mod", |o| o.recipe.sampling = "mod:4".parse().unwrap()),
        ("common off", |o| o.max_df = u32::MAX),
        ("common 20", |o| o.max_df = 20),
        ("whole", |o| (o.include_boilerplate, o.max_df) = (true, 20)),
        ("whole and single", |o| (o.include_boilerplate, o.max_df, o.policy.linkage) = (true, 20, Linkage::Single)),
    ] {
        let plenty = options(change);
        let expected = run(jsonl(&documents, false), &plenty, 1).report;
        linked += expected.head.summary.clustered;
        let expected = serde_json::to_string(&expected).unwrap();
        for (memory, threads, backwards) in [(1 << 30, 3, true), (1 << 10, 2, false), (1 << 16, 1, true)] {
            let little = plenty.with(|o| o.scan.resources = Resources { memory, ..Resources::default() });
            let report = run(jsonl(&documents, backwards), &little, threads).report;
            assert_eq!(
                serde_json::to_string(&report).unwrap(),
                expected,
                "{name}, memory {memory}, {threads} threads, backwards {backwards}"
            );
        }
    }
    assert!(linked > 1000, "the corpus has something to find");
}

#[test]
fn pairs_are_what_the_definitions_say() {
    let documents = corpus(300);
    let fp = FeatureHasher::default();
    let sets: Vec<(&String, Vec<u64>)> =
        documents.iter().map(|(id, text)| (id, shingle::set_of_text(text, 5, &fp))).collect();
    let options = options(|o| {
        o.max_df = u32::MAX;
        o.all_pairs = true;
        o.policy = Policy { threshold: 0.6, contained: Some(0.9), ..Policy::default() };
    });
    let scan = run(jsonl(&documents, false), &options, 2);
    let mut found = BTreeMap::new();
    scan.pairs
        .for_each_row(&scan.documents, &mut |pair| {
            found.insert((pair.a.clone(), pair.b.clone()), pair.resemblance);
            Ok(())
        })
        .unwrap();
    let (mut near, mut missed) = (0, 0);
    for (at, (a, set_a)) in sets.iter().enumerate() {
        for (b, set_b) in &sets[at + 1..] {
            let truth = Overlap::of(set_a, set_b);
            let reported = found.remove(&((*a).clone(), (*b).clone()));
            let is_link = truth.resemblance() >= 0.6 || truth.a_in_b() >= 0.9 || truth.b_in_a() >= 0.9;
            near += usize::from(is_link);
            missed += usize::from(is_link && reported.is_none());
            if let Some(r) = reported {
                assert!(is_link, "{a} {b}: {truth:?}");
                assert!((r - truth.resemblance()).abs() < 1e-12);
            }
        }
    }
    assert!(found.is_empty(), "each pair once, in the order of ids");
    assert!(near > 100 && missed * 100 <= near, "{missed} of {near} missed");
}

#[test]
fn stars_hold_no_chains_and_single_linkage_says_so() {
    // each version changes a sixth: neighbours resemble, the ends do not
    let mut dice = Dice(3);
    let mut words = dice.words(400);
    let mut documents = BTreeMap::new();
    for version in 0..6 {
        documents.insert(format!("v{version}"), words.join(" "));
        let from = version * 66;
        let new = dice.words(66);
        words[from..from + 66].clone_from_slice(&new);
    }
    let star = run(jsonl(&documents, false), &options(|_| {}), 1).report;
    for member in star.clusters.iter().flat_map(|c| &c.members) {
        assert!(member.resemblance.unwrap() >= 0.5, "{member:?}");
    }
    assert!(star.clusters.len() > 1, "the ends are apart: {:?}", star.clusters);
    let single = run(jsonl(&documents, false), &options(|o| o.policy.linkage = Linkage::Single), 1).report;
    assert_eq!(single.clusters.len(), 1);
    assert_eq!(single.clusters[0].members.len(), 5);
    let far: Vec<_> = single.clusters[0].members.iter().filter(|m| m.class == Class::Chained).collect();
    assert!(!far.is_empty() && far.iter().all(|m| m.resemblance.unwrap() < 0.5));
}

#[test]
fn a_cancelled_scan_stops() {
    let options = options(|_| {});
    let cancel = Cancel::default();
    cancel.cancel();
    let result = Scanner::new(options.lens.clone()).cancel(&cancel).run(jsonl(&corpus(20), false));
    assert!(matches!(result, Err(Error::Cancelled)));
}

fn lines(documents: &[(&str, String)]) -> Vec<Input> {
    let lines: Vec<String> =
        documents.iter().map(|(id, text)| format!("{{\"id\":\"{id}\",\"text\":{text:?}}}\n")).collect();
    vec![Input::Stream(Box::new(Cursor::new(lines.concat())))]
}

/// Found by review: a document whose only shingle is not sampled was the equal of any other.
#[test]
fn short_documents_are_not_all_the_same() {
    let texts =
        ["the cat sat", "quarterly revenue fell", "hello world", "hello world", "seven ships sailed past us all"];
    for sketch in ["nested:100", "min:100", "mod:25", "mod:1000"] {
        let documents: Vec<(&str, String)> =
            ["a", "b", "c", "d", "e"].into_iter().zip(texts.map(str::to_owned)).collect();
        let report = run(lines(&documents), &options(|o| o.recipe.sampling = sketch.parse().unwrap()), 1).report;
        assert_eq!(
            (report.head.summary.clusters, report.head.summary.identical, report.head.summary.clustered),
            (1, 1, 2),
            "{sketch}"
        );
    }
}

/// Found by review: with a template taken out, `MIN_s` sketches passed for whole sets.
#[test]
fn min_sketches_without_their_template_are_still_samples() {
    let mut dice = Dice(11);
    let template = dice.words(150).join(" ");
    let mut documents = BTreeMap::new();
    for at in 0..80 {
        let words = dice.words(300);
        let mut copy = words.clone();
        let from = dice.roll(200);
        let new = dice.words(60);
        copy[from..from + 60].clone_from_slice(&new);
        documents.insert(format!("a{at}"), format!("{template} {}", words.join(" ")));
        documents.insert(format!("b{at}"), format!("{template} {}", copy.join(" ")));
    }
    let change = |sketch: &str| {
        let sampling = sketch.parse().unwrap();
        options(move |o| {
            o.recipe.sampling = sampling;
            o.max_df = 50;
            o.policy.threshold = 0.6;
        })
    };
    let found = |sketch: &str| run(jsonl(&documents, false), &change(sketch), 1).report.head.summary.near;
    assert_eq!((found("nested:100"), found("min:100")), (80, 80));
    let estimates = change("min:100").with(|o| o.estimate = true);
    let report = run(jsonl(&documents, false), &estimates, 1).report;
    for member in report.clusters.iter().flat_map(|c| &c.members) {
        let [low, high] = member.intervals.as_ref().unwrap().resemblance;
        assert!(low < high, "an estimate has an interval: {member:?}");
    }
}

/// Found by review: beyond a hundred templates only the sampled shingles were ignored.
#[test]
fn many_templates_make_no_false_links() {
    let mut dice = Dice(13);
    let mut documents = BTreeMap::new();
    for site in 0..110 {
        let header = dice.words(150).join(" ");
        for page in 0..12 {
            documents.insert(format!("s{site:03}p{page:02}"), format!("{header} {}", dice.words(80).join(" ")));
        }
    }
    let report = run(jsonl(&documents, false), &options(|o| o.max_df = 10), 2).report;
    assert_eq!(report.head.summary.clusters, 0, "{:?}", report.clusters.first());
    assert_eq!(report.shingles().unwrap().templates.len(), 100);
}

/// Found by review: a document that repeats itself, or has a long header, may still be inside another.
#[test]
fn the_container_leads_whatever_its_length() {
    let mut dice = Dice(17);
    let part = dice.words(120).join(" ");
    let whole = format!("{} {part} {}", dice.words(150).join(" "), dice.words(150).join(" "));
    let documents = [("part", [part.as_str(); 6].join(" ")), ("whole", whole)];
    let report = run(lines(&documents), &options(|o| o.policy.contained = Some(0.8)), 1).report;
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(report.clusters[0].representative, "whole");
    assert_eq!(report.clusters[0].members[0].class, Class::Contained);
}

/// Near-copies without number are common text, all of them, and still a cluster; pages with a long header are not.
#[test]
fn boilerplate_documents_are_told_from_headers() {
    let mut dice = Dice(19);
    let page = dice.words(300);
    let header = dice.words(400).join(" ");
    let mut documents = BTreeMap::new();
    for at in 0..300 {
        let mut copy = page.clone();
        for _ in 0..3 {
            let place = dice.roll(copy.len());
            copy[place] = format!("y{}", dice.roll(100_000));
        }
        documents.insert(format!("copy{at:03}"), copy.join(" "));
        documents.insert(format!("page{at:03}"), format!("{header} {}", dice.words(110).join(" ")));
    }
    let scan = run(jsonl(&documents, false), &options(|o| o.max_df = 100), 2);
    assert_eq!(scan.report.clusters.len(), 1, "{:?}", scan.report.head.summary);
    assert_eq!(scan.report.clusters[0].members.len(), 299);
    assert!(scan.report.clusters[0].members.iter().all(|m| m.id.starts_with("copy")));
    let verified = scan.report.head.phases.iter().find_map(|p| p.counts.get("verified"));
    assert!(verified.is_some_and(|v| *v < 1000), "a header costs no verification: {verified:?}");
}

/// Whole documents: the numbers are those of the plain definition, templates and all, though no pair is looked for by what is common.
/// Documents that are mostly template find each other too.
#[test]
fn whole_documents_count_their_templates() {
    let mut documents = corpus(400);
    let mut dice = Dice(23);
    let template = dice.words(200).join(" ");
    for at in 0..100 {
        documents.insert(format!("t{at:03}"), format!("{template} {}", dice.words(30).join(" ")));
    }
    let fp = FeatureHasher::default();
    let sets: BTreeMap<&str, Vec<u64>> =
        documents.iter().map(|(id, text)| (id.as_str(), shingle::set_of_text(text, 5, &fp))).collect();
    let resemblance = |a: &str, b: &str| Overlap::of(&sets[a], &sets[b]).resemblance();
    let near = |a: &&str| sets.keys().any(|b| *a != *b && resemblance(a, b) >= 0.6);
    let expected: Vec<&str> = sets.keys().copied().filter(near).collect();
    let options = options(|o| {
        (o.include_boilerplate, o.max_df) = (true, 20);
        o.policy = Policy { threshold: 0.6, linkage: Linkage::Single, ..Policy::default() };
    });
    let report = run(jsonl(&documents, false), &options, 2).report;
    let mut found: Vec<&str> = Vec::new();
    for cluster in &report.clusters {
        found.push(&cluster.representative);
        for member in &cluster.members {
            found.push(&member.id);
            let shown = member.resemblance.expect("verified");
            assert!((shown - resemblance(&cluster.representative, &member.id)).abs() < 1e-12, "{}", member.id);
        }
    }
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(expected.iter().filter(|id| id.starts_with('t')).count() == 100 && expected.len() < 400);
    // the same with all lists: who represents whom may differ, but not who is with whom
    let all = run(jsonl(&documents, false), &options.with(|o| o.max_df = u32::MAX), 1).report;
    assert_eq!(
        (all.head.summary.clusters, all.head.summary.clustered),
        (report.head.summary.clusters, report.head.summary.clustered)
    );
}

/// Near-copies of a few pages, thousands of each: all that they have in common is frequent, and no list leads from one to another.
#[test]
fn families_of_near_copies_are_clusters() {
    let mut dice = Dice(31);
    let header = dice.words(60);
    let mut documents = BTreeMap::new();
    for family in 0..4 {
        let page = [header.clone(), dice.words(40 << family)].concat();
        for at in 0..750 {
            let mut copy = page.clone();
            for _ in 0..page.len() / 80 {
                let place = dice.roll(copy.len());
                copy[place] = format!("y{}", dice.roll(1_000_000));
            }
            documents.insert(format!("f{family}-{at:03}"), copy.join(" "));
        }
    }
    let options = options(|o| {
        (o.include_boilerplate, o.max_df, o.policy.threshold) = (true, 20, 0.7);
    });
    let report = run(jsonl(&documents, false), &options, 2).report;
    let mut found: Vec<(&str, usize)> = Vec::new();
    for cluster in &report.clusters {
        let family = &cluster.representative[..3];
        assert!(cluster.members.iter().all(|member| member.id.starts_with(family)), "{family} holds another");
        found.push((family, cluster.members.len() + 1));
    }
    found.sort_unstable();
    assert_eq!(found, ["f0-", "f1-", "f2-", "f3-"].map(|family| (family, 750)), "of {:?}", report.head.phases);
}

/// A short document's sketch is its whole set; but that are boilerplate only what is not common is counted, and the numbers are of all.
#[test]
fn numbers_of_short_boilerplate_are_of_whole_documents() {
    let mut dice = Dice(29);
    let page = dice.words(80);
    let mut documents = BTreeMap::new();
    for at in 0..60 {
        let mut copy = page.clone();
        copy[dice.roll(8)] = format!("y{}", dice.roll(2));
        copy[40 + at % 3] = format!("z{}", at % 5);
        documents.insert(format!("copy{at:02}"), copy.join(" "));
    }
    let fp = FeatureHasher::default();
    let set = |id: &str| shingle::set_of_text(&documents[id], 5, &fp);
    let report = run(jsonl(&documents, false), &options(|o| o.max_df = 20), 2).report;
    assert!(!report.clusters.is_empty());
    for cluster in &report.clusters {
        for member in &cluster.members {
            let exact = Overlap::of(&set(&cluster.representative), &set(&member.id)).resemblance();
            let shown = member.resemblance.expect("verified");
            assert!((shown - exact).abs() < 1e-12, "{}: {shown} for {exact}", member.id);
        }
    }
}

/// Two pairs of words whose rolled hashes are the same, in the middle of as many words as every shingle of ten reaches: the features are
/// equal, the words are not.
#[test]
fn equal_features_are_not_equal_words() {
    let text = |name: &str| {
        format!("hereby ask you to transfer to the account {name} the sum of one thousand pounds without delay")
    };
    let forged = [text("horiruti tufatipe"), text("nojuhabu pezucobo")];
    let [a, b] = forged.each_ref().map(|text| shingle::set_of_text(text, 10, &FeatureHasher::default()));
    assert_eq!(a, b, "or this tests nothing");
    let class = |other: &str| {
        let pair = [("a", forged[0].clone()), ("b", other.to_owned())];
        let words = options(|o| o.recipe = ShingleRecipe::words(10));
        run(lines(&pair), &words, 1).report.clusters[0].members[0].class
    };
    assert_eq!([class(&forged[1]), class(&forged[0].to_uppercase())], [Class::Shingle, Class::Lexical]);
}
