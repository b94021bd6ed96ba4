//! `id`, `text` and maybe `preference` → a row for each document: its key, its place in the order of representatives, its hashes, its sketch.
//!
//! A row that cannot be used has a `reason`, and an `id` and its key if it has one: its id may be that of another. A document of too little
//! text, of which only the bytes are compared, has an `id` and a `reason` in a row of its own. A `preference` is a number or a date: of documents that are alike the one with the highest stays.
//! Holds one document.

use crate::Error;
use crate::columns::{Bytes, Longs, Names, has};
use crate::dedup_steps::DedupSteps;
use crate::output::{Column, Output, Value};
use crate::sample::encode_features;
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::lens::shingles::sketcher::{SketchScratch, Sketched, Sketcher};
use lookalike_engine::lens::shingles::sketching::conceal;
use lookalike_engine::run::order::RankKey;
use lookalike_engine::run::origins::rank_number;
use xxhash_rust::xxh3::xxh3_64;

/// The key of a document.
pub fn document_key(id: &str) -> i64 {
    xxh3_64(id.as_bytes()).cast_signed()
}

const COLUMNS: [Column; 11] = [
    ("doc", DataType::Int64),
    ("id", DataType::Utf8),
    ("reason", DataType::Utf8),
    ("rank", DataType::Binary),
    ("shingles", DataType::Int64),
    ("lexical_high", DataType::Int64),
    ("lexical_low", DataType::Int64),
    ("content", DataType::Int64),
    ("level", DataType::Int32),
    ("sketch", DataType::Binary),
    // of the text, as the engine hashes it: tells whether a row has the same text when it is read again
    ("text_hash", DataType::Int64),
];

pub(crate) struct SketchTexts {
    sketcher: Sketcher,
    scratch: SketchScratch,
    key: String,
    max_size: u64,
    out: Output,
}

impl SketchTexts {
    pub(crate) fn new(steps: &DedupSteps) -> Self {
        let sketcher = steps.sketcher.clone();
        let scratch = sketcher.scratch();
        let options = &steps.options;
        Self { sketcher, scratch, key: options.key.clone(), max_size: options.max_size, out: Output::new(&COLUMNS) }
    }

    fn refuse(&mut self, id: Option<&str>, hash: Value<'_>, reason: &str) -> Result<(), Error> {
        self.tell(id.map(document_key), id, hash, reason)
    }

    fn tell(&mut self, document: Option<i64>, id: Option<&str>, hash: Value<'_>, reason: &str) -> Result<(), Error> {
        let mut row = [Value::Null; 11];
        row[0] = document.map_or(Value::Null, Value::Long);
        row[1] = id.map_or(Value::Null, Value::Text);
        row[2] = Value::Text(reason);
        row[10] = hash;
        self.out.push(row)
    }

    fn document(&mut self, id: &str, text: &[u8], hash: Value<'_>, preference: u64) -> Result<(), Error> {
        if text.len() as u64 > self.max_size {
            let reason = format!("too large: {} bytes, the limit is {}", text.len(), self.max_size);
            return self.refuse(Some(id), hash, &reason);
        }
        let Ok(text) = std::str::from_utf8(text) else {
            return self.refuse(Some(id), hash, "no text: it is not UTF-8");
        };
        let sketched = match self.sketcher.sketch_text(id, text, &mut self.scratch) {
            Ok(sketched) => sketched,
            Err(reason) => return self.refuse(Some(id), hash, &reason),
        };
        if let Some(skip) = sketched.too_little(id, self.sketcher.min_words) {
            self.tell(None, Some(id), hash, &skip.reason)?;
        }
        let Sketched { content, lexical, shingles, unordered, sketch, .. } = sketched;
        let identity = conceal(content, &self.key);
        let rank = RankKey::new(preference, shingles, identity as u32, id.to_owned()).to_bytes();
        self.out.push([
            Value::Long(document_key(id)),
            Value::Text(id),
            Value::Null,
            Value::Bytes(&rank),
            Value::Hash(unordered),
            Value::Hash((lexical >> 64) as u64),
            Value::Hash(lexical as u64),
            Value::Hash((identity >> 64) as u64),
            Value::Int(i32::from(sketch.level)),
            Value::Bytes(&encode_features(&sketch.features)),
            hash,
        ])
    }
}

impl Step for SketchTexts {
    fn shuffle(&self) -> Shuffle {
        Shuffle::NONE
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let (ids, texts) = (Names::new(batch, "id")?, Bytes::new(batch, "text")?);
        let preferences = has(batch, "preference").then(|| Names::new(batch, "preference")).transpose()?;
        let hashes = has(batch, "text_hash").then(|| Longs::new(batch, "text_hash")).transpose()?;
        for row in 0..batch.num_rows() {
            let hash = hashes.as_ref().and_then(|hashes| hashes.optional(row)).map_or(Value::Null, Value::Long);
            let Some(id) = ids.get(row) else {
                self.refuse(None, hash, "no usable id: there is none, or it is not UTF-8")?;
                continue;
            };
            let Some(text) = texts.optional(row) else {
                self.refuse(Some(&id), hash, "no text: there is none")?;
                continue;
            };
            let preference = preferences.as_ref().map_or(0, |preferences| {
                u64::MAX - preferences.get(row).map_or(0, |preference| rank_number(&preference))
            });
            self.document(&id, text, hash, preference)?;
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
