//! Shards that are decoded before their turn: nothing of it is seen.

use std::path::{Path, PathBuf};

use lookalike_corpus::{Input, Item, Options};
use proptest::prelude::*;

use crate::common::packing::{tar_of, zip_of};
use crate::common::warcs::{crawl, page};
use crate::common::{gzip, open, read, write, zstd};

fn lines(count: u64) -> Vec<u8> {
    let line = |number| format!("{{\"id\":{number},\"text\":\"some words {number}\"}}\n").into_bytes();
    (0..count).flat_map(line).collect()
}

/// A file of some kind, sound or not.
fn make(folder: &Path, number: usize, kind: u8, count: u64) {
    let (name, mut bytes) = match kind % 10 {
        0 => (format!("{number}.jsonl"), lines(count)),
        1 | 2 => (format!("{number}.jsonl.gz"), gzip(&lines(count))),
        3 | 4 => (format!("{number}.jsonl.zst"), zstd(&lines(count))),
        5 => (format!("{number}.warc.gz"), crawl(count as u32).iter().flat_map(|record| gzip(record)).collect()),
        6 => (format!("{number}.txt"), lines(count)),
        7 => (format!("{number}.zip"), zip_of(&[("a.txt", &lines(count)), ("b", b"b")])),
        8 => (format!("{number}.tar.gz"), gzip(&tar_of(&[("a.txt", &lines(count)), ("b", b"b")]))),
        _ => {
            let warc: Vec<u8> = (1..=count as u32).flat_map(|number| gzip(&page(number))).collect();
            (format!("sub/{number}.wacz"), zip_of(&[("archive/a.warc.gz", &warc), ("archive/b.warc.gz", &warc)]))
        }
    };
    if kind >= 200 {
        bytes.truncate(bytes.len() * 2 / 3);
    }
    write(&folder.join(name), &bytes);
}

fn options(read_ahead: usize, read_ahead_bytes: u64) -> Options {
    Options { archives: true, batch_bytes: 512, batch_files: 3, read_ahead, read_ahead_bytes, ..Options::default() }
}

fn inputs(folder: &Path) -> Vec<Input> {
    let list = format!("{0}/0.jsonl.gz\n{0}/1.txt\n{0}/missing\n{0}/2.warc.gz", folder.display());
    vec![
        Input::Path(folder.to_owned()),
        Input::Stream(Box::new(std::io::Cursor::new(gzip(&lines(40))))),
        Input::PathStream { from: Box::new(std::io::Cursor::new(list)), nul: false },
    ]
}

fn everything(folder: &Path, options: Options) -> (Vec<Item<'static>>, Vec<PathBuf>, Vec<String>) {
    let corpus = open(inputs(folder), options);
    let items = read(&corpus);
    (items, corpus.sources(), corpus.with_documents())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_of_it_is_seen(files in prop::collection::vec((any::<u8>(), 0u64..60), 0..12)) {
        let dir = tempfile::tempdir().unwrap();
        for (number, (kind, count)) in files.into_iter().enumerate() {
            make(dir.path(), number, kind, count);
        }
        let expected = everything(dir.path(), options(0, 0));
        for (read_ahead, bytes) in [(1, 0), (1, 1 << 20), (4, 1000), (100, 1 << 20)] {
            prop_assert_eq!(&everything(dir.path(), options(read_ahead, bytes)), &expected);
        }
    }
}

#[test]
fn a_reader_can_be_left_at_any_time() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..12 {
        make(dir.path(), number, [1, 3, 5, 0, 7, 9][number % 6], 500);
    }
    let corpus = open(vec![Input::Path(dir.path().to_owned())], options(3, 4096));
    for batches in [0, 1, 5, 40] {
        let mut reader = corpus.reader();
        for _ in 0..batches {
            reader.next();
        }
    }
}
