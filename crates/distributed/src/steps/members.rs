//! Pairs → the documents whose texts are needed in which `cell`: the same row may come often. With its text it is a row for `verify`. Holds
//! nothing.

use crate::Error;
use crate::columns::{Bytes, Longs};
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::run::order::RankKey;

const COLUMNS: [Column; 4] =
    [("cell", DataType::Int64), ("role", DataType::Int32), ("a", DataType::Int64), ("id", DataType::Utf8)];

pub(crate) struct Members {
    out: Output,
}

impl Members {
    pub(crate) fn new() -> Self {
        Self { out: Output::new(&COLUMNS) }
    }
}

impl Step for Members {
    fn shuffle(&self) -> Shuffle {
        Shuffle::NONE
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let cells = Longs::new(batch, "cell")?;
        for (side, name) in [("a", "rank_a"), ("b", "rank_b")] {
            let (documents, ranks) = (Longs::new(batch, side)?, Bytes::new(batch, name)?);
            let mut last = None;
            for row in 0..batch.num_rows() {
                let (cell, document) = (cells.get(row)?, documents.get(row)?);
                if last.replace((cell, document)) != Some((cell, document)) {
                    let key = RankKey::from_bytes(ranks.get(row)?).ok_or(Error::Damaged { name })?;
                    let (cell, document) = (Value::Long(cell), Value::Long(document));
                    self.out.push([cell, Value::Int(0), document, Value::Text(&key.into_id())])?;
                }
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
