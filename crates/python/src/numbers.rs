//! Arrays of numpy in and out. Its buffers are not in the stable interface of Python 3.10, so bytes are copied once.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyTuple};

/// Fingerprints or ids of an array, a list or anything that numpy takes.
pub(crate) fn from_numpy(numbers: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<u64>> {
    let numpy = numbers.py().import("numpy")?;
    // numpy takes a list of large and small integers for floating point numbers
    if (numbers.is_instance_of::<PyList>() || numbers.is_instance_of::<PyTuple>())
        && let Ok(given) = numbers.extract()
    {
        return Ok(given);
    }
    let array = numpy.call_method1("asarray", (numbers,))?;
    let dimensions: usize = array.getattr("ndim")?.extract()?;
    let size: usize = array.getattr("size")?.extract()?;
    let (kind, dtype): (String, String) =
        (array.getattr("dtype")?.getattr("kind")?.extract()?, array.getattr("dtype")?.str()?.extract()?);
    if dimensions > 1 {
        return Err(PyValueError::new_err(format!("{what}: expected one dimension, found {dimensions}")));
    }
    if size > 0 && kind != "u" && kind != "i" {
        return Err(PyTypeError::new_err(format!("{what}: expected unsigned integers (numpy.uint64), found {dtype}")));
    }
    if kind == "i" && size > 0 && array.call_method0("min")?.lt(0)? {
        return Err(PyValueError::new_err(format!("{what}: expected unsigned integers, found a negative one")));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "<u8"))?;
    let bytes = array.call_method0("tobytes")?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    Ok(bytes.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default())).collect())
}

/// A number of things.
pub(crate) fn count<T: TryFrom<i64>>(what: &str, number: i64) -> PyResult<T> {
    T::try_from(number)
        .map_err(|_| PyValueError::new_err(format!("{what}: expected a number from 0 on, found {number}")))
}

/// Numbers as an array of this type.
pub(crate) fn to_numpy<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    numbers: &[T],
    bytes_of: fn(T) -> [u8; N],
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyByteArray::new_with(py, numbers.len() * N, |out| {
        for (out, number) in out.chunks_exact_mut(N).zip(numbers) {
            out.copy_from_slice(&bytes_of(*number));
        }
        Ok(())
    })?;
    py.import("numpy")?.call_method1("frombuffer", (bytes, dtype))
}
