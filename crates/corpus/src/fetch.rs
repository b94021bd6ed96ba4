//! Reading documents again.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::context::ReadContext;
use crate::document::{Body, Document, Item};
use crate::member::{member_id, read_again};
use crate::names::id_of;
use crate::place::Place;
use crate::skipped::{Reason, Skipped};
use crate::{batch, file, jsonl};

/// Reads one document again. `buffer` is only there to be used again.
pub(crate) fn fetch(context: &ReadContext, place: &Place, buffer: &mut Vec<u8>, sink: &mut dyn FnMut(Item<'_>)) {
    match place {
        Place::File(path) => batch::read_file(context, path.clone(), buffer, sink),
        Place::Line { source, offset, len, .. } => {
            let Some(path) = context.shard_files.path(*source) else {
                let reason = Reason::Unreadable("this corpus has no file of that number".into());
                sink(Item::Skipped(Skipped { id: format!("file {source}@{offset}"), reason }));
                return;
            };
            let name = || format!("{}@{offset}", id_of(&path));
            match line(context, &path, *source, *offset, *len, buffer) {
                Ok(()) if buffer.trim_ascii().is_empty() => {
                    let reason = Reason::NotJson("the line is blank now".into());
                    sink(Item::Skipped(Skipped { id: name(), reason }));
                }
                Ok(()) => jsonl::read_line(context, buffer, None, name, place.clone(), &mut |item, _| sink(item)),
                Err(reason) => sink(Item::Skipped(Skipped { id: name(), reason })),
            }
        }
        Place::Member { path, steps, name } => {
            let read = read_again(&context.unpack_cache, &context.options, path, steps, buffer).map(|()| place.clone());
            batch::deliver(member_id(&id_of(path), name), read, buffer, sink);
        }
        Place::Row { source, row } => {
            let file = context.shard_files.path(*source).map_or("a shard".into(), |path| id_of(&path).into_owned());
            let message = "it is a record of a file that can only be read from its beginning";
            sink(Item::Skipped(Skipped {
                id: format!("{file}:{}", row + 1),
                reason: Reason::Unreadable(message.into()),
            }));
        }
        Place::Stream => {
            let message = "it came from standard input and cannot be read again";
            sink(Item::Skipped(Skipped { id: "-".into(), reason: Reason::Unreadable(message.into()) }));
        }
    }
}

/// Reads a file again, with a body of its own.
pub(crate) fn file(context: &ReadContext, path: &Path) -> Item<'static> {
    let id = id_of(path).into_owned();
    let mut bytes = Vec::new();
    match file::read(path, &context.options, &mut bytes) {
        Ok(_) => Item::Document(Document {
            id: Cow::Owned(id),
            category: None,
            rank: None,
            body: Body::Bytes(Cow::Owned(bytes)),
            place: Place::File(path.to_owned()),
            known: None,
        }),
        Err(reason) => Item::Skipped(Skipped { id, reason }),
    }
}

fn line(
    context: &ReadContext,
    path: &Path,
    source: u32,
    offset: u64,
    len: u64,
    buffer: &mut Vec<u8>,
) -> Result<(), Reason> {
    // Before the buffer is made: a damaged table may ask for anything.
    let limit = context.options.max_size;
    if len > limit {
        return Err(Reason::TooLarge { bytes: len, limit });
    }
    let file = context.shard_files.file(source, path)?;
    let size = file.metadata().map_err(|error| file::unreadable(&error))?.len();
    if offset.checked_add(len).is_none_or(|end| end > size) {
        return Err(Reason::Unreadable(format!("the file has only {size} bytes now")));
    }
    buffer.clear();
    buffer.resize(len as usize, 0);
    read_exact_at(&file, path, offset, buffer).map_err(|error| file::unreadable(&error))
}

#[cfg(unix)]
fn read_exact_at(file: &File, _: &Path, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// The cursor of a file is shared by all its handles, so each read opens its own.
#[cfg(not(unix))]
fn read_exact_at(_: &File, path: &Path, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}
