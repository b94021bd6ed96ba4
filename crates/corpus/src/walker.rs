//! The walk through all inputs, which cuts them into batches.

use std::sync::Arc;

use crate::archive;
use crate::batch::Packer;
use crate::error::Error;
use crate::reader::{Batch, Reader};
use crate::source::{Piece, Source, WalkState};

/// Reads a source and the sources inside it, and packs single files together, also across sources.
pub(crate) struct Walker {
    state: WalkState,
    stack: Vec<Box<dyn Source>>,
    packer: Packer,
    /// A batch that waits until the files before it are handed out.
    held: Option<Box<dyn Batch>>,
}

impl Walker {
    pub(crate) fn new(state: WalkState, first: Box<dyn Source>) -> Walker {
        let packer = Packer::new(Arc::clone(&state.context));
        Walker { state, stack: vec![first], packer, held: None }
    }
}

impl Reader for Walker {
    fn next(&mut self) -> Option<Result<Box<dyn Batch>, Error>> {
        if let Some(batch) = self.held.take() {
            return Some(Ok(batch));
        }
        while let Some(source) = self.stack.last_mut() {
            let full = match source.next(&mut self.state) {
                None => {
                    self.stack.pop();
                    None
                }
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(Piece::Archive(container))) => match archive::enter(container) {
                    Ok(source) => {
                        self.stack.push(source);
                        None
                    }
                    Err(skipped) => self.packer.push(Err(skipped)),
                },
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
