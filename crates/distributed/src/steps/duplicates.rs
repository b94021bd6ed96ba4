//! Sketched documents with the same `shingles` → each with its `canonical` document, and its `class` if that is another one. Only canonical
//! documents, whose `role` is 1, keep their sketches; that of the others is 2. Holds one row.

use crate::Error;
use crate::columns::{Bytes, Ints, Longs};
use crate::output::{Column, Output, Value};
use crate::step::{Shuffle, Step};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use lookalike_engine::run::duplicates::{GroupKey, WordsKey};

const ROWS: [Column; 9] = [
    ("doc", DataType::Int64),
    ("id", DataType::Utf8),
    ("rank", DataType::Binary),
    ("shingles", DataType::Int64),
    ("lexical_high", DataType::Int64),
    ("lexical_low", DataType::Int64),
    ("content", DataType::Int64),
    ("level", DataType::Int32),
    ("sketch", DataType::Binary),
];

const COLUMNS: [Column; 8] = [
    ("doc", DataType::Int64),
    ("id", DataType::Utf8),
    ("canonical", DataType::Int64),
    ("role", DataType::Int32),
    ("class", DataType::Utf8),
    ("rank", DataType::Binary),
    ("level", DataType::Int32),
    ("sketch", DataType::Binary),
];

pub(crate) struct Duplicates {
    /// The canonical document of the group, and the rank of the row before.
    canonical: Option<(WordsKey, Vec<u8>)>,
    out: Output,
}

impl Duplicates {
    pub(crate) fn new() -> Self {
        Self { canonical: None, out: Output::new(&COLUMNS) }
    }
}

impl Step for Duplicates {
    fn shuffle(&self) -> Shuffle {
        Shuffle { columns: &ROWS, partition_by: Some("shingles"), sort_by: &["shingles", "rank"] }
    }

    fn schema(&self) -> SchemaRef {
        self.out.schema()
    }

    fn push(&mut self, batch: &RecordBatch) -> Result<Vec<RecordBatch>, Error> {
        let long = |name: &'static str| Longs::new(batch, name);
        let (documents, shingles, content) = (long("doc")?, long("shingles")?, long("content")?);
        let lexical = [long("lexical_high")?, long("lexical_low")?];
        let bytes = |name: &'static str| Bytes::new(batch, name);
        let (ids, ranks, sketches, levels) =
            (bytes("id")?, bytes("rank")?, bytes("sketch")?, Ints::new(batch, "level")?);
        for row in 0..batch.num_rows() {
            // a row that has only a reason
            let Some(rank) = ranks.optional(row) else { continue };
            let document = documents.get(row)?;
            let key = WordsKey {
                shingles: shingles.hash(row)?,
                lexical: [lexical[0].hash(row)?, lexical[1].hash(row)?],
                content: content.hash(row)?,
                document: document.cast_unsigned(),
            };
            let id = Value::Text(ids.text(row)?);
            let (canonical, last) = match self.canonical.take() {
                Some((canonical, last)) if canonical.same_group(&key) => {
                    if last.as_slice() > rank {
                        return Err(Error::Unsorted { by: "`shingles` and `rank`" });
                    }
                    (canonical, last)
                }
                Some((last, _)) if last.shingles.cast_signed() > key.shingles.cast_signed() => {
                    return Err(Error::Unsorted { by: "`shingles` and `rank`" });
                }
                _ => (key, Vec::new()),
            };
            let document = Value::Long(document);
            let owner = Value::Hash(canonical.document);
            if canonical == key {
                let (level, sketch) = (Value::Int(levels.get(row)?), Value::Bytes(sketches.get(row)?));
                self.out.push([document, id, owner, Value::Int(1), Value::Null, Value::Bytes(rank), level, sketch])?;
            } else {
                let class = Value::Text(canonical.class(&key).name());
                self.out.push([document, id, owner, Value::Int(2), class, Value::Null, Value::Null, Value::Null])?;
            }
            let mut last = last;
            last.clear();
            last.extend_from_slice(rank);
            self.canonical = Some((canonical, last));
        }
        Ok(self.out.take())
    }

    fn finish(&mut self) -> Result<Vec<RecordBatch>, Error> {
        self.out.finish()
    }
}
