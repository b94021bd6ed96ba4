//! Files, several to a batch.

use std::borrow::Cow;
use std::fs::{self, Metadata};
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;

use crate::context::ReadContext;
use crate::document::{Body, Document, Item};
use crate::file;
use crate::input_file::{InputFile, Part};
use crate::known::{FileStamp, KnownFile, KnownFiles};
use crate::member::{Container, Handle, Inflater};
use crate::names::id_of;
use crate::place::Place;
use crate::reader::Batch;
use crate::skipped::{Reason, Skipped};
use crate::source::{Entry, Origin};

/// Collects files until they are worth a thread's while. What is skipped travels with them, so that the order stays.
pub(crate) struct Packer {
    context: Arc<ReadContext>,
    work: Vec<Result<Entry, Skipped>>,
    bytes: u64,
    /// Between the marks of a file that is followed.
    pub(crate) is_inside: bool,
}

impl Packer {
    pub(crate) fn new(context: Arc<ReadContext>) -> Packer {
        Packer { context, work: Vec::new(), bytes: 0, is_inside: false }
    }

    /// Adds a file, or something to report; gives back a batch when one is full.
    pub(crate) fn push(&mut self, work: Result<Entry, Skipped>) -> Option<Box<dyn Batch>> {
        // files that are followed share no batch with anything else
        let is_followed = |work: &Result<Entry, Skipped>| work.as_ref().is_ok_and(|entry| entry.stamp.is_some());
        let before = match self.work.last() {
            Some(last) if is_followed(last) != is_followed(&work) => self.flush(),
            _ => None,
        };
        self.bytes += work.as_ref().map_or(0, |entry| entry.bytes);
        self.work.push(work);
        let options = &self.context.options;
        let full = self.work.len() >= options.batch_files || self.bytes >= options.batch_bytes as u64;
        before.or_else(|| if full { self.flush() } else { None })
    }

    /// What was collected so far, if anything.
    pub(crate) fn flush(&mut self) -> Option<Box<dyn Batch>> {
        if self.work.is_empty() {
            return None;
        }
        let work = mem::take(&mut self.work);
        let bytes = mem::take(&mut self.bytes);
        Some(Box::new(FileBatch { context: Arc::clone(&self.context), work, bytes, is_inside: self.is_inside }))
    }
}

struct FileBatch {
    context: Arc<ReadContext>,
    work: Vec<Result<Entry, Skipped>>,
    bytes: u64,
    is_inside: bool,
}

impl Batch for FileBatch {
    fn part(&self) -> Part {
        let file = |work: &Result<Entry, Skipped>| match work {
            Ok(Entry { origin: Origin::Disk(path), stamp: Some(stamp), .. }) => {
                Some(InputFile { path: path.clone(), stamp: *stamp })
            }
            _ => None,
        };
        match self.work.iter().map(file).collect::<Option<Vec<InputFile>>>() {
            _ if self.is_inside => Part::Inside,
            Some(files) => Part::Whole(files),
            None => Part::None,
        }
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn size(&self) -> u64 {
        self.bytes
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        let mut buffer = Vec::new();
        let (mut open, mut inflater) = (None, Inflater::default());
        for work in self.work {
            match work.map(|entry| entry.origin) {
                Ok(Origin::Disk(path)) => match self.context.known.get() {
                    Some(known) => read_known(&self.context, &**known, path, &mut buffer, sink),
                    None => read_file(&self.context, path, &mut buffer, sink),
                },
                Ok(Origin::Zip(member)) => {
                    let read = handle(&member.container, &mut open)
                        .and_then(|zip| member.read(zip, &mut inflater, &mut buffer));
                    deliver(member.id(), read, &buffer, sink);
                }
                Ok(Origin::Memory { id, place, bytes }) => deliver(id, Ok(place), &bytes, sink),
                Err(skipped) => sink(Item::Skipped(skipped)),
            }
        }
    }
}

/// Members that follow each other mostly lie in one archive, so it stays open.
fn handle<'a>(
    container: &Arc<Container>,
    open: &'a mut Option<(Arc<Container>, Handle)>,
) -> Result<&'a mut Handle, Reason> {
    if !open.as_ref().is_some_and(|(last, _)| Arc::ptr_eq(last, container)) {
        *open = None;
    }
    match open {
        Some((_, handle)) => Ok(handle),
        None => Ok(&mut open.insert((Arc::clone(container), container.open()?)).1),
    }
}

/// Hands on what was read, or the reason why not.
pub(crate) fn deliver(id: String, read: Result<Place, Reason>, bytes: &[u8], sink: &mut dyn FnMut(Item<'_>)) {
    sink(match read {
        Ok(place) => {
            let body = Body::Bytes(Cow::Borrowed(bytes));
            Item::Document(Document { id: Cow::Owned(id), category: None, rank: None, body, place, known: None })
        }
        Err(reason) => Item::Skipped(Skipped { id, reason }),
    });
}

/// Reads one file and hands it on, or the reason why not.
pub(crate) fn read_file(context: &ReadContext, path: PathBuf, buffer: &mut Vec<u8>, sink: &mut dyn FnMut(Item<'_>)) {
    let id = id_of(&path).into_owned();
    let read = file::read(&path, &context.options, buffer).map(|_| Place::File(path));
    deliver(id, read, buffer, sink);
}

/// The same of a file that somebody may know: then it is not read.
fn read_known(
    context: &ReadContext,
    known: &dyn KnownFiles,
    path: PathBuf,
    buffer: &mut Vec<u8>,
    sink: &mut dyn FnMut(Item<'_>),
) {
    let id = id_of(&path).into_owned();
    buffer.clear();
    let stamp = fs::metadata(&path).ok().filter(Metadata::is_file).and_then(|metadata| FileStamp::of(&metadata));
    let stamp = stamp.filter(|stamp| context.options.check_size(stamp.bytes).is_ok());
    let kept = stamp.and_then(|stamp| known.find(&path, &stamp).map(|kept| (stamp, kept)));
    let read = match kept {
        Some((stamp, kept)) => Ok(Some(KnownFile { stamp, kept: Some(kept) })),
        None => file::read(&path, &context.options, buffer)
            .map(|metadata| FileStamp::of(&metadata).map(|stamp| KnownFile { stamp, kept: None })),
    };
    sink(match read {
        Ok(known) => {
            let body = Body::Bytes(Cow::Borrowed(buffer));
            Item::Document(Document {
                id: Cow::Owned(id),
                category: None,
                rank: None,
                body,
                place: Place::File(path),
                known,
            })
        }
        Err(reason) => Item::Skipped(Skipped { id, reason }),
    });
}
