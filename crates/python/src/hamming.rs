//! Fingerprints within a few bits of each other: in memory, or in a store on disk that survives whatever ends the process.

use crate::errors::Failure;
use crate::numbers::{from_numpy, to_numpy};
use crate::running;
use lookalike::Resources;
use lookalike::hamming::store::{BuildOptions, OnlineStore, StoreOptions};
use lookalike::hamming::{FileOptions, FingerprintFile, MemoryIndex};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

/// Which fingerprints differ from a query in at most k bits?
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct HammingIndex {
    kind: RwLock<Option<Kind>>,
    k: u32,
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
    fn new(py: Python<'_>, fingerprints: &Bound<'_, PyAny>, ids: Option<&Bound<'_, PyAny>>, k: u32) -> PyResult<Self> {
        let entries = entries(fingerprints, ids)?;
        let index = running::run(py, None, |_, _| Ok(MemoryIndex::new(entries, k)?))?;
        Ok(Self { kind: RwLock::new(Some(Kind::Memory(index))), k })
    }

    /// Opens a store on disk, or makes an empty one.
    #[staticmethod]
    #[pyo3(signature = (path, *, k=3, sync=true))]
    fn open(py: Python<'_>, path: PathBuf, k: u32, sync: bool) -> PyResult<Self> {
        let options = StoreOptions { distance: k, sync, ..StoreOptions::default() };
        let store = running::run(py, None, |_, _| Ok(OnlineStore::open(&path, &options)?))?;
        let k = store.max_distance();
        Ok(Self { kind: RwLock::new(Some(Kind::Store(Box::new(store)))), k })
    }

    /// Makes a store of a file of fingerprints (raw, text or Parquet) and opens it.
    #[staticmethod]
    #[pyo3(signature = (path, file, *, k=3, memory=None, threads=0))]
    fn build(
        py: Python<'_>,
        path: PathBuf,
        file: PathBuf,
        k: u32,
        memory: Option<u64>,
        threads: usize,
    ) -> PyResult<Self> {
        let usual = Resources::default();
        let resources = Resources { memory: memory.unwrap_or(usual.memory), threads, ..usual };
        let options = BuildOptions { distance: k, resources, ..BuildOptions::default() };
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
        k: Option<u32>,
        limit: Option<usize>,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let queries = from_numpy(queries, "queries")?;
        let k = k.unwrap_or(self.k);
        if k > self.k {
            return Err(PyValueError::new_err(format!(
                "k: expected at most {}, which the index was made for, found {k}",
                self.k
            )));
        }
        let resources = Resources { threads, ..Resources::default() };
        let found = running::run(py, None, |_, cancel| {
            let kind = self.kind.read().unwrap_or_else(PoisonError::into_inner);
            let kind = kind.as_ref().ok_or_else(closed)?;
            let limit = limit.unwrap_or(usize::MAX);
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
        let mut entries = entries(fingerprints, ids)?;
        let numbered = ids.is_none();
        running::run(py, None, |_, _| {
            let mut kind = self.kind.write().unwrap_or_else(PoisonError::into_inner);
            let kind = kind.as_mut().ok_or_else(closed)?;
            // what has no ids is numbered after what is there
            let first = match kind {
                Kind::Memory(index) => index.len(),
                Kind::Store(store) => store.len(),
            };
            if numbered {
                for (_, id) in &mut entries {
                    *id += first;
                }
            }
            match kind {
                Kind::Memory(index) => index.insert(entries),
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
