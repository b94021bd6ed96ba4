//! Reading documents again.

use std::fs;

use crate::common::{documents, open, read, skipped, write};
use lookalike_corpus::{Input, Item, Options, Place};
use proptest::prelude::*;
use tempfile::tempdir;

fn fetch(corpus: &lookalike_corpus::Corpus, place: &Place) -> Item<'static> {
    let mut found = Vec::new();
    corpus.fetch(place, &mut |item| found.push(item.into_owned()));
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn kind(item: &Item<'static>) -> &'static str {
    skipped(std::slice::from_ref(item)).first().map_or("document", |skipped| skipped.reason.kind())
}

#[test]
fn what_changed_is_found_out() {
    let dir = tempdir().unwrap();
    write(&dir.path().join("d/a"), b"file");
    let lines = dir.path().join("l.jsonl");
    write(&lines, b"{\"text\": \"one\"}\n{\"text\": \"two\"}\n");
    let inputs = vec![Input::Path(dir.path().join("d")), Input::Path(lines.clone())];
    let corpus = open(inputs, Options { max_size: 100, ..Options::default() });
    let found = documents(&read(&corpus));
    for document in &found {
        let Item::Document(again) = fetch(&corpus, &document.place) else { panic!("{document:?}") };
        assert_eq!((&again.body, &again.place), (&document.body, &document.place));
    }
    assert_eq!(found[1].id, format!("{}:1", lines.display()));
    let Item::Document(again) = fetch(&corpus, &found[2].place) else { panic!() };
    assert_eq!(again.id, format!("{}@16", lines.display()));
    // In place, as the file stays open.
    write(&lines, b"{\"text\": \"ONE\"}\n               \n");
    assert_eq!(kind(&fetch(&corpus, &found[1].place)), "document");
    assert_eq!(kind(&fetch(&corpus, &found[2].place)), "not JSON");
    write(&lines, b"no longer JSON at all\n");
    assert_eq!(kind(&fetch(&corpus, &found[1].place)), "not JSON");
    assert_eq!(kind(&fetch(&corpus, &found[2].place)), "unreadable");
    write(&dir.path().join("d/a"), &[0; 101]);
    assert_eq!(kind(&fetch(&corpus, &found[0].place)), "too large");
    fs::remove_file(dir.path().join("d/a")).unwrap();
    assert_eq!(kind(&fetch(&corpus, &found[0].place)), "unreadable");
}

#[test]
fn impossible_places_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("l.jsonl");
    write(&path, b"{}");
    let corpus = open(vec![Input::Path(path)], Options::default());
    for (place, expected) in [
        (Place::Stream, "unreadable"),
        (Place::Row { source: 0, row: 3 }, "unreadable"),
        (Place::Line { source: 7, offset: 0, len: 1, row: 0 }, "unreadable"),
        (Place::Line { source: 0, offset: 0, len: 0, row: 0 }, "not JSON"),
        (Place::Line { source: 0, offset: 0, len: u64::MAX, row: 0 }, "too large"),
        (Place::Line { source: 0, offset: u64::MAX, len: 5, row: 0 }, "unreadable"),
        (Place::Line { source: 0, offset: 1, len: 5, row: 0 }, "unreadable"),
        (Place::File(dir.path().into()), "unreadable"),
        (Place::File("\0".into()), "unreadable"),
    ] {
        assert_eq!(kind(&fetch(&corpus, &place)), expected, "{place:?}");
    }
}

#[test]
fn more_files_than_stay_open() {
    let dir = tempdir().unwrap();
    let path = |n: usize| dir.path().join(format!("{n}.jsonl"));
    for n in 0..150 {
        write(&path(n), format!("{{\"id\": {n}, \"text\": \"{n}\"}}").as_bytes());
    }
    let corpus = open((0..150).map(|n| Input::Path(path(n))).collect(), Options::default());
    let found = documents(&read(&corpus));
    assert_eq!(found.len(), 150);
    for document in found.iter().chain(&found) {
        assert_eq!(fetch(&corpus, &document.place), Item::Document(document.clone()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn everything_comes_back_in_any_order(
        texts in prop::collection::vec("\\PC{0,20}", 0..12),
        files in prop::collection::vec(any::<Vec<u8>>(), 1..6),
        order in any::<prop::sample::Index>(),
        batch_bytes in 1usize..200,
    ) {
        let dir = tempdir().unwrap();
        for (content, n) in files.iter().zip(0..) {
            write(&dir.path().join(format!("d/{n}")), content);
        }
        let lines = dir.path().join("l.jsonl");
        let line = |(n, text): (usize, &String)| serde_json::json!({ "id": n, "text": text }).to_string() + "\n";
        write(&lines, texts.iter().enumerate().map(line).collect::<String>().as_bytes());
        let inputs = vec![Input::Path(dir.path().join("d")), Input::Path(lines)];
        let corpus = open(inputs, Options { batch_bytes, ..Options::default() });
        let mut found = documents(&read(&corpus));
        prop_assert_eq!(found.len(), texts.len() + files.len());
        let first = order.index(found.len());
        found.rotate_left(first);
        // Through the encoding, as the engine keeps them.
        let recoded = |place: &Place| {
            let mut bytes = Vec::new();
            place.encode(&mut bytes);
            Place::decode(&bytes).unwrap()
        };
        let places: Vec<Place> = found.iter().map(|document| recoded(&document.place)).collect();
        let mut again = vec![None; found.len()];
        corpus.fetch_all(&places, &mut |index, item| {
            assert!(again[index].replace(item.into_owned()).is_none());
        });
        let expected: Vec<_> = found.into_iter().map(|document| Some(Item::Document(document))).collect();
        prop_assert_eq!(again, expected);
    }
}
