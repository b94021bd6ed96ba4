//! Logs that were cut, flipped, or are not there.

use super::{Model, assert_same, numbers, small};
use crate::store::{OnlineStore, StoreOptions};
use std::fs;
use std::path::{Path, PathBuf};

/// A store of one group for each insert, none of it in a level; and where each group ends in the log.
fn store(path: &Path) -> (Vec<(u64, u64)>, PathBuf, Vec<u64>) {
    let store: OnlineStore<u64> = OnlineStore::open(path, &StoreOptions { memtable: 1000, ..small() }).unwrap();
    let entries: Vec<(u64, u64)> = numbers(1).take(12).zip(0..).collect();
    let log = path.join("log-000001");
    let mut ends = Vec::new();
    for (fingerprint, id) in &entries {
        store.insert(*fingerprint, *id).unwrap();
        ends.push(log.metadata().unwrap().len());
    }
    (entries, log, ends)
}

fn open(path: &Path) -> Result<OnlineStore<u64>, crate::error::Error> {
    OnlineStore::open(path, &StoreOptions { memtable: 1000, ..small() })
}

#[test]
fn cut_at_every_byte() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let (entries, log, ends) = store(&path);
    let whole = fs::read(&log).unwrap();
    for cut in 0..=whole.len() {
        fs::write(&log, &whole[..cut]).unwrap();
        let store = open(&path).unwrap();
        let kept = ends.iter().filter(|end| **end <= cut as u64).count();
        let mut model: Model<u64> = entries[..kept].iter().copied().collect();
        assert_same(&store, &model);
        // and it goes on from there, beside what was cut
        store.insert(99, 99).unwrap();
        drop(store);
        model.insert((99, 99));
        assert_same(&open(&path).unwrap(), &model);
        for entry in fs::read_dir(&path).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.starts_with("log-") && name != "log-000001" {
                fs::remove_file(path.join(name)).unwrap();
            }
        }
    }
}

/// A flipped bit in an operation is an error that names the place; one in the header of the file costs nothing.
#[test]
fn every_flipped_bit_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let (entries, log, ends) = store(&path);
    let whole = fs::read(&log).unwrap();
    for at in 0..whole.len() {
        for bit in [0, 3, 7] {
            let mut broken = whole.clone();
            broken[at] ^= 1 << bit;
            fs::write(&log, &broken).unwrap();
            if at < 32 {
                assert_same(&open(&path).unwrap(), &entries.iter().copied().collect());
                continue;
            }
            let error = open(&path).unwrap_err().to_string();
            let start = ends.iter().filter(|end| **end <= at as u64).max().copied().unwrap_or(32);
            let expected =
                format!("log-000001 is damaged at byte {start}: 45 bytes are no intact record, 1 record is missing");
            assert!(error.contains(&expected), "byte {at}: {error}");
            assert_eq!(fs::read(&log).unwrap(), broken);
        }
    }
    fs::write(&log, &whole).unwrap();
    assert_eq!(open(&path).unwrap().len(), 12);
}

/// Damage to operations that are in a level already costs nothing.
#[test]
fn damage_to_what_is_in_a_level_is_no_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let (entries, log, ends) = store(&path);
    let mut broken = fs::read(&log).unwrap();
    let store = open(&path).unwrap();
    store.flush().unwrap();
    store.insert(5, 5).unwrap();
    drop(store);
    // a file that could not be removed
    broken[ends[3] as usize + 30] ^= 1;
    fs::write(&log, &broken).unwrap();
    let store = open(&path).unwrap();
    assert_same(&store, &entries.iter().copied().chain([(5, 5)]).collect());
}

#[test]
fn what_was_never_written_is_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let (entries, log, _) = store(&path);
    let whole = fs::read(&log).unwrap();
    fs::write(&log, [&whole[..], &[0; 5000]].concat()).unwrap();
    assert_same(&open(&path).unwrap(), &entries.into_iter().collect());
    fs::write(&log, [&whole[..], &[7; 5000]].concat()).unwrap();
    assert!(open(&path).is_err());
}

