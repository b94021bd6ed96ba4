//! Reading documents again.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::corpus::Shared;
use crate::{Item, Place, Reason, Skipped, archive, batch, file, id_of, jsonl};

/// So many JSONL files stay open; a list may name more than a process may open.
const MOST_OPEN: usize = 64;

/// The JSONL files, numbered in the order they were met.
#[derive(Debug, Default)]
pub(crate) struct Sources(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    paths: Vec<PathBuf>,
    numbers: HashMap<PathBuf, u32>,
    /// Used last comes last.
    open: Vec<(u32, Arc<File>)>,
}

impl Sources {
    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of this file; the same one whenever it is asked for.
    pub(crate) fn number(&self, path: &Path) -> u32 {
        let inner = &mut *self.inner();
        if let Some(&number) = inner.numbers.get(path) {
            return number;
        }
        let number = inner.paths.len() as u32;
        inner.paths.push(path.to_owned());
        inner.numbers.insert(path.to_owned(), number);
        number
    }

    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.inner().paths.clone()
    }

    fn path(&self, number: u32) -> Option<PathBuf> {
        self.inner().paths.get(number as usize).cloned()
    }

    /// The open file, opened if need be.
    fn file(&self, number: u32, path: &Path) -> Result<Arc<File>, Reason> {
        let mut inner = self.inner();
        if let Some(at) = inner.open.iter().position(|&(open, _)| open == number) {
            let found = inner.open.remove(at);
            let file = Arc::clone(&found.1);
            inner.open.push(found);
            return Ok(file);
        }
        let file = Arc::new(file::open(path)?.0);
        if inner.open.len() >= MOST_OPEN {
            inner.open.remove(0);
        }
        inner.open.push((number, Arc::clone(&file)));
        Ok(file)
    }
}

/// Reads one document again. `buffer` is only there to be used again.
pub(crate) fn fetch(shared: &Shared, place: &Place, buffer: &mut Vec<u8>, sink: &mut dyn FnMut(Item<'_>)) {
    match place {
        Place::File(path) => batch::read_file(shared, path.clone(), buffer, sink),
        Place::Line { source, offset, len } => {
            let Some(path) = shared.sources.path(*source) else {
                let reason = Reason::Unreadable("this corpus has no file of that number".into());
                sink(Item::Skipped(Skipped { id: format!("file {source}@{offset}"), reason }));
                return;
            };
            let name = || format!("{}@{offset}", id_of(&path));
            match line(shared, &path, *source, *offset, *len, buffer) {
                Ok(()) if buffer.trim_ascii().is_empty() => {
                    let reason = Reason::NotJson("the line is blank now".into());
                    sink(Item::Skipped(Skipped { id: name(), reason }));
                }
                Ok(()) => jsonl::read_line(shared, buffer, name, place.clone(), sink),
                Err(reason) => sink(Item::Skipped(Skipped { id: name(), reason })),
            }
        }
        Place::Member { path, steps, name } => {
            let read = archive::read_again(shared, path, steps, buffer).map(|()| place.clone());
            batch::deliver(archive::member_id(&id_of(path), name), read, buffer, sink);
        }
        Place::Stream => {
            let message = "it came from standard input or a compressed file and cannot be read again";
            sink(Item::Skipped(Skipped { id: "-".into(), reason: Reason::Unreadable(message.into()) }));
        }
    }
}

fn line(shared: &Shared, path: &Path, source: u32, offset: u64, len: u64, buffer: &mut Vec<u8>) -> Result<(), Reason> {
    // Before the buffer is made: a damaged table may ask for anything.
    let limit = shared.options.max_size;
    if len > limit {
        return Err(Reason::TooLarge { bytes: len, limit });
    }
    let file = shared.sources.file(source, path)?;
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
