//! Fingerprints within a few bits of each other: in memory, or in a store on disk that survives whatever ends the process.

use crate::errors::Failure;
use crate::numbers::{count, from_numpy, to_numpy};
use crate::running;
use lookalike::hamming::store::{BuildOptions, OnlineStore, StoreOptions};
use lookalike::hamming::{Error as HammingError, FileOptions, FingerprintFile, FingerprintReader, MemoryIndex};
use lookalike::{Cancel, Resources};
use lookalike_cli::request::bytes;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// Which fingerprints differ from a query in at most k bits?
///
/// >>> import lookalike
/// >>> index = lookalike.HammingIndex([0b1011, 2**64 - 1], k=3)
/// >>> queries, ids, distances = index.query([0b0001])
/// >>> list(map(int, ids)), list(map(int, distances))
/// ([0], [2])
///
/// In memory; `HammingIndex.read(file)` takes the fingerprints of a file, `HammingIndex.open(path)` keeps them in a store on disk.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct HammingIndex {
    kind: RwLock<Option<Kind>>,
    k: u32,
    /// The process that opened it. A store that two processes write to loses what one of them wrote.
    process: u32,
    /// Whether ids are places: what is inserted without ids goes on.
    is_numbered: AtomicBool,
}

enum Kind {
    Memory(MemoryIndex<u64>),
    Store(Box<OnlineStore<u64>>),
}

/// Queries of a batch that one thread takes.
const BATCH: usize = 1024;

#[pymethods]
impl HammingIndex {
    /// In memory, of an array of fingerprints. Ids are their places unless they are given.
    #[new]
    #[pyo3(signature = (fingerprints, ids=None, *, k=3))]
    fn new(py: Python<'_>, fingerprints: &Bound<'_, PyAny>, ids: Option<&Bound<'_, PyAny>>, k: i64) -> PyResult<Self> {
        let k = count("k", k)?;
        Self::in_memory(py, entries(fingerprints, ids)?, k, ids.is_none())
    }

    /// In memory, of a file of fingerprints: raw, text, Parquet or .npy. Ids are their places.
    #[staticmethod]
    #[pyo3(signature = (file, *, k=3))]
    fn read(py: Python<'_>, file: PathBuf, k: i64) -> PyResult<Self> {
        let k = count("k", k)?;
        let fingerprints = if file.extension().is_some_and(|extension| extension == "npy") {
            from_numpy(&py.import("numpy")?.call_method1("load", (&file,))?, "fingerprints")?
        } else {
            let (entries, has_ids) = running::run(py, None, |_, cancel| read_all(&file, cancel))?;
            return Self::in_memory(py, entries, k, !has_ids);
        };
        Self::in_memory(py, fingerprints.into_iter().zip(0..).collect(), k, true)
    }

    /// Opens a store on disk, or makes an empty one.
    #[staticmethod]
    #[pyo3(signature = (path, *, k=3, sync=true))]
    fn open(py: Python<'_>, path: PathBuf, k: i64, sync: bool) -> PyResult<Self> {
        let options = StoreOptions { distance: count("k", k)?, sync, ..StoreOptions::default() };
        let store = running::run(py, None, |_, _| Ok(OnlineStore::open(&path, &options)?))?;
        let k = store.max_distance();
        // which ids others gave is not known
        let is_numbered = store.is_empty();
        Ok(Self::of(Kind::Store(Box::new(store)), k, is_numbered))
    }

    /// Makes a store of a file of fingerprints (raw, text or Parquet) and opens it.
    #[staticmethod]
    #[pyo3(signature = (path, file, *, k=3, memory=None, threads=0))]
    fn build(
        py: Python<'_>,
        path: PathBuf,
        file: PathBuf,
        k: i64,
        memory: Option<Memory>,
        threads: i64,
    ) -> PyResult<Self> {
        let usual = Resources::default();
        let memory = memory.map_or(Ok(usual.memory), Memory::bytes)?;
        let resources = Resources { memory, threads: count("threads", threads)?, ..usual };
        let options = BuildOptions { distance: count("k", k)?, resources, ..BuildOptions::default() };
        let file = FingerprintFile { options: FileOptions::default(), ..FingerprintFile::new(file) };
        running::run(py, None, |progress, cancel| {
            Ok(OnlineStore::<u64>::build(&path, &file, &options, progress, cancel)?)
        })?;
        Self::open(py, path, k, true)
    }

