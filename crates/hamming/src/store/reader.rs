//! Reads a store beside the process that changes it.

use super::level::{Level, StoreManifest};
use super::memtable::replay_memtables;
use super::options::{StoreOptions, check_store_distance};
use super::view::{Matches, StoreView};
use crate::error::Error;
use lookalike_core::bits::FingerprintBits;
use lookalike_store::{Error as StoreError, Replay, Segment, Snapshot};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// How often the store may change while it is opened.
const MAX_OPEN_ATTEMPTS: usize = 100;
/// How often what looks damaged is read again, though the manifest did not change: the end of a log may be on its way to the disk.
const MAX_REREADS: usize = 3;

/// A store as it was when it was opened. It takes no lock, and what changes later does not change it. Its last operations may not have been
/// acknowledged yet.
#[derive(Debug)]
pub struct StoreReader<F: FingerprintBits> {
    path: PathBuf,
    k: u32,
    view: StoreView<F>,
    replayed: Replay,
}

impl<F: FingerprintBits> StoreReader<F> {
    /// Opens a store to ask for distances up to `k`.
    pub fn open(path: &Path, k: u32) -> Result<Self, Error> {
        let (mut before, mut same) = (None, 0);
        for _ in 0..MAX_OPEN_ATTEMPTS {
            let snapshot: Snapshot<StoreManifest> = Snapshot::open(path)?;
            snapshot.meta.check(path, F::WIDTH, k)?;
            let generation = Some(snapshot.generation);
            same = if generation == before { same + 1 } else { 0 };
            before = generation;
            match Self::of(path, snapshot) {
                Ok(reader) if reader.is_whole() || same == MAX_REREADS => return Ok(reader),
                Err(error) if same == MAX_REREADS => return Err(error.into()),
                // a file of the log is in a level by now, and gone; or its last group is being written
                _ => thread::sleep(Duration::from_millis(1 << same)),
            }
        }
        Err(StoreError::Changing { path: path.to_owned() }.into())
    }

    fn of(path: &Path, snapshot: Snapshot<StoreManifest>) -> Result<Self, StoreError> {
        let Snapshot { meta, segments, .. } = snapshot;
        segments.iter().for_each(Segment::advise_random);
        let segments: Vec<Arc<Segment>> = segments.into_iter().map(Arc::new).collect();
        let mut levels = Vec::new();
        for level_files in &meta.levels {
            let level = Level::from_segments(path, level_files.clone(), |name| {
                Ok(segments.iter().find(|segment| segment.file().name == name).cloned())
            })?;
            levels.push(Arc::new(level));
        }
        let most = StoreOptions::default().memtable;
        let (memtables, replayed) = replay_memtables(path, &levels, meta.k, meta.done, most)?;
        Ok(Self { path: path.to_owned(), k: meta.k, view: StoreView::new(levels, memtables), replayed })
    }

    /// What was read from its log: operations that were damaged are missing.
    pub fn replayed(&self) -> &Replay {
        &self.replayed
    }

    fn is_whole(&self) -> bool {
        self.replayed.damage.iter().all(|damage| damage.missing == 0)
    }

    /// What is within `k` of a query: how many, and the nearest, at most `limit`.
    pub fn near(&self, query: F, k: u32, limit: usize) -> Result<Matches<F>, Error> {
        check_store_distance(&self.path, self.k, k)?;
        Ok(self.view.near(query, k, limit)?.0)
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        self.view.balance().max(0) as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
