//! Arbitrary bytes as a web archive, plain or compressed: read, and written again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{Corpus, CopyOptions, Input, Item, Options, Original, Place, Ruling, copy_shard};
use std::fs::{self, File};
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let place = |name: &str| std::env::temp_dir().join(format!("lookalike-fuzz-{}-{name}", std::process::id()));
    let (path, copy) = (place("x.warc"), place("y.warc"));
    fs::write(&path, bytes).expect("a place for the archive");
    let whole = read(&path, 1 << 20);
    // where batches are cut must not be seen
    assert_eq!(read(&path, 1), whole);
    let has_damage = whole.iter().any(|item| matches!(item, Item::Skipped(skipped) if skipped.reason.is_damage()));
    let options = CopyOptions { text_field: "text".into(), annotate: false };
    let create = || File::create(&copy).expect("a place for the copy");
    let mut records = 0;
    let copied = copy_shard(&path, create(), &options, &mut |row| {
        assert_eq!(row, records, "each record is asked for once");
        records += 1;
        Ok(Ruling::KEEP)
    });
    // what can be copied can be read, and the copy holds the same
    if let Ok(copied) = copied {
        assert_eq!(copied.records, records);
        if records > 0 {
            assert_eq!(read(&copy, 1 << 20), whole);
        }
    } else {
        assert!(has_damage, "{copied:?}");
    }
    // the second half of the documents becomes revisits
    let rows: Vec<u64> = whole.iter().filter_map(row).collect();
    let (kept, dropped) = rows.split_at(rows.len() / 2);
    let original = Original { uri: "http://a\r\nb".into(), ..Original::default() };
    let copied = copy_shard(&path, create(), &options, &mut |row| {
        let is_dropped = dropped.contains(&row);
        Ok(Ruling { keep: !is_dropped, original: is_dropped.then(|| original.clone()), ..Ruling::KEEP })
    });
    if copied.is_ok() && records > 0 {
        let left: Vec<u64> = read(&copy, 1 << 20).iter().filter_map(row).collect();
        assert_eq!(left, kept);
    }
});

fn row(item: &Item<'_>) -> Option<u64> {
    match item {
        Item::Document(document) => match document.place {
            Place::Row { row, .. } => Some(row),
            _ => None,
        },
        Item::Skipped(_) => None,
    }
}

/// All that it holds; what it is called is not looked at.
fn read(path: &Path, batch_bytes: usize) -> Vec<Item<'static>> {
    let options = Options { max_size: 1 << 16, batch_bytes, ..Options::default() };
    let corpus = Corpus::open(vec![Input::Path(path.to_owned())], options).expect("it is there");
    let mut reader = corpus.reader();
    let mut items = Vec::new();
    let label = path.display().to_string();
    while let Some(batch) = reader.next() {
        batch.expect("a file can be read again").read(&mut |item| {
            let mut item = item.into_owned();
            match &mut item {
                Item::Document(document) => document.id = document.id.replace(&label, "").into(),
                Item::Skipped(skipped) => skipped.id = skipped.id.replace(&label, ""),
            }
            items.push(item);
        });
    }
    items
}
