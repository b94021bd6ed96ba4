//! `feature`, `doc` → the same with `df`, in how many documents the feature is, of features that more than one document has. Beyond the
//! greatest document frequency all are the same: one more than it. Holds as many rows as that, and so few however many have a feature.

use crate::Error;
use crate::columns::Longs;
use crate::dedup_steps::DedupSteps;
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};

const ROWS: [Column; 2] = [("feature", DataType::Int64), ("doc", DataType::Int64)];

const COLUMNS: [Column; 3] = [("doc", DataType::Int64), ("feature", DataType::Int64), ("df", DataType::Int32)];

pub(crate) struct Frequencies {
    max_df: usize,
    feature: Option<i64>,
    /// The documents of the feature, unless there are too many.
    documents: Vec<i64>,
    /// There are: those that come now are told at once.
    is_frequent: bool,
    out: Output,
}

impl Frequencies {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        // nobody has more documents than numbers of `df` tell
        let max_df = (steps.options.shingles.max_df as usize).min(i32::MAX as usize - 1);
        Self { max_df, feature: None, documents: Vec::new(), is_frequent: false, out: Output::new(&COLUMNS) }
    }

    fn tell(&mut self, document: i64, feature: i64, df: usize) -> Result<(), Error> {
        self.out.push([Value::Long(document), Value::Long(feature), Value::Int(i32::try_from(df).unwrap_or(i32::MAX))])
    }

    /// Gives the documents that are held, unless it is one.
    fn close(&mut self) -> Result<(), Error> {
        let documents = std::mem::take(&mut self.documents);
        if let Some(feature) = self.feature.filter(|_| documents.len() > 1) {
            documents.iter().try_for_each(|document| self.tell(*document, feature, documents.len()))?;
        }
        self.documents = documents;
        self.documents.clear();
        Ok(())
    }
}

impl Step for Frequencies {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("feature"), sort_by: &["feature"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (features, documents) = (Longs::new(batch, "feature")?, Longs::new(batch, "doc")?);
        for row in 0..batch.num_rows() {
            let (feature, document) = (features.get(row)?, documents.get(row)?);
            if self.feature.is_some_and(|last| last > feature) {
                return Err(Error::Unsorted { by: "`feature`" });
            }
            if self.feature != Some(feature) {
                if !self.is_frequent {
                    self.close()?;
                }
                (self.feature, self.is_frequent) = (Some(feature), false);
            }
            if self.is_frequent {
                self.tell(document, feature, self.max_df + 1)?;
                continue;
            }
            self.documents.push(document);
            if self.documents.len() > self.max_df {
                // a feature of one document is shared by nobody, however few are allowed
                self.close()?;
                self.is_frequent = true;
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        if !self.is_frequent {
            self.close()?;
        }
        self.out.finish()
    }
}
