//! Archives: their files are documents, also in each other, and can be read again.

use std::path::Path;

use crate::common::packing::{tar_of, zip_of};
use crate::common::{documents, gzip, ids, items, items_of, kinds, make, open, read, write, zstd};
use lookalike_corpus::{Corpus, Document, Input, Item, Options, Place};
use proptest::prelude::*;
use tempfile::tempdir;

fn archives() -> Options {
    Options { archives: true, ..Options::default() }
}

/// Holds every document against what reading it again gives, from the last to the first and all at once.
fn can_be_read_again(corpus: &Corpus, found: &[Document<'static>]) {
    let recoded = |document: &Document<'_>| {
        let mut bytes = Vec::new();
        document.place.encode(&mut bytes);
        Place::decode(&bytes).unwrap()
    };
    for document in found.iter().rev() {
        corpus.fetch(&recoded(document), &mut |item| assert_eq!(item, Item::Document(document.clone())));
    }
    let mut again = vec![None; found.len()];
    let places: Vec<Place> = found.iter().map(recoded).collect();
    corpus.fetch_all(&places, &mut |index, item| again[index] = Some(item.into_owned()));
    let expected: Vec<_> = found.iter().cloned().map(|document| Some(Item::Document(document))).collect();
    assert_eq!(again, expected);
}

