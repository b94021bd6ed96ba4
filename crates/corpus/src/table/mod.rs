//! Tables: a document a row.

pub(crate) mod iso;
mod parquet_batch;
pub(crate) mod parquet_column;
mod parquet_cursor;
mod parquet_source;
mod row;
pub(crate) mod value;

pub(crate) use parquet_source::ParquetSource;
