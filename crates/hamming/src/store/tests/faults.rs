//! A disk that fails at every operation in turn: what was acknowledged is there, and nothing is acknowledged after.

use super::{Model, assert_same, numbers, small};
use crate::store::{OnlineStore, StoreOptions};
use lookalike_store::{Disk, Fault, FaultyDisk};
use std::path::Path;
use std::sync::Arc;

/// Inserts and deletes until something fails. What was acknowledged, and what was tried last.
fn work(path: &Path, disk: &Arc<dyn Disk>, sync: bool) -> (Model<u64>, Option<(u64, u64)>) {
    let mut model = Model::new();
    let options = StoreOptions { memtable: 6, sync, ..small() };
    let Ok(store) = OnlineStore::open_on(path, &options, disk) else { return (model, None) };
    let mut tried = None;
    let mut failed = false;
    for (fingerprint, id) in numbers(9).take(26).zip(0..) {
        let old = (id % 3 == 2).then(|| model.first().copied()).flatten();
        let (entry, done) = match old {
            Some(old) => (old, store.delete(old.0, old.1)),
            None => ((fingerprint, id), store.insert(fingerprint, id)),
        };
        match done {
            Ok(changed) => {
                assert!(changed && !failed, "acknowledged after a failure");
                if old.is_none() {
                    model.insert(entry)
                } else {
                    model.remove(&entry)
                };
            }
            Err(error) => {
                tried.get_or_insert(entry);
                failed = true;
                assert!(error.to_string().contains("store"), "{error}");
            }
        }
    }
    (model, tried)
}

#[test]
fn at_every_operation() {
    let dir = tempfile::tempdir().unwrap();
    for sync in [false, true] {
        let counting = FaultyDisk::new(Fault::Short, usize::MAX);
        let (all, tried) =
            work(&dir.path().join(format!("store-{sync}")), &(Arc::new(counting.clone()) as Arc<dyn Disk>), sync);
        assert!(tried.is_none() && all.len() > 5);
        let operations = counting.operations();
        assert!(operations > 60, "{operations}");
        // every second one, with waiting for the disk those between
        for at in (usize::from(sync)..operations).step_by(2) {
            for (fault, once) in
                [(Fault::Full, false), (Fault::Broken, true), (Fault::Killed, false), (Fault::Short, false)]
            {
                let disk = if once { FaultyDisk::once(fault, at) } else { FaultyDisk::new(fault, at) };
                let path = dir.path().join(format!("store-{sync}-{at}-{fault:?}"));
                let (mut model, tried) = work(&path, &(Arc::new(disk) as Arc<dyn Disk>), sync);
                if fault == Fault::Short {
                    assert!(tried.is_none() && model == all);
                }
                let store: OnlineStore<u64> = OnlineStore::open(&path, &small()).unwrap();
                // what failed last may have reached the disk nevertheless
                if let Some(tried) = tried
                    && (store.near(tried.0, 0, 1).unwrap().count == 1) != model.contains(&tried)
                    && !model.insert(tried)
                {
                    model.remove(&tried);
                }
                assert_same(&store, &model);
                drop(store);
                std::fs::remove_dir_all(&path).unwrap();
            }
        }
    }
}
