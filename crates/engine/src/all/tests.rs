//! Scans by all lenses of made-up documents: every pair that is something is found, whatever the order, the threads and the memory.

use crate::all::AllOptions;
use crate::compare::compare_texts;
use crate::lens::shingles::compare::CompareOptions;
use crate::report::Report;
use crate::report::relations::Relations;
use crate::testing::Random;
use crate::{Input, Resources, Scanner};
use lookalike_core::cluster::Linkage;
use lookalike_core::relation::Relation;
use std::collections::BTreeMap;

fn text(random: &mut Random, words: usize) -> String {
    let syllables = ["ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va"];
    let mut out = String::new();
    for at in 1..=words {
        for _ in 0..2 + random.below(3) {
            out.push_str(syllables[random.below(syllables.len())]);
        }
        out.push_str(if at % 48 == 0 { ".\n\n" } else { " " });
    }
    out
}

fn misread(text: &str, every: usize, random: &mut Random) -> String {
    text.chars().map(|c| if c.is_alphabetic() && random.below(every) == 0 { 'x' } else { c }).collect()
}

/// Names and texts: families of a text, each with what can become of it, and others.
fn corpus(families: u64) -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for family in 0..families {
        let mut random = Random(family * 7919 + 5);
        let base = text(&mut random, 400);
        let words: Vec<&str> = base.split(' ').collect();
        let other = text(&mut random, 300);
        let (head, tail) = other.split_at(900);
        let mut put = |name: &str, text: String| documents.push((format!("{family}-{name}"), text));
        put("base", base.clone());
        put("same", base.to_uppercase());
        put("ocr", misread(&base, 20, &mut random));
        put("version", format!("{} {}", words[..330].join(" "), text(&mut random, 60)));
        put("excerpt", words[100..200].join(" "));
        put("quote", format!("{head} {} {tail}", words[150..210].join(" ")));
        put("copy", base.clone());
        put("other", text(&mut random, 350));
    }
    documents
}

fn scan(documents: &[(String, String)], options: &AllOptions, memory: u64, threads: usize) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let lines = documents.iter().map(|(id, text)| serde_json::json!({ "id": id, "text": text }).to_string() + "\n");
    let path = folder.path().join("corpus.jsonl");
    std::fs::write(&path, lines.collect::<String>()).unwrap();
    let resources = Resources { memory, threads, ..Resources::default() };
    let scanner = Scanner::new(options.clone()).resources(resources);
    scanner.run(vec![Input::Path(path)]).unwrap().into_report()
}

fn relations(report: &Report) -> &Relations {
    report.relations().expect("a report by all lenses")
}

#[test]
fn every_pair_that_is_something_is_found() {
    let documents = corpus(3);
    // chains compare every candidate
    let mut options = AllOptions::default();
    options.policy.linkage = Linkage::Single;
    let report = scan(&documents, &options, 1 << 30, 2);
    let found: BTreeMap<(&str, &str), Relation> = relations(&report)
        .links
        .iter()
        .flat_map(|link| {
            let (a, b) = (link.a.as_str(), link.b.as_str());
            [((a, b), link.relation), ((b, a), link.relation.mirrored())]
        })
        .collect();
    let mut related = 0;
    for (at, (a, of_a)) in documents.iter().enumerate() {
        for (b, of_b) in &documents[at + 1..] {
            let expected = compare_texts(of_a, of_b, &CompareOptions::default()).unwrap().relation;
            // of identical documents one is compared
            let is_copy = |id: &str| id.ends_with("-copy");
            let listed = found.get(&(a, b)).copied().unwrap_or(Relation::Unrelated);
            let hidden = [a, b].iter().any(|id| is_copy(id)) && expected != Relation::Identical;
            if !hidden {
                assert_eq!(listed, expected, "{a} {b}");
                related += usize::from(expected != Relation::Unrelated);
            }
        }
    }
    assert!(related > 30, "{related}");
}

