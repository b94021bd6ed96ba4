//! Tables in Parquet: columns of a row group, one after the other.

use crate::layout::shown;
use lookalike_corpus::Place;
use lookalike_engine::run::documents::Documents;
use lookalike_store::{Error as StoreError, atomic};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Rows that are held in memory and become a row group.
pub(crate) const GROUP_ROWS: usize = 1 << 16;

/// A file that is being written.
pub(crate) type Table<'a> = SerializedFileWriter<&'a mut (dyn Write + Send)>;

/// Writes a table of this schema; `fill` adds row groups.
pub(crate) fn write<E: From<StoreError>>(
    path: &Path,
    schema: &str,
    fill: impl FnOnce(&mut Table<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |error| failed(path, error);
    atomic::write(path, |out| {
        let schema = Arc::new(parse_message_type(schema).map_err(failed)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("lookalike ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
        fill(&mut file)?;
        file.close().map_err(failed)?;
        Ok(())
    })
}

/// What the writer of Parquet says, as the store says it.
pub(crate) fn failed(path: &Path, error: ParquetError) -> StoreError {
    StoreError::Write { what: path.display().to_string(), source: error.into() }
}

/// The shards of a corpus as users know them.
pub(crate) fn shard_names(documents: &Documents) -> Vec<ByteArray> {
    documents.corpus.sources().iter().map(|path| ByteArray::from(shown(path).as_str())).collect()
}

/// The file that a document is in, and the records before it there.
pub(crate) fn locate(place: &Place, shards: &[ByteArray]) -> (ByteArray, Option<i64>) {
    let row = place.record().map(|(_, row)| row.cast_signed());
    let file = match place {
        Place::Line { source, .. } | Place::Row { source, .. } => shards.get(*source as usize).cloned(),
        Place::File(path) | Place::Member { path, .. } => Some(ByteArray::from(shown(path).as_str())),
        Place::Stream => None,
    };
    (file.unwrap_or_else(|| ByteArray::from("-")), row)
}

fn column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("there are fewer columns than values".into()));
    };
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

/// A column in which nothing is missing.
pub(crate) fn required<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    column::<T, W>(group, values, None)
}

/// A column in which values may be missing.
pub(crate) fn optional<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[Option<T::T>],
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let there: Vec<T::T> = values.iter().flatten().cloned().collect();
    column::<T, W>(group, &there, Some(&levels))
}
