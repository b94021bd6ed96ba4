//! A stream is read once. What passes by goes to a file, so that rows can be read again. The file is a stream, too: unlike Arrow files, streams
//! may replace their dictionaries.

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;
use std::sync::Arc;
use tempfile::NamedTempFile;

/// A stream whose batches are kept as they pass.
pub(crate) struct Spill {
    from: Box<dyn RecordBatchReader + Send>,
    out: Option<StreamWriter<BufWriter<File>>>,
    file: Arc<NamedTempFile>,
}

/// What passed, as a file that is gone when nobody needs it any more.
pub(crate) struct Spilled(Arc<NamedTempFile>);

impl Spill {
    pub(crate) fn new(from: Box<dyn RecordBatchReader + Send>, folder: Option<&Path>) -> Result<Self, ArrowError> {
        let mut file = tempfile::Builder::new();
        file.prefix("lookalike-").suffix(".arrow");
        let file = folder.map_or_else(|| file.tempfile(), |folder| file.tempfile_in(folder))?;
        let out = StreamWriter::try_new(BufWriter::with_capacity(1 << 20, file.reopen()?), &from.schema())?;
        Ok(Self { from, out: Some(out), file: Arc::new(file) })
    }

    /// The file, complete when the stream has ended.
    pub(crate) fn spilled(&self) -> Spilled {
        Spilled(Arc::clone(&self.file))
    }

    fn keep(&mut self, batch: Option<&RecordBatch>) -> Result<(), ArrowError> {
        match (batch, &mut self.out) {
            (Some(batch), Some(out)) => out.write(batch),
            (None, Some(out)) => {
                out.finish()?;
                self.out = None;
                Ok(())
            }
            (_, None) => Ok(()),
        }
    }
}

impl RecordBatchReader for Spill {
    fn schema(&self) -> SchemaRef {
        self.from.schema()
    }
}

impl Iterator for Spill {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.from.next() {
            Some(Ok(batch)) => Some(batch),
            Some(Err(error)) => return Some(Err(error)),
            None => None,
        };
        match self.keep(batch.as_ref()) {
            Ok(()) => batch.map(Ok),
            Err(error) => Some(Err(error)),
        }
    }
}

impl Spilled {
    /// All batches again.
    pub(crate) fn reader(&self) -> Result<Box<dyn RecordBatchReader + Send>, ArrowError> {
        let file = self.0.reopen().map_err(|error: io::Error| ArrowError::from_external_error(Box::new(error)))?;
        Ok(Box::new(StreamReader::try_new(BufReader::new(file), None)?))
    }
}
