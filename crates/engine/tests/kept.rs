//! Indexes that earlier versions wrote. They must open, answer as they did, and take changes, for ever.
//!
//! `kept/index-1`: nineteen pages of the sample in two sweeps, three of them renamed, one added and removed again; six documents with the
//! same text are enough for it to be common.
//!
//! `kept/simhash-1`: nineteen pages with their fingerprints, one of them removed, one seen again under another name.
//!
//! A new format gets a new folder beside it; these files never change.

use lookalike_engine::index::{self, Index, QueryOptions, SimhashIndex, SimhashQuery};
use lookalike_engine::{Cancel, Input, ScanOptions, Silent};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept").join(name)
}

/// A copy to be changed.
fn copy(name: &str, to: &Path) -> PathBuf {
    let path = to.join(name);
    fs::create_dir(&path).expect("a folder");
    for entry in fs::read_dir(kept(name)).expect("it is kept") {
        let entry = entry.expect("readable");
        fs::copy(entry.path(), path.join(entry.file_name())).expect("a copy");
    }
    path
}

/// All that can be asked of an index, one line for each question.
fn answers(index: &Index) -> String {
    let mut urls = Vec::new();
    index
        .for_each_history(|url, history| {
            urls.push((url.to_owned(), history.to_vec()));
            Ok(())
        })
        .expect("the kept index is sound");
    urls.sort();
    let mut out = String::new();
    let query = QueryOptions { threshold: 0.2, contained: Some(0.5), limit: 5, ..QueryOptions::default() };
    for (url, history) in urls {
        let contents: Vec<_> = history.iter().map(|(at, d)| (at, index.content(*d).expect("there"))).collect();
        writeln!(out, "{url} {contents:?}").expect("room for it");
        // what an index says, not how it is said: later versions may say more
        for found in index.query_url(&url, &query).expect("a known URL").matches {
            let shares = [Some(found.resemblance), found.query_in_document, found.document_in_query];
            let shares = shares.map(|share| share.map(|e| [e.low, e.value, e.high]));
            let seen: Vec<_> = found.seen.iter().map(|seen| (&seen.url, &seen.first, &seen.last)).collect();
            writeln!(out, "  {} in {} {shares:?} {seen:?}", found.content, found.cluster).expect("room for it");
        }
    }
    out
}

#[test]
fn an_index_of_format_1() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = copy("index-1", dir.path());
    assert_eq!(index::verify(&path).expect("an index").damages, Vec::<String>::new());
    let opened = Index::open(&path, "").expect("it opens");
    let info = opened.info().expect("sound");
    assert_eq!(
        (info.documents, info.urls, info.observations, info.clusters, info.common_features),
        (19, 21, 38, 3, 19)
    );
    let before = answers(&opened);
    assert_eq!(before, fs::read_to_string(kept("index-1.txt")).expect("it is kept"), "it answers as it did");

    let (options, cancel) = (ScanOptions { common: 5, ..ScanOptions::default() }, Cancel::default());
    let text = "entirely new words that were never kept before in any index of any version so far";
    let line = format!("{{\"id\":\"another\",\"text\":\"{text}\"}}\n");
    let input = || vec![Input::Stream(Box::new(std::io::Cursor::new(line.clone())))];
    let changed =
        index::add(&path, input(), Some("2026-02-05"), &options, &Silent, &cancel).expect("it can be added to");
    assert_eq!((changed.added, changed.observed), (1, 1));
    index::remove(&path, &["another".to_owned()], None, &options, &Silent, &cancel).expect("and removed from");
    index::merge(&path, &options, &Silent, &cancel).expect("and merged");
    assert_eq!(answers(&Index::open(&path, "").expect("it opens")), before, "it answers as before");
}

/// Who is near each page of an index of fingerprints.
fn near(index: &SimhashIndex) -> String {
    let mut urls = Vec::new();
    let each = index.index().for_each_history(|url, _| {
        urls.push(url.to_owned());
        Ok(())
    });
    each.expect("the kept index is sound");
    urls.sort();
    let mut out = String::new();
    for url in urls {
        let answer = index.query_url(&url, &SimhashQuery { k: 7, limit: 9 }).expect("a known URL");
        writeln!(out, "{url} {}", answer.fingerprint).expect("room for it");
        for found in answer.matches {
            let seen: Vec<_> = found.seen.iter().map(|seen| (&seen.url, &seen.first, &seen.last)).collect();
            writeln!(out, "  {} {} {seen:?}", found.distance, found.content).expect("room for it");
        }
    }
    out
}

#[test]
fn an_index_of_fingerprints() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = copy("simhash-1", dir.path());
    assert_eq!(index::verify(&path).expect("an index").damages, Vec::<String>::new());
    let before = near(&SimhashIndex::open(&path, "", None).expect("it opens"));
    assert_eq!(before, fs::read_to_string(kept("simhash-1.txt")).expect("it is kept"), "it answers as it did");
    index::merge(&path, &ScanOptions::default(), &Silent, &Cancel::default()).expect("it can be merged");
    assert_eq!(near(&SimhashIndex::open(&path, "", None).expect("it opens")), before, "it answers as before");
}
