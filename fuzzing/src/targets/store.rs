//! A store of fingerprints whose files were damaged, or forged with checksums that fit. Nothing may panic, nothing that is
//! answered may be too far away, and what a disk did to a segment is noticed or does not matter.

use lookalike::hamming::store::{OnlineStore, StoreOptions, StoreReader};
use crate::{edited, folder};
use lookalike_store::{Folder, Log, LogFiles, LogOptions, RealDisk, SegmentWriter, Snapshot};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const K: u32 = 3;
const FILE_HEADER: usize = 32;
const HEADER: usize = 28;

/// A sound store, as files, and taken apart.
struct Sound {
    files: Vec<(String, Vec<u8>)>,
    meta: Value,
    segments: Vec<Vec<(u32, Vec<u8>)>>,
    answers: Vec<Option<Vec<(u64, u64)>>>,
}

pub(crate) fn fuzz(bytes: &[u8]) {
    static SOUND: OnceLock<Sound> = OnceLock::new();
    let sound = SOUND.get_or_init(make);
    let [file, how, edits @ ..] = bytes else { return };
    let path = folder().join("forged");
    let _ = fs::remove_dir_all(&path);
    if how % 5 == 4 {
        return damaged_log(sound, usize::from(*file), edits, &path);
    }
    let logs: Vec<_> = sound.files.iter().filter(|(name, _)| name.starts_with("log-")).collect();
    match how % 5 {
        // as a disk would
        0 => {
            let chosen = usize::from(*file) % sound.files.len();
            copy(sound, &path, |number, bytes| if number == chosen { edited(bytes, edits) } else { bytes });
            // of a log that was cut nobody knows what was in it
            if !sound.files[chosen].0.starts_with("log-") {
                let same = |found: Vec<Option<Vec<(u64, u64)>>>| found.iter().zip(&sound.answers).all(|(a, b)| a.is_none() || a == b);
                assert!(answers(&path).is_none_or(same), "a wrong answer from {}", sound.files[chosen].0);
            }
        }
        // a log whose checksums fit
        1 => {
            copy(sound, &path, |_, bytes| bytes);
            let (name, log) = logs[usize::from(*file) % logs.len()];
            fs::write(path.join(name), forged_log(edited(log.clone(), edits))).expect("the folder is ours");
        }
        // a log that is all theirs
        2 => {
            copy(sound, &path, |_, bytes| bytes);
            fs::write(path.join(&logs[0].0), edits).expect("the folder is ours");
        }
        // segments whose checksums fit
        _ => forge_segments(sound, usize::from(*file), edits, &path),
    }
    let _ = answers(&path);
    change(&path);
}

fn options() -> StoreOptions {
    StoreOptions { distance: K, sync: false, background: false, ..StoreOptions::default() }
}

