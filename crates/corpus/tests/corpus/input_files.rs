//! Files that a caller follows: where each begins and ends, and those that are not read because the caller has kept them.

use std::path::Path;

use crate::common::packing::zip_of;
use crate::common::{gzip, items, kinds, make, open, skipped, write};
use lookalike_corpus::{Corpus, Input, InputFile, Item, KeptFile, Options, Part};
use tempfile::tempdir;

const LINES: &[u8] = b"{\"id\":\"a\",\"text\":\"one\"}\n{\"id\":\"b\",\"text\":\"two\"}\n";

fn mixed(folder: &Path) {
    make(folder, &["one.txt", "two.txt", "z/three.txt", ".hidden"]);
    write(&folder.join("m.jsonl"), LINES);
    write(&folder.join("n.jsonl.gz"), &gzip(LINES));
    write(&folder.join("p.jsonl"), b"");
    write(&folder.join("q.zip"), &zip_of(&[("x.txt", b"x"), ("y.txt", b"y")]));
}

fn corpus(folder: &Path) -> Corpus {
    open(vec![Input::Path(folder.into())], Options { archives: true, ..Options::default() })
}

/// Documents by their files, and the files that were not read, both in the order of reading.
fn read(corpus: &Corpus, kept: Vec<KeptFile>, folder: &Path) -> (Vec<(String, usize)>, Vec<String>, Vec<KeptFile>) {
    let name = |file: &InputFile| file.path.strip_prefix(folder).unwrap().display().to_string();
    let (mut reader, mut open, mut documents) = (corpus.following_reader(kept), 0, Vec::new());
    let (mut unread, mut ended) = (Vec::new(), Vec::new());
    while let Some(batch) = reader.next() {
        let batch = batch.unwrap();
        let (part, mut count) = (batch.part(), 0);
        batch.read(&mut |item| count += usize::from(matches!(item, Item::Document(_))));
        match part {
            Part::None => assert_eq!(count, 0, "all documents are of files that are followed"),
            Part::Inside => open += count,
            Part::Whole(files) => {
                assert_eq!(files.len(), count);
                documents.extend(files.iter().map(|file| (name(file), 1)));
                ended.extend(files);
            }
            Part::End(file) => {
                documents.push((name(&file), std::mem::take(&mut open) + count));
                ended.push(file);
            }
            Part::Kept(file) => {
                assert_eq!(count, 0);
                unread.push(name(&file));
            }
        }
    }
    (documents, unread, ended.into_iter().map(|file| corpus.kept(file)).collect())
}

#[test]
fn every_document_is_of_a_file_with_an_end() {
    let dir = tempdir().unwrap();
    mixed(dir.path());
    let (documents, unread, kept) = read(&corpus(dir.path()), Vec::new(), dir.path());
    let expected = [("m.jsonl", 2), ("n.jsonl.gz", 2), ("one.txt", 1), ("p.jsonl", 0), ("q.zip", 2), ("two.txt", 1)];
    let mut expected: Vec<(String, usize)> = expected.map(|(name, count)| (name.to_owned(), count)).to_vec();
    expected.push(("z/three.txt".into(), 1));
    assert_eq!(documents, expected);
    assert_eq!((unread.len(), kept.len()), (0, 7));
    // and nothing of it without a caller that follows
    let mut reader = corpus(dir.path()).reader();
    while let Some(batch) = reader.next() {
        assert_eq!(batch.unwrap().part(), Part::None);
    }
}

#[test]
fn kept_files_are_not_read_unless_they_changed() {
    let dir = tempdir().unwrap();
    mixed(dir.path());
    let first = corpus(dir.path());
    let (documents, _, kept) = read(&first, Vec::new(), dir.path());
    let again = corpus(dir.path());
    let (read_again, unread, _) = read(&again, kept.clone(), dir.path());
    assert_eq!(read_again, []);
    assert_eq!(unread, documents.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
    // what is known of shards is known again
    assert_eq!(again.sources(), first.sources());
    assert_eq!(again.with_documents(), first.with_documents());
    write(&dir.path().join("m.jsonl"), &LINES[..24]);
    write(&dir.path().join("two.txt"), b"other");
    let (read_again, unread, _) = read(&corpus(dir.path()), kept, dir.path());
    assert_eq!(read_again, [("m.jsonl".to_owned(), 1), ("two.txt".to_owned(), 1)]);
    assert_eq!(unread.len(), 5);
}

#[test]
fn what_the_run_writes_is_left_out_and_listed() {
    let dir = tempdir().unwrap();
    make(dir.path(), &["a.txt", "b/out.html", "b/c.txt", "clean/corpus/a.txt", "old/x.txt"]);
    write(
        &dir.path().join("old").join(lookalike_corpus::RESULT_MARKER.0),
        lookalike_corpus::RESULT_MARKER.1.as_bytes(),
    );
    let own = vec![dir.path().join("b/../b/out.html"), dir.path().join("clean"), dir.path().join("later")];
    let options = Options { own, ..Options::default() };
    let found = items(vec![Input::Path(dir.path().into())], options.clone());
    let told: Vec<(String, &str)> = skipped(&found)
        .into_iter()
        .map(|skipped| {
            (skipped.id.strip_prefix(&format!("{}/", dir.path().display())).unwrap().to_owned(), skipped.reason.kind())
        })
        .collect();
    let expected = ["b/out.html", "clean", "old"].map(|name| (name.to_owned(), "own result"));
    assert_eq!(told, expected);
    assert_eq!(found.len(), 2 + told.len(), "a.txt and b/c.txt");
    // a list is no wish to overwrite
    let list = format!("{0}/a.txt\n{0}/b/out.html\n", dir.path().display());
    let from = Box::new(std::io::Cursor::new(list));
    let found = items(vec![Input::PathStream { from, nul: false }], options.clone());
    assert_eq!((found.len(), skipped(&found).len()), (2, 1));
    // but a name is
    let named = Corpus::open(vec![Input::Path(dir.path().join("b/out.html"))], options);
    assert!(matches!(named, Err(lookalike_corpus::Error::InputIsOutput { .. })));
    // a result is no input, whether it is named or listed
    let named = Corpus::open(vec![Input::Path(dir.path().join("old"))], Options::default());
    assert!(matches!(named, Err(lookalike_corpus::Error::InputIsResult { .. })));
    let list = format!("{}/old\n", dir.path().display());
    let from = Box::new(std::io::Cursor::new(list));
    assert_eq!(kinds(&items(vec![Input::PathStream { from, nul: false }], Options::default()), dir.path()).len(), 1);
    let found = items(vec![Input::Path(dir.path().join("old/x.txt"))], Options::default());
    assert_eq!(found.len(), 1);
}
