//! The walk through all inputs, which cuts them into batches.

use std::sync::Arc;

use crate::ahead::Ahead;
use crate::archive;
use crate::batch::Packer;
use crate::error::Error;
use crate::followed_source::{MarkBatch, PartBatch};
use crate::input_file::Part;
use crate::reader::{Batch, Reader};
use crate::source::{Piece, Source, WalkState};

/// Reads a source and the sources inside it, and packs single files together, also across sources.
pub(crate) struct Walker {
    state: WalkState,
    ahead: Ahead,
    /// What is read in its turn: a source that was entered, and those inside it.
    stack: Vec<Box<dyn Source>>,
    packer: Packer,
    /// A batch that waits until the files before it are handed out.
    held: Option<Box<dyn Batch>>,
}

impl Walker {
    pub(crate) fn new(state: WalkState, first: Box<dyn Source>) -> Walker {
        let packer = Packer::new(Arc::clone(&state.context));
        Walker { ahead: Ahead::new(first, &state), state, stack: Vec::new(), packer, held: None }
    }

    /// A batch, or the files that were collected before it; then the batch is held back.
    fn after_files(&mut self, batch: Box<dyn Batch>) -> Option<Box<dyn Batch>> {
        match self.packer.flush() {
            None => Some(batch),
            before => {
                self.held = Some(batch);
                before
            }
        }
    }

    fn piece(&mut self) -> Option<Result<Piece, Error>> {
        while let Some(source) = self.stack.last_mut() {
            match source.next(&mut self.state) {
                None => self.stack.pop(),
                piece => return piece,
            };
        }
        self.ahead.next(&mut self.state)
    }
}

impl Reader for Walker {
    fn next(&mut self) -> Option<Result<Box<dyn Batch>, Error>> {
        if let Some(batch) = self.held.take() {
            return Some(Ok(batch));
        }
        while let Some(piece) = self.piece() {
            let full = match piece {
                Err(error) => return Some(Err(error)),
                Ok(Piece::Archive(container)) => match archive::enter(container) {
                    Ok(source) => {
                        self.stack.push(source);
                        None
                    }
                    Err(skipped) => self.packer.push(Err(skipped)),
                },
                Ok(Piece::Enter(inner)) => {
                    self.stack.push(inner);
                    None
                }
                Ok(Piece::File(entry)) => self.packer.push(Ok(entry)),
                Ok(Piece::Skip(skipped)) => self.packer.push(Err(skipped)),
                Ok(Piece::Batch(batch)) => {
                    let batch: Box<dyn Batch> = if self.packer.is_inside { Box::new(PartBatch(batch)) } else { batch };
                    self.after_files(batch)
                }
                Ok(Piece::Begin) => {
                    let before = self.packer.flush();
                    self.packer.is_inside = true;
                    before
                }
                Ok(Piece::End(file)) => {
                    let end = self.after_files(Box::new(MarkBatch { part: Part::End(file), bytes: 0 }));
                    self.packer.is_inside = false;
                    end
                }
            };
            if let Some(batch) = full {
                return Some(Ok(batch));
            }
        }
        self.packer.flush().map(Ok)
    }
}
