//! What a step is to the engine that shuffles for it.

use crate::Error;
use crate::output::Column;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

/// Which rows a step must see together. A row that has a reason in place of a value is left out by the step itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// What of a row is shuffled. Empty if rows are looked at one by one.
    pub(crate) columns: &'static [Column],
    /// Rows that have the same number here are in one partition. None if any partition will do.
    pub partition_by: Option<&'static str>,
    /// The rows of a partition are in the order of these values. Empty if any order will do.
    pub sort_by: &'static [&'static str],
}

impl Shuffle {
    /// Rows are looked at one by one.
    pub const NONE: Self = Self { columns: &[], partition_by: None, sort_by: &[] };
}

/// The work on one partition: all its batches, then the end.
pub trait Step: Send {
    /// How the rows that come in are to be shuffled.
    fn shuffle(&self) -> Shuffle;
    /// The rows that go out.
    fn schema(&self) -> SchemaRef;
    /// Takes the next batch, of rows that are sorted; gives what is ready.
    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error>;
    /// There are no more: gives the rest, some at a time, and nothing when that was all.
    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error>;
}
