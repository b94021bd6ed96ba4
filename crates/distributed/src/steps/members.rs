//! What `pairs` gives → the documents whose texts are needed in which `cell`: the same row may come often. With its text it is a row for `verify`, and
//! its `bucket` is that of the pairs. Holds nothing.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::dedup_steps::DedupSteps;
use crate::output::{Column, Output, Value};
use crate::packing::Buckets;
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::run::order::RankKey;

const COLUMNS: [Column; 6] = [
    ("bucket", DataType::Int64),
    ("cell", DataType::Int64),
    ("role", DataType::Int32),
    ("a", DataType::Int64),
    ("rank", DataType::Binary),
    ("id", DataType::Utf8),
];

pub(crate) struct Members {
    buckets: Buckets,
    out: Output,
}

impl Members {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        Self { buckets: steps.buckets.clone(), out: Output::new(&COLUMNS) }
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
        let (cells, documents) = (Longs::new(batch, "cell")?, Longs::new(batch, "a")?);
        let (roles, ranks) = (Ints::new(batch, "role")?, Bytes::new(batch, "rank")?);
        for row in 0..batch.num_rows() {
            if roles.get(row)? == 0 {
                let (cell, document, rank) = (cells.get(row)?, documents.get(row)?, ranks.get(row)?);
                let id = RankKey::from_bytes(rank).ok_or(Error::Damaged { name: "rank" })?.into_id();
                let (bucket, cell) = (Value::Long(self.buckets.of(cell)), Value::Long(cell));
                let (document, rank) = (Value::Long(document), Value::Bytes(rank));
                self.out.push([bucket, cell, Value::Int(0), document, rank, Value::Text(&id)])?;
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
