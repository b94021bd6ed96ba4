//! Tables: a document a row.

mod csv_cut;
pub(crate) mod csv_scan;
mod csv_source;
pub(crate) mod iso;
mod parquet_batch;
pub(crate) mod parquet_column;
mod parquet_cursor;
mod parquet_source;
mod row;
pub(crate) mod value;

pub(crate) use csv_source::{CsvSource, delimiter as csv_delimiter, names as csv_names, open_plain as open_csv};
pub(crate) use parquet_source::ParquetSource;
