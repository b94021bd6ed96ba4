//! Arbitrary bytes as CSV and TSV, plain or compressed, beside another reader.

use lookalike_corpus::{Body, Item, Options, Reason};
use crate::shards::{options, place, read};
use std::fs;

pub(crate) fn fuzz(bytes: &[u8]) {
    let (name, delimiter) = if bytes.contains(&b'\t') { ("x.tsv", b'\t') } else { ("x.csv", b',') };
    let path = place(name);
    fs::write(&path, bytes).expect("the folder is ours");
    let texts = Options { category_field: Some("body".into()), rank_field: Some("x".into()), ..options() };
    let features = Options { features_field: Some("features".into()), ..options() };
    // records that are too long are read over
    let short = Options { max_size: 24, ..options() };
    let batch_bytes = tiny(bytes);
    for options in [&texts, &features, &short] {
        // where batches are cut must not be seen
        let whole = read(&path, options);
        assert_eq!(read(&path, &Options { batch_bytes, ..options.clone() }), whole, "batches of {batch_bytes}");
        // a long run of zeros is a part of the file that was lost, and no text
        let has_lost_bytes = bytes.windows(64).any(|window| window.iter().all(|byte| *byte == 0));
        if options == &texts && !is_compressed(bytes) && !has_lost_bytes {
            check_twin(bytes, delimiter, options, &whole);
        }
    }
}

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
