//! Chunk lists of files between scans: what has not changed is not read again.
//!
//! A record is as good as its stamp: size, times and inode. A file that was touched within the last seconds before it was looked at is not
//! kept, for it may change once more without its times telling. What is damaged, of another recipe or of another version is as if it
//! were not there.

use crate::Error;
use lookalike_corpus::{FileStamp, KnownFiles};
use lookalike_store::{Error as StoreError, Spool, SpoolReader, TempSpace, atomic};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use xxhash_rust::xxh3::xxh3_128;

/// The beginning of a file, before the recipe.
const HEAD: &str = "lookalike chunk cache 1\n";
/// A file that was touched less than this before it was looked at is read again the next time, in nanoseconds.
const SETTLED: i64 = 2_000_000_000;
/// Bytes of a record before the path: the stamp, and the length of the path.
const STAMP: usize = 5 * 8 + 4;
/// Bytes of a record in the spool beside it.
const FRAME: u64 = 12;

/// What is kept of a file.
pub struct CachedChunks {
    pub content: u128,
    pub chunks: u32,
    pub list: Vec<u8>,
}

/// The cache of one recipe.
pub struct ChunkCache {
    path: PathBuf,
    recipe: String,
    old: Option<SpoolReader>,
    /// Where the record of a path is, by the hash of the path.
    places: FxHashMap<u128, u64>,
    /// New records, in a spill file.
    new: Mutex<Option<Spool>>,
    /// Files that were known.
    found: AtomicU64,
    now: i64,
}

