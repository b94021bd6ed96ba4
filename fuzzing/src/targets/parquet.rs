//! Arbitrary bytes as Parquet.

use lookalike_corpus::Options;
use crate::shards::{is_damaged, options, place, read};
use std::fs;

pub(crate) fn fuzz(bytes: &[u8]) {
    let path = place("x.parquet");
    fs::write(&path, bytes).expect("the folder is ours");
    let features = Options { features_field: Some("tags".into()), rank_field: Some("day".into()), ..options() };
    let nested = Options { text_field: "meta.url".into(), id_field: "price".into(), ..options() };
    let named = Options { category_field: Some("moment".into()), rank_field: Some("number".into()), ..options() };
    for options in [features, nested, named] {
        let whole = read(&path, &options);
        // where batches are cut must not be seen; of a damaged file more comes if less is read at once
        let cut = read(&path, &Options { batch_bytes: 1, ..options });
        assert_eq!(is_damaged(&cut), is_damaged(&whole), "{whole:?}");
        if !is_damaged(&whole) {
            assert_eq!(cut, whole);
        }
    }
}
