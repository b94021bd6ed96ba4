//! The pairs of some cells, and their documents with texts → the pairs that are links, with what their whole feature sets have in common.
//!
//! Documents have the `role` 0 and pairs 1. A pair that comes several times is compared once. Holds the rank of each document, and as many
//! feature sets and pairs as the memory allows; the others wait in temporary files.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::dedup_steps::DedupSteps;
use crate::output::{Column, Output, Value};
use crate::set_store::SetStore;
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_core::sets::Overlap;
use lookalike_engine::lens::shingles::sketcher::Sketcher;
use lookalike_engine::run::filter::Filter;
use lookalike_engine::run::order::RankKey;
use lookalike_store::{Error as StoreError, ExternalSort, TempSpace};
use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::Arc;

const ROWS: [Column; 7] = [
    ("cell", DataType::Int64),
    ("role", DataType::Int32),
    ("a", DataType::Int64),
    ("b", DataType::Int64),
    ("rank", DataType::Binary),
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

/// The cell and the documents of a pair: those of one cell follow each other, so that its sets are read together.
type Pair = [i64; 3];

pub(crate) struct Verify {
    sketcher: Sketcher,
    filter: Filter,
    memory: usize,
    temp: Option<PathBuf>,
    ranks: FxHashMap<i64, Box<[u8]>>,
    sets: SetStore,
    /// Until all rows are there.
    unsorted: Option<ExternalSort<Pair>>,
    sorted: Option<Box<dyn Iterator<Item = Result<Pair, StoreError>> + Send>>,
    /// The pair before, and the set of its first document.
    last: Option<(Pair, Arc<[u64]>)>,
    out: Output,
}

impl Verify {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        let (memory, temp) = (steps.options.memory, steps.options.temp.clone());
        Self {
            sketcher: steps.sketcher.clone(),
            filter: steps.filter,
            memory,
            temp: temp.clone(),
            ranks: FxHashMap::default(),
            sets: SetStore::new(memory, temp),
            unsorted: None,
            sorted: None,
            last: None,
            out: Output::new(&COLUMNS),
        }
    }

    fn take(&mut self, pair: Pair) -> Result<(), Error> {
        if self.unsorted.is_none() {
            let space = Arc::new(TempSpace::new(self.temp.as_deref())?);
            self.unsorted = Some(ExternalSort::new(&space, "the pairs", self.memory / 4));
        }
        Ok(self.unsorted.as_mut().expect("made above").push(pair)?)
    }

    fn is_link(&self, overlap: Overlap, ranks: [&[u8]; 2]) -> Result<bool, Error> {
        if !self.filter.accepts(overlap) {
            return Ok(false);
        }
        let Some(banding) = self.filter.policy.banding else { return Ok(true) };
        let [a, b] = ranks.map(|rank| RankKey::from_bytes(rank).ok_or(Error::Damaged { name: "rank" }));
        Ok(banding.finds(a?.tie_break(), b?.tie_break(), overlap.resemblance()))
    }

    fn verify(&mut self, pair: Pair) -> Result<(), Error> {
        let [_, a, b] = pair;
        let first = match self.last.take() {
            Some((last, set)) if last == pair => {
                self.last = Some((last, set));
                return Ok(());
            }
            Some((last, set)) if last[1] == a => set,
            _ => self.sets.get(a)?,
        };
        let overlap = Overlap::of(&first, &self.sets.get(b)?);
        self.last = Some((pair, first));
        let rank = |document| self.ranks.get(&document).ok_or(Error::MissingDocument { document });
        let (rank_a, rank_b) = (rank(a)?, rank(b)?);
        if self.is_link(overlap, [rank_a, rank_b])? {
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
        Ok(())
    }
}

impl Step for Verify {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("cell"), sort_by: &[] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let long = |name: &'static str| Longs::new(batch, name);
        let bytes = |name: &'static str| Bytes::new(batch, name);
        let (cells, documents, others) = (long("cell")?, long("a")?, long("b")?);
        let (roles, ids, texts, ranks) = (Ints::new(batch, "role")?, bytes("id")?, bytes("text")?, bytes("rank")?);
        for row in 0..batch.num_rows() {
            let document = documents.get(row)?;
            if roles.get(row)? == 1 {
                self.take([cells.get(row)?, document, others.get(row)?])?;
                continue;
            }
            // from `pairs`, and it comes from `members` with its text; or it is in several cells of the partition
            if texts.optional(row).is_none() || self.sets.contains(document) {
                continue;
            }
            let id = ids.text(row)?;
            let set = self.sketcher.set_of_text(id, texts.text(row)?);
            let set = set.map_err(|reason| Error::Changed { id: id.to_owned(), reason })?;
            self.sets.insert(document, set)?;
            self.ranks.insert(document, ranks.get(row)?.into());
        }
        Ok(Vec::new())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        if let Some(unsorted) = self.unsorted.take() {
            self.sorted = Some(Box::new(unsorted.merged()?));
        }
        while let Some(pair) = self.sorted.as_mut().and_then(Iterator::next).transpose()? {
            self.verify(pair)?;
            let ready = self.out.take();
            if !ready.is_empty() {
                return Ok(ready);
            }
        }
        self.out.finish()
    }
}
