//! Rows on their way to another partition, many in one: an engine that moves a thousand rows as one value does a thousandth of the work.
//!
//! A packed row has a `bucket`, which decides on the partition, and the rows themselves in `packed`, as an Arrow stream.

use crate::Error;
use crate::columns::has;
use crate::output::{self, Column, Output, Value};
use crate::sorted_rows::{project, row_bytes};
use crate::step::Shuffle;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_select::interleave::interleave_record_batch;
use std::sync::Arc;

const COLUMNS: [Column; 2] = [("bucket", DataType::Int64), ("packed", DataType::Binary)];

/// Bytes of rows that wait to be packed.
const HELD_BYTES: usize = 32 << 20;
/// Bytes of one packed row, about.
const PACKED_BYTES: usize = 1 << 20;

/// The numbers that an engine sends to different partitions, one for each of them.
#[derive(Clone, Debug)]
pub(crate) struct Buckets(Arc<[i64]>);

impl Buckets {
    pub(crate) fn new(numbers: &[i64]) -> Self {
        Self(if numbers.is_empty() { [0].into() } else { numbers.into() })
    }

    fn place(&self, number: i64) -> usize {
        // features of samples end in zeros: the high bits of a product depend on all bits
        let mixed = number.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * self.0.len() as u128) >> 64) as usize
    }

    /// The bucket of rows that have this number where partitions are decided.
    pub(crate) fn of(&self, number: i64) -> i64 {
        self.0[self.place(number)]
    }
}

/// Packs rows for the step that they go to.
pub(crate) struct Packer {
    schema: SchemaRef,
    partition_by: &'static str,
    buckets: Buckets,
    held: Vec<RecordBatch>,
    bytes: usize,
    out: Output,
}

impl Packer {
    /// None if that step asks for no partitions.
    pub(crate) fn new(shuffle: Shuffle, buckets: Buckets) -> Option<Self> {
        let (schema, partition_by) = (output::schema(shuffle.columns), shuffle.partition_by?);
        Some(Self { schema, partition_by, buckets, held: Vec::new(), bytes: 0, out: Output::new(&COLUMNS) })
    }

    pub(crate) fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    pub(crate) fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let batch = project(batch, &self.schema)?;
        self.bytes += row_bytes(&batch);
        self.held.push(batch);
        if self.bytes >= HELD_BYTES {
            self.pack()?;
        }
        Ok(self.out.take())
    }

    fn pack(&mut self) -> Result<(), Error> {
        let held = std::mem::take(&mut self.held);
        let bytes = std::mem::take(&mut self.bytes);
        let mut places: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.buckets.0.len()];
        let mut rows = 0;
        for (at, batch) in held.iter().enumerate() {
            let numbers = batch[self.partition_by].as_primitive::<Int64Type>();
            for row in 0..batch.num_rows() {
                let number = if numbers.is_valid(row) { numbers.value(row) } else { 0 };
                places[self.buckets.place(number)].push((at, row));
            }
            rows += batch.num_rows();
        }
        let rows = (PACKED_BYTES / (bytes / rows.max(1)).max(1)).max(1);
        let batches: Vec<&RecordBatch> = held.iter().collect();
        for (bucket, places) in self.buckets.0.iter().zip(&places) {
            for some in places.chunks(rows) {
                let mut writer = StreamWriter::try_new(Vec::new(), &self.schema)?;
                writer.write(&interleave_record_batch(&batches, some)?)?;
                self.out.push([Value::Long(*bucket), Value::Bytes(&writer.into_inner()?)])?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.pack()?;
        self.out.finish()
    }
}

/// The rows of a batch, those that are packed and those that are not.
pub(crate) fn unpack(
    batch: &RecordBatch,
    mut each: impl FnMut(&RecordBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    if !has(batch, "packed") {
        return each(batch);
    }
    let packed = crate::columns::Bytes::new(batch, "packed")?;
    let is_plain: BooleanArray = (0..batch.num_rows()).map(|row| Some(packed.optional(row).is_none())).collect();
    if is_plain.true_count() > 0 {
        each(&filter_record_batch(batch, &is_plain)?)?;
    }
    for bytes in (0..batch.num_rows()).filter_map(|row| packed.optional(row)) {
        for rows in StreamReader::try_new(bytes, None)? {
            each(&rows?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, BinaryArray, Int64Array};
    use std::collections::{BTreeMap, BTreeSet};

    const SHUFFLE: Shuffle = Shuffle {
        columns: &[("feature", DataType::Int64), ("doc", DataType::Int64)],
        partition_by: Some("feature"),
        sort_by: &["feature"],
    };

    fn numbers(batch: &RecordBatch, name: &str) -> Vec<i64> {
        batch[name].as_primitive::<Int64Type>().values().to_vec()
    }

    #[test]
    fn what_is_packed_is_unpacked_and_one_number_has_one_bucket() {
        let buckets = Buckets::new(&[70, 71, 75]);
        let mut packer = Packer::new(SHUFFLE, buckets.clone()).unwrap();
        // sampled features end in zeros
        let features = Int64Array::from_iter_values((0..30_000).map(|at| (at / 3) << 40));
        let docs = Int64Array::from_iter_values(0..30_000);
        let columns: Vec<(&str, ArrayRef)> = vec![("doc", Arc::new(docs)), ("feature", Arc::new(features))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut packed = packer.push(&batch).unwrap();
        packed.extend(packer.finish().unwrap());
        let (mut rows, mut sizes) = (BTreeSet::new(), BTreeMap::new());
        for packed in &packed {
            for at in 0..packed.num_rows() {
                let one = packed.slice(at, 1);
                let bucket = numbers(&one, "bucket")[0];
                unpack(&one, |batch| {
                    for (feature, doc) in numbers(batch, "feature").into_iter().zip(numbers(batch, "doc")) {
                        assert_eq!(buckets.of(feature), bucket);
                        assert!(rows.insert((feature, doc)));
                    }
                    *sizes.entry(bucket).or_insert(0) += batch.num_rows();
                    Ok(())
                })
                .unwrap();
            }
        }
        assert_eq!(rows.len(), 30_000);
        assert_eq!(sizes.len(), 3);
        assert!(sizes.values().all(|size| (8_000..12_000).contains(size)), "{sizes:?}");
    }

    #[test]
    fn bytes_that_are_no_rows_are_refused() {
        let columns: Vec<(&str, ArrayRef)> = vec![("packed", Arc::new(BinaryArray::from_vec(vec![b"no rows"])))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        assert!(matches!(unpack(&batch, |_| Ok(())), Err(Error::Arrow(_))));
    }
}
