//! The rows of a partition in order, within a budget of memory: sorted runs go to temporary files and are merged.

use crate::Error;
use crate::output::{MAX_BYTES, MAX_ROWS};
use crate::step::Shuffle;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_cast::cast;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_row::{OwnedRow, RowConverter, Rows, SortField};
use arrow_schema::SchemaRef;
use arrow_select::interleave::interleave_record_batch;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, SeekFrom};
use std::path::PathBuf;

/// Bytes of a batch in a temporary file, about: as many as there are runs are in memory at once.
const RUN_BATCH_BYTES: usize = 1 << 20;

/// A batch with the columns of a schema: those that are not there have no values.
pub(crate) fn project(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, Error> {
    let column = |field: &arrow_schema::FieldRef| match batch.column_by_name(field.name()) {
        // engines have several layouts for text and bytes
        Some(column) => cast(column, field.data_type()),
        None => Ok(arrow_array::new_null_array(field.data_type(), batch.num_rows())),
    };
    let columns = schema.fields().iter().map(column).collect::<Result<_, _>>()?;
    Ok(RecordBatch::try_new(SchemaRef::clone(schema), columns)?)
}

/// Bytes that the rows of a batch take, without those of others that lie in the same buffers.
pub(crate) fn row_bytes(batch: &RecordBatch) -> usize {
    batch.columns().iter().map(|column| column.to_data().get_slice_memory_size().unwrap_or(0)).sum()
}

/// The sort keys of batches as bytes that are ordered as the rows are.
struct Keys {
    columns: Vec<usize>,
    converter: RowConverter,
}

impl Keys {
    fn new(schema: &SchemaRef, sort_by: &[&str]) -> Result<Self, Error> {
        // rows that are sorted are in one partition by a number, and that is what they are sorted by first
        let columns = sort_by.iter().map(|name| schema.index_of(name)).collect::<Result<Vec<usize>, _>>()?;
        let fields = columns.iter().map(|at| SortField::new(schema.field(*at).data_type().clone())).collect();
        Ok(Self { columns, converter: RowConverter::new(fields)? })
    }

    /// The rows of batches in their order: a number that tells most of them apart, the batch, the row.
    fn order(&self, batches: &[RecordBatch]) -> Result<Vec<(u64, u32, u32)>, Error> {
        let mut order: Vec<(u64, u32, u32)> = Vec::with_capacity(batches.iter().map(RecordBatch::num_rows).sum());
        if let [only] = self.columns[..] {
            for (at, batch) in (0..).zip(batches) {
                let numbers = batch.column(only).as_primitive::<Int64Type>().iter();
                // as keys are ordered: what has no number comes first
                let ordered = numbers.map(|number| number.map_or(0, |number| number.cast_unsigned() ^ (1 << 63)));
                order.extend((0..).zip(ordered).map(|(row, number)| (number, at, row)));
            }
            order.sort_unstable();
            return Ok(order);
        }
        let keys = batches.iter().map(|batch| self.of(batch)).collect::<Result<Vec<Rows>, Error>>()?;
        for (at, keys) in (0..).zip(&keys) {
            order.extend((0..).zip(keys).map(|(row, key)| (leading_number(key.as_ref()), at, row)));
        }
        let key = |(_, batch, row): &(u64, u32, u32)| keys[*batch as usize].row(*row as usize);
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| key(a).cmp(&key(b))));
        Ok(order)
    }

    fn of(&self, batch: &RecordBatch) -> Result<Rows, Error> {
        let columns: Vec<_> = self.columns.iter().map(|at| batch.column(*at).clone()).collect();
        Ok(self.converter.convert_columns(&columns)?)
    }
}

/// The number that rows are sorted by first: most are told apart by it alone. The first byte of a key says whether there is one.
fn leading_number(key: &[u8]) -> u64 {
    key.get(1..9).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_be_bytes)
}

