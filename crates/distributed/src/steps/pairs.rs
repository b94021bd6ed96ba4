//! Documents with their keys → the candidates among those that have a key in common, in rows of the `role` 1: `a` comes before `b` in the
//! order of representatives. Rows of the `role` 0 say which documents are in which `cell`, with their ranks.
//!
//! All documents of a feature are compared with each other; of a band each with the heads before it and the plainest. A pair that has several features in
//! common comes out of the smallest of those by which both look; a pair of bands, or a document of a cell, may come out several times.
//! Holds of each document its rank and its keys, and as many samples as the memory allows; the others wait in a temporary file.

use crate::Error;
use crate::columns::{Bytes, Longs};
use crate::dedup_steps::DedupSteps;
use crate::grid::cell;
use crate::key::{Key, Role};
use crate::output::{Column, Output, Value};
use crate::sample::{Meeting, Sample, decode_features};
use crate::set_store::SetStore;
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::lens::shingles::boilerplate_bands::{Heads, Kind, Plainest};
use lookalike_engine::run::filter::{Filter, LeastShared};
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

const ROWS: [Column; 5] = [
    ("key", DataType::Int64),
    ("keys", DataType::Binary),
    ("doc", DataType::Int64),
    ("rank", DataType::Binary),
    ("sample", DataType::Binary),
];

const COLUMNS: [Column; 5] = [
    ("cell", DataType::Int64),
    ("role", DataType::Int32),
    ("a", DataType::Int64),
    ("b", DataType::Int64),
    ("rank", DataType::Binary),
];

/// Documents of cells that are remembered, so that few come out again.
const MAX_MEMBERS: usize = 1 << 20;

/// A document among those of a key: its place in the order of representatives, and its sample.
type Member = (u32, Arc<[u64]>);

pub(crate) struct Pairs {
    filter: Filter,
    least: Arc<OnceLock<LeastShared>>,
    side: u32,
    /// Rank, document, and its kind.
    documents: Vec<(Box<[u8]>, i64, Kind)>,
    samples: SetStore,
    /// Number, role and document of each key, the document by when it came; then by its place in the order of representatives.
    keys: Vec<(u64, Role, u32)>,
    /// The next of the keys, when all are there.
    next: Option<usize>,
    /// Cells and documents that came out.
    members: FxHashSet<(i64, u32)>,
    out: Output,
}

