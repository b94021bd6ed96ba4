//! A store that an earlier version wrote. It must open, answer as it did, and take changes, for ever.
//!
//! `compat/store-2`: a level of a file, a level of what came and went after it, and a log; `store-2.txt` lists what is in it.
//!
//! A new format gets a new folder beside it; these files never change.

use lookalike_hamming::store::{OnlineStore, StoreOptions, StoreReader};
use std::fs;
use std::path::{Path, PathBuf};

fn compat(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat").join(name)
}

/// A copy to be changed.
fn copy(name: &str, to: &Path) -> PathBuf {
    let path = to.join(name);
    fs::create_dir(&path).expect("a folder");
    for entry in fs::read_dir(compat(name)).expect("it is there") {
        let entry = entry.expect("readable");
        fs::copy(entry.path(), path.join(entry.file_name())).expect("a copy");
    }
    path
}

#[test]
fn a_store_of_fingerprints() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = copy("store-2", dir.path());
    let listed = fs::read_to_string(compat("store-2.txt")).expect("it is there");
    let entries: Vec<(u64, u64)> = listed
        .lines()
        .map(|line| line.split_once(' ').expect("fingerprint and id"))
        .map(|(fingerprint, id)| (u64::from_str_radix(fingerprint, 16).expect("digits"), id.parse().expect("a number")))
        .collect();
    let expected = |query: u64| {
        let near = entries.iter().map(|(fingerprint, id)| ((fingerprint ^ query).count_ones(), *id));
        let mut near: Vec<(u32, u64)> = near.filter(|(distance, _)| *distance <= 3).collect();
        near.sort_unstable();
        near
    };
    let reader: StoreReader<u64> = StoreReader::open(&path, 3).expect("it opens");
    assert_eq!(reader.len(), entries.len() as u64);
    for query in entries.iter().flat_map(|(fingerprint, _)| [*fingerprint, fingerprint ^ 0x11]) {
        let found = reader.near(query, 3, usize::MAX).expect("sound").matches;
        assert_eq!(found.iter().map(|hit| (hit.distance, hit.id)).collect::<Vec<_>>(), expected(query));
    }
    let store: OnlineStore<u64> = OnlineStore::open(&path, &StoreOptions::default()).expect("it opens");
    assert!(store.verify().is_empty());
    assert!(store.insert(1, 1).expect("it takes changes") && store.delete(1, 1).expect("it takes changes"));
    store.merge().expect("it can be merged");
    assert_eq!((store.len(), store.levels()), (entries.len() as u64, vec![entries.len() as u64]));
}
