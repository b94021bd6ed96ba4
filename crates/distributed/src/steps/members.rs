//! Pairs → the documents whose texts are needed in which `cell`: the same row may come often. With its text it is a row for `verify`, and
//! its `bucket` is that of the pairs. Holds nothing.

use crate::Error;
use crate::columns::{Bytes, Longs};
use crate::dedup_steps::DedupSteps;
use crate::output::{Column, Output, Value};
use crate::packing::Buckets;
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::run::order::RankKey;

const COLUMNS: [Column; 5] = [
    ("bucket", DataType::Int64),
    ("cell", DataType::Int64),
    ("role", DataType::Int32),
    ("a", DataType::Int64),
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
        let cells = Longs::new(batch, "cell")?;
        for (side, name) in [("a", "rank_a"), ("b", "rank_b")] {
            let (documents, ranks) = (Longs::new(batch, side)?, Bytes::new(batch, name)?);
            let mut last = None;
            for row in 0..batch.num_rows() {
                let (cell, document) = (cells.get(row)?, documents.get(row)?);
                if last.replace((cell, document)) != Some((cell, document)) {
                    let key = RankKey::from_bytes(ranks.get(row)?).ok_or(Error::Damaged { name })?;
                    let (bucket, id) = (Value::Long(self.buckets.of(cell)), key.into_id());
                    let (cell, document) = (Value::Long(cell), Value::Long(document));
                    self.out.push([bucket, cell, Value::Int(0), document, Value::Text(&id)])?;
                }
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
