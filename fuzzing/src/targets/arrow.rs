//! Arbitrary bytes as Arrow IPC, a file or a stream.

use lookalike_corpus::Options;
use crate::shards::{options, place, read};
use std::fs;

pub(crate) fn fuzz(bytes: &[u8]) {
    let path = place("x.arrow");
    fs::write(&path, bytes).expect("the folder is ours");
    let features = Options { features_field: Some("tags".into()), rank_field: Some("when".into()), ..options() };
    let nested = Options { text_field: "meta.body".into(), id_field: "view".into(), ..options() };
    let named = Options { category_field: Some("kind".into()), rank_field: Some("price".into()), ..options() };
    for options in [features, nested, named] {
        let whole = read(&path, &options);
        // where batches are cut must not be seen
        assert_eq!(read(&path, &Options { batch_bytes: 1, ..options }), whole);
    }
}
