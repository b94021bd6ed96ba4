//! Logs under damage, on disks that fail, and written by many threads.

use super::frame::{FILE_HEADER, HEADER, encode};
use super::{Log, LogFiles, LogOptions, Replay};
use crate::{Disk, Error, Fault, FaultyDisk, RealDisk};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

const KIND: [u8; 8] = *b"a test\0\0";

fn files(folder: &Path) -> LogFiles {
    LogFiles::new(folder, "log", KIND)
}

/// All records by number, and what else was found.
fn read(folder: &Path) -> (BTreeMap<u64, Vec<u8>>, Replay) {
    let mut records = BTreeMap::new();
    let replay = files(folder).replay(None, |record| {
        let last = records.last_key_value().map_or(0, |(last, _)| *last);
        assert!(record.sequence > last, "in order");
        records.insert(record.sequence, record.body.to_vec());
        Ok(())
    });
    (records, replay.unwrap())
}

fn open(folder: &Path, disk: Arc<dyn Disk>, sync: bool) -> Result<Log, Error> {
    let replay = files(folder).replay(None, |_| Ok(()))?;
    Log::new(files(folder), disk, LogOptions { sync, ..LogOptions::default() }, &replay)
}

/// A log that does not wait for the disk, as tests of damage need none.
fn real(folder: &Path) -> Log {
    open(folder, Arc::new(RealDisk), false).unwrap()
}

