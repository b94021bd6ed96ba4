//! Files, several to a batch.

use std::borrow::Cow;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;

use crate::corpus::Shared;
use crate::reader::Batch;
use crate::{Body, Document, Item, Place, Skipped, file, id_of};

/// A file that is to be read as one document.
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    /// The size its metadata gave.
    pub(crate) bytes: u64,
}

/// Collects files until they are worth a thread's while. What is skipped travels with them, so that the order stays.
pub(crate) struct Packer {
    shared: Arc<Shared>,
    work: Vec<Result<Entry, Skipped>>,
    bytes: u64,
}

impl Packer {
    pub(crate) fn new(shared: Arc<Shared>) -> Packer {
        Packer { shared, work: Vec::new(), bytes: 0 }
    }

    /// Adds a file, or something to report; gives back a batch when one is full.
    pub(crate) fn push(&mut self, work: Result<Entry, Skipped>) -> Option<Box<dyn Batch>> {
        self.bytes += work.as_ref().map_or(0, |entry| entry.bytes);
        self.work.push(work);
        let options = &self.shared.options;
        let full = self.work.len() >= options.batch_files || self.bytes >= options.batch_bytes as u64;
        if full { self.flush() } else { None }
    }

    /// What was collected so far, if anything.
    pub(crate) fn flush(&mut self) -> Option<Box<dyn Batch>> {
        if self.work.is_empty() {
            return None;
        }
        let work = mem::take(&mut self.work);
        let bytes = mem::take(&mut self.bytes);
        Some(Box::new(Files { shared: Arc::clone(&self.shared), work, bytes }))
    }
}

struct Files {
    shared: Arc<Shared>,
    work: Vec<Result<Entry, Skipped>>,
    bytes: u64,
}

impl Batch for Files {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        let mut buffer = Vec::new();
        for work in self.work {
            match work {
                Ok(entry) => read_file(&self.shared, entry.path, &mut buffer, sink),
                Err(skipped) => sink(Item::Skipped(skipped)),
            }
        }
    }
}

/// Reads one file and hands it on, or the reason why not.
pub(crate) fn read_file(shared: &Shared, path: PathBuf, buffer: &mut Vec<u8>, sink: &mut dyn FnMut(Item<'_>)) {
    let id = id_of(&path).into_owned();
    match file::read(&path, &shared.options, buffer) {
        Ok(()) => sink(Item::Document(Document {
            id: Cow::Owned(id),
            body: Body::Bytes(Cow::Borrowed(buffer)),
            place: Place::File(path),
        })),
        Err(reason) => sink(Item::Skipped(Skipped { id, reason })),
    }
}
