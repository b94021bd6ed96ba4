//! The Arrow `PyCapsule` interface: tables in and out without a copy.
#![expect(unsafe_code, reason = "a capsule is a pointer with a name; each use below says why it is sound")]

use arrow_array::ffi::to_ffi;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatchReader};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::CStr;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// Whether an object speaks the interface.
pub(crate) fn is_stream(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.hasattr(intern!(object.py(), "__arrow_c_stream__"))
}

/// The record batches of an object that speaks the interface.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Box<dyn RecordBatchReader + Send>> {
    let capsule = object.call_method0(intern!(object.py(), "__arrow_c_stream__"))?;
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| {
        PyTypeError::new_err(format!("expected __arrow_c_stream__() to give a capsule, found {}", capsule.get_type()))
    })?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a valid `ArrowArrayStream`, says the Arrow PyCapsule interface; `from_raw` moves it out and leaves
    // a released one behind, which the destructor of the capsule leaves alone.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) };
    let reader = reader.map_err(|error| PyValueError::new_err(format!("the Arrow stream cannot be read: {error}")))?;
    Ok(Box::new(reader))
}

/// The same the other way.
pub(crate) fn export(py: Python<'_>, from: Box<dyn RecordBatchReader + Send>) -> PyResult<Bound<'_, PyCapsule>> {
    // dropping the stream releases it, unless who took it has done so
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(from), STREAM)
}

/// An array as two capsules, its type and its values: what `__arrow_c_array__` gives.
pub(crate) fn export_array<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<[Bound<'py, PyCapsule>; 2]> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok([PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?])
}
