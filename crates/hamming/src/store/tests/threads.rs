//! Many threads at once, while levels are written and merged.

use super::{Model, assert_same, numbers};
use crate::store::{OnlineStore, StoreOptions};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

const THREADS: u64 = 4;

fn options(sync: bool) -> StoreOptions {
    StoreOptions { memtable: 50, background: true, sync, memory: 1 << 20, ..StoreOptions::default() }
}

/// Of all that come with near fingerprints exactly one is new, and that one is what the others are told of.
#[test]
fn exactly_one_is_new() {
    let dir = tempfile::tempdir().unwrap();
    let store: OnlineStore<u64> = OnlineStore::open(dir.path(), &options(false)).unwrap();
    let families: Vec<u64> = numbers(3).take(600).collect();
    let new: Vec<AtomicU64> = families.iter().map(|_| AtomicU64::new(0)).collect();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, families, new) = (&store, &families, &new);
            scope.spawn(move || {
                for (at, family) in families.iter().enumerate() {
                    // each differs from the family in one bit, from each other in two
                    let fingerprint = family ^ (1 << (thread * 16));
                    let id = at as u64 * THREADS + thread;
                    match store.check_and_insert(fingerprint, id, 3, 10).unwrap() {
                        None => assert_eq!(new[at].fetch_add(1, Relaxed), 0, "two are new in family {at}"),
                        Some(found) => {
                            assert_eq!(found.count, 1);
                            assert_eq!(found.matches[0].id / THREADS, at as u64);
                        }
                    }
                }
            });
        }
    });
    assert!(new.iter().all(|new| new.load(Relaxed) == 1));
    assert_eq!(store.len(), 600);
    assert!(store.verify().is_empty());
}

/// What a thread has inserted it sees; what it has deleted it does not.
#[test]
fn threads_see_what_they_did() {
    let dir = tempfile::tempdir().unwrap();
    let store: OnlineStore<u64> = OnlineStore::open(dir.path(), &options(true)).unwrap();
    let mut models = vec![Model::new(); THREADS as usize];
    thread::scope(|scope| {
        for (thread, model) in models.iter_mut().enumerate() {
            let store = &store;
            scope.spawn(move || {
                let mut fingerprints: Vec<u64> = Vec::new();
                for (round, number) in numbers(thread as u64).take(500).enumerate() {
                    // threads work on the same fingerprints with ids of their own
                    let (fingerprint, id) = (number % 64 * 0x0101_0101_0101_0101, (round * 4 + thread) as u64);
                    if number >> 60 < 11 || fingerprints.is_empty() {
                        assert!(store.insert(fingerprint, id).unwrap());
                        assert!(!store.insert(fingerprint, id).unwrap());
                        model.insert((fingerprint, id));
                        fingerprints.push(fingerprint);
                    } else {
                        let gone = *model.iter().nth(number as usize % model.len()).expect("there are some");
                        assert!(store.delete(gone.0, gone.1).unwrap());
                        assert!(!store.delete(gone.0, gone.1).unwrap());
                        model.remove(&gone);
                    }
                    if round % 16 == 0 {
                        let found = store.near(fingerprint, 3, usize::MAX).unwrap();
                        let mine = |id: u64| id % 4 == thread as u64;
                        let seen = found.matches.iter().filter(|hit| mine(hit.id) && hit.distance == 0).count();
                        assert_eq!(seen, model.iter().filter(|(other, _)| *other == fingerprint).count());
                        assert_eq!(found.matches.len() as u64, found.count, "one view for both");
                    }
                    if round % 100 == 0 {
                        store.flush().unwrap();
                    }
                    if model.is_empty() {
                        fingerprints.clear();
                    }
                }
            });
        }
    });
    let all: Model<u64> = models.into_iter().flatten().collect();
    assert_same(&store, &all);
    store.close().unwrap();
    assert_same(&OnlineStore::open(dir.path(), &options(true)).unwrap(), &all);
}
