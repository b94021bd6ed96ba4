//! A copy of an index, or of a store of fingerprints, while it is in use.

use lookalike_engine::Error;
use lookalike_hamming::store::NAMES_FILE;
use lookalike_store::copy_folder;
use std::path::Path;

/// Copies an index or a store of fingerprints to a new folder, as it is at one moment, while others ask and change it. What a server
/// acknowledged before is in it. Files that never change again are linked where both folders are on one disk.
pub fn snapshot(path: &Path, to: &Path) -> Result<(), Error> {
    Ok(copy_folder(path, to, &[NAMES_FILE])?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_hamming::store::{OnlineStore, StoreNames, StoreOptions};
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    fn fingerprint(number: u64) -> u64 {
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Levels are written and merged all the time, and names added: all that was acknowledged before is in the copy, under its name.
    #[test]
    fn a_store_is_copied_while_it_grows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seen");
        let options = StoreOptions { memtable: 64, sync: false, ..StoreOptions::default() };
        let store: OnlineStore<u64> = OnlineStore::open(&path, &options).unwrap();
        let mut names = StoreNames::create(&path, "").unwrap();
        let (acknowledged, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0.. {
                    if stop.load(Ordering::SeqCst) {
                        return;
                    }
                    let id = names.add(&format!("page {number}")).unwrap();
                    names.sync(false).unwrap();
                    assert!(store.insert(fingerprint(number), id).unwrap());
                    acknowledged.store(number + 1, Ordering::SeqCst);
                }
            });
            for n in 0..8 {
                while acknowledged.load(Ordering::SeqCst) < 100 * n {
                    std::thread::yield_now();
                }
                let known = acknowledged.load(Ordering::SeqCst);
                let copy = folder.path().join(n.to_string());
                snapshot(&path, &copy).unwrap();
                let copied: OnlineStore<u64> = OnlineStore::open(&copy, &options).unwrap();
                let mut copied_names = StoreNames::open(&copy).unwrap();
                assert!(copied.len() >= known);
                for number in 0..copied.len() {
                    let found = copied.near(fingerprint(number), 0, 2).unwrap();
                    assert_eq!(found.count, 1, "{number} of {known}");
                    assert_eq!(copied_names.name(found.matches[0].id).unwrap(), format!("page {number}"));
                }
            }
            stop.store(true, Ordering::SeqCst);
        });
    }
}