/// The end of the last group did not reach the disk, and the room for it was made.
#[test]
fn zeros_after_a_part_of_the_last_group() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store = open(&path).unwrap();
    let entries: Vec<(u64, u64)> = numbers(3).take(12).zip(1..).collect();
    store.insert(entries[0].0, entries[0].1).unwrap();
    let mut group = store.group();
    entries[1..].iter().for_each(|(fingerprint, id)| assert!(group.insert(*fingerprint, *id).unwrap()));
    group.commit().unwrap();
    drop(store);
    let log = path.join("log-000001");
    let whole = fs::read(&log).unwrap();
    let record = 28 + 17;
    for tear in 32..=whole.len() {
        for more in [0, 4096] {
            let torn = [&whole[..tear], &vec![0; whole.len() - tear + more][..]].concat();
            fs::write(&log, &torn).unwrap();
            // a record of which all but the end is there could as well be damaged
            if let Err(error) = open(&path) {
                assert!((tear - 32) % record > 28 + 1, "{tear}: {error}");
                assert!(error.to_string().contains("1 record is missing"), "{error}");
                continue;
            }
            let kept = (0..entries.len()).take_while(|at| {
                torn[32 + at * record..32 + (at + 1) * record] == whole[32 + at * record..32 + (at + 1) * record]
            });
            let store = open(&path).unwrap();
            assert_same(&store, &entries[..kept.count()].iter().copied().collect());
        }
    }
    // a record that follows says that the one before it was whole once
    let torn = [&whole[..32 + record + 28], &[0; 17], &whole[32 + 2 * record..]].concat();
    fs::write(&log, torn).unwrap();
    assert!(open(&path).is_err());
}

#[test]
fn a_gap_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let (_, log, ends) = store(&path);
    // a second file goes on where the first ended
    open(&path).unwrap().insert(5, 5).unwrap();
    let whole = fs::read(&log).unwrap();
    fs::write(&log, &whole[..ends[10] as usize]).unwrap();
    let error = open(&path).unwrap_err().to_string();
    assert!(error.contains("log-000002") && error.contains("1 record is missing"), "{error}");
    fs::remove_file(&log).unwrap();
    assert!(open(&path).unwrap_err().to_string().contains("12 records are missing"));
    fs::write(&log, &whole).unwrap();
    assert_eq!(open(&path).unwrap().len(), 13);
}

/// A flipped byte in a level is found when it is read, and by looking at all.
#[test]
fn damage_in_levels_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let store = open(&path).unwrap();
    let entries: Vec<(u64, u64)> = numbers(4).take(3000).zip(0..).collect();
    for (fingerprint, id) in &entries {
        store.insert(*fingerprint, *id).unwrap();
    }
    store.flush().unwrap();
    drop(store);
    let names = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let segment = names
        .filter(|path| path.extension().is_some_and(|e| e == "seg"))
        .max_by_key(|path| path.metadata().unwrap().len());
    let segment = segment.expect("a level");
    let whole = fs::read(&segment).unwrap();
    let name = segment.file_name().unwrap().to_string_lossy().into_owned();
    for at in (0..whole.len()).step_by(1009) {
        let mut broken = whole.clone();
        broken[at] ^= 16;
        fs::write(&segment, &broken).unwrap();
        match open(&path) {
            Err(error) => assert!(error.to_string().contains(&name), "{error}"),
            Ok(store) => {
                let wrong = store.verify();
                assert!(wrong.iter().any(|error| error.to_string().contains(&name)), "byte {at}: {wrong:?}");
                for (fingerprint, _) in &entries {
                    if let Err(error) = store.near(*fingerprint, 3, 10) {
                        assert!(error.to_string().contains(&name), "{error}");
                    }
                }
            }
        }
    }
}
