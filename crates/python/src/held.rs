//! Fingerprints in memory that others pass by, batch after batch: what a cluster engine calls for each of its partitions.

use crate::numbers::{count, from_numpy, to_numpy};
use crate::running;
use lookalike::Resources;
use lookalike::hamming;
use pyo3::prelude::*;

/// Queries of a join by distance, ready to be held against very many fingerprints.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct HeldFingerprints {
    held: hamming::HeldFingerprints<u64>,
}

/// Arrays of one length: the place of what passed by, what is near it, the distance.
type Near<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

#[pymethods]
impl HeldFingerprints {
    #[new]
    #[pyo3(signature = (fingerprints, *, k=3))]
    fn new(py: Python<'_>, fingerprints: &Bound<'_, PyAny>, k: i64) -> PyResult<Self> {
        let (fingerprints, k) = (from_numpy(fingerprints, "fingerprints")?, count("k", k)?);
        let memory = Resources::default().memory;
        let held = running::run(py, None, |_, _| Ok(hamming::HeldFingerprints::new(fingerprints, k, memory)?))?;
        Ok(Self { held })
    }

    /// What is near those that pass by, each pair once.
    fn search<'py>(&self, py: Python<'py>, passing: &Bound<'py, PyAny>) -> PyResult<Near<'py>> {
        let passing = from_numpy(passing, "passing")?;
        let (mut places, mut near, mut distances) = (Vec::new(), Vec::new(), Vec::new());
        py.detach(|| {
            self.held.search(&passing, |at, held, distance| {
                places.push(at as u64);
                near.push(held);
                distances.push(distance);
            });
        });
        Ok((
            to_numpy(py, &places, u64::to_le_bytes, "<u8")?,
            to_numpy(py, &near, u64::to_le_bytes, "<u8")?,
            to_numpy(py, &distances, u32::to_le_bytes, "<u4")?,
        ))
    }

    fn __len__(&self) -> usize {
        self.held.len()
    }
}