fn bodies<'a>(found: &'a [Document<'static>]) -> Vec<&'a [u8]> {
    found.iter().map(crate::common::bytes).collect()
}

#[test]
fn every_kind_gives_its_files_in_their_order() {
    let files: [(&str, &[u8]); 3] = [("b/x.py", b"print(1)"), ("a.txt", b""), ("b/long.txt", &[b'x'; 5000])];
    let (zip, tar) = (zip_of(&files), tar_of(&files));
    for (name, bytes) in [
        ("c.zip", zip),
        ("c.tar", tar.clone()),
        ("c.tar.gz", gzip(&tar)),
        ("C.TGZ", gzip(&tar)),
        ("c.tar.zst", zstd(&tar)),
        // What a browser unpacked on the way, or somebody named wrongly.
        ("d.tar.gz", tar.clone()),
        ("d.tar", gzip(&tar)),
    ] {
        let dir = tempdir().unwrap();
        let path = dir.path().join(name);
        write(&path, &bytes);
        for (batch_files, batch_bytes) in [(64, 1 << 20), (1, 1), (2, 10)] {
            let options = Options { batch_files, batch_bytes, ..archives() };
            let corpus = open(vec![Input::Path(path.clone())], options);
            let items = read(&corpus);
            assert_eq!(kinds(&items, dir.path()), [], "{name}");
            let expected: Vec<String> = files.iter().map(|(file, _)| format!("{name}!/{file}")).collect();
            assert_eq!(ids(&items, dir.path()), expected);
            let found = documents(&items);
            assert_eq!(bodies(&found), files.map(|(_, bytes)| bytes));
            can_be_read_again(&corpus, &found);
        }
        // Without the word an archive is a file.
        assert_eq!(ids(&items_of(&path, Options::default()), dir.path()), [name]);
    }
}

#[test]
fn archives_lie_in_each_other() {
    let dir = tempdir().unwrap();
    let jane = zip_of(&[("main.py", b"jane"), ("lib/util.py", b"util")]);
    let john = gzip(&tar_of(&[("./main.py", b"john"), ("data.zip", &zip_of(&[("x", b"deep")]))]));
    let cohort = [("Jane Doe_12_assignsubmission_file_/jane.zip", &*jane), ("notes.txt", b"n"), ("john.tgz", &john)];
    let expected = [
        "Jane Doe_12_assignsubmission_file_/jane.zip!/main.py",
        "Jane Doe_12_assignsubmission_file_/jane.zip!/lib/util.py",
        "notes.txt",
        "john.tgz!/main.py",
        "john.tgz!/data.zip!/x",
    ];
    for (name, bytes) in [("c.zip", zip_of(&cohort)), ("c.tar", tar_of(&cohort)), ("c.tar.zst", zstd(&tar_of(&cohort)))]
    {
        write(&dir.path().join(name), &bytes);
        let corpus = open(vec![Input::Path(dir.path().join(name))], archives());
        let items = read(&corpus);
        assert_eq!(kinds(&items, dir.path()), []);
        assert_eq!(ids(&items, dir.path()), expected.map(|id| format!("{name}!/{id}")));
        let found = documents(&items);
        assert_eq!(bodies(&found), [&b"jane"[..], b"util", b"n", b"john", b"deep"]);
        can_be_read_again(&corpus, &found);
    }
}

#[test]
fn folders_hold_archives_and_globs_reach_into_them() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a.py", "z.txt", "__MACOSX/a.py", "Thumbs.db"]);
    let members = [
        "m.py",
        "m.txt",
        "src/n.py",
        "build/o.py",
        ".git/p.py",
        "__MACOSX/._m.py",
        "src/.DS_Store",
        "src/Thumbs.db",
        "in.zip",
    ];
    let inner = zip_of(&[("q.py", b"q"), ("q.txt", b"q")]);
    let files: Vec<(&str, &[u8])> =
        members.iter().map(|&name| (name, if name == "in.zip" { &*inner } else { name.as_bytes() })).collect();
    write(&dir.path().join("sub/s.zip"), &zip_of(&files));
    let read = |options: Options| ids(&items_of(dir.path(), options), dir.path());
    let owned = |globs: &[&str]| globs.iter().map(|&glob| glob.to_owned()).collect::<Vec<_>>();
    let names = |names: &[&str]| names.iter().map(|name| name.replace('>', "sub/s.zip!/")).collect::<Vec<_>>();
    assert_eq!(
        read(archives()),
        names(&["a.py", ">m.py", ">m.txt", ">src/n.py", ">build/o.py", ">in.zip!/q.py", ">in.zip!/q.txt", "z.txt"])
    );
    assert_eq!(
        read(Options { include: owned(&["*.py"]), exclude: owned(&["build"]), ..archives() }),
        names(&["a.py", ">m.py", ">src/n.py", ">in.zip!/q.py"])
    );
    assert_eq!(
        read(Options { exclude: owned(&["*.zip", "z.txt"]), ..archives() }),
        ["a.py"],
        "an archive that is excluded is not entered"
    );
    let hidden = read(Options { hidden: true, include: owned(&["._m.py", "p.py", "Thumbs.db"]), ..archives() });
    assert_eq!(hidden, names(&["Thumbs.db", ">.git/p.py", ">__MACOSX/._m.py", ">src/Thumbs.db"]));
    assert_eq!(
        read(Options::default()),
        ["Thumbs.db", "__MACOSX/a.py", "a.py", "sub/s.zip", "z.txt"],
        "without the word nothing changes"
    );
}

#[test]
fn a_named_archive_is_the_root_of_its_globs_and_sizes_are_those_of_members() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("c.zip");
    write(&path, &zip_of(&[("src/a.py", b"12345"), ("b.py", b"123"), ("src/c.py", b"1"), ("d.py", &[0; 600])]));
    let options = Options { include: vec!["src/*.py".into(), "d.py".into()], ..archives() };
    let options = Options { min_size: 3, max_size: 500, ..options };
    let items = items_of(&path, options);
    assert_eq!(ids(&items, dir.path()), ["c.zip!/src/a.py"]);
    let expected = [("c.zip!/src/c.py".to_owned(), "too small"), ("c.zip!/d.py".to_owned(), "too large")];
    assert_eq!(kinds(&items, dir.path()), expected);
}

#[test]
fn the_same_archive_is_read_once() {
    let dir = tempdir().unwrap();
    write(&dir.path().join("a.zip"), &zip_of(&[("x", b"x")]));
    let input = || Input::Path(dir.path().join("a.zip"));
    let items = items(vec![input(), input(), Input::Path(dir.path().into())], archives());
    assert_eq!(ids(&items, dir.path()), ["a.zip!/x"]);
    let same = ("a.zip".to_owned(), "same file");
    assert_eq!(kinds(&items, dir.path()), [same.clone(), same]);
}

