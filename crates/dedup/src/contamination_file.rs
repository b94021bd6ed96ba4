//! A table of the documents that hold items of benchmarks.

use crate::Error;
use crate::columns::{self, GROUP_ROWS, locate, optional, required, shard_names};
use crate::contamination::{Contamination, Contaminations};
use lookalike_engine::run::documents::Documents;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;
use std::io::Write;
use std::path::Path;

const SCHEMA: &str = "message contamination {
    REQUIRED BINARY id (STRING);
    REQUIRED BINARY file (STRING);
    OPTIONAL INT64 row;
    REQUIRED BINARY item (STRING);
    REQUIRED BINARY benchmark (STRING);
    REQUIRED DOUBLE share;
    REQUIRED INT64 words;
    OPTIONAL INT64 start;
    OPTIONAL INT64 end;
    REQUIRED BINARY passage (STRING);
}";

/// Writes the table.
pub(crate) fn write(path: &Path, documents: &Documents, found: &Contaminations) -> Result<(), Error> {
    let shards = shard_names(documents);
    columns::write(path, SCHEMA, |file| {
        for some in found.all.chunks(GROUP_ROWS) {
            let group = file.next_row_group().map_err(|error| columns::failed(path, error))?;
            write_rows(group, some, &shards).map_err(|error| columns::failed(path, error))?;
        }
        Ok(())
    })
}

fn write_rows<W: Write + Send>(
    mut group: SerializedRowGroupWriter<'_, W>,
    rows: &[Contamination],
    shards: &[ByteArray],
) -> Result<(), ParquetError> {
    let text = |of: fn(&Contamination) -> &str| rows.iter().map(|row| ByteArray::from(of(row))).collect::<Vec<_>>();
    let (files, numbers): (Vec<ByteArray>, Vec<Option<i64>>) =
        rows.iter().map(|row| locate(&row.place, shards)).unzip();
    let starts: Vec<Option<i64>> =
        rows.iter().map(|row| row.bytes.as_ref().map(|bytes| bytes.start.cast_signed())).collect();
    let ends: Vec<Option<i64>> =
        rows.iter().map(|row| row.bytes.as_ref().map(|bytes| bytes.end.cast_signed())).collect();
    required::<ByteArrayType, W>(&mut group, &text(|row| &row.id))?;
    required::<ByteArrayType, W>(&mut group, &files)?;
    optional::<Int64Type, W>(&mut group, &numbers)?;
    required::<ByteArrayType, W>(&mut group, &text(|row| &row.item))?;
    required::<ByteArrayType, W>(&mut group, &text(|row| &row.benchmark))?;
    required::<DoubleType, W>(&mut group, &rows.iter().map(|row| row.share).collect::<Vec<_>>())?;
    required::<Int64Type, W>(&mut group, &rows.iter().map(|row| row.words.cast_signed()).collect::<Vec<_>>())?;
    optional::<Int64Type, W>(&mut group, &starts)?;
    optional::<Int64Type, W>(&mut group, &ends)?;
    required::<ByteArrayType, W>(&mut group, &text(|row| &row.passage))?;
    group.close().map(drop)
}
