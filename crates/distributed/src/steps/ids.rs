//! `doc`, `id` → `doc`, `id` and `reason` of documents that cannot be told apart: an id that is there twice, or another id with the same
//! key. They have to be taken out, or given other ids, before anything is compared. Holds one row.

use crate::Error;
use crate::columns::{Bytes, Longs};
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};

const ROWS: [Column; 2] = [("doc", DataType::Int64), ("id", DataType::Utf8)];

const COLUMNS: [Column; 3] = [("doc", DataType::Int64), ("id", DataType::Utf8), ("reason", DataType::Utf8)];

pub(crate) struct Ids {
    /// The document before, and whether it was told.
    last: Option<(i64, String, bool)>,
    out: Output,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self { last: None, out: Output::new(&COLUMNS) }
    }

    fn tell(&mut self, document: i64, id: &str, is_same: bool) -> Result<(), Error> {
        let reason = if is_same {
            "no usable id: another document has it too"
        } else {
            "no usable id: another one has the same hash"
        };
        self.out.push([Value::Long(document), Value::Text(id), Value::Text(reason)])
    }
}

impl Step for Ids {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("doc"), sort_by: &["doc", "id"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (documents, ids) = (Longs::new(batch, "doc")?, Bytes::new(batch, "id")?);
        for row in 0..batch.num_rows() {
            // a row that has only a reason
            let Some(document) = documents.optional(row) else { continue };
            let id = ids.text(row)?;
            let mut is_told = false;
            if let Some((last, last_id, last_told)) = self.last.take() {
                if last > document {
                    return Err(Error::Unsorted { by: "`doc` and `id`" });
                }
                if last == document {
                    let is_same = last_id == id;
                    if !last_told {
                        self.tell(last, &last_id, is_same)?;
                    }
                    self.tell(document, id, is_same)?;
                    is_told = true;
                }
            }
            self.last = Some((document, id.to_owned(), is_told));
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
