//! `id` and `text` of documents that are in pairs → the same for each cell that they are needed in. The texts of a batch are not copied
//! for that. Holds one batch.

use crate::Error;
use crate::columns::{Bytes, Names};
use crate::dedup_steps::DedupSteps;
use crate::grid::cells;
use crate::output::{Column, schema};
use crate::step::{Shuffle, Step};
use crate::steps::sketch::document_key;
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, SchemaRef};
use std::sync::Arc;

const COLUMNS: [Column; 5] = [
    ("cell", DataType::Int64),
    ("role", DataType::Int32),
    ("a", DataType::Int64),
    ("id", DataType::Utf8),
    ("text", DataType::Utf8),
];

pub(crate) struct Cells {
    side: u32,
    schema: SchemaRef,
}

impl Cells {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        Self { side: steps.options.side.max(1), schema: schema(&COLUMNS) }
    }
}

impl Step for Cells {
    fn shuffle(&self) -> Shuffle {
        Shuffle::NONE
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (names, texts) = (Names::new(batch, "id")?, Bytes::new(batch, "text")?);
        let rows = 0..batch.num_rows();
        let ids: Vec<_> = rows
            .clone()
            .map(|row| names.get(row).ok_or(Error::MissingValue { name: "id", row }))
            .collect::<Result<_, _>>()?;
        let documents: Vec<i64> = ids.iter().map(|id| document_key(id)).collect();
        let text: ArrayRef = match batch.column_by_name("text") {
            Some(text) if *text.data_type() == DataType::Utf8 => Arc::clone(text),
            _ => Arc::new(rows.clone().map(|row| texts.text(row).map(Some)).collect::<Result<StringArray, Error>>()?),
        };
        let ids: ArrayRef = Arc::new(ids.iter().map(Some).collect::<StringArray>());
        let role: ArrayRef = Arc::new(Int32Array::from_value(0, batch.num_rows()));
        let of_documents: ArrayRef = Arc::new(Int64Array::from(documents.clone()));
        let mut all: Vec<_> = documents.iter().map(|document| cells(*document, self.side)).collect();
        let mut out = Vec::new();
        for _ in 0..self.side {
            let cell: Int64Array = all.iter_mut().map(Iterator::next).collect();
            let columns = [&role, &of_documents, &ids, &text].map(Arc::clone);
            let columns = std::iter::once(Arc::new(cell) as ArrayRef).chain(columns).collect();
            out.push(RecordBatch::try_new(self.schema(), columns)?);
        }
        Ok(out)
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        Ok(Vec::new())
    }
}
