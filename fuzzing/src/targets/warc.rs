//! Arbitrary bytes as a web archive, plain or compressed: read, and written again.

use lookalike_corpus::{CopyOptions, Item, Options, Original, Place, Ruling, copy_shard};
use crate::shards::{is_damaged, options, place, read};
use std::fs::{self, File};

pub(crate) fn fuzz(bytes: &[u8]) {
    let (path, copy) = (place("x.warc"), place("y.warc"));
    fs::write(&path, bytes).expect("a place for the archive");
    let whole = read(&path, &options());
    // where batches are cut must not be seen
    assert_eq!(read(&path, &Options { batch_bytes: 1, ..options() }), whole);
    let copy_options = CopyOptions { text_field: "text".into(), annotate: false };
    let create = || File::create(&copy).expect("a place for the copy");
    let mut records = 0;
    let copied = copy_shard(&path, create(), &copy_options, &mut |row| {
        assert_eq!(row, records, "each record is asked for once");
        records += 1;
        Ok(Ruling::KEEP)
    });
    // what can be copied can be read, and the copy holds the same
    if let Ok(copied) = copied {
        assert_eq!(copied.records, records);
        if records > 0 {
            assert_eq!(read(&copy, &options()), whole);
        }
    } else {
        assert!(is_damaged(&whole), "{copied:?}");
    }
    // the second half of the documents becomes revisits
    let rows: Vec<u64> = whole.iter().filter_map(row).collect();
    let (kept, dropped) = rows.split_at(rows.len() / 2);
    let original = Original { uri: "http://a\r\nb".into(), ..Original::default() };
    let copied = copy_shard(&path, create(), &copy_options, &mut |row| {
        let is_dropped = dropped.contains(&row);
        Ok(Ruling { keep: !is_dropped, original: is_dropped.then(|| original.clone()), ..Ruling::KEEP })
    });
    if copied.is_ok() && records > 0 {
        let left: Vec<u64> = read(&copy, &options()).iter().filter_map(row).collect();
        assert_eq!(left, kept);
    }
}

fn row(item: &Item<'_>) -> Option<u64> {
    match item {
        Item::Document(document) => match document.place {
            Place::Row { row, .. } => Some(row),
            _ => None,
        },
        Item::Skipped(_) => None,
    }
}
