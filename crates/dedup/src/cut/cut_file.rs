//! The proof: a table of every piece that was cut, with the place where the same words stand first.

use crate::Error;
use crate::columns::{self, GROUP_ROWS, locate, optional, required, shard_names};
use crate::cut::cuts::{CutPiece, Cuts, DocumentCuts};
use crate::cut::texts::{check_memory, for_each_job, text_of};
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::session::Session;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedRowGroupWriter;
use std::io::Write;
use std::path::Path;

/// Characters of a piece that are shown.
const SHOWN_CHARACTERS: usize = 80;

const SCHEMA: &str = "message duplicates {
    REQUIRED BINARY id (STRING);
    REQUIRED BINARY file (STRING);
    OPTIONAL INT64 row;
    REQUIRED INT64 start;
    REQUIRED INT64 end;
    REQUIRED INT64 words;
    REQUIRED BINARY duplicate_of (STRING);
    REQUIRED BINARY duplicate_of_file (STRING);
    OPTIONAL INT64 duplicate_of_row;
    REQUIRED INT64 duplicate_of_start;
    REQUIRED BINARY text (STRING);
}";

/// Some rows, by column.
#[derive(Default)]
struct Rows {
    id: Vec<ByteArray>,
    file: Vec<ByteArray>,
    row: Vec<Option<i64>>,
    start: Vec<i64>,
    end: Vec<i64>,
    words: Vec<i64>,
    duplicate_of: Vec<ByteArray>,
    duplicate_of_file: Vec<ByteArray>,
    duplicate_of_row: Vec<Option<i64>>,
    duplicate_of_start: Vec<i64>,
    text: Vec<ByteArray>,
}

/// The beginning of a piece, for showing.
pub(crate) fn beginning(text: &str, piece: &CutPiece) -> Option<String> {
    let piece = text.get(piece.start as usize..piece.end as usize)?;
    Some(piece.chars().take(SHOWN_CHARACTERS).collect())
}

/// Writes the table.
pub(crate) fn write(path: &Path, session: &Session<'_>, documents: &Documents, cuts: &Cuts) -> Result<(), Error> {
    let shards = shard_names(documents);
    let failed = |error: ParquetError| columns::failed(path, error);
    let jobs = cuts.of(0..u32::MAX).map(|cuts| cuts.map_err(Error::from));
    // the text beside its line, and the pieces
    let bytes = |cuts: &DocumentCuts| {
        let text = documents.catalogue.entry(cuts.document)?.bytes;
        check_memory(session, documents, cuts.document, 3 * text + 40 * cuts.pieces.len() as u64)
    };
    let work = |cuts: DocumentCuts| text_of(documents, cuts.document).map(|text| (cuts, text));
    columns::write(path, SCHEMA, |file| {
        let mut rows = Rows::default();
        for_each_job(session, jobs, bytes, work, |(cuts, text)| {
            let entry = documents.catalogue.entry(cuts.document)?;
            let (of_entry, row) = locate(&entry.place, &shards);
            let id = ByteArray::from(entry.id.as_str());
            for piece in &cuts.pieces {
                let Some(text) = beginning(&text, piece) else {
                    return Err(Error::Damaged { id: entry.id, reason: "its cuts do not fit its text".into() });
                };
                let kept = documents.catalogue.entry(piece.kept)?;
                let (of_kept, kept_row) = locate(&kept.place, &shards);
                rows.id.push(id.clone());
                rows.file.push(of_entry.clone());
                rows.row.push(row);
                rows.start.push(i64::from(piece.start));
                rows.end.push(i64::from(piece.end));
                rows.words.push(i64::from(piece.words));
                rows.duplicate_of.push(ByteArray::from(kept.id.into_bytes()));
                rows.duplicate_of_file.push(of_kept);
                rows.duplicate_of_row.push(kept_row);
                rows.duplicate_of_start.push(i64::from(piece.kept_start));
                rows.text.push(ByteArray::from(text.into_bytes()));
                if rows.id.len() == GROUP_ROWS {
                    std::mem::take(&mut rows).write(file.next_row_group().map_err(failed)?).map_err(failed)?;
                }
            }
            Ok(())
        })?;
        if !rows.id.is_empty() {
            rows.write(file.next_row_group().map_err(failed)?).map_err(failed)?;
        }
        Ok(())
    })
}

impl Rows {
    fn write<W: Write + Send>(&self, mut group: SerializedRowGroupWriter<'_, W>) -> Result<(), ParquetError> {
        required::<ByteArrayType, W>(&mut group, &self.id)?;
        required::<ByteArrayType, W>(&mut group, &self.file)?;
        optional::<Int64Type, W>(&mut group, &self.row)?;
        required::<Int64Type, W>(&mut group, &self.start)?;
        required::<Int64Type, W>(&mut group, &self.end)?;
        required::<Int64Type, W>(&mut group, &self.words)?;
        required::<ByteArrayType, W>(&mut group, &self.duplicate_of)?;
        required::<ByteArrayType, W>(&mut group, &self.duplicate_of_file)?;
        optional::<Int64Type, W>(&mut group, &self.duplicate_of_row)?;
        required::<Int64Type, W>(&mut group, &self.duplicate_of_start)?;
        required::<ByteArrayType, W>(&mut group, &self.text)?;
        group.close().map(drop)
    }
}
