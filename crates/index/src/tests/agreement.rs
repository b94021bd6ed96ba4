//! A scan and an index of the same documents give the same clusters.

use crate::Index;
use crate::clusters::rank::rank;
use crate::tests::support::{Documents, corpus, jsonl, put, resources, short_documents};
use crate::tests::{live, options, policies, repetitive};
use lookalike_corpus::content_name;
use lookalike_engine::{Scanner, ShinglesOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The contents of representatives, and those of their members.
type Clusters = BTreeMap<String, BTreeSet<String>>;

fn of_scan(documents: &Documents, options: ShinglesOptions) -> Clusters {
    let scan = Scanner::new(options).resources(resources(64 << 20, 2)).run(jsonl(documents)).unwrap();
    let content = |document: u32| content_name(scan.view(document).unwrap().content);
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

#[test]
fn what_is_inside_a_shorter_document_joins_it_in_both() {
    let documents = short_documents(200);
    for max_df in [1000, 12] {
        agree(&documents, &ShinglesOptions { estimate: true, ..repetitive(max_df) });
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("index");
    put(&path, &documents, None, repetitive(1000));
    let index = Index::open(&path, "").unwrap();
    let longer = |document: &u32| {
        let rank = |document: u32| rank(&index.snapshot.segments, document).unwrap();
        rank(*document) < rank(index.cluster(*document).unwrap())
    };
    let inside = live(&index).iter().filter(|document| longer(document)).count();
    assert!(inside > 2, "{inside} documents joined a shorter one");
}
