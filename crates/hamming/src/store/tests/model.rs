//! Any operations in any order, with levels written and merged and the store opened again between them.

use super::{Model, assert_same, expected, small};
use crate::store::{OnlineStore, StoreOptions};
use lookalike_core::bits::FingerprintBits;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Insert(u8, u64),
    Delete(u8, u64),
    Near(u8, u32, usize),
    Check(u8, u64, u32),
    Flush,
    Merge,
    Open,
}

fn step() -> impl Strategy<Value = Step> {
    let (fingerprint, id) = (0u8..24, 0u64..4);
    prop_oneof![
        12 => (fingerprint.clone(), id.clone()).prop_map(|(fingerprint, id)| Step::Insert(fingerprint, id)),
        8 => (fingerprint.clone(), id.clone()).prop_map(|(fingerprint, id)| Step::Delete(fingerprint, id)),
        6 => (fingerprint.clone(), 0u32..=3, 0usize..6).prop_map(|(fingerprint, k, limit)| Step::Near(fingerprint, k, limit)),
        6 => (fingerprint, id, 0u32..=3).prop_map(|(fingerprint, id, k)| Step::Check(fingerprint, id, k)),
        1 => Just(Step::Flush),
        1 => Just(Step::Merge),
        1 => Just(Step::Open),
    ]
}

/// One of few fingerprints, some of which are near each other.
fn fingerprint_of<F: FingerprintBits>(number: u8) -> F {
    let base = F::from_low(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(1 + u64::from(number / 8))) << (F::WIDTH - 64);
    let flips = F::from_low(u64::from(number % 8));
    base ^ (flips << 30) ^ (flips << (F::WIDTH - 9))
}

fn play<F: FingerprintBits>(steps: &[Step], options: &StoreOptions) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let mut store: OnlineStore<F> = OnlineStore::open(&path, options).unwrap();
    let mut model = Model::new();
    for step in steps {
        match *step {
            Step::Insert(fingerprint, id) => {
                let entry = (fingerprint_of(fingerprint), id);
                assert_eq!(store.insert(entry.0, entry.1).unwrap(), model.insert(entry), "{step:?}");
            }
            Step::Delete(fingerprint, id) => {
                let entry = (fingerprint_of(fingerprint), id);
                assert_eq!(store.delete(entry.0, entry.1).unwrap(), model.remove(&entry), "{step:?}");
            }
            Step::Near(fingerprint, k, limit) => {
                let query = fingerprint_of::<F>(fingerprint) ^ F::from_low(1);
                assert_eq!(store.near(query, k, limit).unwrap(), expected(&model, query, k, limit), "{step:?}");
            }
            Step::Check(fingerprint, id, k) => {
                let fingerprint = fingerprint_of::<F>(fingerprint);
                let near = expected(&model, fingerprint, k, 3);
                let found = store.check_and_insert(fingerprint, id, k, 3).unwrap();
                assert_eq!(found, (near.count > 0).then_some(near.clone()), "{step:?}");
                if near.count == 0 {
                    model.insert((fingerprint, id));
                }
            }
            Step::Flush => {
                let mut all = Vec::new();
                store
                    .for_each(|fingerprint, id| {
                        all.push((fingerprint, id));
                        Ok(())
                    })
                    .unwrap();
                assert_eq!(all, model.iter().copied().collect::<Vec<_>>(), "{step:?}");
            }
            Step::Merge => store.merge().unwrap(),
            Step::Open => {
                store.close().unwrap();
                store = OnlineStore::open(&path, options).unwrap();
            }
        }
        assert_eq!(store.len(), model.len() as u64);
    }
    assert_same(&store, &model);
    store.merge().unwrap();
    assert!(store.levels().len() <= 1 && store.levels().iter().sum::<u64>() == model.len() as u64);
    assert_same(&store, &model);
    drop(store);
    assert_same(&OnlineStore::open(&path, options).unwrap(), &model);
}

