//! The proof: a table of every document that was removed, with the one that stays in its place.

use crate::Error;
use crate::layout::shown;
use crate::removal::{Kept, Removals};
use lookalike_corpus::Place;
use lookalike_engine::run::catalogue::Entry;
use lookalike_engine::run::documents::Documents;
use lookalike_store::{Error as StoreError, atomic};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Rows that are held in memory and become a row group.
const GROUP_ROWS: usize = 1 << 16;

const SCHEMA: &str = "message duplicates {
    REQUIRED BINARY id (STRING);
    REQUIRED BINARY file (STRING);
    OPTIONAL INT64 row;
    REQUIRED BINARY duplicate_of (STRING);
    REQUIRED BINARY duplicate_of_file (STRING);
    OPTIONAL INT64 duplicate_of_row;
    OPTIONAL DOUBLE resemblance;
    OPTIONAL DOUBLE containment;
    OPTIONAL DOUBLE contained_by;
    REQUIRED BINARY class (STRING);
    OPTIONAL INT64 cluster;
    OPTIONAL BINARY source (STRING);
    REQUIRED BOOLEAN verified;
}";

/// Some rows, by column.
#[derive(Default)]
struct Rows {
    id: Vec<ByteArray>,
    file: Vec<ByteArray>,
    row: Vec<Option<i64>>,
    duplicate_of: Vec<ByteArray>,
    duplicate_of_file: Vec<ByteArray>,
    duplicate_of_row: Vec<Option<i64>>,
    resemblance: Vec<Option<f64>>,
    containment: Vec<Option<f64>>,
    contained_by: Vec<Option<f64>>,
    class: Vec<ByteArray>,
    cluster: Vec<Option<i64>>,
    source: Vec<Option<ByteArray>>,
    verified: Vec<bool>,
}

/// Writes the table. `each` sees every removed document on the way.
pub(crate) fn write(
    path: &Path,
    documents: &Documents,
    removals: &Removals,
    mut each: impl FnMut(&Entry),
) -> Result<(), Error> {
    let shards: Vec<ByteArray> =
        documents.corpus.sources().iter().map(|path| ByteArray::from(shown(path).as_str())).collect();
    let failed = |error: ParquetError| StoreError::Write { what: path.display().to_string(), source: error.into() };
    atomic::write(path, |out| {
        let schema = Arc::new(parse_message_type(SCHEMA).map_err(failed)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("lookalike ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
        for some in removals.all().chunks(GROUP_ROWS) {
            let mut rows = Rows::default();
            for removal in some {
                let entry = documents.catalogue.entry(removal.document)?;
                let kept = removal.kept.document().map(|kept| documents.catalogue.entry(kept)).transpose()?;
                each(&entry);
                let (of_entry, row) = locate(&entry, &shards);
                let (kept_id, of_kept, kept_row) = match (kept, removal.kept) {
                    (Some(kept), _) => {
                        let (file, row) = locate(&kept, &shards);
                        (ByteArray::from(kept.id.into_bytes()), file, row)
                    }
                    (None, Kept::Known(at)) => {
                        let copy = &removals.known()[at as usize];
                        (ByteArray::from(copy.id.as_str()), ByteArray::from(copy.index.as_str()), None)
                    }
                    (None, Kept::Document(_)) => unreachable!("a document of the corpus has an entry"),
                };
                let shares = removals.shares(removal);
                rows.id.push(ByteArray::from(entry.id.into_bytes()));
                rows.file.push(of_entry);
                rows.row.push(row);
                rows.duplicate_of.push(kept_id);
                rows.duplicate_of_file.push(of_kept);
                rows.duplicate_of_row.push(kept_row);
                rows.resemblance.push(shares.map(|shares| shares.resemblance));
                rows.containment.push(shares.and_then(|shares| shares.containment));
                rows.contained_by.push(shares.and_then(|shares| shares.contained_by));
                rows.verified.push(shares.is_some_and(|shares| shares.verified));
                rows.class.push(ByteArray::from(removal.class.name()));
                rows.cluster.push(Some(i64::from(removal.cluster)).filter(|cluster| *cluster > 0));
                rows.source.push(documents.catalogue.origins.name(removal.document).map(ByteArray::from));
            }
            rows.write(file.next_row_group().map_err(failed)?).map_err(failed)?;
        }
        file.close().map_err(failed)?;
        Ok(())
    })
}

/// The file that a document is in, and the records before it there.
fn locate(entry: &Entry, shards: &[ByteArray]) -> (ByteArray, Option<i64>) {
    let row = entry.place.record().map(|(_, row)| row as i64);
    let file = match &entry.place {
        Place::Line { source, .. } | Place::Row { source, .. } => shards.get(*source as usize).cloned(),
        Place::File(path) | Place::Member { path, .. } => Some(ByteArray::from(shown(path).as_str())),
        Place::Stream => None,
    };
    (file.unwrap_or_else(|| ByteArray::from("-")), row)
}

impl Rows {
    fn write<W: Write + Send>(&self, mut group: SerializedRowGroupWriter<'_, W>) -> Result<(), ParquetError> {
        required::<ByteArrayType, W>(&mut group, &self.id)?;
        required::<ByteArrayType, W>(&mut group, &self.file)?;
        optional::<Int64Type, W>(&mut group, &self.row)?;
        required::<ByteArrayType, W>(&mut group, &self.duplicate_of)?;
        required::<ByteArrayType, W>(&mut group, &self.duplicate_of_file)?;
        optional::<Int64Type, W>(&mut group, &self.duplicate_of_row)?;
        optional::<DoubleType, W>(&mut group, &self.resemblance)?;
        optional::<DoubleType, W>(&mut group, &self.containment)?;
        optional::<DoubleType, W>(&mut group, &self.contained_by)?;
        required::<ByteArrayType, W>(&mut group, &self.class)?;
        optional::<Int64Type, W>(&mut group, &self.cluster)?;
        optional::<ByteArrayType, W>(&mut group, &self.source)?;
        required::<BoolType, W>(&mut group, &self.verified)?;
        group.close().map(drop)
    }
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

fn required<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    column::<T, W>(group, values, None)
}

fn optional<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[Option<T::T>],
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let there: Vec<T::T> = values.iter().flatten().cloned().collect();
    column::<T, W>(group, &there, Some(&levels))
}