fn fingerprint(n: u64) -> u64 {
    // many within three bits of each other
    (n / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (1 << (n % 8))
}

fn make() -> Sound {
    let path = folder().join("sound");
    let _ = fs::remove_dir_all(&path);
    let store = OnlineStore::<u64>::open(&path, &options()).expect("a sound store");
    let insert = |n| assert!(store.insert(fingerprint(n), n).expect("a sound store"));
    (0..64).for_each(insert);
    store.flush().expect("a sound store");
    // what is done now stays in the log
    (64..80).for_each(insert);
    assert!(store.delete(fingerprint(3), 3).expect("a sound store"));
    drop(store);
    let mut files = Vec::new();
    for entry in fs::read_dir(&path).expect("a folder").flatten() {
        files.push((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file")));
    }
    files.sort();
    assert!(files.iter().any(|(name, bytes)| name.starts_with("log-") && bytes.len() > 200), "there is a log");
    let snapshot = Snapshot::<Value>::open(&path).expect("a sound store");
    let segments: Vec<Vec<(u32, Vec<u8>)>> = snapshot.segments.iter().map(|segment| {
        let kinds = (0..256).filter(|kind| segment.len_of(*kind) > 0);
        kinds.map(|kind| (kind, segment.bytes(kind, 0..segment.len_of(kind)).expect("sound").to_vec())).collect()
    }).collect();
    assert!(!segments.is_empty(), "there is a segment");
    let mut sound = Sound { files, segments, meta: snapshot.meta, answers: Vec::new() };
    let again = folder().join("again");
    copy(&sound, &again, |_, bytes| bytes);
    sound.answers = answers(&again).expect("a sound store");
    assert!(sound.answers.iter().flatten().any(|found| found.len() > 3), "there is something to find");
    sound
}

/// Writes the files of the store, each as `change` leaves it.
fn copy(sound: &Sound, path: &Path, change: impl Fn(usize, Vec<u8>) -> Vec<u8>) {
    let _ = fs::remove_dir_all(path);
    fs::create_dir(path).expect("the folder is ours");
    for (number, (name, bytes)) in sound.files.iter().enumerate() {
        fs::write(path.join(name), change(number, bytes.clone())).expect("the folder is ours");
    }
}

/// What is near each of some queries; none where the store, or this part of it, is refused.
fn answers(path: &Path) -> Option<Vec<Option<Vec<(u64, u64)>>>> {
    let store = StoreReader::<u64>::open(path, K).ok()?;
    let near = |n: u64| {
        let query = fingerprint(n) ^ 0b11;
        let found = store.near(query, K, 100).ok()?.matches;
        for entry in &found {
            assert_eq!(entry.distance, (entry.fingerprint ^ query).count_ones());
            assert!(entry.distance <= K, "{entry:?}");
        }
        Some(found.iter().map(|entry| (entry.id, entry.fingerprint)).collect())
    };
    let _ = store.len();
    Some((0..96).step_by(4).map(near).collect())
}

/// Whoever can open it can go on.
fn change(path: &Path) {
    let Ok(store) = OnlineStore::<u64>::open(path, &options()) else { return };
    let _ = store.verify();
    let _ = store.insert(fingerprint(90), 90);
    let _ = store.delete(fingerprint(5), 5);
    let _ = store.near(fingerprint(90), K, 10);
    let _ = store.merge();
    let _ = store.near(fingerprint(90), K, 10);
    let _ = store.close();
}

/// A log as a disk damages it. What is read are records that were written, in their order, and nothing is changed.
fn damaged_log(sound: &Sound, file: usize, edits: &[u8], path: &Path) {
    let logs: Vec<&Vec<u8>> = sound.files.iter().filter(|(name, _)| name.starts_with("log-")).map(|(_, log)| log).collect();
    let read = |bytes: &[u8]| {
        let _ = fs::remove_dir_all(path);
        fs::create_dir(path).expect("the folder is ours");
        fs::write(path.join("log-000001"), bytes).expect("the folder is ours");
        let mut records = Vec::new();
        let files = LogFiles::new(path, "log", [b'o', b'p', b's', 0, 0, 0, 0, 64]);
        let replay = files.replay(None, |record| {
            records.push((record.sequence, record.body.to_vec()));
            Ok(())
        });
        assert_eq!(fs::read(path.join("log-000001")).expect("a file"), bytes, "reading changes nothing");
        replay.map(|replay| (records, replay))
    };
    let whole = logs[file % logs.len()];
    let (written, sound) = read(whole).expect("a sound log");
    assert!(sound.damage.is_empty() && sound.torn.is_empty());
    let bytes = edited(whole.clone(), edits);
    let Ok((found, replay)) = read(&bytes) else { return };
    assert!(found.is_sorted_by(|a, b| a.0 < b.0));
    assert!(found.iter().all(|record| written.contains(record)), "a record that nobody wrote");
    if bytes != *whole && found.len() < written.len() {
        let at_the_end = found.last() != written.last();
        assert!(at_the_end || !replay.damage.is_empty(), "records are missing, and nothing is reported");
    }
    // it goes on in another file
    let files = LogFiles::new(path, "log", [b'o', b'p', b's', 0, 0, 0, 0, 64]);
    let options = LogOptions { sync: false, ..LogOptions::default() };
    let log = Log::new(files.clone(), Arc::new(RealDisk), options, &replay).expect("a log");
    log.wait(log.append(b"more")).expect("written");
    let mut count = 0;
    files.replay(None, |_| { count += 1; Ok(()) }).expect("a log");
    assert_eq!(count, found.len() + 1);
}

/// Gives the records of an edited log the checksums that their bodies ask for.
fn forged_log(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() < FILE_HEADER {
        return bytes;
    }
    let sum = xxh3_64(&bytes[..FILE_HEADER - 8]);
    bytes[FILE_HEADER - 8..FILE_HEADER].copy_from_slice(&sum.to_le_bytes());
    let mut at = FILE_HEADER;
    while bytes.len() >= at + HEADER {
        let number = |from: usize, to: usize| bytes[at + from..at + to].iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
        let (length, sequence) = (number(4, 8) as usize, number(8, 16));
        let start = at + HEADER;
        let Some(body) = bytes.get(start..start.saturating_add(length)) else { break };
        let sum = xxh3_64_with_seed(body, sequence);
        bytes[at + 16..at + 24].copy_from_slice(&sum.to_le_bytes());
        let sum = xxh3_64(&bytes[at..at + 24]) as u32;
        bytes[at + 24..start].copy_from_slice(&sum.to_le_bytes());
        at = start + length;
    }
    bytes
}

/// Writes the store again with one section edited, or the list of its levels.
fn forge_segments(sound: &Sound, which: usize, edits: &[u8], path: &Path) {
    let (mut segments, mut meta) = (sound.segments.clone(), sound.meta.clone());
    let sections: usize = segments.iter().map(Vec::len).sum();
    match segments.iter_mut().flatten().nth(which % (sections + 1)) {
        Some((_, content)) => *content = edited(std::mem::take(content), edits),
        None => {
            let text = edited(meta.to_string().into_bytes(), edits);
            let Ok(forged) = serde_json::from_slice(&text) else { return };
            meta = forged;
        }
    }
    let mut folder = Folder::create(path, Arc::new(RealDisk)).expect("a new folder");
    let mut written = Vec::new();
    for sections in segments {
        let mut out: SegmentWriter = folder.segment().expect("a new file");
        for (kind, content) in sections {
            out.section(kind).and_then(|()| out.write(&content)).expect("written");
        }
        written.push(out.finish().expect("written"));
    }
    let _ = folder.commit(written, &meta);
}
