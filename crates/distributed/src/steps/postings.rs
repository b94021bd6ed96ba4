//! Canonical documents → `feature` and `doc` for each feature of their sketches. Rows without a sketch give none. Holds one row.

use crate::Error;
use crate::columns::{Bytes, Longs};
use crate::output::{Column, Output, Value};
use crate::sample::decode_features;
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};

const COLUMNS: [Column; 2] = [("feature", DataType::Int64), ("doc", DataType::Int64)];

pub(crate) struct Postings {
    out: Output,
}

impl Postings {
    pub(crate) fn new() -> Self {
        Self { out: Output::new(&COLUMNS) }
    }
}

impl Step for Postings {
    fn shuffle(&self) -> Shuffle {
        Shuffle::NONE
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (documents, sketches) = (Longs::new(batch, "doc")?, Bytes::new(batch, "sketch")?);
        for row in 0..batch.num_rows() {
            let Some(sketch) = sketches.optional(row) else { continue };
            let document = documents.get(row)?;
            for feature in decode_features(sketch).ok_or(Error::Damaged { name: "sketch" })? {
                self.out.push([Value::Hash(feature), Value::Long(document)])?;
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
