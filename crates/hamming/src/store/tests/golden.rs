//! The manifest, as others may find it.

use crate::store::{OnlineStore, StoreOptions};

fn mixed(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |at: u64| {
        (at ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    })
}

#[test]
fn golden_manifest() {
    let dir = tempfile::tempdir().unwrap();
    // the planner may choose another design one day; how it is written down stays
    let design = Some("1of2".parse().unwrap());
    let options = StoreOptions { background: false, sync: false, design, ..StoreOptions::default() };
    let store: OnlineStore<u64> = OnlineStore::open(dir.path(), &options).unwrap();
    for (fingerprint, id) in mixed(7).take(50).zip(0..) {
        store.insert(fingerprint, id).unwrap();
    }
    store.flush().unwrap();
    let first = mixed(7).next().unwrap();
    store.delete(first, 0).unwrap();
    store.flush().unwrap();
    drop(store);
    let text = std::fs::read_to_string(dir.path().join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let golden = concat!(
        r#"{"kind":"hamming online 1","width":64,"k":3,"done":51,"levels":["#,
        r#"{"added":{"file":"000001.seg","design":"1of2","width":64,"id_bits":6,"#,
        r#""tables":[{"prefix":2,"places":6,"rows":50},{"prefix":2,"places":6,"rows":50}]},"removed":null},"#,
        r#"{"added":{"file":"000002.seg","design":"1of2","width":64,"id_bits":0,"#,
        r#""tables":[{"prefix":0,"places":1,"rows":0},{"prefix":0,"places":0,"rows":0}]},"#,
        r#""removed":{"file":"000003.seg","design":"1of1","width":64,"id_bits":0,"#,
        r#""tables":[{"prefix":0,"places":1,"rows":1}]}}]}"#
    );
    assert_eq!(manifest["meta"].to_string(), golden);
}
