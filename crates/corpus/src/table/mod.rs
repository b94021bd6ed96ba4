//! Tables: a document a row.

#[cfg(feature = "arrow")]
mod arrow_bounds;
#[cfg(feature = "arrow")]
pub(crate) mod arrow_column;
#[cfg(feature = "arrow")]
mod arrow_file;
#[cfg(feature = "arrow")]
mod arrow_source;
#[cfg(feature = "arrow")]
pub(crate) mod arrow_value;
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

#[cfg(feature = "arrow")]
pub(crate) use arrow_file::ArrowFile;
#[cfg(feature = "arrow")]
pub(crate) use arrow_source::ArrowSource;
#[cfg(feature = "arrow")]
pub use arrow_value::{bytes_at, is_text};
pub(crate) use csv_source::{CsvSource, header as csv_header, names as csv_names, open_plain as open_csv};
pub(crate) use parquet_source::ParquetSource;
