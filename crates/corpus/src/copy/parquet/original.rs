//! The Parquet file that is copied.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::bloom_filter::Sbbf;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::Length;
use parquet::file::statistics::Statistics;

use crate::columns::{Allowance, BoundedFile, BoundedPages, read_metadata_and_indexes};
use crate::copy::{CopyError, CopyOptions, unreadable, unsupported};
use crate::file;
use crate::table::parquet_column::{Found, find};

/// No row group has more rows than this.
const MAX_GROUP_ROWS: u64 = 1 << 31;

pub(super) struct Original<'a> {
    pub(super) path: &'a Path,
    pub(super) file: Arc<BoundedFile>,
    pub(super) metadata: ParquetMetaData,
    /// The column that cuts are of.
    pub(super) text: Option<usize>,
}

impl<'a> Original<'a> {
    pub(super) fn open(path: &'a Path, options: &CopyOptions) -> Result<Self, CopyError> {
        let (input, metadata) = file::open(path).map_err(|reason| CopyError::from((path, reason)))?;
        let file = Arc::new(BoundedFile::new(input, metadata.len()));
        let metadata = read_metadata_and_indexes(&file)
            .map_err(|error| unreadable(path, None, format!("not a whole Parquet file: {error}")))?;
        let schema = metadata.file_metadata().schema_descr();
        let text = match find(schema, &options.text_field) {
            Found::Column(column) if column.is_text() => Some(column.index),
            _ => None,
        };
        let original = Self { path, file, metadata, text };
        original.check()?;
        Ok(original)
    }

    /// What no reader could make sense of, or what lies elsewhere.
    fn check(&self) -> Result<(), CopyError> {
        let columns = self.metadata.file_metadata().schema_descr().num_columns();
        if columns == 0 {
            return Err(unsupported(self.path, "it has no columns"));
        }
        for (index, group) in self.metadata.row_groups().iter().enumerate() {
            self.rows(index)?;
            if group.num_columns() != columns {
                return Err(self.damaged(index, None, "it does not have the columns of the schema"));
            }
            if group.columns().iter().any(|chunk| chunk.file_path().is_some()) {
                return Err(unsupported(self.path, "its columns are in other files; write it again as one file"));
            }
        }
        Ok(())
    }

    /// How many rows a row group has.
    pub(super) fn rows(&self, group: usize) -> Result<u64, CopyError> {
        let rows = self.metadata.row_group(group).num_rows();
        let rows = u64::try_from(rows).ok().filter(|rows| *rows <= MAX_GROUP_ROWS);
        rows.ok_or_else(|| self.damaged(group, None, "an impossible number of rows"))
    }

    /// An error in reading a row group, or a column of it.
    pub(super) fn damaged(&self, group: usize, column: Option<usize>, error: impl std::fmt::Display) -> CopyError {
        let column = column.map(|column| self.metadata.row_group(group).column(column).column_path().string());
        let column = column.map_or(String::new(), |column| format!(", column {column:?}"));
        unreadable(self.path, Some(format!("row group {}{column}", group + 1)), error)
    }

    /// The pages of a column.
    pub(super) fn pages(&self, group: usize, column: usize, allowance: Allowance) -> Result<BoundedPages, CopyError> {
        let chunk = self.metadata.row_group(group).column(column);
        if let codec @ (Compression::BROTLI(_) | Compression::LZO) = chunk.compression() {
            let name = chunk.column_path().string();
            let message = format!(
                "the column {name:?} is compressed by {codec}; expected zstd, snappy, gzip, lz4 or no compression"
            );
            return Err(unsupported(self.path, message));
        }
        BoundedPages::open(&self.file, self.metadata.row_group(group), column, allowance)
            .map_err(|error| self.damaged(group, Some(column), error))
    }

    /// What is known of a column that can be copied byte for byte; none if it has to be decoded.
    pub(super) fn whole_column(&self, group: usize, column: usize) -> Option<ColumnCloseResult> {
        let metadata = self.metadata.row_group(group).column(column);
        // Old writers counted dictionaries from where there are none, and compared text as if its bytes had signs.
        let start = metadata.dictionary_page_offset().unwrap_or(metadata.data_page_offset());
        let is_in_order = start >= 4 && start <= metadata.data_page_offset() && metadata.compressed_size() > 0;
        let end = start.checked_add(metadata.compressed_size())?;
        let is_old = metadata.statistics().is_some_and(is_old);
        if !is_in_order || end as u64 > self.file.len() || is_old {
            return None;
        }
        let index = self.metadata.page_index_for_row_group(group);
        Some(ColumnCloseResult {
            bytes_written: metadata.compressed_size() as u64,
            rows_written: self.rows(group).ok()?,
            bloom_filter: self.bloom_filter(metadata).ok()?,
            column_index: index.column_index(column).cloned(),
            offset_index: index.offset_index(column).cloned(),
            metadata: metadata.clone(),
        })
    }

    fn bloom_filter(&self, chunk: &ColumnChunkMetaData) -> Result<Option<Sbbf>, ParquetError> {
        Sbbf::read_from_column_chunk(chunk, &*self.file)
    }
}

/// Whether the least and the greatest value are of the old kind; where there are none nothing is wrong.
fn is_old(statistics: &Statistics) -> bool {
    let has_some = statistics.min_bytes_opt().is_some() || statistics.max_bytes_opt().is_some();
    has_some && statistics.is_min_max_deprecated()
}
