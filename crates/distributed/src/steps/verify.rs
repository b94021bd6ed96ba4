//! The documents of a `cell`, then its pairs → the pairs that are links, with what their whole feature sets have in common.
//!
//! Documents have the `role` 0 and pairs 1. A pair that comes several times is compared once. Holds the feature sets of one cell, as many
//! as the memory allows; the others wait in a temporary file.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::dedup_steps::DedupSteps;
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use crate::steps::verify::sets::SetStore;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_core::sets::Overlap;
use lookalike_engine::lens::shingles::sketcher::Sketcher;
use lookalike_engine::run::filter::Filter;
use lookalike_engine::run::order::RankKey;

mod sets;

const ROWS: [Column; 8] = [
    ("cell", DataType::Int64),
    ("role", DataType::Int32),
    ("a", DataType::Int64),
    ("b", DataType::Int64),
    ("rank_a", DataType::Binary),
    ("rank_b", DataType::Binary),
    ("id", DataType::Utf8),
    ("text", DataType::Utf8),
];

const COLUMNS: [Column; 8] = [
    ("a", DataType::Int64),
    ("b", DataType::Int64),
    ("rank_a", DataType::Binary),
    ("rank_b", DataType::Binary),
    ("size_a", DataType::Int64),
    ("size_b", DataType::Int64),
    ("shared", DataType::Int64),
    ("resemblance", DataType::Float64),
];

pub(crate) struct Verify {
    sketcher: Sketcher,
    filter: Filter,
    /// Cell, role, and the documents of the pair of the row before.
    last: Option<(i64, i32, i64, i64)>,
    sets: SetStore,
    out: Output,
}

impl Verify {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        let sets = SetStore::new(steps.options.memory, steps.options.temp.clone());
        let (sketcher, filter) = (steps.sketcher.clone(), steps.filter);
        Self { sketcher, filter, last: None, sets, out: Output::new(&COLUMNS) }
    }

    fn is_link(&self, overlap: Overlap, ranks: [(&'static str, &[u8]); 2]) -> Result<bool, Error> {
        if !self.filter.accepts(overlap) {
            return Ok(false);
        }
        let Some(banding) = self.filter.policy.banding else { return Ok(true) };
        let [a, b] = ranks.map(|(name, rank)| RankKey::from_bytes(rank).ok_or(Error::Damaged { name }));
        Ok(banding.finds(a?.tie_break(), b?.tie_break(), overlap.resemblance()))
    }
}

impl Step for Verify {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("cell"), sort_by: &["cell", "role", "a", "b"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let long = |name: &'static str| Longs::new(batch, name);
        let bytes = |name: &'static str| Bytes::new(batch, name);
        let (cells, documents, others) = (long("cell")?, long("a")?, long("b")?);
        let (roles, ids, texts) = (Ints::new(batch, "role")?, bytes("id")?, bytes("text")?);
        let (ranks_a, ranks_b) = (bytes("rank_a")?, bytes("rank_b")?);
        for row in 0..batch.num_rows() {
            let (cell, role, a) = (cells.get(row)?, roles.get(row)?, documents.get(row)?);
            let b = if role == 0 { a } else { others.get(row)? };
            let this = (cell, role, a, b);
            let last = self.last.replace(this);
            if last.is_some_and(|last| last > this) {
                return Err(Error::Unsorted { by: "`cell`, `role`, `a` and `b`" });
            }
            if last.is_none_or(|last| last.0 != cell) {
                self.sets.clear();
            }
            if role == 0 {
                if last == Some(this) {
                    return Err(Error::Repeated { document: a });
                }
                let id = ids.text(row)?;
                let set = self.sketcher.set_of_text(id, texts.text(row)?);
                let set = set.map_err(|reason| Error::Changed { id: id.to_owned(), reason })?;
                self.sets.insert(a, set)?;
                continue;
            }
            if last == Some(this) {
                continue;
            }
            let overlap = self.sets.overlap(a, b)?;
            let (rank_a, rank_b) = (ranks_a.get(row)?, ranks_b.get(row)?);
            if self.is_link(overlap, [("rank_a", rank_a), ("rank_b", rank_b)])? {
                self.out.push([
                    Value::Long(a),
                    Value::Long(b),
                    Value::Bytes(rank_a),
                    Value::Bytes(rank_b),
                    Value::Long(i64::from(overlap.a)),
                    Value::Long(i64::from(overlap.b)),
                    Value::Long(i64::from(overlap.shared)),
                    Value::Real(overlap.resemblance()),
                ])?;
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
