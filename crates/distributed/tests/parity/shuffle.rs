//! A toy engine in memory: it divides rows by a hash of some columns, sorts them within partitions, cuts them into batches of any
//! size, and knows nothing of what they mean.

use crate::corpora::Dice;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array, new_null_array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use lookalike_distributed::{Error, Shuffle, Step};
use std::cmp::Ordering;
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

fn compare(column: &ArrayRef, i: usize, j: usize) -> Ordering {
    if column.is_null(i) || column.is_null(j) {
        return column.is_valid(i).cmp(&column.is_valid(j));
    }
    match column.data_type() {
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().value(i).cmp(&column.as_primitive::<Int64Type>().value(j))
        }
        DataType::Int32 => {
            column.as_primitive::<Int32Type>().value(i).cmp(&column.as_primitive::<Int32Type>().value(j))
        }
        DataType::Utf8 => column.as_string::<i32>().value(i).cmp(column.as_string::<i32>().value(j)),
        _ => column.as_binary::<i32>().value(i).cmp(column.as_binary::<i32>().value(j)),
    }
}

/// The partition of a row: any function of the values will do.
fn partition(columns: &[&ArrayRef], row: usize, partitions: usize) -> usize {
    let hash = |column: &&ArrayRef| {
        let column = column.as_primitive_opt::<Int64Type>().expect("partitions are by numbers");
        if column.is_null(row) { 1 } else { (column.value(row) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33 }
    };
    (columns.iter().map(hash).sum::<u64>() % partitions as u64) as usize
}

/// All partitions through a step, each through one of its own; the rows of a partition come in any order that the step allows.
pub(crate) fn run(
    input: &Table,
    partitions: usize,
    dice: &mut Dice,
    step: &dyn Fn() -> Box<dyn Step>,
) -> Result<Table, Error> {
    let (schema, Shuffle { partition_by, sort_by }) = (step().schema(), step().shuffle());
    let all = input.one();
    let columns = |names: &[&str]| -> Vec<&ArrayRef> {
        names.iter().map(|name| all.column_by_name(name).unwrap_or_else(|| panic!("no column {name}"))).collect()
    };
    let (keys, order) = (columns(partition_by), columns(sort_by));
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); partitions];
    let mut rows: Vec<usize> = (0..all.num_rows()).collect();
    for at in (1..rows.len()).rev() {
        rows.swap(at, dice.roll(at + 1));
    }
    for row in rows {
        let part = if keys.is_empty() { dice.roll(partitions) } else { partition(&keys, row, partitions) };
        parts[part].push(row as u32);
    }
    let mut batches = Vec::new();
    for mut part in parts {
        part.sort_by(|i, j| {
            let orders = order.iter().map(|column| compare(column, *i as usize, *j as usize));
            orders.fold(Ordering::Equal, Ordering::then)
        });
        let mut step = step();
        let mut rest = &part[..];
        while !rest.is_empty() {
            let (some, more) = rest.split_at(1 + dice.roll(rest.len().min(60)));
            let batch = take_record_batch(&all, &UInt32Array::from(some.to_vec())).unwrap();
            batches.extend(step.push(&batch)?);
            rest = more;
        }
        batches.extend(step.finish()?);
    }
    assert!(batches.iter().all(|batch| batch.schema() == schema), "what comes out is what was said");
    Ok(Table { schema, batches })
}
