//! A toy engine in memory: it divides rows by a hash of a column, cuts them into batches of any size in any order, and knows nothing of
//! what they mean.

use crate::corpora::Dice;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array, new_null_array};
use arrow_schema::{Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use lookalike_distributed::{DedupSteps, Error};
use std::sync::Arc;

/// Some rows, of one schema even if there are none.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

impl Table {
    pub(crate) fn of(batch: RecordBatch) -> Self {
        Self { schema: batch.schema(), batches: vec![batch] }
    }

    pub(crate) fn one(&self) -> RecordBatch {
        concat_batches(&self.schema, &self.batches).unwrap()
    }

    pub(crate) fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The rows of both; columns that one has not have no values there.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut fields: Vec<Arc<Field>> = self.schema.fields().iter().cloned().collect();
        let has = |name: &str| self.schema.field_with_name(name).is_ok();
        fields.extend(other.schema.fields().iter().filter(|field| !has(field.name())).cloned());
        let schema = Arc::new(Schema::new(fields));
        let widened = |batch: &RecordBatch| {
            let column = |field: &Arc<Field>| {
                let missing = || new_null_array(field.data_type(), batch.num_rows());
                batch.column_by_name(field.name()).cloned().unwrap_or_else(missing)
            };
            RecordBatch::try_new(Arc::clone(&schema), schema.fields().iter().map(column).collect()).unwrap()
        };
        let batches = self.batches.iter().chain(&other.batches).map(widened).collect();
        Self { schema: Arc::clone(&schema), batches }
    }

    /// The same with a column more.
    pub(crate) fn with(&self, name: &str, column: impl Fn(&RecordBatch) -> ArrayRef) -> Self {
        let all = self.one();
        let column = column(&all);
        let mut fields: Vec<Arc<Field>> = self.schema.fields().iter().cloned().collect();
        fields.push(Arc::new(Field::new(name, column.data_type().clone(), true)));
        let columns = all.columns().iter().cloned().chain([column]).collect();
        Self::of(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap())
    }
}

/// The partition of a row: any function of the number will do.
fn partition(column: &ArrayRef, row: usize, partitions: usize) -> usize {
    let column = column.as_primitive_opt::<Int64Type>().expect("partitions are by numbers");
    let number = if column.is_null(row) { 1 } else { column.value(row) as u64 };
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % partitions
}

/// All partitions through a step, each through a task of its own. What is packed goes where its bucket says.
pub(crate) fn run(
    input: &Table,
    partitions: usize,
    dice: &mut Dice,
    steps: &DedupSteps,
    (name, pack_for): (&str, Option<&str>),
) -> Result<Table, Error> {
    let step = |name: &str| steps.step(name).unwrap_or_else(|| panic!("no step {name}"));
    let all = input.one();
    let shuffled_by = step(name).shuffle().partition_by.map(|by| {
        let column = all.column_by_name("bucket").or_else(|| all.column_by_name(by));
        column.unwrap_or_else(|| panic!("no column {by}"))
    });
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); partitions];
    let mut rows: Vec<usize> = (0..all.num_rows()).collect();
    for at in (1..rows.len()).rev() {
        rows.swap(at, dice.roll(at + 1));
    }
    for row in rows {
        let part = shuffled_by.map_or_else(|| dice.roll(partitions), |column| partition(column, row, partitions));
        parts[part].push(row as u32);
    }
    let (mut schema, mut batches) = (step(name).schema(), Vec::new());
    for part in parts {
        let mut rest = &part[..];
        let rows = std::iter::from_fn(|| {
            let (some, more) = rest.split_at(if rest.is_empty() { 0 } else { 1 + dice.roll(rest.len().min(60)) });
            rest = more;
            (!some.is_empty()).then(|| take_record_batch(&all, &UInt32Array::from(some.to_vec())))
        });
        let next = pack_for.map(step);
        let task = steps.task(step(name), next.as_deref(), rows)?;
        schema = task.schema();
        batches.extend(task.collect::<Result<Vec<RecordBatch>, Error>>()?);
    }
    assert!(batches.iter().all(|batch| batch.schema() == schema), "what comes out is what was said");
    Ok(Table { schema, batches })
}
