//! Tables: a document a row.

#[cfg(feature = "tables")]
mod arrow_bounds;
#[cfg(feature = "tables")]
pub(crate) mod arrow_column;
#[cfg(feature = "tables")]
mod arrow_file;
#[cfg(feature = "tables")]
mod arrow_source;
#[cfg(feature = "tables")]
pub(crate) mod arrow_value;
mod csv_cut;
pub(crate) mod csv_scan;
mod csv_source;
pub(crate) mod iso;
#[cfg(feature = "tables")]
mod parquet_batch;
#[cfg(feature = "tables")]
pub(crate) mod parquet_column;
#[cfg(feature = "tables")]
mod parquet_cursor;
#[cfg(feature = "tables")]
mod parquet_source;
mod row;
pub(crate) mod value;

#[cfg(feature = "tables")]
pub(crate) use arrow_file::ArrowFile;
#[cfg(feature = "tables")]
pub(crate) use arrow_source::ArrowSource;
#[cfg(feature = "tables")]
pub use arrow_value::{bytes_at, is_text};
pub(crate) use csv_source::{CsvSource, header as csv_header, names as csv_names, open_plain as open_csv};
#[cfg(feature = "tables")]
pub(crate) use parquet_source::ParquetSource;
