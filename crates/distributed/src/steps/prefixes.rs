//! Canonical documents and the frequencies of their features, by `doc` → the keys by which a document looks for others, a row for all that
//! lead to one partition: `key` is one of them, `keys` has them all.
//!
//! A pair that shares listed features at all shares at least so many of them, less what no lists lead to. So the first that both have, in
//! one order for all documents, is among the first of either: these are the keys, the rarest features first. Boilerplate, of which a pair
//! may share frequent features only, has keys of bands besides. Holds one document.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::dedup_steps::DedupSteps;
use crate::key::{Key, Role};
use crate::output::{Column, Output, Value};
use crate::packing::Buckets;
use crate::sample::{Lead, Sample, decode_features, encode_features};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_core::sketch::{Bands, Sketch};
use lookalike_engine::lens::shingles::boilerplate_bands::{bands, can_head};
use lookalike_engine::lens::shingles::sample_counts::{SampleCounts, is_whole_at, prefix_length};
use lookalike_engine::run::filter::Filter;

const ROWS: [Column; 6] = [
    ("doc", DataType::Int64),
    ("feature", DataType::Int64),
    ("df", DataType::Int32),
    ("rank", DataType::Binary),
    ("level", DataType::Int32),
    ("sketch", DataType::Binary),
];

const COLUMNS: [Column; 5] = [
    ("key", DataType::Int64),
    ("keys", DataType::Binary),
    ("doc", DataType::Int64),
    ("rank", DataType::Binary),
    ("sample", DataType::Binary),
];

pub(crate) struct Prefixes {
    filter: Filter,
    bands: Bands,
    max_df: u32,
    buckets: Buckets,
    document: Option<i64>,
    /// Its rank and sketch.
    head: Option<(Vec<u8>, Sketch)>,
    /// Its features that others have too, with their document frequencies.
    features: Vec<(u32, u64)>,
    out: Output,
}

impl Prefixes {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        let (filter, max_df) = (steps.filter, steps.options.shingles.max_df);
        let (features, out) = (Vec::new(), Output::new(&COLUMNS));
        Self {
            filter,
            bands: bands(&filter),
            max_df,
            buckets: steps.buckets.clone(),
            document: None,
            head: None,
            features,
            out,
        }
    }

    fn close(&mut self) -> Result<(), Error> {
        let mut features = std::mem::take(&mut self.features);
        let Some(document) = self.document.take() else { return Ok(()) };
        let (rank, sketch) = self.head.take().ok_or(Error::MissingDocument { document })?;
        features.sort_unstable();
        let (listed, frequent) = features.split_at(features.partition_point(|(df, _)| *df <= self.max_df));
        let listed: Vec<u64> = listed.iter().map(|(_, feature)| *feature).collect();
        let frequent: Vec<u64> = frequent.iter().map(|(_, feature)| *feature).collect();
        let counts = SampleCounts::of(self.filter.sampling, &sketch);
        let is_key = self.prefix(counts, &listed, &frequent);
        let leads = is_key.iter().map(|is_key| if *is_key { Lead::Key } else { Lead::Listed });
        let mut shared: Vec<(u64, Lead)> = listed.iter().copied().zip(leads).collect();
        shared.extend(frequent.iter().map(|feature| (*feature, Lead::Frequent)));
        shared.sort_unstable_by_key(|(feature, _)| *feature);
        let sample = encode_features(&Sample::encode(&sketch, &shared));
        let features = listed.iter().zip(is_key).filter(|(_, is_key)| *is_key);
        let mut keys: Vec<Key> = features.map(|(feature, _)| Key { number: *feature, role: Role::Feature }).collect();
        for level in counts.boilerplate_levels(&frequent, &self.filter) {
            keys.extend(self.bands.keys(&frequent, level).map(|number| {
                let is_head = can_head(self.filter.sampling, number, sketch.level);
                Key { number, role: if is_head { Role::Head } else { Role::Other } }
            }));
        }
        let bucket = |key: &Key| self.buckets.of(key.number.cast_signed());
        keys.sort_by_cached_key(bucket);
        for some in keys.chunk_by(|a, b| bucket(a) == bucket(b)) {
            let (key, encoded) = (Value::Hash(some[0].number), Key::encode(some));
            let (keys, document) = (Value::Bytes(&encoded), Value::Long(document));
            self.out.push([key, keys, document, Value::Bytes(&rank), Value::Bytes(&sample)])?;
        }
        Ok(())
    }

    /// Which of the listed features, the rarest first, are keys.
    fn prefix(&self, counts: SampleCounts, listed: &[u64], frequent: &[u64]) -> Vec<bool> {
        let survives = |feature: u64, level: u8| feature.trailing_zeros() >= u32::from(level);
        let mut is_key = vec![false; listed.len()];
        let levels = counts.levels(self.filter.sampling).unwrap_or(0..=0);
        for level in levels.clone() {
            let (all, is_whole) = (counts.survivors(level).unwrap_or(0), is_whole_at(self.filter.sampling, level));
            // where no number is needed, all are keys
            let least = self.filter.least_common(all, is_whole).unwrap_or(0);
            let surviving = listed.iter().enumerate().filter(|(_, feature)| survives(**feature, level));
            let unindexed = frequent.iter().filter(|feature| survives(**feature, level)).count() as u32;
            let length = prefix_length(surviving.clone().count(), unindexed, least);
            surviving.take(length).for_each(|(at, _)| is_key[at] = true);
        }
        // documents so much longer are compared at levels that are not counted here
        for (is_key, feature) in is_key.iter_mut().zip(listed) {
            *is_key |= survives(*feature, levels.end() + 1);
        }
        is_key
    }
}

impl Step for Prefixes {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("doc"), sort_by: &["doc"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (documents, features) = (Longs::new(batch, "doc")?, Longs::new(batch, "feature")?);
        let (frequencies, levels) = (Ints::new(batch, "df")?, Ints::new(batch, "level")?);
        let (ranks, sketches) = (Bytes::new(batch, "rank")?, Bytes::new(batch, "sketch")?);
        for row in 0..batch.num_rows() {
            let (feature, sketch) = (features.optional(row), sketches.optional(row));
            if feature.is_none() && sketch.is_none() {
                // a duplicate of another document
                continue;
            }
            let document = documents.get(row)?;
            if self.document.is_some_and(|last| last > document) {
                return Err(Error::Unsorted { by: "`doc`" });
            }
            if self.document != Some(document) {
                self.close()?;
                self.document = Some(document);
            }
            if let Some(feature) = feature {
                self.features.push((frequencies.get(row)? as u32, feature.cast_unsigned()));
            }
            if let Some(sketch) = sketch {
                let features = decode_features(sketch).ok_or(Error::Damaged { name: "sketch" })?;
                let level = u8::try_from(levels.get(row)?).map_err(|_| Error::Damaged { name: "level" })?;
                let head = (ranks.get(row)?.to_vec(), Sketch { level, features });
                if self.head.replace(head).is_some() {
                    return Err(Error::Repeated { document });
                }
            }
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.close()?;
        self.out.finish()
    }
}
