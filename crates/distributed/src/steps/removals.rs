//! All documents with their `canonical` documents, and the members of stars → who goes, who stays in its place, and by what evidence.
//!
//! The `role` is 0 for a member of a star, 1 for a canonical document, 2 for its duplicates: what holds for the canonical document holds
//! for all. Holds one row.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::dedup_steps::DedupSteps;
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use crate::steps::stars::overlap;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_core::sets::Overlap;
use lookalike_engine::run::assemble::{SAME, class_of};
use lookalike_engine::run::filter::Filter;
use lookalike_engine::run::link::Evidence;

const ROWS: [Column; 8] = [
    ("canonical", DataType::Int64),
    ("role", DataType::Int32),
    ("id", DataType::Utf8),
    ("class", DataType::Utf8),
    ("representative_id", DataType::Utf8),
    ("size_a", DataType::Int64),
    ("size_b", DataType::Int64),
    ("shared", DataType::Int64),
];

const COLUMNS: [Column; 6] = [
    ("id", DataType::Utf8),
    ("duplicate_of", DataType::Utf8),
    ("class", DataType::Utf8),
    ("resemblance", DataType::Float64),
    ("containment", DataType::Float64),
    ("contained_by", DataType::Float64),
];

pub(crate) struct Removals {
    filter: Filter,
    /// The canonical document and the role of the row before.
    last: Option<(i64, i32)>,
    /// The representative of the canonical document, if it has one.
    link: Option<(String, Overlap)>,
    canonical_id: Option<String>,
    out: Output,
}

impl Removals {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        Self { filter: steps.filter, last: None, link: None, canonical_id: None, out: Output::new(&COLUMNS) }
    }

    fn remove(&mut self, id: &str, class: &str) -> Result<(), Error> {
        let (kept, evidence, class) = match (&self.link, &self.canonical_id) {
            (Some((representative, overlap)), _) => {
                let evidence = Evidence::Exact(*overlap);
                (representative, evidence, class_of(&self.filter, evidence).name())
            }
            (None, Some(canonical)) => (canonical, SAME, class),
            (None, None) => {
                return Err(Error::MissingDocument { document: self.last.unwrap_or_default().0 });
            }
        };
        let Some(overlap) = evidence.overlap() else { return Ok(()) };
        self.out.push([
            Value::Text(id),
            Value::Text(kept),
            Value::Text(class),
            Value::Real(overlap.resemblance()),
            Value::Real(overlap.b_in_a()),
            Value::Real(overlap.a_in_b()),
        ])
    }
}

impl Step for Removals {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("canonical"), sort_by: &["canonical", "role"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (canonical, roles) = (Longs::new(batch, "canonical")?, Ints::new(batch, "role")?);
        let bytes = |name: &'static str| Bytes::new(batch, name);
        let (ids, classes, representatives) = (bytes("id")?, bytes("class")?, bytes("representative_id")?);
        let long = |name: &'static str| Longs::new(batch, name);
        let (size_a, size_b, shared) = (long("size_a")?, long("size_b")?, long("shared")?);
        for row in 0..batch.num_rows() {
            let this = (canonical.get(row)?, roles.get(row)?);
            let last = self.last.replace(this);
            if last.is_some_and(|last| last > this) {
                return Err(Error::Unsorted { by: "`canonical` and `role`" });
            }
            if last.is_none_or(|last| last.0 != this.0) {
                (self.link, self.canonical_id) = (None, None);
            }
            match this.1 {
                0 => {
                    let overlap = overlap([size_a.get(row)?, size_b.get(row)?, shared.get(row)?])?;
                    self.link = Some((representatives.text(row)?.to_owned(), overlap));
                }
                1 => {
                    let id = ids.text(row)?;
                    if self.link.is_some() {
                        self.remove(id, "")?;
                    }
                    self.canonical_id = Some(id.to_owned());
                }
                _ => self.remove(ids.text(row)?, classes.text(row)?)?,
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
