//! Parquet: row groups are read page by page, and of them only the columns that are asked for.

use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::schema::types::SchemaDescriptor;

use super::parquet_batch::{Columns, ParquetBatch, ROLES};
use super::parquet_column::{Cell, Found, find, names};
use super::parquet_cursor::{Cursor, Field};
use super::row::Table;
use crate::columns::{BoundedFile, guard, read_metadata};
use crate::context::ReadContext;
use crate::error::Error;
use crate::file;
use crate::names::id_of;
use crate::options::Options;
use crate::skipped::{Reason, Skipped};
use crate::source::{Piece, Source, WalkState};
use crate::unit_limit::{DecodeError, UnitLimit};

/// More rows than this are not handed over at once, however small they are.
const MAX_ROWS: usize = 64 << 10;

/// A Parquet file.
pub(crate) struct ParquetSource {
    table: Arc<Table>,
    file: Arc<BoundedFile>,
    metadata: ParquetMetaData,
    columns: Arc<Columns>,
    /// The row group that is read, and the rows of it that are left.
    group: usize,
    left: u64,
    cursors: Option<[Option<Cursor>; ROLES]>,
    /// The number of the next row, and how many there are in all.
    row: u64,
    rows: u64,
    bytes: u64,
    /// It is damaged; nothing comes any more.
    is_broken: bool,
}

impl ParquetSource {
    pub(crate) fn open(path: &Path, context: &ReadContext) -> Result<Self, Reason> {
        let (input, metadata) = file::open(path)?;
        let bytes = metadata.len();
        let step = || {
            let file = Arc::new(BoundedFile::new(input, bytes));
            let metadata = read_metadata(&file);
            let metadata = metadata.map_err(|error| Reason::Truncated(format!("not a whole Parquet file: {error}")))?;
            let schema = metadata.file_metadata().schema_descr();
            let columns = columns(schema, &context.options)?;
            check_codecs(&metadata, &columns)?;
            let rows = metadata.row_groups().iter().try_fold(0u64, |sum, group| sum.checked_add(rows(group)?));
            let rows = rows.ok_or_else(|| Reason::Truncated("impossible numbers of rows".into()))?;
            let source = context.shard_files.number(path);
            let table = Arc::new(Table { label: id_of(path).into(), source, columns: names(schema) });
            let columns = Arc::new(columns);
            Ok(Self {
                table,
                file,
                metadata,
                columns,
                group: 0,
                left: 0,
                cursors: None,
                row: 0,
                rows,
                bytes,
                is_broken: false,
            })
        };
        guard(step, |what| Reason::Truncated(what.into()))
    }

    /// The next rows, of about so many bytes of content.
    fn read(&mut self, state: &WalkState) -> Result<Option<ParquetBatch>, DecodeError> {
        let target = state.context.options.batch_bytes;
        self.open_group(&state.unit)?;
        let Some(cursors) = &mut self.cursors else { return Ok(None) };
        let (mut fields, mut rows, mut size) = ([const { Vec::new() }; ROLES], 0, 0);
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(MAX_ROWS);
        // The first role that is read says how far; the content always is.
        while rows < most && size < target {
            let Some(content) = &mut cursors[0] else { break };
            if content.rows.is_empty() && !content.fill(target)? {
                return Err(format!("it has {} rows fewer than it says", self.left - rows as u64).into());
            }
            while rows < most && size < target {
                let Some(field) = content.rows.pop_front() else { break };
                size += size_of_field(&field);
                fields[0].push(field);
                rows += 1;
            }
        }
        for (cursor, fields) in cursors.iter_mut().zip(&mut fields).skip(1) {
            let Some(cursor) = cursor else { continue };
            while cursor.rows.len() < rows {
                if !cursor.fill(target)? {
                    return Err("a column has fewer rows than the others".into());
                }
            }
            fields.extend(cursor.rows.drain(..rows));
        }
        let first = self.row;
        self.row += rows as u64;
        self.left -= rows as u64;
        if self.left == 0 {
            for cursor in cursors.iter_mut().flatten() {
                if !cursor.rows.is_empty() || cursor.fill(1)? {
                    return Err("it has more rows than it says".into());
                }
            }
            self.cursors = None;
            self.group += 1;
        }
        let (context, table, columns) =
            (Arc::clone(&state.context), Arc::clone(&self.table), Arc::clone(&self.columns));
        let bytes = self.bytes_before(self.row) - self.bytes_before(first);
        Ok(Some(ParquetBatch { context, table, columns, first, rows, fields, bytes, size: size as u64 }))
    }

