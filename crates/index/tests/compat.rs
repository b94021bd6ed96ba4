//! Indexes that earlier versions wrote. They must open, answer as they did, and take changes, for ever.
//!
//! `compat/LENS-3`: pages in two sweeps, some of them renamed, changed, added and removed again. `LENS-3.txt` has what it answers. Of the
//! shingles, six documents with the same text are enough for it to be frequent.
//!
//! A new format gets new folders beside these (`cargo test --test compat -- --ignored` writes those of the present format where they are
//! missing); files that are there never change.

use lookalike_core::recipe::ShingleRecipe;
use lookalike_core::recipe::{PassageRecipe, Recipe, SimhashRecipe};
use lookalike_engine::{ChunksOptions, Input, LensOptions, ShinglesOptions};
use lookalike_index::{
    ChunksQuery, Index, IndexWriter, Matches, Query, QueryOptions, ShinglesQuery, SimhashQuery, verify,
};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

type Documents = BTreeMap<String, String>;

fn compat(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat").join(name)
}

/// A copy to be changed.
fn copy(name: &str, to: &Path) -> PathBuf {
    let path = to.join(name);
    fs::create_dir(&path).expect("a folder");
    for entry in fs::read_dir(compat(name)).expect("it is there") {
        let entry = entry.expect("readable");
        fs::copy(entry.path(), path.join(entry.file_name())).expect("a copy");
    }
    path
}

/// What each folder was made with.
fn lenses() -> [(&'static str, LensOptions); 4] {
    let shingles = ShinglesOptions { max_df: 5, ..ShinglesOptions::from(ShingleRecipe::words(5)) };
    let of = |recipe: Recipe| LensOptions::from(recipe);
    [
        ("shingles-3", shingles.into()),
        ("simhash-3", of(SimhashRecipe::default().into())),
        ("passages-3", of(PassageRecipe::default().into())),
        ("chunks-3", ChunksOptions { mean: 64, ..ChunksOptions::default() }.into()),
    ]
}

/// Pages of numbered words: some are versions of others, some have a common header.
fn pages(version: usize) -> Documents {
    let words =
        |from: usize, to: usize| (from..to).fold(String::new(), |text, n| format!("{text}w{} ", n * 7919 % 1000));
    let mut pages = Documents::new();
    for page in 0..16 {
        let header = if page % 2 == 0 { words(900, 915) } else { String::new() };
        let from = page / 3 * 60;
        let changed = words(from + 50, from + 50 + version + page % 3 * 5);
        pages.insert(format!("site/{page:02}.html"), format!("{header}{}{changed}", words(from, from + 50)));
    }
    pages
}

fn jsonl(documents: &Documents) -> Vec<Input> {
    let line = |(id, text): (&String, &String)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n");
    vec![Input::Stream(Box::new(std::io::Cursor::new(documents.iter().map(line).collect::<String>())))]
}

/// All that can be asked of an index, one line for each answer: what an index says, not how it is said, since later versions may say more.
fn answers(index: &Index) -> String {
    let mut urls = Vec::new();
    index
        .for_each_history(|url, history| {
            urls.push((url.to_owned(), history.to_vec()));
            Ok(())
        })
        .expect("the index is sound");
    urls.sort();
    let mut options = QueryOptions::default().with_limit(5);
    options.shingles = ShinglesQuery { threshold: 0.2, contained: Some(0.5), ..ShinglesQuery::default() };
    options.simhash = SimhashQuery { distance: 7 };
    options.chunks = ChunksQuery { threshold: 0.2, ..ChunksQuery::default() };
    let mut out = String::new();
    for (url, history) in urls {
        let contents: Vec<_> = history.iter().map(|(at, d)| (at, index.content(*d).expect("there"))).collect();
        writeln!(out, "{url} {contents:?}").expect("room for it");
        let result = index.query(&Query::Url(&url), &options).expect("a known URL");
        let numbers: Vec<String> = match &result.matches {
            Matches::Shingles(found) => found
                .matches
                .iter()
                .map(|found| {
                    let shares = [Some(found.resemblance), found.query_in_document, found.document_in_query];
                    let shares = shares.map(|share| share.map(|e| [e.low, e.value, e.high]));
                    format!("{} in {} {shares:?}", found.content, found.cluster)
                })
                .collect(),
            Matches::Simhash(found) => {
                let near = found.matches.iter();
                near.map(|found| format!("{} {} {}", found.distance, found.fingerprint, found.content)).collect()
            }
            Matches::Passages(found) => found
                .matches
                .iter()
                .map(|found| {
                    let passages: Vec<_> =
                        found.passages.iter().map(|p| (p.query.start, p.document.start, p.tokens)).collect();
                    format!("{} {:.6} {passages:?}", found.content, found.similarity)
                })
                .collect(),
            Matches::Chunks(found) => {
                let found = found.matches.iter();
                found.map(|found| format!("{} {:?} {}", found.content, found.class, found.shared_bytes)).collect()
            }
        };
        for (numbers, seen) in numbers.into_iter().zip(result.seen()) {
            let seen: Vec<_> = seen.iter().map(|seen| (&seen.url, &seen.first, &seen.last)).collect();
            writeln!(out, "  {numbers} {seen:?}").expect("room for it");
        }
    }
    out
}

#[test]
fn indexes_of_format_3() {
    for (name, _) in lenses() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = copy(name, dir.path());
        assert_eq!(verify(&path).expect("an index").damages, Vec::<String>::new());
        let opened = Index::open(&path, "").expect("it opens");
        let info = opened.info().expect("sound");
        assert_eq!((info.urls, info.observations, info.sweeps.len()), (17, 32, 2), "{name}");
        assert!(name != "shingles-3" || info.clusters > 3 && info.frequent_features > 5, "{info:?}");
        let before = answers(&opened);
        let expected = fs::read_to_string(compat(&format!("{name}.txt"))).expect("it is there");
        assert_eq!(before, expected, "{name} answers as it did");

        let text = "entirely new words that were never kept before in any index of any version so far";
        let another = Documents::from([("another".to_owned(), text.to_owned())]);
        let writer = IndexWriter::new(&path);
        let changed = writer.add(jsonl(&another), Some("2026-02-05")).expect("it can be added to");
        assert_eq!((changed.added, changed.observed), (1, 1));
        writer.remove(&["another".to_owned()], None).expect("and removed from");
        writer.merge().expect("and merged");
        assert_eq!(answers(&Index::open(&path, "").expect("it opens")), before, "{name} answers as before");
    }
}

#[test]
#[ignore = "writes the folders that the other test reads, where they are missing"]
fn write_folders() {
    // a segment keeps the folder that paths count from
    std::env::set_current_dir("/").expect("there is a root");
    for (name, options) in lenses() {
        let path = compat(name);
        if path.exists() {
            continue;
        }
        fs::create_dir_all(compat("")).expect("a folder");
        let writer = IndexWriter::new(&path);
        writer.build(options, jsonl(&pages(0)), Some("2026-01-05")).expect("a new index");
        let mut later = pages(2);
        let moved = later.remove("site/03.html").expect("it is there");
        later.insert("site/moved.html".into(), moved);
        later.insert("site/draft.html".into(), "a draft that goes again before anybody has read it".into());
        writer.add(jsonl(&later), Some("2026-02-05")).expect("it takes more");
        writer.remove(&["site/draft.html".to_owned()], None).expect("and less");
        let answers = answers(&Index::open(&path, "").expect("it opens"));
        fs::write(compat(&format!("{name}.txt")), answers).expect("room for it");
    }
}