fn append(log: &Log, record: &[u8]) -> Result<u64, Error> {
    let sequence = log.append(record);
    log.wait(sequence).map(|()| sequence)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A log in one file, in groups of these sizes; the records, and where each begins.
fn written(folder: &Path, bodies: &[Vec<u8>]) -> (Vec<u8>, Vec<usize>) {
    let log = real(folder);
    for group in bodies.chunks(3) {
        for body in group {
            log.append(body);
        }
        log.flush().unwrap();
    }
    let mut places = vec![FILE_HEADER];
    for body in bodies {
        places.push(places[places.len() - 1] + HEADER + body.len());
    }
    (fs::read(folder.join("log-000001")).unwrap(), places)
}

/// Reads a log of which the bytes from `from` to `to` were changed or cut off: every record that was not hit is there, and every other one
/// is reported as missing or was never whole.
fn check_damage(folder: &Path, bodies: &[Vec<u8>], places: &[usize], bytes: &[u8], (from, to): (usize, usize)) {
    let path = folder.join("log-000001");
    fs::write(&path, bytes).unwrap();
    let (found, replay) = read(folder);
    let hit = |at: usize| from < places[at + 1] && places[at] < to;
    let intact: BTreeMap<u64, Vec<u8>> =
        bodies.iter().enumerate().filter(|(at, _)| !hit(*at)).map(|(at, body)| (at as u64 + 1, body.clone())).collect();
    assert_eq!(found, intact, "{replay:?}");
    let missing = (0..bodies.len()).filter(|at| hit(*at)).count() as u64;
    // the header was safe before the first record
    let is_headless = from < FILE_HEADER && bytes.len() > FILE_HEADER;
    assert!(!is_headless || !replay.damage.is_empty(), "{replay:?}");
    if missing > 0 {
        let is_torn = replay.torn.iter().map(|(_, bytes)| *bytes).sum::<u64>() > 0 || bytes.len() <= from;
        // without a later record the number of those that are missing is not known
        let ends_in_damage = !found.contains_key(&(bodies.len() as u64));
        // nor without the header of the first file and a record before them
        let is_least = ends_in_damage || from < FILE_HEADER;
        assert!(is_torn || replay.missing() == missing || is_least && replay.missing() >= 1, "{replay:?}");
        assert!(!is_torn || ends_in_damage, "{replay:?}");
    } else {
        assert_eq!(replay.missing(), 0, "{replay:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), bytes, "reading changes nothing");
    // It goes on in another file, and what is damaged stays.
    let next = append(&real(folder), b"next").unwrap();
    let (more, _) = read(folder);
    assert!(next > found.last_key_value().map_or(0, |(last, _)| *last));
    assert_eq!(more, found.into_iter().chain([(next, b"next".to_vec())]).collect());
    let torn = folder.join("log-000001.torn");
    if replay.needed.is_empty() {
        // a header alone, or nothing, is removed
        assert_eq!(fs::read(&torn).ok(), (!replay.torn.is_empty()).then(|| bytes.to_vec()), "under another name");
    } else {
        assert_eq!(fs::read(&path).unwrap(), bytes, "writing changes nothing");
    }
    let _ = fs::remove_file(torn);
    fs::remove_file(folder.join("log-000002")).unwrap();
}

fn bodies() -> impl Strategy<Value = Vec<Vec<u8>>> {
    // as the server writes them, and as the store of fingerprints does
    let json = (0usize..3000).prop_map(|length| format!("{{\"id\":\"{}\"}}", "ä".repeat(length)).into_bytes());
    let operation = (1u8..3, any::<u64>(), any::<u8>()).prop_map(|(operation, fingerprint, id)| {
        [&[operation][..], &fingerprint.to_le_bytes(), &u64::from(id).to_le_bytes()].concat()
    });
    prop_oneof![prop::collection::vec(json, 1..12), prop::collection::vec(operation, 1..300)]
}

#[derive(Clone, Debug)]
enum Damage {
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    ZeroPage(prop::sample::Index),
    Garbage(prop::sample::Index, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = || any::<prop::sample::Index>();
    prop_oneof![
        (at(), 1u8..).prop_map(|(at, with)| Damage::Flip(at, with)),
        at().prop_map(Damage::Cut),
        at().prop_map(Damage::ZeroPage),
        (at(), prop::collection::vec(any::<u8>(), 1..5000)).prop_map(|(at, bytes)| Damage::Garbage(at, bytes)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]
    /// Whatever is flipped, cut off or zeroed, all records outside are returned in order, and the loss of others is reported.
    #[test]
    fn damage_costs_only_the_records_that_it_hits(bodies in bodies(), damage in damage()) {
        let folder = tempfile::tempdir().unwrap();
        let (whole, places) = written(folder.path(), &bodies);
        let mut bytes = whole.clone();
        let range = match damage {
            Damage::Flip(at, with) => {
                let at = at.index(whole.len());
                bytes[at] ^= with;
                (at, at + 1)
            }
            Damage::Cut(at) => {
                let at = at.index(whole.len());
                bytes.truncate(at);
                // of a file without its header nothing is left
                (at.max(FILE_HEADER), whole.len())
            }
            Damage::ZeroPage(at) => {
                let page = at.index(whole.len().div_ceil(4096)) * 4096;
                let end = (page + 4096).min(whole.len());
                bytes[page..end].fill(0);
                (page, end)
            }
            Damage::Garbage(at, garbage) => {
                let at = at.index(whole.len());
                let end = (at + garbage.len()).min(whole.len());
                bytes[at..end].copy_from_slice(&garbage[..end - at]);
                (at, end)
            }
        };
        check_damage(folder.path(), &bodies, &places, &bytes, range);
    }
}

#[test]
fn every_flipped_byte_and_every_cut() {
    let bodies: Vec<Vec<u8>> = ["rose", "", "a longer record", "{}"].map(|body| body.as_bytes().to_vec()).to_vec();
    let folder = tempfile::tempdir().unwrap();
    let (whole, places) = written(folder.path(), &bodies);
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            check_damage(folder.path(), &bodies, &places, &bytes, (at, at + 1));
            fs::write(folder.path().join("log-000001"), &bytes).unwrap();
            let (_, replay) = read(folder.path());
            assert_eq!(replay.damage.len(), 1, "byte {at} bit {bit}: {replay:?}");
        }
        check_damage(folder.path(), &bodies, &places, &whole[..at], (at.max(FILE_HEADER), whole.len()));
        let _ = fs::remove_file(folder.path().join("log-000002"));
    }
}

/// Damage is counted by the numbers of the records around it, also from one file to the next.
#[test]
fn missing_records_are_counted_and_named() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let log = real(folder.path());
        for number in 0..4u8 {
            append(&log, &[number; 40]).unwrap();
        }
    }
    let second = folder.path().join("log-000002");
    let whole = fs::read(&second).unwrap();
    let record = HEADER + 40;
    // the second and third record of the second file, up to the end of it, and the whole file
    for (bytes, offset, missing) in [
        ([&whole[..FILE_HEADER + record], &[7; 2 * 68][..], &whole[FILE_HEADER + 3 * record..]].concat(), 100, 2),
        ([&whole[..FILE_HEADER + record], &[7; 3 * 68][..]].concat(), 100, 3),
        (whole[..FILE_HEADER + record + 5].to_vec(), 16, 3),
    ] {
        fs::write(&second, bytes).unwrap();
        let (found, replay) = read(folder.path());
        assert_eq!(
            (found.len() as u64, replay.missing(), replay.damage.len()),
            (12 - missing, missing, 1),
            "{replay:?}"
        );
        let damage = &replay.damage[0];
        let name = if offset == 16 { "log-000003" } else { "log-000002" };
        assert_eq!((damage.path.file_name().unwrap().to_str(), damage.offset), (Some(name), offset));
        assert!(damage.to_string().contains(&format!("{missing} records are missing")), "{damage}");
        assert_eq!((replay.last, replay.before, replay.next), (12, 0, 4));
    }
    fs::remove_file(&second).unwrap();
    let (found, replay) = read(folder.path());
    assert_eq!((found.len(), replay.missing()), (8, 4));
    assert_eq!(replay.damage[0].to_string().rsplit_once(": ").unwrap().1, "4 records are missing");
}

/// A damaged file gets another name where others are removed, and its number is not given again.
#[test]
fn a_damaged_file_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let log = real(folder.path());
    (0..5).for_each(|number| assert!(append(&log, &[number; 9]).is_ok()));
    drop(log);
    let path = folder.path().join("log-000001");
    let mut bytes = fs::read(&path).unwrap();
    bytes[FILE_HEADER + 40] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let log = real(folder.path());
    assert_eq!(append(&log, b"after").unwrap(), 6);
    let closed = log.close_files();
    assert_eq!(
        closed.iter().map(|file| (file.number, file.last, file.damaged)).collect::<Vec<_>>(),
        [(1, 5, true), (2, 6, false)]
    );
    log.retire(5).unwrap();
    assert_eq!(names(folder.path()), ["log-000001.damaged", "log-000002"]);
    log.retire(6).unwrap();
    assert_eq!(fs::read(folder.path().join("log-000001.damaged")).unwrap(), bytes);
    drop(log);
    append(&real(folder.path()), b"again").unwrap();
    assert_eq!(names(folder.path()), ["log-000001.damaged", "log-000002"]);
}

