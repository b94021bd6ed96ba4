//! A reader beside a writer: it sees all that was acknowledged before, and nothing changes under it.

use super::{Model, expected, numbers, small};
use crate::store::{OnlineStore, StoreOptions, StoreReader};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

#[test]
fn what_was_there_when_it_was_opened() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store: OnlineStore<u64> = OnlineStore::open(&path, &small()).unwrap();
    let (mut model, mut readers) = (Model::new(), Vec::new());
    for (fingerprint, id) in numbers(4).map(|number| number & 0xff).take(90).zip(0..) {
        if id % 5 == 4 {
            let (fingerprint, id) = model.pop_first().unwrap();
            store.delete(fingerprint, id).unwrap();
        }
        store.insert(fingerprint, id).unwrap();
        model.insert((fingerprint, id));
        if id % 40 == 39 {
            store.merge().unwrap();
        }
        if id % 7 == 0 {
            readers.push((StoreReader::<u64>::open(&path, 3).unwrap(), model.clone()));
        }
    }
    drop(store);
    std::fs::remove_dir_all(&path).unwrap();
    for (reader, model) in &readers {
        assert_eq!(reader.len(), model.len() as u64);
        for query in (0..0xff).step_by(11) {
            for limit in [3, usize::MAX] {
                assert_eq!(reader.near(query, 2, limit).unwrap(), expected(model, query, 2, limit));
            }
        }
    }
}

#[test]
fn while_levels_come_and_go() {
    let dir = tempfile::tempdir().unwrap();
    let options = StoreOptions { memtable: 16, sync: false, ..StoreOptions::default() };
    let store: OnlineStore<u64> = OnlineStore::open(dir.path(), &options).unwrap();
    let fingerprint = |id: u64| id.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (safe, last) = (AtomicU64::new(0), 3000);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for id in 0..last {
                store.insert(fingerprint(id), id).unwrap();
                safe.store(id + 1, SeqCst);
            }
        });
        loop {
            let before = safe.load(SeqCst);
            let reader = StoreReader::<u64>::open(dir.path(), 3).unwrap();
            assert!(reader.len() >= before, "{} of {before}", reader.len());
            for id in (0..before).rev().take(40) {
                assert!(reader.near(fingerprint(id), 0, 9).unwrap().matches.iter().any(|hit| hit.id == id), "{id}");
            }
            if before == last {
                break;
            }
        }
    });
}

#[test]
fn what_it_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let error = StoreReader::<u64>::open(&path, 3).unwrap_err();
    assert!(error.to_string().contains("store"), "{error}");
    let store: OnlineStore<u64> = OnlineStore::open(&path, &small()).unwrap();
    store.insert(1, 1).unwrap();
    let reader = StoreReader::<u64>::open(&path, 3).unwrap();
    assert!(reader.near(1, 4, 9).unwrap_err().to_string().contains("up to 3"));
    assert!(StoreReader::<u64>::open(&path, 4).unwrap_err().to_string().contains("up to 3"));
    assert!(StoreReader::<u128>::open(&path, 3).unwrap_err().to_string().contains("64 bits"));
    // a log that is really damaged stays so
    let log = path.join("log-000001");
    let mut bytes = std::fs::read(&log).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&log, bytes).unwrap();
    let reader = StoreReader::<u64>::open(&path, 3).unwrap();
    assert_eq!((reader.len(), reader.replayed().missing()), (0, 1));
}
