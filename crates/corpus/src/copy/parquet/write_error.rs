//! Errors in writing Parquet.

use std::io;

use parquet::errors::ParquetError;

use crate::copy::CopyError;

pub(super) fn unwritable(error: ParquetError) -> CopyError {
    CopyError::Write(match error {
        ParquetError::External(error) => io::Error::other(error),
        other => io::Error::other(other),
    })
}