/// A disk that fails at any operation, for ever or once: what was acknowledged is there, and what was not is not.
#[test]
fn acknowledged_records_survive_any_fault() {
    let all = 6u8;
    let work = |folder: &Path, disk: &FaultyDisk| {
        let mut acknowledged = BTreeMap::new();
        let Ok(log) = open(folder, Arc::new(disk.clone()), true) else { return acknowledged };
        for number in 0..all {
            let body = vec![number; 30];
            match append(&log, &body) {
                Ok(sequence) => drop(acknowledged.insert(sequence, body)),
                Err(Error::Write { .. }) => log.recover(),
                Err(error) => panic!("{error}"),
            }
            if number == 2 {
                log.rotate();
            }
        }
        assert_eq!(log.safe(), acknowledged.len() as u64, "numbers are given again");
        acknowledged
    };
    let dir = tempfile::tempdir().unwrap();
    let counting = FaultyDisk::new(Fault::Short, usize::MAX);
    let path = dir.path().join("sound");
    fs::create_dir(&path).unwrap();
    assert_eq!(work(&path, &counting).len(), usize::from(all));
    let operations = counting.operations();
    assert!(operations > 15, "{operations}");
    for at in 0..operations {
        for fault in [Fault::Full, Fault::Broken, Fault::Killed] {
            for once in [true, false] {
                let disk = if once { FaultyDisk::once(fault, at) } else { FaultyDisk::new(fault, at) };
                let path = dir.path().join(format!("{at}-{fault:?}-{once}"));
                fs::create_dir(&path).unwrap();
                let acknowledged = work(&path, &disk);
                let (found, replay) = read(&path);
                assert!(replay.damage.is_empty(), "{replay:?}");
                let case = format!("{fault:?} at {at}, once: {once}: {:?}", disk.log());
                if once && fault != Fault::Killed {
                    // one group at most was refused, and it is not there
                    assert!(acknowledged.len() as u8 >= all - 1, "{case}");
                    assert_eq!(found, acknowledged, "{case}");
                    assert!(names(&path).len() <= 4, "{case}: {:?}", names(&path));
                } else {
                    // a group that could not be cut off either, and no process that says so
                    let unknown = found.len().saturating_sub(acknowledged.len());
                    assert!(unknown <= 1, "{case}");
                    assert!(acknowledged.iter().all(|(number, body)| found.get(number) == Some(body)), "{case}");
                }
            }
        }
    }
}