    /// Everything within k bits of each query: three arrays of the same length, the place of the query, the id and the distance, in the
    /// order of the queries, the nearest first.
    #[pyo3(signature = (queries, k=None, *, limit=None, threads=0))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        queries: &Bound<'py, PyAny>,
        k: Option<i64>,
        limit: Option<i64>,
        threads: i64,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let queries = from_numpy(queries, "queries")?;
        self.check_process()?;
        let (k, limit) =
            (k.map_or(Ok(self.k), |k| count("k", k))?, limit.map_or(Ok(usize::MAX), |limit| count("limit", limit))?);
        if k > self.k {
            return Err(PyValueError::new_err(format!(
                "k: expected at most {}, which the index was made for, found {k}",
                self.k
            )));
        }
        let resources = Resources { threads: count("threads", threads)?, ..Resources::default() };
        let found = running::run(py, None, |_, cancel| {
            let kind = self.kind.read().unwrap_or_else(PoisonError::into_inner);
            let kind = kind.as_ref().ok_or_else(closed)?;
            let near = |(batch, queries): (usize, &[u64])| -> Result<Vec<(u64, u64, u32)>, Failure> {
                cancel.check()?;
                let mut all = Vec::new();
                let first = (batch * BATCH) as u64;
                match kind {
                    Kind::Memory(index) => {
                        index.near_each(queries, k, |query, id, distance| {
                            all.push((first + query as u64, id, distance));
                            ControlFlow::Continue(())
                        });
                        all.sort_unstable_by_key(|&(query, id, distance)| (query, distance, id));
                        keep_nearest(&mut all, limit);
                    }
                    Kind::Store(store) => {
                        for (query, at) in queries.iter().zip(first..) {
                            let found = store.near(*query, k, limit)?;
                            all.extend(found.matches.iter().map(|found| (at, found.id, found.distance)));
                        }
                    }
                }
                Ok(all)
            };
            let parts: Result<Vec<_>, Failure> =
                resources.pool()?.install(|| queries.par_chunks(BATCH).enumerate().map(near).collect());
            Ok(parts?.concat())
        })?;
        let column = |of: fn(&(u64, u64, u32)) -> u64| found.iter().map(of).collect::<Vec<u64>>();
        let distances: Vec<u32> = found.iter().map(|found| found.2).collect();
        Ok((
            to_numpy(py, &column(|found| found.0), u64::to_le_bytes, "<u8")?,
            to_numpy(py, &column(|found| found.1), u64::to_le_bytes, "<u8")?,
            to_numpy(py, &distances, u32::to_le_bytes, "<u4")?,
        ))
    }

    /// Adds fingerprints. A store has them on disk when this returns.
    #[pyo3(signature = (fingerprints, ids=None))]
    fn insert(&self, py: Python<'_>, fingerprints: &Bound<'_, PyAny>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.check_process()?;
        let mut entries = entries(fingerprints, ids)?;
        if ids.is_none() && !self.is_numbered.load(Ordering::Relaxed) {
            return Err(PyValueError::new_err(
                "ids: expected one for each fingerprint, as those before have ids of their own, found none; a number of ours could be \
                 one of them",
            ));
        }
        if ids.is_some() {
            self.is_numbered.store(false, Ordering::Relaxed);
        }
        running::run(py, None, |_, _| {
            let mut kind = self.kind.write().unwrap_or_else(PoisonError::into_inner);
            let kind = kind.as_mut().ok_or_else(closed)?;
            if self.is_numbered.load(Ordering::Relaxed) {
                let first = match kind {
                    Kind::Memory(index) => index.len(),
                    Kind::Store(store) => store.len(),
                };
                for (_, id) in &mut entries {
                    *id += first;
                }
            }
            match kind {
                Kind::Memory(index) => index.insert(entries)?,
                Kind::Store(store) => {
                    let mut group = store.group();
                    for (fingerprint, id) in entries {
                        group.insert(fingerprint, id)?;
                    }
                    group.commit()?;
                }
            }
            Ok(())
        })
    }

    /// Closes a store: others may open it. Asking it afterwards is an error.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let kind = self.kind.write().unwrap_or_else(PoisonError::into_inner).take();
        if self.check_process().is_err() {
            // it is closed by the process that opened it
            std::mem::forget(kind);
            return Ok(());
        }
        match kind {
            Some(Kind::Store(store)) => running::run(py, None, |_, _| Ok(store.close()?)),
            _ => Ok(()),
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __len__(&self) -> PyResult<usize> {
        let kind = self.kind.read().unwrap_or_else(PoisonError::into_inner);
        let count = match kind.as_ref() {
            Some(Kind::Memory(index)) => index.len(),
            Some(Kind::Store(store)) => store.len(),
            None => return Err(PyValueError::new_err(CLOSED)),
        };
        Ok(count as usize)
    }

    /// The greatest distance that can be asked for.
    #[getter]
    fn k(&self) -> u32 {
        self.k
    }
}

