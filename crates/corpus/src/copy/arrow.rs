//! Arrow IPC: record batches without the rows that go; as a file or a stream, and compressed, as it was.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{BooleanArray, RecordBatch};
use arrow_ipc::MetadataVersion;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;

use super::rulings::Rulings;
use super::{Annotation, Copied, CopyError, CopyOptions, Rule, arrow_annotations, arrow_cut, unreadable, unsupported};
use crate::columns::guard;
use crate::table::ArrowFile;
use crate::table::arrow_column::FieldPath;
use crate::unit_limit::UnitLimit;

/// Bytes that are written at once.
const BUFFER_BYTES: usize = 256 << 10;
/// To a multiple of this many bytes buffers are filled up.
const ALIGNMENT: usize = 64;

pub(super) fn copy(from: &Path, to: File, options: &CopyOptions, rule: &mut Rule<'_>) -> Result<Copied, CopyError> {
    let step = || {
        let mut input =
            ArrowFile::open(from, UnitLimit::default()).map_err(|reason| CopyError::from((from, reason)))?;
        let schema = schema(from, &input.schema, options.annotate)?;
        let text = FieldPath::find(input.schema.fields(), &options.text_field);
        let (mut copied, mut output, mut to) = (Copied::default(), None, Some(to));
        loop {
            let batch = input.next_batch();
            let place = |input: &ArrowFile| Some(format!("record batch {}", input.batches.max(1)));
            let batch = batch.map_err(|error| unreadable(from, place(&input), error.to_string()))?;
            if let Some(to) = to.take() {
                // only the first record batch says how they are compressed
                output = Some(Output::create(to, &input, &schema).map_err(unwritable)?);
            }
            let (Some(batch), Some(output)) = (batch, &mut output) else { break };
            let first = copied.records;
            let rulings = Rulings::ask(first, batch.num_rows() as u64, options.annotate, rule, &mut copied)?;
            if rulings.kept == 0 {
                continue;
            }
            let batch = match &text {
                _ if !rulings.has_cuts() => batch,
                Some((path, _)) => arrow_cut::cut(&batch, path, &rulings)
                    .map_err(|reason| unsupported(from, format!("record batch {}: {reason}", input.batches)))?,
                None => {
                    let field = &options.text_field;
                    return Err(unsupported(from, format!("there is no column of text {field:?} to cut from")));
                }
            };
            let damaged = |error: ArrowError| unreadable(from, place(&input), error);
            let mut batch = kept_rows(batch, &rulings).map_err(damaged)?;
            if options.annotate {
                batch = arrow_annotations::with_columns(&batch, &schema, &rulings).map_err(damaged)?;
            }
            output.write(&batch).map_err(unwritable)?;
        }
        output.map_or(Ok(()), Output::finish)?;
        Ok(copied)
    };
    guard(step, |what| unreadable(from, None, what))
}

/// The schema that is written.
fn schema(path: &Path, schema: &SchemaRef, annotate: bool) -> Result<SchemaRef, CopyError> {
    if !annotate {
        return Ok(Arc::clone(schema));
    }
    if let Some(name) = Annotation::FIELDS.into_iter().find(|name| schema.fields().find(name).is_some()) {
        let reason = format!("it has a column {name:?} already; annotate what was not annotated before");
        return Err(unsupported(path, reason));
    }
    Ok(Arc::new(arrow_annotations::schema(schema)))
}

fn kept_rows(batch: RecordBatch, rulings: &Rulings) -> Result<RecordBatch, ArrowError> {
    if rulings.keep_all() {
        return Ok(batch);
    }
    let keep: BooleanArray = (0..rulings.rows).map(|row| Some(rulings.keeps(row))).collect();
    let batch = filter_record_batch(&batch, &keep)?;
    arrow_cut::compact(&batch)
}

/// What is written to.
enum Output {
    File(Box<FileWriter<BufWriter<File>>>),
    Stream(Box<StreamWriter<BufWriter<File>>>),
}

impl Output {
    fn create(to: File, input: &ArrowFile, schema: &Schema) -> Result<Self, ArrowError> {
        let to = BufWriter::with_capacity(BUFFER_BYTES, to);
        let options = IpcWriteOptions::try_new(ALIGNMENT, false, MetadataVersion::V5)?;
        let options = options.try_with_compression(input.compression)?;
        if !input.is_file() {
            return Ok(Self::Stream(Box::new(StreamWriter::try_new_with_options(to, schema, options)?)));
        }
        let mut writer = FileWriter::try_new_with_options(to, schema, options)?;
        for (key, value) in &input.footer {
            writer.write_metadata(key, value);
        }
        Ok(Self::File(Box::new(writer)))
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::File(writer) => writer.write(batch),
            Self::Stream(writer) => writer.write(batch),
        }
    }

    /// All that was written is in the file.
    fn finish(self) -> Result<(), CopyError> {
        let mut to = match self {
            Self::File(writer) => writer.into_inner(),
            Self::Stream(writer) => writer.into_inner(),
        };
        to.as_mut().map_or(Ok(()), |to| to.flush().map_err(CopyError::Write))?;
        to.map(drop).map_err(unwritable)
    }
}

fn unwritable(error: ArrowError) -> CopyError {
    CopyError::Write(match error {
        ArrowError::IoError(_, error) => error,
        other => std::io::Error::other(other),
    })
}
