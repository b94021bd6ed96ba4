//! The proof: a table of every document that was removed, with the one that stays in its place.

use crate::Error;
use crate::columns::{self, GROUP_ROWS, locate, optional, required, shard_names};
use crate::removal::{Kept, Removals};
use lookalike_engine::run::catalogue::Entry;
use lookalike_engine::run::documents::Documents;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;
use std::io::Write;
use std::path::Path;

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
    let shards = shard_names(documents);
    columns::write(path, SCHEMA, |file| {
        for some in removals.all().chunks(GROUP_ROWS) {
            let mut rows = Rows::default();
            for removal in some {
                let entry = documents.catalogue.entry(removal.document)?;
                let kept = removal.kept.document().map(|kept| documents.catalogue.entry(kept)).transpose()?;
                each(&entry);
                let (of_entry, row) = locate(&entry.place, &shards);
                let (kept_id, of_kept, kept_row) = match (kept, removal.kept) {
                    (Some(kept), _) => {
                        let (file, row) = locate(&kept.place, &shards);
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
            let group = file.next_row_group().map_err(|error| columns::failed(path, error))?;
            rows.write(group).map_err(|error| columns::failed(path, error))?;
        }
        Ok(())
    })
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