/// A group that can neither be written nor cut off is not read again once another file begins.
#[test]
fn what_was_refused_is_not_there_later() {
    let folder = tempfile::tempdir().unwrap();
    let log = real(folder.path());
    append(&log, b"first").unwrap();
    drop(log);
    // as a write leaves it whose sync failed, and which could not be cut off
    let path = folder.path().join("log-000001");
    let mut bytes = fs::read(&path).unwrap();
    encode(&mut bytes, 2, b"refused");
    fs::write(&path, &bytes).unwrap();
    // another file that begins with the same number
    let second = tempfile::tempdir().unwrap();
    fs::copy(&path, second.path().join("log-000001")).unwrap();
    fs::write(folder.path().join("log-000002"), {
        let mut bytes = bytemuck::bytes_of(&files(folder.path()).header(2)).to_vec();
        encode(&mut bytes, 2, b"second");
        bytes
    })
    .unwrap();
    let (found, replay) = read(folder.path());
    assert_eq!(found.values().collect::<Vec<_>>(), [b"first".as_slice(), b"second"]);
    assert!(replay.damage.is_empty() && replay.last == 2);
}

/// A full disk: refused records leave one file at most, and the log goes on when there is room.
#[test]
fn refused_records_leave_no_files() {
    let folder = tempfile::tempdir().unwrap();
    for at in 0..10 {
        let path = folder.path().join(at.to_string());
        fs::create_dir(&path).unwrap();
        let log = open(&path, Arc::new(FaultyDisk::new(Fault::Full, at)), true).unwrap();
        for _ in 0..50 {
            if append(&log, b"refused").is_err() {
                log.recover();
            }
        }
        assert!(names(&path).len() <= 1, "{at}: {:?}", names(&path).len());
    }
}

#[test]
fn many_threads_share_one_sync() {
    let folder = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::new(Fault::Short, usize::MAX);
    let log = open(folder.path(), Arc::new(disk.clone()), true).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8u8 {
            let log = &log;
            scope.spawn(move || (0..50u8).for_each(|number| assert!(append(log, &[thread, number]).is_ok())));
        }
    });
    let (found, replay) = read(folder.path());
    assert_eq!((found.len(), replay.last, replay.missing()), (400, 400, 0));
    // one write and one sync for each group
    let count = |name: &str| disk.log().iter().filter(|operation| **operation == name).count();
    assert_eq!(count("write"), count("sync"));
    assert_eq!(names(folder.path()), ["log-000001"]);
}

