//! The values of one column of one row group, row by row.

use std::collections::VecDeque;
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;

use super::parquet_column::{Cell, Column};
use crate::columns::{Allowance, BoundedFile, BoundedPages};
use crate::unit_limit::UnitLimit;

/// So many rows are decoded at once.
const MAX_ROWS: usize = 8 << 10;

/// What a row has in a column.
#[derive(Clone, Debug)]
pub(super) enum Field {
    One(Cell),
    /// A list, if it is not null.
    List(Option<Vec<Cell>>),
}

/// Reads one column of one row group.
pub(super) struct Cursor {
    column: Column,
    reader: ColumnReader,
    allowance: Allowance,
    /// Rows that were read and not taken.
    pub(super) rows: VecDeque<Field>,
    /// A list that may go on in the next page.
    open: Option<Field>,
}

impl Cursor {
    pub(super) fn new(
        file: &Arc<BoundedFile>,
        group: &RowGroupMetaData,
        column: &Column,
        unit: UnitLimit,
    ) -> Result<Self> {
        let allowance = Allowance::new(unit);
        let pages = BoundedPages::open(file, group, column.index, allowance.clone())?;
        let reader = get_column_reader(column.descr.clone(), Box::new(pages));
        Ok(Self { column: column.clone(), reader, allowance, rows: VecDeque::new(), open: None })
    }

    /// Reads at least one row more, of pages of about so many bytes; false at the end.
    pub(super) fn fill(&mut self, bytes: usize) -> Result<bool> {
        let before = self.rows.len();
        while self.rows.len() == before {
            self.allowance.grant(bytes);
            if !self.read()? {
                let last = self.open.take();
                self.rows.extend(last);
                break;
            }
        }
        Ok(self.rows.len() > before)
    }

    /// Reads on; false at the end.
    fn read(&mut self) -> Result<bool> {
        let (column, rows, open) = (&self.column, &mut self.rows, &mut self.open);
        match &mut self.reader {
            ColumnReader::BoolColumnReader(reader) => read(reader, column, rows, open, Cell::Bool),
            ColumnReader::Int32ColumnReader(reader) => {
                read(reader, column, rows, open, |value| Cell::Int(i64::from(value)))
            }
            ColumnReader::Int64ColumnReader(reader) => read(reader, column, rows, open, Cell::Int),
            ColumnReader::Int96ColumnReader(reader) => read(reader, column, rows, open, |value| {
                let [low, high, day] = *value.data() else { return Cell::Null };
                let nanoseconds = i128::from(low) | i128::from(high) << 32;
                // days are counted from noon 4713 BC on
                let days = i128::from(day.cast_signed()) - 2_440_588;
                Cell::Nanoseconds(days * 86_400_000_000_000 + nanoseconds)
            }),
            ColumnReader::FloatColumnReader(reader) => read(reader, column, rows, open, Cell::Float),
            ColumnReader::DoubleColumnReader(reader) => read(reader, column, rows, open, Cell::Double),
            ColumnReader::ByteArrayColumnReader(reader) => read(reader, column, rows, open, Cell::Bytes),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                read(reader, column, rows, open, |value| Cell::Bytes(ByteArray::from(value)))
            }
        }
    }
}

fn read<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    column: &Column,
    rows: &mut VecDeque<Field>,
    open: &mut Option<Field>,
    cell: impl Fn(T::T) -> Cell,
) -> Result<bool> {
    let (mut definitions, mut repetitions, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let (_, _, levels) = reader.read_records(MAX_ROWS, Some(&mut definitions), Some(&mut repetitions), &mut values)?;
    let most = column.descr.max_def_level();
    let present = if most == 0 { levels } else { definitions.iter().filter(|level| **level == most).count() };
    if values.len() != present || (most > 0 && definitions.len() != levels) {
        return Err(ParquetError::General("there are not as many values as levels".into()));
    }
    let mut values = values.into_iter().map(cell);
    let mut next = |level: Option<&i16>| match level {
        Some(level) if *level < most => Cell::Null,
        _ => values.next().unwrap_or(Cell::Null),
    };
    if column.descr.max_rep_level() == 0 {
        rows.extend((0..levels).map(|at| Field::One(next(definitions.get(at)))));
        return Ok(levels > 0);
    }
    if repetitions.len() != levels {
        return Err(ParquetError::General("there are not as many levels of one kind as of the other".into()));
    }
    // the level from which on there is an element, if only a null
    let element = column.descr.repeated_ancestor_def_level();
    for (definition, repetition) in definitions.iter().zip(&repetitions) {
        if *repetition == 0 {
            rows.extend(open.take());
            *open = Some(Field::List((*definition >= element - 1).then(Vec::new)));
        }
        if *definition >= element {
            let value = next(Some(definition));
            if let Some(Field::List(Some(list))) = open {
                list.push(value);
            }
        }
    }
    Ok(levels > 0)
}
