//! Some rows of a Parquet file.

use std::borrow::Cow;
use std::sync::Arc;

use super::parquet_column::{Cell, Column};
use super::parquet_cursor::Field;
use super::row::{BadRow, Row, RowSink, Table};
use super::value::{check_id, quoted, text_of};
use crate::context::ReadContext;
use crate::document::{Body, Item};
use crate::reader::Batch;
use crate::skipped::Reason;

/// What is asked for of each row, in this order: content, id, category, rank.
pub(super) const ROLES: usize = 4;

/// The columns that are read, by role.
pub(super) type Columns = [Option<Column>; ROLES];

/// Rows that follow each other; the values of a role that no column has are missing.
pub(super) struct ParquetBatch {
    pub(super) context: Arc<ReadContext>,
    pub(super) table: Arc<Table>,
    pub(super) columns: Arc<Columns>,
    /// The number of the first row.
    pub(super) first: u64,
    pub(super) rows: usize,
    pub(super) fields: [Vec<Field>; ROLES],
    pub(super) bytes: u64,
    /// Bytes of all contents.
    pub(super) size: u64,
}

impl Batch for ParquetBatch {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn size(&self) -> u64 {
        self.size
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        let mut sink = RowSink::new(&self.context, &self.table, sink);
        for at in 0..self.rows {
            sink.put(self.first + at as u64, self.row(at));
        }
        sink.finish();
    }
}

impl ParquetBatch {
    fn row(&self, at: usize) -> Result<Row<'_>, BadRow> {
        let id = self.text(1, at).map(check_id).transpose().map_err(|reason| (None, reason))?;
        match self.body(at) {
            Ok(body) => Ok(Row { id, category: self.text(2, at), rank: self.text(3, at), body }),
            Err(reason) => Err((id.map(Cow::into_owned), reason)),
        }
    }

    fn text(&self, role: usize, at: usize) -> Option<Cow<'_, str>> {
        match self.fields[role].get(at)? {
            Field::One(cell) => self.columns[role].as_ref()?.text(cell),
            Field::List(_) => None,
        }
    }

    fn body(&self, at: usize) -> Result<Body<'_>, Reason> {
        let field = self.context.options.body_field();
        let null = |expected: &str| Reason::NoText(format!("the field {field:?} is null; expected {expected}"));
        match self.fields[0].get(at) {
            Some(Field::One(Cell::Bytes(text))) => text_of(text.data(), field).map(|text| Body::Text(text.into())),
            Some(Field::One(_)) | None => Err(null("text")),
            Some(Field::List(None)) => Err(null("a list")),
            Some(Field::List(Some(list))) => {
                let features = list.iter().zip(1..).map(|(cell, position)| self.feature(cell, position, field));
                features.collect::<Result<_, _>>().map(Body::Features)
            }
        }
    }

    fn feature(&self, cell: &Cell, position: usize, field: &str) -> Result<Cow<'_, str>, Reason> {
        match cell {
            Cell::Bytes(text) => text_of(text.data(), field).map(quoted),
            Cell::Int(_) => {
                let text = self.columns[0].as_ref().and_then(|column| column.text(cell));
                Ok(Cow::Owned(text.unwrap_or_default().into_owned()))
            }
            _ => Err(Reason::NoText(format!(
                "element {position} of the field {field:?} is null; expected a string or an integer"
            ))),
        }
    }
}