#[test]
fn neither_order_nor_threads_nor_memory_show() {
    let mut documents = corpus(12);
    let json = |report: &Report| serde_json::to_value(report).unwrap();
    let first = json(&scan(&documents, &AllOptions::default(), 1 << 30, 1));
    assert_eq!(first["lens"], "all");
    assert_eq!(json(&scan(&documents, &AllOptions::default(), 1 << 30, 2)), first);
    assert_eq!(json(&scan(&documents, &AllOptions::default(), 64 << 20, 2)), first);
    documents.reverse();
    assert_eq!(json(&scan(&documents, &AllOptions::default(), 1 << 30, 2)), first);
}

#[test]
fn duplicates_make_clusters_and_nothing_else_does() {
    let report = scan(&corpus(2), &AllOptions::default(), 1 << 30, 2);
    assert_eq!(report.clusters.len(), 2);
    for cluster in &report.clusters {
        assert_eq!(cluster.members.len(), 4, "{cluster:?}");
        let all = cluster.members.iter().all(|member| member.relation.is_some_and(Relation::is_duplicate));
        assert!(all, "{cluster:?}");
        let names = cluster.members.iter().map(|member| &member.id).chain([&cluster.representative]);
        assert!(names.into_iter().all(|id| !["quote", "excerpt", "other"].iter().any(|name| id.ends_with(name))));
    }
}

#[test]
fn a_large_cluster_meets_its_representative() {
    let mut random = Random(77);
    let base = text(&mut random, 300);
    let documents: Vec<(String, String)> =
        (0..100).map(|at| (format!("d{at:03}"), format!("{base} {}", text(&mut random, 20 + at % 7)))).collect();
    let report = scan(&documents, &AllOptions::default(), 1 << 30, 2);
    assert_eq!(report.clusters.len(), 1);
    assert_eq!(report.clusters[0].members.len(), 99);
    let found = relations(&report);
    assert!(found.represented > 0 && found.compared < 1000, "{} {}", found.compared, found.represented);
}

#[test]
fn a_pair_that_takes_too_much_memory_is_left_out_and_named() {
    let mut documents = corpus(2);
    let mut random = Random(5);
    // nearly every byte is a word, which takes most memory
    let letters =
        |random: &mut Random| (0..400_000).map(|_| ["a ", "b ", "c ", "d "][random.below(4)]).collect::<String>();
    let large = letters(&mut random);
    documents.push(("large-1".into(), format!("{large} one")));
    documents.push(("large-2".into(), format!("{large} two")));
    let report = scan(&documents, &AllOptions::default(), 64 << 20, 2);
    let found = relations(&report);
    assert_eq!(found.left_out.len(), 1, "{:?}", found.left_out);
    let pair = &found.left_out[0];
    assert_eq!([pair.a.as_str(), &pair.b], ["large-1", "large-2"]);
    assert!(pair.needed > 64 << 20, "{}", pair.needed);
    assert!(found.links.iter().any(|link| link.relation == Relation::Version), "the others are compared");
    let report = scan(&documents, &AllOptions::default(), 1 << 30, 2);
    assert!(relations(&report).left_out.is_empty());
    assert!(
        relations(&report).links.iter().any(|link| link.a.starts_with("large") && link.relation == Relation::Version)
    );
}

#[test]
fn files_without_text_are_seen_by_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(3);
    let mut noise: Vec<u8> = (0..40_000).map(|_| random.below(256) as u8).collect();
    std::fs::write(folder.path().join("a.bin"), &noise).unwrap();
    noise[20_000] ^= 1;
    std::fs::write(folder.path().join("b.bin"), &noise).unwrap();
    std::fs::write(folder.path().join("c.txt"), text(&mut random, 200)).unwrap();
    let scan = Scanner::new(AllOptions::default()).run(vec![Input::Path(folder.path().to_owned())]).unwrap();
    let links = &relations(scan.report()).links;
    assert_eq!(links.len(), 1, "{links:?}");
    assert_eq!(links[0].relation, Relation::Version);
    assert!(links[0].evidence.shingles.is_none());
}