#[test]
fn other_logs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    append(&real(folder.path()), b"rose").unwrap();
    let other = LogFiles::new(folder.path(), "log", *b"verdicts").replay(None, |_| Ok(())).unwrap_err();
    assert!(other.to_string().contains("expected a log of kind \"verdicts\", found \"a test\""), "{other}");
    // the format before: the same header with another mark
    let header = hex("6c6f6f6b6c6f673140000000000000000900000000000000e082c1b63b58a4b4");
    fs::write(folder.path().join("log-000001"), [&header[..], &[7; 49]].concat()).unwrap();
    let old = files(folder.path()).replay(None, |_| Ok(())).unwrap_err();
    assert!(matches!(&old, Error::Format { expected: 2, found: 1, .. }), "{old}");
}

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// A record that its reader does not accept is reported like any other damage.
#[test]
fn a_record_that_is_not_accepted_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let log = real(folder.path());
    (0..3u8).for_each(|number| assert!(append(&log, &[number]).is_ok()));
    let replay =
        files(folder.path()).replay(None, |record| if record.body == [1] { Err("no record".into()) } else { Ok(()) });
    let replay = replay.unwrap();
    assert_eq!((replay.missing(), replay.damage[0].offset, replay.last), (1, 61, 3));
    assert!(replay.damage[0].to_string().ends_with("no record; 1 record is missing") && replay.needed[0].damaged);
}

/// A file of zeros held records: it is damage, and kept. So is a file that ends within a record, when its other records are done.
#[test]
fn what_the_disk_lost_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let log = real(folder.path());
    (0..10).for_each(|number| assert!(append(&log, &[number; 9]).is_ok()));
    drop(log);
    let path = folder.path().join("log-000001");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, vec![0; whole.len()]).unwrap();
    let (_, replay) = read(folder.path());
    assert_eq!((replay.damage.len(), replay.missing(), replay.torn.len()), (1, 1, 0), "{replay:?}");
    assert_eq!((replay.damage[0].offset, replay.damage[0].bytes), (0, whole.len() as u64));
    let log = real(folder.path());
    append(&log, b"after").unwrap();
    log.retire(u64::MAX).unwrap();
    assert_eq!(fs::read(folder.path().join("log-000001.damaged")).unwrap(), vec![0; whole.len()]);
    drop(log);
    let (_, replay) = read(folder.path());
    assert_eq!((replay.aside, replay.damage.len()), (1, 0), "it still counts after the next start");
    fs::remove_file(folder.path().join("log-000001.damaged")).unwrap();
    for cut in [whole.len() - 20, FILE_HEADER + 5, 10] {
        fs::write(&path, &whole[..cut]).unwrap();
        let log = real(folder.path());
        log.retire(u64::MAX).unwrap();
        assert_eq!(fs::read(folder.path().join("log-000001.torn")).unwrap(), &whole[..cut], "{cut}");
        fs::remove_file(folder.path().join("log-000001.torn")).unwrap();
    }
}

/// A group that was refused, and could not be cut off, is not read when the closed files are.
#[test]
fn what_was_refused_is_not_in_a_closed_file() {
    let folder = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::new(Fault::Short, usize::MAX);
    append(&open(folder.path(), Arc::new(disk.clone()), true).unwrap(), b"first").unwrap();
    let until_second = disk.operations() + 1;
    let folder = tempfile::tempdir().unwrap();
    let log = open(folder.path(), Arc::new(FaultyDisk::new(Fault::Broken, until_second)), true).unwrap();
    append(&log, b"first").unwrap();
    append(&log, b"refused").unwrap_err();
    log.recover();
    let closed = log.close_files();
    let mut bodies = Vec::new();
    let replay = files(folder.path()).replay_closed(&closed, None, |record| {
        bodies.push(record.body.to_vec());
        Ok(())
    });
    assert_eq!((bodies, replay.unwrap().damage), (vec![b"first".to_vec()], Vec::new()));
    assert_eq!(read(folder.path()).0.len(), 2, "the disk took the bytes");
}
