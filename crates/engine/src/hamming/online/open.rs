//! Opens a store: the levels that the manifest names, and what the log has beyond them.

use super::inner::{Inner, Shelf};
use super::level::Level;
use super::log::{Log, name_of};
use super::meta::Meta;
use super::recent::Recent;
use super::replay::{Replayed, replay};
use super::view::View;
use super::{Online, Options};
use crate::Error;
use crate::hamming::kept::Room;
use crate::hamming::{Print, possible};
use lookalike_store::{Disk, Error as StoreError, Folder, RealDisk, Snapshot, TempSpace};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, OnceLock, RwLock};
use std::thread;

impl<F: Print> Online<F> {
    /// Opens a folder, or makes it.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Error> {
        Self::open_on(path, options, &(Arc::new(RealDisk) as Arc<dyn Disk>))
    }

    /// As [`Online::open`], on some disk.
    pub fn open_on(path: &Path, options: &Options, disk: &Arc<dyn Disk>) -> Result<Self, Error> {
        check(options)?;
        let mut folder = match Folder::lock(path, Arc::clone(disk)) {
            Err(StoreError::NoIndex { .. }) => Folder::create(path, Arc::clone(disk))?,
            folder => folder?,
        };
        if folder.generation() == 0 {
            folder.commit(Vec::new(), &Meta::new(F::WIDTH, options.k, 0, Vec::new()))?;
        }
        let meta: Meta = Snapshot::open(path)?.meta;
        meta.check(path, F::WIDTH, options.k)?;
        let options = Options { k: meta.k, ..options.clone() };
        check(&options)?;
        let (inner, frozen) = load(path, folder, &meta, options, disk)?;
        let inner = Arc::new(inner);
        if frozen {
            inner.wake();
        }
        let mut workers = Vec::new();
        if inner.options.background {
            for work in [Inner::keep_flushing, Inner::keep_merging] {
                let inner = Arc::clone(&inner);
                workers.push(thread::spawn(move || work(&inner)));
            }
        }
        Ok(Self { inner, workers })
    }
}

/// Refuses options that have no meaning.
fn check(options: &Options) -> Result<(), Error> {
    let Options { k, design, .. } = options;
    possible(*k)?;
    match design {
        Some(design) if design.radii(*k).is_none() => {
            Err(Error::Options(format!("the design {design} does not reach a distance of {k}; choose another")))
        }
        _ => Ok(()),
    }
}

/// What is in the log and in no level yet, so many operations each.
pub(super) fn recents<F: Print>(
    path: &Path,
    meta: &Meta,
    most: usize,
) -> Result<(Vec<Recent<F>>, Replayed), StoreError> {
    let mut recents = vec![Recent::new(meta.k, most, meta.done)];
    let replayed = replay::<F>(path, meta.done, |sequence, record| {
        let full = recents.last().is_none_or(|recent| recent.operations() >= most);
        if full {
            recents.push(Recent::new(meta.k, most, sequence - 1));
        }
        let recent = recents.last_mut().expect("one at least");
        let done = recent.apply(record.print, record.id, record.operation.change(), sequence);
        if done { Ok(()) } else { Err(format!("operation {sequence} does what was done already: {record:?}")) }
    })?;
    Ok((recents, replayed))
}

/// Levels and log; and whether some of what was in the log is already full.
fn load<F: Print>(
    path: &Path,
    folder: Folder,
    meta: &Meta,
    options: Options,
    disk: &Arc<dyn Disk>,
) -> Result<(Inner<F>, bool), Error> {
    let mut levels = Vec::new();
    for both in &meta.levels {
        levels.push(Arc::new(Level::open(path, both.clone(), folder.files())?));
    }
    let (recents, replayed) = recents(path, meta, options.recent)?;
    if !replayed.rubbish.is_empty() {
        // the manifest that makes them rubbish must not go after them
        disk.sync_folder(path).map_err(|source| StoreError::Write { what: path.display().to_string(), source })?;
    }
    for number in &replayed.rubbish {
        // what cannot be removed is not in the way
        let _ = disk.remove(&path.join(name_of(*number)));
    }
    let log = Log::new(path, Arc::clone(disk), options.sync, F::WIDTH, replayed.last, replayed.next, replayed.needed);
    let view = View::new(levels, recents);
    let full = !view.frozen.is_empty();
    let room = Room { space: Arc::new(TempSpace::new(Some(path))?), memory: options.memory };
    let inner = Inner {
        path: path.to_owned(),
        options,
        room,
        log,
        view: RwLock::new(Arc::new(view)),
        gate: Mutex::new(()),
        shelf: Mutex::new(Shelf { folder, done: meta.done }),
        flushing: Mutex::new(()),
        merging: Mutex::new(()),
        failed: OnceLock::new(),
        stop: Mutex::new(false),
        woken: Condvar::new(),
    };
    Ok((inner, full))
}
