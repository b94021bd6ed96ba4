//! The steps of a dedup for an engine that only shuffles: Arrow batches of one partition in, Arrow batches out.

use crate::capsule;
use crate::errors::Failure;
use crate::inputs::Batches;
use crate::options::request;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use lookalike_distributed::{DedupSteps, DistributedOptions, Step, Task};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The steps for one set of options, which are those of `dedup`.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct DistributedSteps {
    steps: DedupSteps,
}

#[pymethods]
impl DistributedSteps {
    #[new]
    #[pyo3(signature = (options, *, side=8, buckets=Vec::new(), memory=None, tmp=None))]
    fn new(
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        side: u32,
        buckets: Vec<i64>,
        memory: Option<usize>,
        tmp: Option<PathBuf>,
    ) -> PyResult<Self> {
        let request = request(py, "dedup", &["--dry-run", "."], Some(options))?;
        let asked = request.dedup().map_err(|error| Failure::from(error).into_py_err(py))?;
        let (usual, max_size) = (DistributedOptions::new(asked.shingles), asked.scan.corpus.max_size);
        let memory = memory.unwrap_or(usual.memory);
        let key = request.key();
        let options = DistributedOptions { key, max_size, side, buckets, memory, temp: tmp, ..usual };
        let steps = DedupSteps::new(options).map_err(|error| Failure::from(error).into_py_err(py))?;
        Ok(Self { steps })
    }

    /// The column whose number decides on the partition of a step's rows, unless they are packed; None if any partition will do.
    fn partition_by(&self, name: &str) -> PyResult<Option<&'static str>> {
        Ok(self.step(name)?.shuffle().partition_by)
    }

    /// The columns of what a step gives, as SQL has them, unless it is packed.
    fn columns(&self, name: &str) -> PyResult<String> {
        let schema = self.step(name)?.schema();
        let columns = schema.fields().iter().map(|field| {
            let kind = match field.data_type() {
                DataType::Int64 => "bigint",
                DataType::Int32 => "int",
                DataType::Float64 => "double",
                DataType::Binary => "binary",
                _ => "string",
            };
            format!("{} {kind}", field.name())
        });
        Ok(columns.collect::<Vec<_>>().join(", "))
    }

    /// One step on the rows of one partition, in any order and packed or not: batch by batch, when they are asked for. What comes out is
    /// packed for another step if that is named.
    #[pyo3(signature = (name, rows, *, pack_for=None))]
    fn run(&self, py: Python<'_>, name: &str, rows: &Bound<'_, PyAny>, pack_for: Option<&str>) -> PyResult<StepRows> {
        let (rows, step, next) = (capsule::import(rows)?, self.step(name)?, pack_for.map(|name| self.step(name)));
        let task = self.steps.task(step, next.transpose()?.as_deref(), rows);
        let task = task.map_err(|error| Failure::from(error).into_py_err(py))?;
        let rows = StepReader { schema: task.schema(), task };
        Ok(StepRows { rows: Mutex::new(Some(rows)) })
    }
}

impl DistributedSteps {
    fn step(&self, name: &str) -> PyResult<Box<dyn Step>> {
        self.steps.step(name).ok_or_else(|| {
            PyValueError::new_err(format!("expected one of {}, found {name:?}", DedupSteps::NAMES.join(", ")))
        })
    }
}

/// What a step gives, once.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct StepRows {
    rows: Mutex<Option<StepReader>>,
}

#[pymethods]
impl StepRows {
    /// The Arrow `PyCapsule` interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner).take();
        let rows = rows.ok_or_else(|| PyValueError::new_err("the rows of a step are read once"))?;
        capsule::export(py, Box::new(rows))
    }
}

struct StepReader {
    task: Task<Batches>,
    schema: SchemaRef,
}

impl RecordBatchReader for StepReader {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

impl Iterator for StepReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.task.next()?;
        Some(batch.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}
