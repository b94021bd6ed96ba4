//! Rows on their way to whoever asked for documents.

use std::borrow::Cow;
use std::sync::Arc;

use crate::context::ReadContext;
use crate::document::{Body, Document, Item};
use crate::line_counts::LineCount;
use crate::place::Place;
use crate::shard_files::ShardRecords;
use crate::skipped::{Reason, Skipped};

/// The file that rows are of; shared by all its batches.
pub(crate) struct Table {
    /// What it is called.
    pub(crate) label: Arc<str>,
    /// Its number among the shards.
    pub(crate) source: u32,
    /// Its columns in words, for messages.
    pub(crate) columns: String,
}

impl Table {
    /// What the row of this number is called if it has no id; rows are counted from 0, but named from 1.
    pub(crate) fn row_id(&self, row: u64) -> String {
        format!("{}:{}", self.label, row + 1)
    }
}

/// What a row has of what is asked for.
pub(crate) struct Row<'a> {
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) category: Option<Cow<'a, str>>,
    pub(crate) rank: Option<Cow<'a, str>>,
    pub(crate) body: Body<'a>,
}

/// A reason, and the id of the row if it has one.
pub(crate) type BadRow = (Option<String>, Reason);

/// Hands rows on and counts them.
pub(crate) struct RowSink<'a> {
    context: &'a ReadContext,
    table: &'a Table,
    count: LineCount,
    sink: &'a mut dyn FnMut(Item<'_>),
}

impl<'a> RowSink<'a> {
    pub(crate) fn new(context: &'a ReadContext, table: &'a Table, sink: &'a mut dyn FnMut(Item<'_>)) -> Self {
        Self { context, table, count: LineCount { rows: true, ..LineCount::default() }, sink }
    }

    pub(crate) fn put(&mut self, number: u64, row: Result<Row<'_>, BadRow>) {
        let place = Place::Row { source: self.table.source, row: number };
        let row = row.and_then(|row| match self.check(&row.body) {
            Ok(()) => Ok(row),
            Err(reason) => Err((row.id.map(Cow::into_owned), reason)),
        });
        match row {
            Ok(Row { id, category, rank, body }) => {
                self.count.documents += 1;
                self.count.named += u64::from(id.is_some());
                if id.is_none() && self.count.first_nameless.is_none() {
                    self.count.first_nameless = Some((number + 1, self.table.columns.clone()));
                }
                let id = id.unwrap_or_else(|| Cow::Owned(self.table.row_id(number)));
                (self.sink)(Item::Document(Document { id, category, rank, body, place, known: None }));
            }
            Err((id, reason)) => {
                self.count.skipped += 1;
                if self.count.first_skipped.is_none() {
                    self.count.first_skipped = Some((number + 1, reason.to_string()));
                }
                let id = id.unwrap_or_else(|| self.table.row_id(number));
                (self.sink)(Item::Skipped(Skipped { id, reason }));
            }
        }
    }

    /// Features are not measured from below, as in JSONL.
    fn check(&self, body: &Body<'_>) -> Result<(), Reason> {
        let options = &self.context.options;
        match body {
            Body::Features(_) => options.check_size(body.len().max(options.min_size)),
            _ => options.check_size(body.len()),
        }
    }

    /// All rows of a batch were put.
    pub(crate) fn finish(self) {
        let all = self.count.documents + self.count.skipped;
        self.context.shard_files.add_records(self.table.source, ShardRecords { all, blank: 0 });
        self.context.line_counts.add(&self.table.label, self.count);
    }
}
