//! Collections: the indexes, stores and runs that are served, by name.

use crate::error::Error;
use crate::living::LivingIndex;
use crate::options::ServerOptions;
use crate::problem::Problem;
use crate::saved_run::SavedRun;
use crate::store::PageStore;
use crate::verdicts::VerdictLog;
use lookalike::hamming::store::NAMES_FILE;
use lookalike::log::Lock;
use lookalike::{Index, IndexError, Lens, Resources};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// An index, a store or a run that is served.
pub(crate) struct Collection {
    /// The last part of its path.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Verdicts of reviewers, for collections with clusters.
    verdicts: Option<VerdictLog>,
    /// Held by the one server that writes the journal and the verdicts. A store of fingerprints has a lock of its own.
    _lock: Option<Lock>,
}

/// The file that a server locks. The lock of an index itself is held only while changes become part of it, so the command can take turns
/// with the server.
const LOCK: &str = "server.lock";

pub(crate) enum Kind {
    Index(LivingIndex),
    Store(Box<PageStore>),
    Run(SavedRun),
}

impl Collection {
    fn open(path: &Path, name: String, options: &ServerOptions, folds: &Resources) -> Result<Self, Error> {
        let lock = || -> Result<_, lookalike::Error> {
            Ok(if options.read_only { None } else { Some(Lock::take(path, LOCK)?) })
        };
        if !options.read_only {
            check_writable(path)?;
        }
        if lookalike::saved_lens(path) == Some(Lens::Chunks) {
            let lock = lock()?;
            let verdicts = Some(VerdictLog::open(path, options.read_only)?);
            return Ok(Self { name, kind: Kind::Run(SavedRun::new(path, &options.key)), verdicts, _lock: lock });
        }
        if let Err(error) = Index::open(path, &options.key) {
            if !matches!(error, lookalike::Error::Index { reason: IndexError::OtherKind, .. }) {
                return Err(error.into());
            }
            let kind = Kind::Store(Box::new(PageStore::open(path, &options.key, options.read_only)?));
            return Ok(Self { name, kind, verdicts: None, _lock: None });
        }
        // the server that had it may have changed it until the lock was free
        let lock = lock()?;
        let index = Index::open(path, &options.key)?;
        let has_clusters = index.lens() == Lens::Shingles;
        let verdicts = has_clusters.then(|| VerdictLog::open(path, options.read_only)).transpose()?;
        let kind = Kind::Index(LivingIndex::new(path, index, &options.key, folds, options.read_only)?);
        Ok(Self { name, kind, verdicts, _lock: lock })
    }

    /// Its kind, in a word.
    pub(crate) fn what(&self) -> &'static str {
        match &self.kind {
            Kind::Index(index) => match index.lens() {
                Lens::Shingles => "shingles",
                Lens::Chunks => "chunks",
                Lens::Simhash => "simhash",
                Lens::Passages => "passages",
            },
            Kind::Store(_) => "fingerprints",
            Kind::Run(_) => "run",
        }
    }

    /// Its part that can answer, or why the request has no meaning here. `what` names what can.
    fn able<T>(&self, what: &str, part: Option<T>) -> Result<T, Problem> {
        part.ok_or_else(|| {
            Problem::meaningless(format!("expected {what}; {:?} is of another kind ({})", self.name, self.what()))
        })
    }

    pub(crate) fn index(&self) -> Result<&LivingIndex, Problem> {
        self.able("an index of documents", if let Kind::Index(index) = &self.kind { Some(index) } else { None })
    }

    pub(crate) fn shingles(&self) -> Result<&LivingIndex, Problem> {
        let index = self.index().ok().filter(|index| index.lens() == Lens::Shingles);
        self.able("an index of shingles", index)
    }

    pub(crate) fn store(&self) -> Result<&PageStore, Problem> {
        self.able("a store of fingerprints", if let Kind::Store(store) = &self.kind { Some(&**store) } else { None })
    }

    pub(crate) fn run(&self) -> Result<&SavedRun, Problem> {
        let run = if let Kind::Run(run) = &self.kind { Some(run) } else { None };
        self.able("a saved run of chunks (only runs keep templates)", run)
    }

    pub(crate) fn verdicts(&self) -> Result<&VerdictLog, Problem> {
        self.able("an index of shingles or a saved run (others have no clusters)", self.verdicts.as_ref())
    }

    /// Changes that the index did not take; and changes and verdicts that could not be read.
    pub(crate) fn refused_and_missing(&self) -> (u64, u64) {
        let (refused, missing) = self.index().map_or((0, 0), LivingIndex::refused_and_missing);
        let of_store = self.store().map_or(0, PageStore::missing);
        (refused, missing + of_store + self.verdicts.as_ref().map_or(0, VerdictLog::missing))
    }

    pub(crate) fn close(&self) {
        match &self.kind {
            Kind::Index(index) => index.close(),
            Kind::Store(store) => store.close(),
            Kind::Run(_) => {}
        }
    }
}

