//! The steps of a dedup for an engine that only shuffles: Arrow batches of one partition in, Arrow batches out.

use crate::capsule;
use crate::errors::Failure;
use crate::inputs::Batches;
use crate::options::request;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use lookalike_distributed::{DedupSteps, DistributedOptions, Step};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The steps for one set of options, which are those of `dedup`.
#[pyclass(module = "lookalike", frozen)]
pub(crate) struct DistributedSteps {
    steps: DedupSteps,
}

/// What rows must meet in one partition, and in which order they are there.
type Shuffle = (Vec<&'static str>, Vec<&'static str>);

#[pymethods]
impl DistributedSteps {
    #[new]
    #[pyo3(signature = (options, *, side=8, memory=None, tmp=None))]
    fn new(
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        side: u32,
        memory: Option<usize>,
        tmp: Option<PathBuf>,
    ) -> PyResult<Self> {
        let request = request(py, "dedup", &["--dry-run", "."], Some(options))?;
        let asked = request.dedup().map_err(|error| Failure::from(error).into_py_err(py))?;
        let (usual, max_size) = (DistributedOptions::new(asked.shingles), asked.scan.corpus.max_size);
        let memory = memory.unwrap_or(usual.memory);
        let key = request.key();
        let options = DistributedOptions { key, max_size, side, memory, temp: tmp, ..usual };
        let steps = DedupSteps::new(options).map_err(|error| Failure::from(error).into_py_err(py))?;
        Ok(Self { steps })
    }

    /// How the rows of a step are to be shuffled: the columns that decide on the partition, and those that rows are sorted by.
    fn shuffle(&self, name: &str) -> PyResult<Shuffle> {
        let shuffle = self.step(name)?.shuffle();
        Ok((shuffle.partition_by.to_vec(), shuffle.sort_by.to_vec()))
    }

    /// The columns of what a step gives, as SQL has them.
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

    /// One step on the rows of one partition: batch by batch, when they are asked for.
    fn run(&self, name: &str, rows: &Bound<'_, PyAny>) -> PyResult<StepRows> {
        let (from, step) = (capsule::import(rows)?, self.step(name)?);
        let schema = step.schema();
        let rows = StepReader { from, step, schema, ready: VecDeque::new(), is_done: false };
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
    from: Batches,
    step: Box<dyn Step>,
    schema: SchemaRef,
    ready: VecDeque<RecordBatch>,
    is_done: bool,
}

impl RecordBatchReader for StepReader {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

impl Iterator for StepReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.ready.pop_front() {
                return Some(Ok(batch));
            }
            if self.is_done {
                return None;
            }
            let made = match self.from.next() {
                Some(Ok(batch)) => self.step.push(&batch),
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.is_done = true;
                    self.step.finish()
                }
            };
            match made {
                Ok(batches) => self.ready.extend(batches),
                Err(error) => {
                    self.is_done = true;
                    return Some(Err(ArrowError::ExternalError(Box::new(error))));
                }
            }
        }
    }
}