/// What was inserted, deleted and inserted again is in three levels, and the middle one is the largest: merging the small ones alone would
/// find it twice.
#[test]
fn levels_are_merged_with_their_neighbours_in_time() {
    let dir = tempfile::tempdir().unwrap();
    let options = StoreOptions { memtable: 1000, ..small() };
    let store: OnlineStore<u64> = OnlineStore::open(&dir.path().join("store"), &options).unwrap();
    let mut model = Model::new();
    let mut change = |insert: bool, id: u64| {
        let entry = (fingerprint_of::<u64>(id as u8), id);
        if insert {
            assert_eq!(store.insert(entry.0, entry.1).unwrap(), model.insert(entry));
        } else {
            assert_eq!(store.delete(entry.0, entry.1).unwrap(), model.remove(&entry));
        }
    };
    change(true, 1);
    (2..6).for_each(|id| change(true, id));
    store.flush().unwrap();
    change(false, 1);
    (10..40).for_each(|id| change(true, id));
    store.flush().unwrap();
    for id in [1, 50, 51, 52, 53, 54, 55] {
        change(true, id);
        store.flush().unwrap();
    }
    assert_same(&store, &model);
    store.merge().unwrap();
    assert_same(&store, &model);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_operations(steps in prop::collection::vec(step(), 0..150), memtable in 1usize..40) {
        play::<u64>(&steps, &StoreOptions { memtable, ..small() });
    }

    #[test]
    fn of_128_bits_and_with_threads(steps in prop::collection::vec(step(), 0..100), memtable in 1usize..20) {
        play::<u128>(&steps, &StoreOptions { memtable, background: true, ..small() });
    }
}

#[test]
fn what_is_asked_wrongly_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store: OnlineStore<u64> = OnlineStore::open(&path, &small()).unwrap();
    assert!(store.near(0, 4, 1).unwrap_err().to_string().contains("made for distances up to 3"));
    let locked = OnlineStore::<u64>::open(&path, &small()).unwrap_err().to_string();
    assert!(locked.contains("another process"), "{locked}");
    drop(store);
    let other = OnlineStore::<u128>::open(&path, &small()).unwrap_err().to_string();
    assert!(other.contains("64 bits, asked for 128"), "{other}");
    let far = OnlineStore::<u64>::open(&path, &StoreOptions { distance: 5, ..small() }).unwrap_err().to_string();
    assert!(far.contains("up to 3, asked for 5"), "{far}");
    assert!(OnlineStore::<u64>::open(&path, &StoreOptions { distance: 8, ..small() }).is_err());
    let nearer: OnlineStore<u64> = OnlineStore::open(&path, &StoreOptions { distance: 1, ..small() }).unwrap();
    assert_eq!(nearer.max_distance(), 3);
}

/// A value that very many share is counted, not read.
#[test]
fn one_value_very_often() {
    let dir = tempfile::tempdir().unwrap();
    let store: OnlineStore<u64> = OnlineStore::open(dir.path(), &StoreOptions { memtable: 1000, ..small() }).unwrap();
    let mut group = store.group();
    for id in 0..20_000 {
        assert!(group.insert(42, id).unwrap());
    }
    for id in (0..20_000).step_by(2) {
        assert!(group.delete(42, id).unwrap());
    }
    group.commit().unwrap();
    let found = store.near(43, 1, 3).unwrap();
    assert_eq!((found.count, found.matches.iter().map(|hit| hit.id).collect::<Vec<_>>()), (10_000, vec![1, 3, 5]));
}

/// Where more than a few thousand are near, the nearest are told and not all are counted; what went lately is not told.
#[test]
fn crowds() {
    let dir = tempfile::tempdir().unwrap();
    let options = StoreOptions { background: false, sync: false, ..StoreOptions::default() };
    let store: OnlineStore<u64> = OnlineStore::open(dir.path(), &options).unwrap();
    let ball = (0..64u32).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| 1u64 << a | 1 << b | 1 << c)));
    for (fingerprint, id) in ball.take(6000).chain([0, 1, 1 << 63]).zip(0..) {
        assert!(store.insert(fingerprint, id).unwrap());
    }
    store.flush().unwrap();
    let found = store.near(0, 3, 2).unwrap();
    let told: Vec<_> = found.matches.iter().map(|hit| (hit.distance, hit.fingerprint)).collect();
    assert_eq!((told, found.complete), (vec![(0, 0), (1, 1)], false));
    assert!(found.count >= 2);
    let all = store.near(0, 3, 10_000).unwrap();
    assert_eq!((all.count, all.matches.len(), all.complete), (6003, 6003, true));
    // the nearest go, and are not flushed: others are told in their place
    assert!(store.delete(0, 6000).unwrap() && store.delete(1, 6001).unwrap());
    let found = store.near(0, 3, 2).unwrap();
    assert_eq!(found.matches.iter().map(|hit| hit.distance).collect::<Vec<_>>(), [1, 3]);
    assert!(store.check_and_insert(0, 7, 3, 1).unwrap().is_some());
}
