//! The Parquet file that is written.

use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::bloom_filter::Sbbf;
use parquet::errors::ParquetError;
use parquet::file::metadata::page_index::PageIndexBuilder;
use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaDataBuilder, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use parquet::file::properties::DEFAULT_CREATED_BY;
use parquet::file::writer::{SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor};

use super::original::Original;
use super::write_error::unwritable;
use super::{annotations, column, properties};
use crate::copy::CopyError;
use crate::copy::rulings::Rulings;

const MAGIC: &[u8] = b"PAR1";

pub(super) struct Output {
    to: TrackedWrite<OutputFile>,
    schema: SchemaDescPtr,
    key_values: Option<Vec<KeyValue>>,
    annotate: bool,
    groups: Vec<Group>,
}

/// A row group that was written.
struct Group {
    metadata: RowGroupMetaData,
    columns: Vec<Option<ColumnIndexMetaData>>,
    offsets: Vec<Option<OffsetIndexMetaData>>,
}

impl Output {
    pub(super) fn create(to: File, original: &Original<'_>, annotate: bool) -> Result<Self, CopyError> {
        let metadata = original.metadata.file_metadata();
        let mut key_values = metadata.key_value_metadata().cloned();
        let schema = if annotate {
            key_values = key_values.map(annotations::key_values);
            Arc::new(SchemaDescriptor::new(annotations::schema(original.path, metadata.schema())?))
        } else {
            metadata.schema_descr_ptr()
        };
        let mut to = TrackedWrite::new(OutputFile { file: to, failure: Arc::default() });
        to.write_all(MAGIC).map_err(CopyError::Write)?;
        Ok(Self { to, schema, key_values, annotate, groups: Vec::new() })
    }

    /// Copies the rows of a row group that stay; there are some.
    pub(super) fn copy_group(
        &mut self,
        original: &Original<'_>,
        index: usize,
        rulings: &Rulings,
    ) -> Result<(), CopyError> {
        let group = original.metadata.row_group(index);
        let is_cut = |column: usize| rulings.has_cuts() && original.text == Some(column);
        let sorting = group.sorting_columns().into_iter().flatten();
        let is_sorted = !sorting.map(|sorting| sorting.column_idx as usize).any(is_cut);
        let properties = Arc::new(properties::properties(original, index, rulings.kept, is_sorted)?);
        let ordinal = i32::try_from(self.groups.len()).unwrap_or(i32::MAX);
        let groups = &mut self.groups;
        let on_close = move |to: &mut TrackedWrite<OutputFile>, metadata, filters, columns, offsets| {
            let metadata = with_filters(to, metadata, filters)?;
            groups.push(Group { metadata, columns, offsets });
            Ok(())
        };
        let mut writer = SerializedRowGroupWriter::new(
            Arc::clone(&self.schema),
            properties,
            &mut self.to,
            ordinal,
            Some(Box::new(on_close)),
        );
        for at in 0..group.num_columns() {
            if rulings.keep_all()
                && !is_cut(at)
                && let Some(whole) = original.whole_column(index, at)
            {
                writer
                    .append_column(&*original.file, whole)
                    .map_err(|error| original.damaged(index, Some(at), error))?;
                continue;
            }
            let Some(mut to) = writer.next_column().map_err(unwritable)? else { break };
            column::copy(original, index, at, rulings, to.untyped())?;
            to.close().map_err(unwritable)?;
        }
        if self.annotate {
            annotations::write(&mut writer, rulings)?;
        }
        writer.close().map_err(unwritable)?;
        Ok(())
    }

    /// Writes the indexes and the footer.
    pub(super) fn finish(self, original: &Original<'_>) -> Result<(), CopyError> {
        let metadata = original.metadata.file_metadata();
        let rows = self.groups.iter().map(|group| group.metadata.num_rows()).sum();
        let created_by = Some(DEFAULT_CREATED_BY.to_owned());
        let file =
            FileMetaData::new(metadata.version(), rows, created_by, self.key_values, Arc::clone(&self.schema), None);
        let mut index = PageIndexBuilder::new(self.groups.len(), self.schema.num_columns());
        // who wrote none wants none
        let chunks = || original.metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
        let has_offsets = chunks().any(|chunk| chunk.offset_index_offset().is_some());
        let mut groups = Vec::with_capacity(self.groups.len());
        for (at, group) in self.groups.into_iter().enumerate() {
            groups.push(group.metadata);
            for (column, entry) in group.columns.into_iter().enumerate() {
                if let Some(entry) = entry {
                    index.put_column_index(entry, at, column);
                }
            }
            for (column, entry) in group.offsets.into_iter().enumerate().filter(|_| has_offsets) {
                if let Some(entry) = entry {
                    index.put_offset_index(entry, at, column);
                }
            }
        }
        let metadata = ParquetMetaDataBuilder::new(file).set_row_groups(groups);
        let metadata = metadata.set_page_index(Some(Arc::new(index.build()))).build();
        let failure = Arc::clone(&self.to.inner().failure);
        let writer = ParquetMetaDataWriter::new_with_tracked(self.to, &metadata);
        writer.with_preserve_page_index_locations(false).finish().map_err(unwritable)?;
        let failure = failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), |error| Err(CopyError::Write(error)))
    }
}

/// A file that remembers an error: the last bytes are written when the writer is dropped, which tells nobody.
struct OutputFile {
    file: File,
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).inspect_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return;
            }
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert_with(|| io::Error::new(error.kind(), error.to_string()));
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes the filters of a row group behind it.
fn with_filters(
    to: &mut TrackedWrite<OutputFile>,
    mut metadata: RowGroupMetaData,
    filters: Vec<Option<Sbbf>>,
) -> Result<RowGroupMetaData, ParquetError> {
    for (chunk, filter) in metadata.columns_mut().iter_mut().zip(filters) {
        let builder = chunk.clone().into_builder();
        let Some(filter) = filter else {
            *chunk = builder.set_bloom_filter_offset(None).set_bloom_filter_length(None).build()?;
            continue;
        };
        let start = to.bytes_written();
        filter.write(&mut *to)?;
        let length = i32::try_from(to.bytes_written() - start).ok();
        let builder = builder.set_bloom_filter_offset(i64::try_from(start).ok()).set_bloom_filter_length(length);
        *chunk = builder.build()?;
    }
    Ok(metadata)
}
