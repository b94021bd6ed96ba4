//! How the work is cut: one thread asks for batches, any thread reads them.

use crate::document::Item;
use crate::error::Error;
use crate::input_file::Part;

/// A source of documents, as batches. `next` is cheap and sequential: it only cuts the work.
pub trait Reader: Send {
    /// The next batch; `None` at the end. After an error the reader can be asked on.
    fn next(&mut self) -> Option<Result<Box<dyn Batch>, Error>>;
}

/// A piece of work for any thread.
pub trait Batch: Send {
    /// How many bytes of the input this batch stands for (compressed ones where the input is compressed), for progress.
    fn bytes(&self) -> u64;
    /// How many bytes its documents have, unpacked, as far as that is known before they are read.
    fn size(&self) -> u64;
    /// Reads and parses; calls `sink` for everything in it, in the order of the input.
    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>));

    /// The files that it belongs to, if the corpus follows files.
    fn part(&self) -> Part {
        Part::None
    }
}