impl ChunkCache {
    /// Opens the cache of a recipe in a folder, which is made if it is not there.
    pub fn open(folder: &Path, recipe: &str, space: &Arc<TempSpace>) -> Result<Self, Error> {
        let failed = |source| StoreError::Write { what: folder.display().to_string(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let path = folder.join(format!("chunks-{:016x}", xxh3_128(recipe.as_bytes()) as u64));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i64);
        let new = Mutex::new(Some(Spool::spill(space, "the cache")?));
        let recipe = recipe.to_owned();
        let mut cache =
            Self { path, recipe, old: None, places: FxHashMap::default(), new, found: AtomicU64::new(0), now };
        cache.load();
        Ok(cache)
    }

    /// Finds the records of the file; what cannot be read ends it.
    fn load(&mut self) {
        let Ok(old) = SpoolReader::open(&self.path, 0) else { return };
        let mut record = Vec::new();
        if old.read(0, &mut record).is_err() || record != format!("{HEAD}{}", self.recipe).as_bytes() {
            return;
        }
        let mut place = FRAME + record.len() as u64;
        while old.read(place, &mut record).is_ok() {
            if let Some((_, path, _)) = decode(&record) {
                self.places.insert(xxh3_128(path), place);
            }
            place += FRAME + record.len() as u64;
        }
        self.old = Some(old);
    }

    /// Keeps what was read of a file.
    pub fn keep(&self, path: &Path, stamp: &FileStamp, found: &CachedChunks) -> Result<(), Error> {
        if stamp.touched.max(stamp.modified) > self.now - SETTLED {
            return Ok(());
        }
        let Some(path) = whole(path) else { return Ok(()) };
        let path = path.as_os_str().as_encoded_bytes();
        let mut record = encode_stamp(stamp);
        record.extend((path.len() as u32).to_le_bytes());
        record.extend(path);
        record.extend(encode(found));
        if let Some(new) = &mut *self.new.lock().unwrap_or_else(PoisonError::into_inner) {
            new.append(&record)?;
        }
        Ok(())
    }

    /// How many files were known.
    pub fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// Writes what is known by now: what is new, and of the old what was not replaced.
    pub fn save(&self) -> Result<(), Error> {
        let new = self.new.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(new) = new.map(Spool::finish).transpose()?.filter(|new| !new.is_empty()) else { return Ok(()) };
        let Self { path, recipe, old, places, .. } = self;
        atomic::spool(path, |mut spool| {
            spool.append(format!("{HEAD}{recipe}").as_bytes())?;
            let mut replaced = FxHashSet::default();
            new.for_each(|record| {
                replaced.extend(decode(record).map(|(_, path, _)| xxh3_128(path)));
                spool.append(record).map(drop)
            })?;
            let left = places.iter().filter(|(path, _)| !replaced.contains(*path)).map(|(_, place)| *place);
            let mut left: Vec<u64> = left.collect();
            left.sort_unstable();
            let mut record = Vec::new();
            for place in left {
                if old.as_ref().is_none_or(|old| old.read(place, &mut record).is_err()) {
                    break;
                }
                spool.append(&record)?;
            }
            spool.finish().map(drop)
        })
        .map_err(Error::from)
    }
}

impl KnownFiles for ChunkCache {
    fn find(&self, path: &Path, stamp: &FileStamp) -> Option<Vec<u8>> {
        let path = whole(path)?;
        let path = path.as_os_str().as_encoded_bytes();
        let place = *self.places.get(&xxh3_128(path))?;
        let mut record = Vec::new();
        self.old.as_ref()?.read(place, &mut record).ok()?;
        let (found, name, kept) = decode(&record)?;
        let is_known = found == encode_stamp(stamp) && name == path;
        self.found.fetch_add(u64::from(is_known), Ordering::Relaxed);
        is_known.then(|| kept.to_vec())
    }
}

/// A path from the root on: a scan may be started anywhere.
fn whole(path: &Path) -> Option<PathBuf> {
    std::path::absolute(path).ok()
}

fn encode_stamp(stamp: &FileStamp) -> Vec<u8> {
    let FileStamp { bytes, modified, touched, inode: (device, inode) } = *stamp;
    [bytes, modified as u64, touched as u64, device, inode].iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// The stamp, the path and what is kept.
fn decode(record: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (head, rest) = record.split_at_checked(STAMP)?;
    let (stamp, length) = head.split_at(STAMP - 4);
    let length = u32::from_le_bytes(length.try_into().ok()?) as usize;
    let (path, kept) = rest.split_at_checked(length)?;
    Some((stamp, path, kept))
}

fn encode(found: &CachedChunks) -> Vec<u8> {
    [&found.content.to_le_bytes()[..], &found.chunks.to_le_bytes(), &found.list].concat()
}

/// What was kept of a file.
pub fn decode_kept(kept: &[u8]) -> Option<CachedChunks> {
    let (content, rest) = kept.split_first_chunk::<16>()?;
    let (chunks, list) = rest.split_first_chunk::<4>()?;
    Some(CachedChunks {
        content: u128::from_le_bytes(*content),
        chunks: u32::from_le_bytes(*chunks),
        list: list.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: i64 = 1_000_000_000_000_000_000;

    fn stamp() -> FileStamp {
        FileStamp { bytes: 3, modified: OLD, touched: OLD + 1, inode: (1, 2) }
    }

    fn cache(folder: &Path, recipe: &str) -> ChunkCache {
        ChunkCache::open(folder, recipe, &Arc::new(TempSpace::new(Some(folder)).unwrap())).unwrap()
    }

    fn filled(folder: &Path) {
        let cache = cache(folder, "r");
        for (name, n) in [("/a", 1u8), ("/b", 2)] {
            let found = CachedChunks { content: u128::from(n), chunks: 1, list: vec![n; 40] };
            cache.keep(Path::new(name), &stamp(), &found).unwrap();
        }
        cache.save().unwrap();
    }

    #[test]
    fn only_what_has_not_changed_is_known() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let known = cache(folder.path(), "r");
        let kept = decode_kept(&known.find(Path::new("/b"), &stamp()).unwrap()).unwrap();
        assert_eq!((kept.content, kept.chunks, kept.list), (2, 1, vec![2; 40]));
        let others = [
            FileStamp { bytes: 4, ..stamp() },
            FileStamp { modified: OLD + 1, ..stamp() },
            FileStamp { touched: OLD, ..stamp() },
            FileStamp { inode: (1, 3), ..stamp() },
            FileStamp { inode: (0, 2), ..stamp() },
        ];
        assert!(others.iter().all(|other| known.find(Path::new("/b"), other).is_none()));
        assert!(known.find(Path::new("/c"), &stamp()).is_none());
        assert_eq!(known.found(), 1);
        assert!(cache(folder.path(), "another").find(Path::new("/b"), &stamp()).is_none());
    }

    /// What was touched a moment ago may change once more without its times telling.
    #[test]
    fn what_is_fresh_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let new = cache(folder.path(), "r");
        let fresh = FileStamp { touched: new.now - SETTLED + 1, ..stamp() };
        new.keep(Path::new("/a"), &fresh, &CachedChunks { content: 1, chunks: 1, list: vec![1] }).unwrap();
        new.save().unwrap();
        assert!(cache(folder.path(), "r").find(Path::new("/a"), &fresh).is_none());
    }

    /// A flipped bit is never a wrong answer: what it hits is not known.
    #[test]
    fn damage_is_as_if_it_were_not_there() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = cache(folder.path(), "r").path;
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let damaged = cache(folder.path(), "r");
            for (name, n) in [("/a", 1u8), ("/b", 2)] {
                if let Some(kept) = damaged.find(Path::new(name), &stamp()) {
                    let kept = decode_kept(&kept).unwrap();
                    assert_eq!((kept.content, kept.list), (u128::from(n), vec![n; 40]), "byte {at}");
                }
            }
        }
    }

    /// What another scan knew stays, unless it was replaced.
    #[test]
    fn what_was_known_stays() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let again = cache(folder.path(), "r");
        let newer = FileStamp { modified: OLD + 5, ..stamp() };
        again.keep(Path::new("/a"), &newer, &CachedChunks { content: 9, chunks: 1, list: vec![9] }).unwrap();
        again.save().unwrap();
        let known = cache(folder.path(), "r");
        assert!(known.find(Path::new("/a"), &stamp()).is_none() && known.find(Path::new("/a"), &newer).is_some());
        assert!(known.find(Path::new("/b"), &stamp()).is_some());
    }
}
