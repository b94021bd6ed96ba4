//! How the work is cut: one thread asks for batches, any thread reads them.

use std::sync::Arc;

use crate::batch::Packer;
use crate::corpus::Shared;
use crate::seen::Seen;
use crate::{Error, Item, Skipped};

/// A source of documents, as batches. `next` is cheap and sequential: it only cuts the work.
pub trait Reader: Send {
    /// The next batch; `None` at the end. After an error the reader can be asked on.
    fn next(&mut self) -> Option<Result<Box<dyn Batch>, Error>>;
}

/// A piece of work for any thread.
pub trait Batch: Send {
    /// How many bytes of the input this batch stands for (compressed ones where the input is compressed), for progress.
    fn bytes(&self) -> u64;
    /// Reads and parses; calls `sink` for everything in it, in the order of the input.
    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>));
}

/// What all sources of one reader share.
pub(crate) struct Run {
    pub(crate) shared: Arc<Shared>,
    pub(crate) seen: Seen,
}

/// What a source comes across.
pub(crate) enum Piece {
    /// A file to read as one document.
    File(crate::batch::Entry),
    /// Something that is not read.
    Skip(Skipped),
    /// Work that is a batch of its own.
    Batch(Box<dyn Batch>),
    /// A source inside this one, to be read before going on.
    Enter(Box<dyn Source>),
}

/// A folder, a list of paths, a JSONL file, or the command line that names them.
pub(crate) trait Source: Send {
    fn next(&mut self, run: &mut Run) -> Option<Result<Piece, Error>>;
}

/// Reads a source and the sources inside it, and packs single files together, also across sources.
pub(crate) struct Walker {
    run: Run,
    stack: Vec<Box<dyn Source>>,
    packer: Packer,
    /// A batch that waits until the files before it are handed out.
    held: Option<Box<dyn Batch>>,
}

impl Walker {
    pub(crate) fn new(run: Run, first: Box<dyn Source>) -> Walker {
        let packer = Packer::new(Arc::clone(&run.shared));
        Walker { run, stack: vec![first], packer, held: None }
    }
}

impl Reader for Walker {
    fn next(&mut self) -> Option<Result<Box<dyn Batch>, Error>> {
        if let Some(batch) = self.held.take() {
            return Some(Ok(batch));
        }
        while let Some(source) = self.stack.last_mut() {
            let full = match source.next(&mut self.run) {
                None => {
                    self.stack.pop();
                    None
                }
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(Piece::Enter(inner))) => {
                    self.stack.push(inner);
                    None
                }
                Some(Ok(Piece::File(entry))) => self.packer.push(Ok(entry)),
                Some(Ok(Piece::Skip(skipped))) => self.packer.push(Err(skipped)),
                Some(Ok(Piece::Batch(batch))) => match self.packer.flush() {
                    None => Some(batch),
                    before => {
                        self.held = Some(batch);
                        before
                    }
                },
            };
            if let Some(batch) = full {
                return Some(Ok(batch));
            }
        }
        self.packer.flush().map(Ok)
    }
}
