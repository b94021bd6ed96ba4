//! Canonical documents → of each what `prefixes` needs to know beside its features. Holds nothing.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};

const COLUMNS: [Column; 4] =
    [("doc", DataType::Int64), ("rank", DataType::Binary), ("level", DataType::Int32), ("sketch", DataType::Binary)];

pub(crate) struct Canonical {
    out: Output,
}

impl Canonical {
    pub(crate) fn new() -> Self {
        Self { out: Output::new(&COLUMNS) }
    }
}

impl Step for Canonical {
    fn shuffle(&self) -> Shuffle {
        Shuffle::NONE
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (documents, levels) = (Longs::new(batch, "doc")?, Ints::new(batch, "level")?);
        let (ranks, sketches) = (Bytes::new(batch, "rank")?, Bytes::new(batch, "sketch")?);
        for row in 0..batch.num_rows() {
            // a duplicate of another document has no sketch
            let Some(sketch) = sketches.optional(row) else { continue };
            let (rank, level) = (Value::Bytes(ranks.get(row)?), Value::Int(levels.get(row)?));
            self.out.push([Value::Long(documents.get(row)?), rank, level, Value::Bytes(sketch)])?;
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
