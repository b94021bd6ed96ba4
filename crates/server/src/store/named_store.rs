//! A store of fingerprints with the names of its entries. It can be opened again after it has failed, under those who ask.

use super::pages::spell_fingerprint;
use crate::living::report;
use crate::problem::Problem;
use lookalike::hamming::Error;
use lookalike::hamming::store::{Match, OnlineStore, StoreNames, StoreOptions, StoreReader};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

/// Files of names that are open, so that those who ask do not wait for each other.
const READERS: usize = 8;
/// Bytes of the longest id.
pub(crate) const MAX_ID: usize = 4096;

/// What an entry is called: a name such as a URL, or in a store that was made of numbers, a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum DocumentId {
    Number(u64),
    Name(String),
}

impl DocumentId {
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Name(name) => name.clone(),
        }
    }

    pub(super) fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(name) => name.parse().ok(),
        }
    }
}

/// The entries near a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Near {
    /// How many there are; or, in a dense neighbourhood, how many were looked at.
    pub(crate) count: u64,
    /// Whether all were counted.
    pub(crate) complete: bool,
    /// The nearest first.
    pub(crate) matches: Vec<NearMatch>,
}

/// An entry near a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct NearMatch {
    /// What it is called.
    pub(crate) id: DocumentId,
    /// Its fingerprint, in hexadecimal digits.
    pub(crate) fingerprint: String,
    /// In how many bits it differs from what was asked for.
    pub(crate) distance: u32,
}

/// A store and its names.
#[derive(Debug)]
pub(super) struct NamedStore {
    pub(super) path: PathBuf,
    recipe: String,
    access: Access,
    open: RwLock<Option<OpenStore>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Makes the folder if it is not there; for distances up to this.
    Create(u32),
    Change,
    Read,
}

#[derive(Debug)]
pub(super) struct OpenStore {
    entries: Entries,
    pub(super) names: Option<Names>,
}

#[derive(Debug)]
enum Entries {
    Online(OnlineStore<u64>),
    Snapshot { reader: StoreReader<u64>, distance: u32 },
}

/// The names of entries: to be added by one, and read by many.
#[derive(Debug)]
pub(super) struct Names {
    writer: Mutex<StoreNames>,
    readers: Vec<Mutex<StoreNames>>,
}

impl Names {
    fn open(path: &Path) -> Result<Self, Error> {
        let readers = (0..READERS).map(|_| Ok(Mutex::new(StoreNames::open(path)?))).collect::<Result<_, Error>>()?;
        Ok(Self { writer: Mutex::new(StoreNames::open(path)?), readers })
    }

    pub(super) fn name(&self, id: u64) -> Result<String, Error> {
        // ids are places in a file: neighbours go to different readers
        let reader = &self.readers[(id as usize >> 4) % self.readers.len()];
        reader.lock().unwrap_or_else(PoisonError::into_inner).name(id)
    }

    pub(super) fn add(&self, name: &str) -> Result<u64, Error> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).add(name)
    }

    pub(super) fn sync(&self) -> Result<(), Error> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).sync(true)
    }
}

impl OpenStore {
    fn new(path: &Path, recipe: &str, access: Access) -> Result<Self, Error> {
        let entries = match access {
            Access::Read => {
                // what it was made for is not told until too much is asked
                let distance = (0..=lookalike::hamming::MAX_DISTANCE)
                    .rev()
                    .find(|k| !matches!(StoreReader::<u64>::open(path, *k), Err(Error::StoreDistance { .. })));
                let distance = distance.unwrap_or(0);
                Entries::Snapshot { reader: StoreReader::open(path, distance)?, distance }
            }
            Access::Change => {
                Entries::Online(OnlineStore::open(path, &StoreOptions { distance: 0, ..StoreOptions::default() })?)
            }
            Access::Create(distance) => {
                Entries::Online(OnlineStore::open(path, &StoreOptions { distance, ..StoreOptions::default() })?)
            }
        };
        if let Entries::Online(store) = &entries {
            report(store.replayed());
            if store.is_empty() && !StoreNames::exists(path) {
                // ids that come through HTTP are names
                StoreNames::create(path, recipe)?;
            }
        }
        let names = if StoreNames::exists(path) { Some(Names::open(path)?) } else { None };
        Ok(Self { entries, names })
    }

