//! Documents with the same `key` → the candidates among them: `a` comes before `b` in the order of representatives.
//!
//! All documents of a feature are compared with each other; of a band each with the heads before it. A pair that has several features in
//! common comes out of the smallest of those by which both look; a pair of bands may come out of several, and is made one by the next step.
//! Holds the documents of one feature, no more than the greatest document frequency, or the heads of one band.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::dedup_steps::DedupSteps;
use crate::grid::cell;
use crate::output::{Column, Output, Value};
use crate::sample::{Meeting, Sample};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::lens::shingles::boilerplate_bands::Heads;
use lookalike_engine::run::filter::{Filter, LeastShared};

const ROWS: [Column; 5] = [
    ("key", DataType::Int64),
    ("role", DataType::Int32),
    ("doc", DataType::Int64),
    ("rank", DataType::Binary),
    ("sample", DataType::Binary),
];

const COLUMNS: [Column; 6] = [
    ("cell", DataType::Int64),
    ("role", DataType::Int32),
    ("a", DataType::Int64),
    ("b", DataType::Int64),
    ("rank_a", DataType::Binary),
    ("rank_b", DataType::Binary),
];

struct Member {
    document: i64,
    rank: Vec<u8>,
    sample: Sample,
}

pub(crate) struct Pairs {
    filter: Filter,
    least: LeastShared,
    side: u32,
    /// Key and role of the row before.
    last: Option<(i64, i32)>,
    /// The rank of the row before.
    last_rank: Vec<u8>,
    /// The documents of a feature.
    held: Vec<Member>,
    /// Those of a band that all others are compared with.
    heads: Heads<Member>,
    out: Output,
}

impl Pairs {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        let filter = steps.filter;
        let (least, side, out) = (LeastShared::new(filter), steps.options.side, Output::new(&COLUMNS));
        Self { filter, least, side, last: None, last_rank: Vec::new(), held: Vec::new(), heads: Heads::default(), out }
    }

    fn compare(&mut self, meeting: Meeting, member: &Member) -> Result<(), Error> {
        let (sampling, sample) = (self.filter.sampling, &member.sample);
        for other in self.held.iter().chain(self.heads.iter()) {
            let most = sample.most_overlap(&other.sample, sampling, meeting);
            let overlap = || sample.overlap(&other.sample, sampling, meeting, self.least.needed(most));
            let is_candidate = self.least.candidate(most) && overlap().is_some_and(|o| self.least.candidate(o));
            if is_candidate {
                let (a, b) = if other.rank <= member.rank { (other, member) } else { (member, other) };
                self.out.push([
                    Value::Long(cell(a.document, b.document, self.side)),
                    Value::Int(1),
                    Value::Long(a.document),
                    Value::Long(b.document),
                    Value::Bytes(&a.rank),
                    Value::Bytes(&b.rank),
                ])?;
            }
        }
        Ok(())
    }
}

impl Step for Pairs {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("key"), sort_by: &["key", "role", "rank"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (keys, roles, documents) =
            (Longs::new(batch, "key")?, Ints::new(batch, "role")?, Longs::new(batch, "doc")?);
        let (ranks, samples) = (Bytes::new(batch, "rank")?, Bytes::new(batch, "sample")?);
        for row in 0..batch.num_rows() {
            let (key, role) = (keys.get(row)?, roles.get(row)?);
            let is_band = role > 0;
            match self.last {
                Some(last) if last > (key, role) => {
                    return Err(Error::Unsorted { by: "`key`, `role` and `rank`" });
                }
                // a feature and a band may have the same number
                Some((last, last_role)) if last == key && (last_role > 0) == is_band => {}
                _ => (self.held, self.heads) = (Vec::new(), Heads::default()),
            }
            let sample = Sample::decode(samples.get(row)?).ok_or(Error::Damaged { name: "sample" })?;
            let member = Member { document: documents.get(row)?, rank: ranks.get(row)?.to_vec(), sample };
            if self.last == Some((key, role)) && self.last_rank > member.rank {
                return Err(Error::Unsorted { by: "`key`, `role` and `rank`" });
            }
            self.last = Some((key, role));
            self.last_rank.clone_from(&member.rank);
            self.compare(if is_band { Meeting::Band } else { Meeting::Feature(key.cast_unsigned()) }, &member)?;
            match role {
                0 => self.held.push(member),
                1 => self.heads.offer(member.sample.class(), member),
                _ => {}
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
