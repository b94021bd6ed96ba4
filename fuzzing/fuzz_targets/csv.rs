//! Arbitrary bytes as CSV and TSV, plain or compressed, beside another reader.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{Body, Item, Options, Reason};
use lookalike_fuzz::shards::{options, place, read};
use std::fs;

fuzz_target!(|bytes: &[u8]| {
    for (name, delimiter) in [("x.csv", b','), ("x.tsv", b'\t')] {
        let path = place(name);
        fs::write(&path, bytes).expect("the folder is ours");
        let features = Options { features_field: Some("features".into()), ..options() };
        // without a column of text the file is one document
        let named = Options { text_field: "body".into(), category_field: Some("id".into()), ..options() };
        for options in [options(), features, named] {
            let whole = read(&path, &options);
            // where batches are cut must not be seen
            let batch_bytes = tiny(bytes);
            let cut = read(&path, &Options { batch_bytes, ..options.clone() });
            assert_eq!(cut, whole, "batches of {batch_bytes}");
            // nor with records that are too long, which are read over
            let short = Options { max_size: 24, ..options.clone() };
            let cut = read(&path, &Options { batch_bytes, ..short.clone() });
            assert_eq!(cut, read(&path, &short), "batches of {batch_bytes}, short records");
            if options.features_field.is_none() && !is_compressed(bytes) {
                check_twin(bytes, delimiter, &options, &whole);
            }
        }
    }
});

/// Batches of a few bytes, so that short inputs are cut too; a decompressed bomb would make far too many of them.
fn tiny(bytes: &[u8]) -> usize {
    if is_compressed(bytes) { 4096 } else { 1 + bytes.last().map_or(0, |last| usize::from(last % 32)) }
}

/// Whether the reader unpacks it.
fn is_compressed(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The same texts, record by record, where the other reader sees a column of texts. It takes a quote that is not closed for closed at the end.
fn check_twin(bytes: &[u8], delimiter: u8, options: &Options, items: &[Item<'_>]) {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
    let names = reader.byte_headers().expect("a slice can be read").clone();
    let Some(text) = names.iter().position(|name| name == options.text_field.as_bytes()) else { return };
    let records: Vec<csv::ByteRecord> = reader.byte_records().map(|record| record.expect("a slice")).collect();
    assert_eq!(items.len(), records.len(), "{records:?}");
    for (item, record) in items.iter().zip(&records) {
        match item {
            Item::Document(document) => {
                assert_eq!(record.len(), names.len());
                assert_eq!(document.body, Body::Text(String::from_utf8_lossy(&record[text])), "{record:?}");
            }
            Item::Skipped(skipped) => match &skipped.reason {
                Reason::BadRecord(_) | Reason::BadId(_) | Reason::TooLarge { .. } => {}
                Reason::NoText(_) => assert!(std::str::from_utf8(&record[text]).is_err(), "{record:?}"),
                other => panic!("{other:?}: {record:?}"),
            },
        }
    }
}