/// Takes rows in any order.
pub(crate) struct SortedRows {
    schema: SchemaRef,
    keys: Keys,
    budget: usize,
    temp: Option<PathBuf>,
    held: Vec<RecordBatch>,
    bytes: usize,
    runs: Vec<File>,
}

impl SortedRows {
    pub(crate) fn new(shuffle: Shuffle, budget: usize, temp: Option<PathBuf>) -> Result<Self, Error> {
        let schema = crate::output::schema(shuffle.columns);
        let keys = Keys::new(&schema, shuffle.sort_by)?;
        Ok(Self { schema, keys, budget, temp, held: Vec::new(), bytes: 0, runs: Vec::new() })
    }

    pub(crate) fn push(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        let batch = project(batch, &self.schema)?;
        // sorting takes the keys and a place for each row besides
        self.bytes += row_bytes(&batch) + 32 * batch.num_rows();
        self.held.push(batch);
        if self.bytes > self.budget { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<(), Error> {
        let file = match &self.temp {
            Some(folder) => tempfile::tempfile_in(folder),
            None => tempfile::tempfile(),
        };
        let file = file.map_err(Error::Temporary)?;
        let mut writer = StreamWriter::try_new(BufWriter::new(file), &self.schema)?;
        for batch in self.take_sorted(RUN_BATCH_BYTES)? {
            writer.write(&batch?)?;
        }
        let mut file = writer.into_inner()?.into_inner().map_err(|error| Error::Temporary(error.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(Error::Temporary)?;
        self.runs.push(file);
        Ok(())
    }

    /// What is held, in order, in batches of about so many bytes.
    fn take_sorted(
        &mut self,
        batch_bytes: usize,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Error>> + use<>, Error> {
        let held = std::mem::take(&mut self.held);
        let bytes = std::mem::take(&mut self.bytes);
        let order = self.keys.order(&held)?;
        let rows = (batch_bytes / (bytes / order.len().max(1)).max(1)).clamp(1, MAX_ROWS);
        let mut from = 0;
        Ok(std::iter::from_fn(move || {
            let places = order.get(from..(from + rows).min(order.len())).filter(|places| !places.is_empty())?;
            from += places.len();
            let places: Vec<(usize, usize)> =
                places.iter().map(|(_, batch, row)| (*batch as usize, *row as usize)).collect();
            let batches: Vec<&RecordBatch> = held.iter().collect();
            Some(interleave_record_batch(&batches, &places).map_err(Error::from))
        }))
    }

    /// All rows, in order.
    pub(crate) fn finish(mut self) -> Result<Box<dyn Iterator<Item = Result<RecordBatch, Error>> + Send>, Error> {
        if self.runs.is_empty() {
            return Ok(Box::new(self.take_sorted(MAX_BYTES)?));
        }
        if !self.held.is_empty() {
            self.spill()?;
        }
        let mut merge = Merge { keys: self.keys, runs: Vec::new(), heads: BinaryHeap::new() };
        for (at, file) in self.runs.into_iter().enumerate() {
            let reader = StreamReader::try_new(BufReader::new(file), None)?;
            let empty = RecordBatch::new_empty(SchemaRef::clone(&self.schema));
            merge.runs.push(Run { keys: merge.keys.of(&empty)?, reader, batch: empty, at: 0 });
            merge.advance(at)?;
        }
        Ok(Box::new(std::iter::from_fn(move || merge.next().transpose())))
    }
}

struct Run {
    reader: StreamReader<BufReader<File>>,
    batch: RecordBatch,
    keys: Rows,
    /// The row of the batch that comes next.
    at: usize,
}

/// Sorted runs as one.
struct Merge {
    keys: Keys,
    runs: Vec<Run>,
    /// The next row of each run.
    heads: BinaryHeap<Reverse<(OwnedRow, usize)>>,
}

impl Merge {
    /// Puts the next row of a run among the heads; takes its next batch if it has to.
    fn advance(&mut self, run: usize) -> Result<(), Error> {
        let from = &mut self.runs[run];
        while from.at == from.batch.num_rows() {
            let Some(batch) = from.reader.next().transpose()? else { return Ok(()) };
            (from.keys, from.at, from.batch) = (self.keys.of(&batch)?, 0, batch);
        }
        self.heads.push(Reverse((from.keys.row(from.at).owned(), run)));
        Ok(())
    }

    fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let (mut places, mut ended) = (Vec::new(), None);
        while let Some(Reverse((_, run))) = self.heads.pop() {
            let from = &mut self.runs[run];
            places.push((run, from.at));
            from.at += 1;
            if from.at == from.batch.num_rows() {
                // its rows are needed until they are copied
                ended = Some(run);
                break;
            }
            self.advance(run)?;
            if places.len() == MAX_ROWS {
                break;
            }
        }
        if places.is_empty() {
            return Ok(None);
        }
        let batches: Vec<&RecordBatch> = self.runs.iter().map(|run| &run.batch).collect();
        let batch = interleave_record_batch(&batches, &places)?;
        ended.map_or(Ok(()), |run| self.advance(run))?;
        Ok(Some(batch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{BinaryArray, Int32Array, Int64Array};
    use arrow_schema::DataType;
    use proptest::prelude::*;
    use std::sync::Arc;

    const SHUFFLE: Shuffle = Shuffle {
        columns: &[("key", DataType::Int64), ("role", DataType::Int32), ("rank", DataType::Binary)],
        partition_by: Some("key"),
        sort_by: &["key", "role", "rank"],
    };

    type Row = (Option<i64>, i32, Vec<u8>);

    fn batch(rows: &[Row]) -> RecordBatch {
        let keys: Int64Array = rows.iter().map(|row| row.0).collect();
        let roles: Int32Array = rows.iter().map(|row| Some(row.1)).collect();
        let ranks: BinaryArray = rows.iter().map(|row| Some(row.2.as_slice())).collect();
        let columns: Vec<(&str, arrow_array::ArrayRef)> =
            vec![("rank", Arc::new(ranks)), ("key", Arc::new(keys)), ("role", Arc::new(roles))];
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn sorted(rows: &[Row], size: usize, budget: usize) -> Vec<Row> {
        let mut sort = SortedRows::new(SHUFFLE, budget, None).unwrap();
        rows.chunks(size).for_each(|some| sort.push(&batch(some)).unwrap());
        let mut all = Vec::new();
        for batch in sort.finish().unwrap().map(Result::unwrap) {
            for row in 0..batch.num_rows() {
                let key = batch["key"].as_primitive::<Int64Type>();
                let role = batch["role"].as_primitive::<arrow_array::types::Int32Type>().value(row);
                let rank = batch["rank"].as_binary::<i32>().value(row).to_vec();
                all.push((arrow_array::Array::is_valid(key, row).then(|| key.value(row)), role, rank));
            }
        }
        all
    }

    proptest! {
        #[test]
        fn as_rows_are_ordered(
            rows in prop::collection::vec(
                (prop::option::of(prop_oneof![-2i64..3, any::<i64>()]), -1i32..2, prop::collection::vec(any::<u8>(), 0..4)),
                0..200,
            ),
            size in 1usize..50,
            budget in prop_oneof![Just(0), 0usize..4000, Just(1 << 20)],
        ) {
            let mut expected = rows.clone();
            expected.sort();
            prop_assert_eq!(sorted(&rows, size, budget), expected);
        }
    }

    #[test]
    fn many_runs_of_many_batches() {
        let rows: Vec<Row> = (0..40_000u64)
            .map(|at| {
                (
                    Some((at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50).cast_signed()),
                    (at % 3) as i32,
                    vec![at as u8; 60],
                )
            })
            .collect();
        let mut expected = rows.clone();
        expected.sort();
        assert_eq!(sorted(&rows, 700, 1 << 20), expected);
    }
}