impl Pairs {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        let samples = SetStore::new(steps.options.memory, steps.options.temp.clone());
        Self {
            filter: steps.filter,
            least: Arc::clone(&steps.least),
            side: steps.options.side,
            documents: Vec::new(),
            samples,
            keys: Vec::new(),
            next: None,
            members: FxHashSet::default(),
            out: Output::new(&COLUMNS),
        }
    }

    /// Brings all into the order of representatives.
    fn sort(&mut self) {
        let mut order: Vec<u32> = (0..self.documents.len() as u32).collect();
        order.sort_unstable_by(|a, b| self.documents[*a as usize].cmp(&self.documents[*b as usize]));
        let mut places = vec![0; order.len()];
        for (place, document) in (0..).zip(&order) {
            places[*document as usize] = place;
        }
        self.keys.iter_mut().for_each(|key| key.2 = places[key.2 as usize]);
        self.keys.sort_unstable();
        self.documents.sort_unstable();
    }

    /// All that have the key at a place among them; where the next one begins.
    fn compare_all(&mut self, from: usize) -> Result<usize, Error> {
        let (number, role, _) = self.keys[from];
        // a feature and a band may have the same number
        let is_same = |key: &(u64, Role, u32)| key.0 == number && (key.1 == Role::Feature) == (role == Role::Feature);
        let to = from + self.keys[from..].iter().take_while(|key| is_same(key)).count();
        if to - from < 2 {
            return Ok(to);
        }
        let mut held: Vec<Member> = Vec::new();
        let mut heads: Heads<Member> = Heads::default();
        let mut plainest = Plainest::default();
        for (_, role, place) in self.keys[from..to].iter().filter(|(_, role, _)| *role != Role::Feature) {
            plainest.offer(self.documents[*place as usize].2, *role == Role::Head, *place);
        }
        let plainest = plainest.try_map(|place| self.member(place))?;
        for at in from..to {
            let (_, role, place) = self.keys[at];
            let member = self.member(place)?;
            let sample = Sample::decode(&member.1).ok_or(Error::Damaged { name: "sample" })?;
            if role == Role::Feature {
                self.compare(Meeting::Feature(number), (place, sample), held.iter())?;
                held.push(member);
            } else {
                let can_head = role == Role::Head;
                let others = plainest.of(can_head).chain(heads.iter()).filter(|head| head.0 != place);
                self.compare(Meeting::Band, (place, sample), others)?;
                if can_head {
                    heads.offer(sample.kind(), member);
                }
            }
        }
        Ok(to)
    }

    fn member(&mut self, place: u32) -> Result<Member, Error> {
        Ok((place, self.samples.get(self.documents[place as usize].1)?))
    }

    fn compare<'m>(
        &mut self,
        meeting: Meeting,
        (place, sample): (u32, Sample<'_>),
        others: impl Iterator<Item = &'m Member>,
    ) -> Result<(), Error> {
        let (sampling, known) = (self.filter.sampling, Arc::clone(&self.least));
        let least = known.get_or_init(|| LeastShared::new(self.filter));
        for (other, numbers) in others {
            let other_sample = Sample::decode(numbers).ok_or(Error::Damaged { name: "sample" })?;
            let most = sample.most_overlap(&other_sample, sampling, meeting);
            let overlap = || sample.overlap(&other_sample, sampling, meeting, least.needed(most));
            if least.candidate(most) && overlap().is_some_and(|overlap| least.candidate(overlap)) {
                self.tell(place.min(*other), place.max(*other))?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, first: u32, second: u32) -> Result<(), Error> {
        let [a, b] = [first, second].map(|place| self.documents[place as usize].1);
        let cell = cell(a, b, self.side);
        if self.members.len() >= MAX_MEMBERS {
            self.members.clear();
        }
        for place in [first, second] {
            if self.members.insert((cell, place)) {
                let (rank, document, _) = &self.documents[place as usize];
                let (document, rank) = (Value::Long(*document), Value::Bytes(rank));
                self.out.push([Value::Long(cell), Value::Int(0), document, Value::Null, rank])?;
            }
        }
        self.out.push([Value::Long(cell), Value::Int(1), Value::Long(a), Value::Long(b), Value::Null])
    }
}

impl Step for Pairs {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("key"), sort_by: &[] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let bytes = |name: &'static str| Bytes::new(batch, name);
        let (documents, keys) = (Longs::new(batch, "doc")?, bytes("keys")?);
        let (ranks, samples) = (bytes("rank")?, bytes("sample")?);
        for row in 0..batch.num_rows() {
            let (document, at) = (documents.get(row)?, self.documents.len() as u32);
            let keys = Key::decode(keys.get(row)?).ok_or(Error::Damaged { name: "keys" })?;
            self.keys.extend(keys.into_iter().map(|key| (key.number, key.role, at)));
            let damaged = || Error::Damaged { name: "sample" };
            let numbers = decode_features(samples.get(row)?).ok_or_else(damaged)?;
            let sample = Sample::decode(&numbers).filter(Sample::is_sorted).ok_or_else(damaged)?;
            self.documents.push((ranks.get(row)?.into(), document, sample.kind()));
            // a partition of several buckets has several rows of a document
            if !self.samples.contains(document) {
                self.samples.insert(document, numbers)?;
            }
        }
        Ok(Vec::new())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        let mut next = self.next.unwrap_or_else(|| {
            self.sort();
            0
        });
        while next < self.keys.len() {
            next = self.compare_all(next)?;
            let ready = self.out.take();
            if !ready.is_empty() {
                self.next = Some(next);
                return Ok(ready);
            }
        }
        self.next = Some(next);
        self.out.finish()
    }
}
