//! Links of a `component`, in the order of representatives → for each member its representative and what they share.
//!
//! Links may be given with their connected component, so that components can be clustered apart; one component for all gives the same. A
//! document joins the most similar representative before it. Holds about a hundred bytes for each member of one component.

use crate::Error;
use crate::columns::{Bytes, Longs};
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_core::cluster::BestRepresentative;
use lookalike_core::sets::Overlap;
use lookalike_engine::run::order::RankKey;
use rustc_hash::FxHashMap;

const ROWS: [Column; 8] = [
    ("component", DataType::Int64),
    ("a", DataType::Int64),
    ("b", DataType::Int64),
    ("rank_a", DataType::Binary),
    ("rank_b", DataType::Binary),
    ("size_a", DataType::Int64),
    ("size_b", DataType::Int64),
    ("shared", DataType::Int64),
];

const COLUMNS: [Column; 7] = [
    ("canonical", DataType::Int64),
    ("role", DataType::Int32),
    ("representative", DataType::Int64),
    ("representative_id", DataType::Utf8),
    ("size_a", DataType::Int64),
    ("size_b", DataType::Int64),
    ("shared", DataType::Int64),
];

/// A member's representative, by its place among all of the component, and what the two share.
type Best = (BestRepresentative<usize, f64>, Overlap);

pub(crate) struct Stars {
    component: Option<i64>,
    /// The rank of the first document of the link before.
    last: Vec<u8>,
    /// In their order.
    representatives: Vec<(i64, String)>,
    members: FxHashMap<i64, Best>,
    out: Output,
}

impl Stars {
    pub(crate) fn new() -> Self {
        let (representatives, members) = (Vec::new(), FxHashMap::default());
        Self { component: None, last: Vec::new(), representatives, members, out: Output::new(&COLUMNS) }
    }

    fn offer(&mut self, a: i64, b: i64, rank: &[u8], overlap: Overlap) -> Result<(), Error> {
        // whether it represents is decided: all its links with those before it came before
        if self.members.contains_key(&a) {
            return Ok(());
        }
        if self.representatives.last().is_none_or(|last| last.0 != a) {
            let key = RankKey::from_bytes(rank).ok_or(Error::Damaged { name: "rank_a" })?;
            self.representatives.push((a, key.into_id()));
        }
        let (best, shared) = self.members.entry(b).or_insert_with(|| (BestRepresentative::default(), overlap));
        if best.offer(self.representatives.len() - 1, overlap.resemblance()) {
            *shared = overlap;
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Error> {
        let mut members: Vec<(i64, Best)> = std::mem::take(&mut self.members).into_iter().collect();
        members.sort_unstable_by_key(|member| member.0);
        for (member, (best, overlap)) in members {
            let Some((representative, id)) = best.get().map(|best| &self.representatives[best.0]) else { continue };
            self.out.push([
                Value::Long(member),
                Value::Int(0),
                Value::Long(*representative),
                Value::Text(id),
                Value::Long(i64::from(overlap.a)),
                Value::Long(i64::from(overlap.b)),
                Value::Long(i64::from(overlap.shared)),
            ])?;
        }
        self.representatives.clear();
        self.last.clear();
        Ok(())
    }
}

/// What two sets share, as the columns have it.
pub(crate) fn overlap([a, b, shared]: [i64; 3]) -> Result<Overlap, Error> {
    let number = |name, number: i64| u32::try_from(number).map_err(|_| Error::Damaged { name });
    Ok(Overlap { a: number("size_a", a)?, b: number("size_b", b)?, shared: number("shared", shared)? })
}

impl Step for Stars {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("component"), sort_by: &["component", "rank_a", "rank_b"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let long = |name: &'static str| Longs::new(batch, name);
        let (components, a, b) = (long("component")?, long("a")?, long("b")?);
        let (size_a, size_b, shared) = (long("size_a")?, long("size_b")?, long("shared")?);
        let ranks = Bytes::new(batch, "rank_a")?;
        for row in 0..batch.num_rows() {
            let (component, rank) = (components.get(row)?, ranks.get(row)?);
            let is_same = self.component == Some(component);
            if self.component.is_some_and(|last| last > component) || is_same && self.last.as_slice() > rank {
                return Err(Error::Unsorted { by: "`component`, `rank_a` and `rank_b`" });
            }
            if !is_same {
                self.close()?;
                self.component = Some(component);
            }
            self.last.clear();
            self.last.extend_from_slice(rank);
            let overlap = overlap([size_a.get(row)?, size_b.get(row)?, shared.get(row)?])?;
            self.offer(a.get(row)?, b.get(row)?, rank, overlap)?;
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.close()?;
        self.out.finish()
    }
}
