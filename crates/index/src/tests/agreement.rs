//! A scan and an index of the same documents give the same clusters.

use crate::Index;
use crate::tests::support::{Dice, Documents, corpus, jsonl, put, resources};
use crate::tests::{live, options, policies};
use lookalike_engine::{Scanner, ShinglesOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The contents of representatives, and those of their members.
type Clusters = BTreeMap<String, BTreeSet<String>>;

fn of_scan(documents: &Documents, options: ShinglesOptions) -> Clusters {
    let scan = Scanner::new(options).resources(resources(64 << 20, 2)).run(jsonl(documents)).unwrap();
    let content = |document: u32| scan.view(document).unwrap().content;
    let mut clusters = Clusters::new();
    for cluster in &scan.report().clusters {
        let representative = content(cluster.document);
        let mut members: BTreeSet<String> = cluster.members.iter().map(|member| content(member.document)).collect();
        // an index keeps identical documents once
        members.remove(&representative);
        if !members.is_empty() {
            clusters.insert(representative, members);
        }
    }
    clusters
}

fn of_index(path: &Path) -> Clusters {
    let index = Index::open(path, "").unwrap();
    let mut clusters = Clusters::new();
    for document in live(&index) {
        let representative = index.cluster(document).unwrap();
        if representative != document {
            let of = clusters.entry(index.content(representative).unwrap()).or_default();
            of.insert(index.content(document).unwrap());
        }
    }
    clusters
}

fn agree(documents: &Documents, options: &ShinglesOptions) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let [whole, grown] = ["whole", "grown"].map(|name| dir.path().join(name));
    put(&whole, documents, None, options.clone());
    let clusters = of_index(&whole);
    assert_eq!(of_scan(documents, options.clone()), clusters, "max_df {}, {:?}", options.max_df, options.policy);
    for part in 0..3 {
        let part = documents.iter().enumerate().filter(|(at, _)| at % 3 == part);
        let part: Documents = part.map(|(_, (id, text))| (id.clone(), text.clone())).collect();
        put(&grown, &part, None, options.clone());
    }
    assert_eq!(of_index(&grown), clusters, "max_df {}, {:?}", options.max_df, options.policy);
    clusters.len()
}

#[test]
fn a_scan_by_estimates_and_an_index_agree() {
    for policy in policies() {
        let estimate = ShinglesOptions { estimate: true, ..options(1000, policy) };
        let clusters = agree(&corpus(300), &estimate);
        assert!(clusters > 20, "{clusters}");
    }
}

/// Documents of which a sketch keeps every shingle: copies with changed words, excerpts, and documents that repeat themselves.
fn short_documents(documents: usize) -> Documents {
    let mut dice = Dice(5);
    let mut texts: Vec<Vec<String>> = Vec::new();
    for at in 0..documents {
        let known = at.checked_sub(5).and_then(|_| texts.get(dice.roll(at * 4 / 3)));
        let mut text = known.cloned().unwrap_or_else(|| {
            let length = 30 + dice.roll(40);
            dice.words(length)
        });
        for _ in 0..dice.roll(4) {
            let place = dice.roll(text.len());
            text[place] = format!("x{}", dice.roll(1000));
        }
        if dice.roll(5) == 0 {
            text.truncate(text.len() * 2 / 3);
        }
        texts.push(text);
    }
    texts.iter().enumerate().map(|(at, text)| (format!("d{at:04}"), text.join(" "))).collect()
}

#[test]
fn a_verified_scan_of_short_documents_and_an_index_agree() {
    let documents = short_documents(200);
    for policy in policies() {
        let options = options(1000, policy);
        let clusters = agree(&documents, &options);
        assert!(clusters > 10, "{clusters}");
        let estimate = ShinglesOptions { estimate: true, ..options };
        assert_eq!(agree(&documents, &estimate), clusters);
    }
}
