//! Pairs → the `id` of each of their documents, whose texts are needed; the same one may come often. Holds nothing.

use crate::Error;
use crate::columns::Bytes;
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::run::order::RankKey;

const COLUMNS: [Column; 1] = [("id", DataType::Utf8)];

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
        for name in ["rank_a", "rank_b"] {
            let ranks = Bytes::new(batch, name)?;
            let mut last: Option<&[u8]> = None;
            for row in 0..batch.num_rows() {
                let rank = ranks.get(row)?;
                if last.replace(rank) != Some(rank) {
                    let key = RankKey::from_bytes(rank).ok_or(Error::Damaged { name })?;
                    self.out.push([Value::Text(&key.into_id())])?;
                }
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