    /// Sees to it that a row group with rows is open, unless there is none left.
    fn open_group(&mut self, unit: &UnitLimit) -> Result<(), DecodeError> {
        while self.cursors.is_none() && self.group < self.metadata.num_row_groups() {
            let group = self.metadata.row_group(self.group);
            self.left = rows(group).unwrap_or(0);
            if self.left == 0 {
                self.group += 1;
                continue;
            }
            let mut cursors = [const { None }; ROLES];
            for (cursor, column) in cursors.iter_mut().zip(&*self.columns) {
                let Some(column) = column else { continue };
                *cursor = Some(Cursor::new(&self.file, group, column, unit.clone())?);
            }
            self.cursors = Some(cursors);
        }
        Ok(())
    }

    /// The share of the file that the first so many rows stand for.
    fn bytes_before(&self, row: u64) -> u64 {
        (u128::from(self.bytes) * u128::from(row) / u128::from(self.rows.max(1))) as u64
    }
}

impl Source for ParquetSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        if self.is_broken {
            return None;
        }
        match guard(|| self.read(state), DecodeError::from) {
            Ok(batch) => batch.map(|batch| Ok(Piece::Batch(Box::new(batch)))),
            Err(error) => {
                self.is_broken = true;
                let place = format!("row group {}, from row {} on", self.group + 1, self.row + 1);
                let id = self.table.label.to_string();
                Some(Ok(Piece::Skip(Skipped { id, reason: error.at(&place) })))
            }
        }
    }
}

/// What the decoder takes for a row.
fn size_of_field(field: &Field) -> usize {
    match field {
        Field::One(Cell::Bytes(text)) => text.len() + 1,
        Field::One(_) | Field::List(None) => 1,
        Field::List(Some(list)) => {
            list.iter().map(|cell| if let Cell::Bytes(text) = cell { text.len() } else { 8 }).sum()
        }
    }
}

fn rows(group: &RowGroupMetaData) -> Option<u64> {
    u64::try_from(group.num_rows()).ok()
}

/// The columns that are asked for. That of the content must be there.
fn columns(schema: &SchemaDescriptor, options: &Options) -> Result<Columns, Reason> {
    let field = options.body_field();
    let (expected, is_list) = match options.features_field {
        Some(_) => ("a list of strings or integers", true),
        None => ("text", false),
    };
    let content = match find(schema, field) {
        Found::Column(column) if !is_list && column.is_text() => column,
        Found::List(column) if is_list && column.is_text_or_integer() => column,
        Found::Missing => {
            let found = names(schema);
            return Err(Reason::NoText(format!("there is no column {field:?}; expected {expected}, found {found}")));
        }
        other => {
            let found = match other {
                Found::Column(column) => column.description(),
                Found::List(column) => format!("a list of {}", column.description()),
                _ => "nested".into(),
            };
            return Err(Reason::NoText(format!("the column {field:?} is {found}; expected {expected}")));
        }
    };
    let id = match find(schema, &options.id_field) {
        Found::Column(column) => Some(column),
        Found::Missing => None,
        Found::List(_) | Found::Nested => {
            let field = &options.id_field;
            let message = format!("the column {field:?} is a list or nested; expected strings or integers");
            return Err(Reason::BadId(message));
        }
    };
    let scalar = |field: &Option<String>| match find(schema, field.as_deref()?) {
        Found::Column(column) => Some(column),
        _ => None,
    };
    Ok([Some(content), id, scalar(&options.category_field), scalar(&options.rank_field)])
}

/// A compression that is not supported is not damage.
fn check_codecs(metadata: &ParquetMetaData, columns: &Columns) -> Result<(), Reason> {
    for group in metadata.row_groups() {
        for column in columns.iter().flatten() {
            let codec =
                group.columns().get(column.index).map(parquet::file::metadata::ColumnChunkMetaData::compression);
            if let Some(codec @ (Compression::BROTLI(_) | Compression::LZO)) = codec {
                return Err(Reason::Unreadable(format!(
                    "the column {:?} is compressed by {codec}; expected zstd, snappy, gzip, lz4 or no compression",
                    column.descr.path().string()
                )));
            }
        }
    }
    Ok(())
}