/// The last part of a path; of one such as `.`, the name of the folder.
fn name_of(path: &Path) -> Result<String, Error> {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    name.ok_or_else(|| Error::Nameless { path: path.to_owned() })
}

/// All that is served.
pub(crate) struct Collections(Vec<Arc<Collection>>);

impl Collections {
    pub(crate) fn open(options: &ServerOptions, folds: &Resources) -> Result<Self, Error> {
        let mut names: Vec<String> = Vec::new();
        for path in &options.indexes {
            let name = name_of(path)?;
            if names.contains(&name) {
                return Err(Error::SameName { name });
            }
            names.push(name);
        }
        let folders = options.indexes.iter().zip(names);
        let all = folders.map(|(path, name)| Ok(Arc::new(Collection::open(path, name, options, folds)?)));
        Ok(Self(all.collect::<Result<_, Error>>()?))
    }

    pub(crate) fn all(&self) -> &[Arc<Collection>] {
        &self.0
    }

    /// The collection of this name.
    pub(crate) fn named(&self, name: &str) -> Result<&Arc<Collection>, Problem> {
        self.0.iter().find(|collection| collection.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|collection| collection.name.as_str()).collect();
            Problem::not_found(format!("no collection is called {name:?}; expected one of {}", names.join(", ")))
        })
    }
}

/// Refuses an index or a store in which not everything can be written that changes are written to: all changes would fail, one by one, after
/// they were taken.
fn check_writable(path: &Path) -> Result<(), Error> {
    if !path.is_dir() {
        return Ok(());
    }
    let refused = |path: &Path, source| Err(Error::NotWritable { path: path.to_owned(), source });
    for folder in [path.to_owned(), path.join("journal"), path.join("crawls")] {
        if folder.is_dir()
            && let Err(source) = tempfile::tempfile_in(&folder)
        {
            return refused(&folder, source);
        }
    }
    for file in ["lock", LOCK, NAMES_FILE].map(|name| path.join(name)) {
        if let Err(source) = File::options().append(true).open(&file)
            && source.kind() != ErrorKind::NotFound
        {
            return refused(&file, source);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// No user can make a file in `/proc/self` or write to a folder as to a file, root neither.
    #[test]
    fn a_folder_that_cannot_be_written_is_refused_at_the_start() {
        let refused = |path: &Path| check_writable(path).unwrap_err().to_string();
        let folder = tempfile::tempdir().unwrap();
        check_writable(folder.path()).unwrap();
        assert!(refused(Path::new("/proc/self")).contains("/proc/self: cannot be written"));
        for part in ["journal", "crawls", "lock", "server.lock", "names"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(part);
            if ["journal", "crawls"].contains(&part) {
                std::os::unix::fs::symlink("/proc/self", &path).unwrap();
            } else {
                fs::create_dir(&path).unwrap();
            }
            let refused = refused(folder.path());
            assert!(refused.contains(&format!("{part}: cannot be written")), "{refused}");
        }
    }
}