/// Leaves so many of each query, of which the nearest come first.
fn keep_nearest(found: &mut Vec<(u64, u64, u32)>, limit: usize) {
    let (mut of, mut kept) = (None, 0);
    found.retain(|(query, ..)| {
        kept = if of.replace(*query) == Some(*query) { kept + 1 } else { 1 };
        kept <= limit
    });
}

impl HammingIndex {
    fn of(kind: Kind, k: u32, is_numbered: bool) -> Self {
        let (process, is_numbered) = (std::process::id(), AtomicBool::new(is_numbered));
        Self { kind: RwLock::new(Some(kind)), k, process, is_numbered }
    }

    fn in_memory(py: Python<'_>, entries: Vec<(u64, u64)>, k: u32, is_numbered: bool) -> PyResult<Self> {
        let index = running::run(py, None, |_, cancel| MemoryIndex::try_new(entries, k, || Ok(cancel.check()?)))?;
        Ok(Self::of(Kind::Memory(index), k, is_numbered))
    }

    /// What is in memory may be asked by a child of the process; a store has files and threads that only its own process has.
    fn check_process(&self) -> PyResult<()> {
        let is_store = matches!(*self.kind.read().unwrap_or_else(PoisonError::into_inner), Some(Kind::Store(_)));
        if is_store && self.process != std::process::id() {
            return Err(PyRuntimeError::new_err(
                "the store was opened before this process was forked; close it before you fork, and open it again in one of the two",
            ));
        }
        Ok(())
    }
}

impl Drop for HammingIndex {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // its lock and its logs are those of the process that opened it
            std::mem::forget(self.kind.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

/// Bytes, as a number or in words like `2G`.
#[derive(FromPyObject)]
enum Memory {
    Bytes(u64),
    Words(String),
}

impl Memory {
    fn bytes(self) -> PyResult<u64> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Words(words) => bytes(&words).map_err(|wrong| PyValueError::new_err(format!("memory: {wrong}"))),
        }
    }
}

/// All fingerprints of a file with their ids, and whether the file has ids.
fn read_all(file: &Path, cancel: &Cancel) -> Result<(Vec<(u64, u64)>, bool), Failure> {
    let mut reader = FingerprintReader::<u64>::open(file, &FileOptions::default()).map_err(HammingError::from)?;
    let (mut all, mut fingerprints, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        cancel.check()?;
        let first = reader.row();
        if reader.next_batch(&mut fingerprints, &mut ids).map_err(HammingError::from)? == 0 {
            return Ok((all, reader.has_ids()));
        }
        if ids.is_empty() {
            // its rows are their ids
            all.extend(fingerprints.iter().copied().zip(first..));
        } else {
            all.extend(fingerprints.iter().copied().zip(ids.iter().copied()));
        }
    }
}

const CLOSED: &str = "the index is closed; open it again with HammingIndex.open(path)";

fn closed() -> Failure {
    PyErr::new::<PyValueError, _>(CLOSED).into()
}

fn entries(fingerprints: &Bound<'_, PyAny>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(u64, u64)>> {
    let fingerprints = from_numpy(fingerprints, "fingerprints")?;
    let Some(ids) = ids else { return Ok(fingerprints.into_iter().zip(0..).collect()) };
    let ids = from_numpy(ids, "ids")?;
    if ids.len() != fingerprints.len() {
        return Err(PyTypeError::new_err(format!(
            "ids: expected one for each of {} fingerprints, found {}",
            fingerprints.len(),
            ids.len()
        )));
    }
    Ok(fingerprints.into_iter().zip(ids).collect())
}