#[test]
fn what_is_too_large_to_be_kept_is_still_read_again() {
    // Over the 32 MiB that are kept, so that the stream goes on where it was, or begins again.
    let dir = tempdir().unwrap();
    let large = |byte: u8| vec![byte; 13 << 20];
    let (a, b, c) = (large(b'a'), large(b'b'), large(b'c'));
    let path = dir.path().join("c.tar.zst");
    write(&path, &zstd(&tar_of(&[("a", &a), ("1", b"one"), ("b", &b), ("c", &c), ("2", b"two")])));
    let corpus = open(vec![Input::Path(path)], archives());
    let found = documents(&read(&corpus));
    assert_eq!(found.len(), 5);
    can_be_read_again(&corpus, &found);
}

#[test]
fn an_archive_that_changed_is_found_out() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("c.tgz");
    write(&path, &gzip(&tar_of(&[("a", b"first"), ("b", b"second")])));
    let corpus = open(vec![Input::Path(path.clone())], archives());
    let found = documents(&read(&corpus));
    let kind = |place: &Place| {
        let mut kind = None;
        corpus.fetch(place, &mut |item| {
            kind = Some(match item {
                Item::Document(_) => "document",
                Item::Skipped(skipped) => skipped.reason.kind(),
            });
        });
        kind.unwrap()
    };
    assert_eq!(kind(&found[1].place), "document");
    write(&path, &gzip(&tar_of(&[("a", b"first")])[..1024]));
    assert_eq!(kind(&found[0].place), "document");
    assert_eq!(kind(&found[1].place), "truncated");
    write(&path, b"no archive any more");
    assert_eq!(kind(&found[0].place), "truncated");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(kind(&found[0].place), "unreadable");
}

fn tree() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    prop::collection::vec(("[a-c]/[a-z]{1,8}\\.py|[a-z]{1,6}", prop::collection::vec(any::<u8>(), 0..2000)), 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_packed_comes_out(outer in tree(), inner in tree(), tars: (bool, bool), batch_files in 1usize..4) {
        let unique = |mut files: Vec<(String, Vec<u8>)>| {
            files.sort();
            files.dedup_by(|a, b| a.0 == b.0);
            files
        };
        let (mut outer, inner) = (unique(outer), unique(inner));
        let pack = |files: &[(String, Vec<u8>)], tar: bool| {
            let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
            if tar { gzip(&tar_of(&files)) } else { zip_of(&files) }
        };
        let ending = |tar: bool| if tar { "tgz" } else { "zip" };
        let nested = format!("nested.{}", ending(tars.1));
        outer.push((nested.clone(), pack(&inner, tars.1)));
        let dir = tempdir().unwrap();
        let path = dir.path().join(format!("x.{}", ending(tars.0)));
        write(&path, &pack(&outer, tars.0));
        let corpus = open(vec![Input::Path(path.clone())], Options { batch_files, ..archives() });
        let items = read(&corpus);
        prop_assert_eq!(kinds(&items, dir.path()), []);
        let found = documents(&items);
        let below = |prefix: &str, files: &[(String, Vec<u8>)]| -> Vec<(String, Vec<u8>)> {
            files.iter().map(|(name, bytes)| (format!("{}!/{prefix}{name}", path.display()), bytes.clone())).collect()
        };
        outer.pop();
        let expected = [below("", &outer), below(&format!("{nested}!/"), &inner)].concat();
        let read: Vec<(String, Vec<u8>)> =
            found.iter().zip(bodies(&found)).map(|(document, body)| (document.id.to_string(), body.to_vec())).collect();
        prop_assert_eq!(read, expected);
        can_be_read_again(&corpus, &found);
    }
}

#[test]
fn names_in_messages_are_those_of_ids() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("c.zip");
    write(&path, &zip_of(&[("in.zip", b"no zip at all")]));
    let items = items_of(&path, archives());
    assert_eq!(kinds(&items, Path::new(&dir.path())), [("c.zip!/in.zip".to_owned(), "truncated")]);
}
