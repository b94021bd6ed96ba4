//! Lists of paths.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::common::{ids, items, kinds, make, open, read, skipped, write};
use lookalike_corpus::{Input, Item, Options, Place, Reason};
use tempfile::tempdir;

/// A list of these paths below `root`.
fn list(root: &Path, names: &[&[u8]], separator: u8) -> Vec<u8> {
    let mut list = Vec::new();
    for name in names {
        list.extend_from_slice(root.as_os_str().as_bytes());
        list.push(b'/');
        list.extend_from_slice(name);
        list.push(separator);
    }
    list
}

fn items_listed(list: Vec<u8>, nul: bool) -> Vec<Item<'static>> {
    items(vec![Input::PathStream { from: Box::new(io::Cursor::new(list)), nul }], Options::default())
}

#[test]
fn each_path_is_what_it_would_be_if_named() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a", "d/x", "d/y", "z"]);
    write(&dir.path().join("l.jsonl"), b"{\"id\": \"one\", \"text\": \"\"}\n{\"id\": \"two\", \"text\": \"\"}\n");
    let mut list = list(dir.path(), &[b"z", b"gone", b"l.jsonl", b"d", b"a", b"d/x", b"z"], b'\n');
    list.pop();
    let items = items_listed(list, false);
    assert_eq!(ids(&items, dir.path()), ["z", "one", "two", "d/x", "d/y", "a"]);
    let expected = [("gone", "unreadable"), ("d/x", "same file"), ("z", "same file")];
    assert_eq!(kinds(&items, dir.path()), expected.map(|(id, kind)| (id.to_owned(), kind)));
    assert!(skipped(&items)[0].reason.to_string().contains("No such file"));
}

#[test]
fn nul_separates_any_name() {
    let dir = tempdir().unwrap();
    let names: [&[u8]; 4] = [b"new\nline", b"caf\xe9", b" blank ", b"cr\r"];
    for name in names {
        write(&dir.path().join(OsStr::from_bytes(name)), name);
    }
    let items = items_listed(list(dir.path(), &names, 0), true);
    assert_eq!(ids(&items, dir.path()), ["new\nline", "caf\\xE9", " blank ", "cr\r"]);
    // With newlines all but the first come through.
    let items = items_listed(list(dir.path(), &names, b'\n'), false);
    assert_eq!(ids(&items, dir.path()), ["caf\\xE9", " blank ", "cr\r"]);
    assert_eq!(skipped(&items).len(), 2);
}

#[test]
fn nothing_and_nonsense() {
    assert!(items_listed(Vec::new(), false).is_empty());
    assert!(items_listed(b"\n\n\n".to_vec(), false).is_empty());
    let items = items_listed([&b"x".repeat(100_000)[..], b"\n", &b"y".repeat(40_000), b"\na\0b\n"].concat(), false);
    let found = skipped(&items);
    assert_eq!(found.iter().map(|skipped| &*skipped.id).collect::<Vec<_>>(), ["-:1", "-:2", "a\0b"]);
    assert!(found.iter().all(|skipped| skipped.reason.kind() == "unreadable"));
}

#[test]
fn a_list_that_breaks_off_is_damage() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let dir = tempdir().unwrap();
    make(dir.path(), &["a"]);
    let from = io::Read::chain(io::Cursor::new(list(dir.path(), &[b"a", b"lost"], b'\n')), Broken);
    let items = items(vec![Input::PathStream { from: Box::new(from), nul: false }], Options::default());
    assert_eq!(ids(&items, dir.path()), ["a"]);
    assert!(matches!(skipped(&items).last().unwrap().reason, Reason::Truncated(_)));
}

#[test]
fn listed_jsonl_files_are_numbered_as_they_come() {
    let dir = tempdir().unwrap();
    for name in ["named.jsonl", "b.jsonl", "a.jsonl"] {
        write(&dir.path().join(name), format!("{{\"id\": \"{name}\", \"text\": \"{name}\"}}\n").as_bytes());
    }
    let from = Box::new(io::Cursor::new(list(dir.path(), &[b"b.jsonl", b"a.jsonl"], b'\n')));
    let inputs = vec![Input::PathStream { from, nul: false }, Input::Path(dir.path().join("named.jsonl"))];
    let corpus = open(inputs, Options::default());
    assert_eq!(corpus.total_bytes(), None);
    let items = read(&corpus);
    assert_eq!(corpus.sources(), ["named.jsonl", "b.jsonl", "a.jsonl"].map(|name| dir.path().join(name)));
    for document in crate::common::documents(&items) {
        let Place::Line { source, .. } = document.place else { panic!("{document:?}") };
        assert_eq!(corpus.sources()[source as usize], dir.path().join(&*document.id));
        corpus.fetch(&document.place, &mut |item| assert_eq!(item, Item::Document(document.clone())));
    }
}
