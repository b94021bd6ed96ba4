//! A stream is read once. Its batches are also written to a file without a name, so that rows can be read again, and no signal leaves the
//! file behind. The file is a stream, too: unlike Arrow files, streams may replace their dictionaries.

use crate::inputs::Batches;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read};
use std::path::Path;
use std::sync::Arc;

/// A stream whose batches are written to a file as they are read.
pub(crate) struct Spill {
    from: Batches,
    out: Option<StreamWriter<BufWriter<File>>>,
    file: Arc<File>,
}

/// The batches of a stream, in a file that the system removes when it is closed.
pub(crate) struct Spilled(Arc<File>);

impl Spill {
    pub(crate) fn new(from: Batches, folder: Option<&Path>) -> Result<Self, ArrowError> {
        let file = folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in)?;
        let out = StreamWriter::try_new(BufWriter::with_capacity(1 << 20, file.try_clone()?), &from.schema())?;
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
    pub(crate) fn reader(&self) -> Result<Batches, ArrowError> {
        let file = FromStart { file: Arc::clone(&self.0), at: 0 };
        Ok(Box::new(StreamReader::try_new(BufReader::with_capacity(1 << 20, file), None)?))
    }
}

/// A reader with a place of its own in a file that others read, too.
struct FromStart {
    file: Arc<File>,
    at: u64,
}

impl Read for FromStart {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, bytes, self.at)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}