    pub(super) fn online(&self) -> Result<&OnlineStore<u64>, Problem> {
        match &self.entries {
            Entries::Online(store) => Ok(store),
            Entries::Snapshot { .. } => Err(Problem::forbidden("this server changes nothing")),
        }
    }

    fn distance(&self) -> u32 {
        match &self.entries {
            Entries::Online(store) => store.max_distance(),
            Entries::Snapshot { distance, .. } => *distance,
        }
    }

    fn len(&self) -> u64 {
        match &self.entries {
            Entries::Online(store) => store.len(),
            Entries::Snapshot { reader, .. } => reader.len(),
        }
    }

    /// Operations that could not be read.
    fn missing(&self) -> u64 {
        match &self.entries {
            Entries::Online(store) => store.replayed().missing(),
            Entries::Snapshot { reader, .. } => reader.replayed().missing(),
        }
    }

    fn near(&self, query: u64, k: u32, limit: usize) -> Result<Near, Error> {
        let found = match &self.entries {
            Entries::Online(store) => store.near(query, k, limit),
            Entries::Snapshot { reader, .. } => reader.near(query, k, limit),
        }?;
        let matches = found.matches.iter().map(|hit| self.spell(hit)).collect::<Result<_, _>>()?;
        Ok(Near { count: found.count, complete: found.complete, matches })
    }

    pub(super) fn spell(&self, hit: &Match<u64>) -> Result<NearMatch, Error> {
        let id = match &self.names {
            Some(names) => DocumentId::Name(names.name(hit.id)?),
            None => DocumentId::Number(hit.id),
        };
        Ok(NearMatch { id, fingerprint: spell_fingerprint(hit.fingerprint), distance: hit.distance })
    }
}

impl NamedStore {
    pub(super) fn open(path: &Path, recipe: &str, access: Access) -> Result<Self, Error> {
        let open = OpenStore::new(path, recipe, access)?;
        let access = if let Access::Create(_) = access { Access::Change } else { access };
        Ok(Self { path: path.to_owned(), recipe: recipe.to_owned(), access, open: RwLock::new(Some(open)) })
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Option<OpenStore>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// After a failure: what was not committed is dropped.
    pub(super) fn reopen(&self) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        // it holds the lock of the folder
        if let Some(OpenStore { entries: Entries::Online(store), .. }) = open.take() {
            store.discard();
        }
        match OpenStore::new(&self.path, &self.recipe, self.access) {
            Ok(store) => *open = Some(store),
            Err(error) => tracing::error!(store = %self.path.display(), %error, "cannot be opened again"),
        }
    }

    fn with<T>(&self, ask: impl FnOnce(&OpenStore) -> Result<T, Error>) -> Result<T, Problem> {
        let guard = self.read();
        let store = guard.as_ref().ok_or_else(closed)?;
        Ok(ask(store)?)
    }

    pub(super) fn near(&self, query: u64, k: u32, limit: usize) -> Result<Near, Problem> {
        self.with(|store| store.near(query, k, limit))
    }

    pub(super) fn len(&self) -> Result<u64, Problem> {
        self.with(|store| Ok(store.len()))
    }

    /// Operations that could not be read; 0 while it is closed.
    pub(super) fn missing(&self) -> u64 {
        self.read().as_ref().map_or(0, OpenStore::missing)
    }

    pub(super) fn distance(&self) -> Result<u32, Problem> {
        self.with(|store| Ok(store.distance()))
    }

    /// Whether ids are names.
    pub(super) fn is_named(&self) -> bool {
        self.read().as_ref().is_some_and(|store| store.names.is_some())
    }

    /// Writes what is in memory to its place.
    pub(super) fn flush(&self) -> Result<(), Problem> {
        let guard = self.read();
        let store = guard.as_ref().ok_or_else(closed)?;
        Ok(store.online()?.flush()?)
    }
}

/// The names of the entries that have a fingerprint.
#[cfg(test)]
pub(super) fn spelled(store: &NamedStore, fingerprint: u64) -> Vec<String> {
    store.near(fingerprint, 0, usize::MAX).unwrap().matches.iter().map(|hit| hit.id.name()).collect()
}

/// It failed, and could not be opened again yet.
pub(super) fn closed() -> Problem {
    Problem::busy("the store failed and is being opened again; try again")
}
