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

/// A flipped bit costs one operation, which is named; one in the header of the file costs nothing.
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
            let opened = open(&path).unwrap();
            let mut model: Model<u64> = entries.iter().copied().collect();
            if at < 32 {
                assert_same(&opened, &model);
                continue;
            }
            let hit = ends.iter().filter(|end| **end <= at as u64).count();
            model.remove(&entries[hit]);
            let start = if hit == 0 { 32 } else { ends[hit - 1] };
            let expected =
                format!("log-000001 is damaged at byte {start}: 45 bytes are no intact record, 1 record is missing");
            let damage = &opened.replayed().damage;
            assert!(damage.len() == 1 && damage[0].to_string().contains(&expected), "byte {at}: {damage:?}");
            assert_eq!(opened.verify().len(), 1);
            assert_eq!(opened.len(), model.len() as u64);
            for (fingerprint, _) in &entries {
                assert_eq!(opened.near(*fingerprint, 3, 99).unwrap(), expected_near(&model, *fingerprint));
            }
            assert_eq!(fs::read(&log).unwrap(), broken);
        }
    }
    fs::write(&log, &whole).unwrap();
    assert_eq!(open(&path).unwrap().len(), 12);
}

fn expected_near(model: &Model<u64>, query: u64) -> crate::store::Matches<u64> {
    super::expected(model, query, 3, 99)
}

/// Writing goes on behind damage, whatever the missing operation was: what is inserted is there, and what is deleted is not. The file is
/// kept when its operations are in a level.
#[test]
fn writing_goes_on_behind_damage() {
    let dir = tempfile::tempdir().unwrap();
    for missing in 0..5 {
        let path = dir.path().join(missing.to_string());
        let store = open(&path).unwrap();
        let log = path.join("log-000001");
        let mut ends = vec![32];
        // inserted, deleted, inserted again, deleted, and another one
        for (insert, id) in [(true, 1), (false, 1), (true, 1), (false, 1), (true, 2)] {
            assert!(if insert { store.insert(9, id) } else { store.delete(9, id) }.unwrap());
            ends.push(log.metadata().unwrap().len());
        }
        drop(store);
        let mut bytes = fs::read(&log).unwrap();
        bytes[ends[missing] as usize + 40] ^= 1;
        fs::write(&log, &bytes).unwrap();
        let store = open(&path).unwrap();
        assert_eq!(store.replayed().missing(), 1, "{missing}");
        let there = |store: &OnlineStore<u64>| {
            let mut ids: Vec<u64> = store.near(9, 0, 10).unwrap().matches.iter().map(|hit| hit.id).collect();
            ids.sort_unstable();
            assert_eq!(store.len(), ids.len() as u64, "{missing}");
            ids
        };
        let before = there(&store);
        assert!(before.iter().all(|id| [1, 2].contains(id)), "{missing}: {before:?}");
        assert_eq!(store.insert(9, 1).unwrap(), !before.contains(&1));
        assert_eq!(store.insert(9, 2).unwrap(), !before.contains(&2));
        assert_eq!(there(&store), [1, 2]);
        assert!(store.delete(9, 1).unwrap());
        assert_eq!(there(&store), [2]);
        store.flush().unwrap();
        drop(store);
        let store = open(&path).unwrap();
        assert_eq!((there(&store), store.verify().len(), store.replayed().missing()), (vec![2], 0, 1), "{missing}");
        assert_eq!(fs::read(path.join("log-000001.damaged")).unwrap(), bytes);
    }
}

/// A store that is ended because something failed does not write what it has answered as failed.
#[test]
fn what_is_discarded_is_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store");
    let (mut entries, _, _) = store(&path);
    let store: OnlineStore<u64> = OnlineStore::open(&path, &StoreOptions { background: true, ..small() }).unwrap();
    store.insert(5, 5).unwrap();
    entries.push((5, 5));
    let mut group = store.group();
    (20..40).for_each(|id| assert!(group.insert(id << 30, id).unwrap()));
    store.discard();
    let again = open(&path).unwrap();
    assert!(again.len() <= entries.len() as u64 + 20);
    for (fingerprint, id) in entries {
        assert!(again.near(fingerprint, 0, 10).unwrap().matches.iter().any(|hit| hit.id == id));
    }
    again.insert(1, 1).unwrap();
    again.group().insert(2, 2).unwrap();
    let len = again.len() - 1;
    again.discard();
    assert_eq!(open(&path).unwrap().len(), len);
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
    assert_eq!(open(&path).unwrap().replayed().missing(), 1);
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
            let store = open(&path).unwrap();
            // a record of which all but the end is there could as well be damaged
            let is_damage = store.replayed().missing() > 0;
            assert!(!is_damage || (tear - 32) % record > 28 + 1, "{tear}: {:?}", store.replayed());
            drop(store);
            let kept = (0..entries.len()).take_while(|at| {
                torn[32 + at * record..32 + (at + 1) * record] == whole[32 + at * record..32 + (at + 1) * record]
            });
            let (store, kept) = (open(&path).unwrap(), kept.count());
            assert_eq!(store.len(), kept as u64);
            if !is_damage {
                assert_same(&store, &entries[..kept].iter().copied().collect());
            }
        }
    }
    // the pages of the last group reached the disk in another order: what is there is used
    let torn = [&whole[..32 + record + 28], &[0; 17], &whole[32 + 2 * record..]].concat();
    fs::write(&log, torn).unwrap();
    let store = open(&path).unwrap();
    assert_eq!((store.len(), store.replayed().missing()), (entries.len() as u64 - 1, 1));
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
    let found = |missing: u64, len: u64| {
        let store = open(&path).unwrap();
        let damage = &store.replayed().damage;
        assert!(damage.len() == 1 && damage[0].path.ends_with("log-000002"), "{damage:?}");
        assert_eq!((damage[0].missing, store.len()), (missing, len));
    };
    found(1, 12);
    fs::remove_file(&log).unwrap();
    found(12, 1);
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
