//! Reading a member again by the steps that lead to it.
//!
//! Members that lie in something compressed would each cost unpacking all that comes before them, so what was unpacked
//! is kept for the next one: its bytes if they are few, otherwise the stream where the last one ended.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::meter::Meter;
use super::steps::{Step, Stream, skip, walk, walk_file};
use crate::corpus::Shared;
use crate::{Reason, file};

/// Larger ones are not held in memory.
const LARGEST: u64 = 32 << 20;
/// So many are kept.
const MOST: usize = 4;

/// What was unpacked, the latest last.
#[derive(Default)]
pub(crate) struct Unpacked(Mutex<Vec<(Key, Kept)>>);

/// A file as it was, and the steps into it.
#[derive(Clone, PartialEq)]
struct Key {
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
    steps: Vec<Step>,
}

enum Kept {
    Bytes(Arc<[u8]>),
    /// A stream, and how far it was read.
    Stream(Stream, u64),
}

impl Unpacked {
    /// Bytes stay, a stream goes to one reader.
    fn take(&self, key: &Key) -> Option<Kept> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(other, _)| other == key)?;
        let (key, found) = kept.remove(at);
        if let Kept::Bytes(bytes) = &found {
            kept.push((key, Kept::Bytes(Arc::clone(bytes))));
        }
        Some(found)
    }

    fn keep(&self, key: Key, what: Kept) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| *other != key);
        if kept.len() >= MOST {
            kept.remove(0);
        }
        kept.push((key, what));
    }
}

/// Reads a member into `buffer`.
pub(crate) fn read(shared: &Shared, path: &Path, steps: &[Step], buffer: &mut Vec<u8>) -> Result<(), Reason> {
    buffer.clear();
    let (file, metadata) = file::open(path)?;
    let meter = Meter::new(metadata.len());
    let limit = shared.options.max_size;
    let (outer, inner) = steps.split_at(packed(steps));
    let from = match inner.split_first() {
        Some((&Step::Stretch { at, len }, rest)) if !outer.is_empty() => {
            let (bytes, modified) = (metadata.len(), metadata.modified().ok());
            let key = Key { path: path.to_owned(), bytes, modified, steps: outer.to_vec() };
            let open = || walk_file(file, outer, &meter);
            // What is packed is hardly larger than what it becomes.
            let most = limit.saturating_mul(2).saturating_add(64 << 10);
            cut(&shared.unpacked, key, open, (at, len.min(most)), &meter)
                .and_then(|bytes| walk(Box::new(Cursor::new(bytes)), rest, &meter))
        }
        _ => walk_file(file, steps, &meter),
    };
    from.and_then(|from| file::fill(from, 0, limit, buffer))
        .map_err(|error| Reason::Truncated(format!("the archive has changed: {error}")))?;
    shared.options.check_size(buffer.len() as u64)
}

/// So many of the steps lead to what is worth keeping: up to the last unpacking of something that is then cut.
fn packed(steps: &[Step]) -> usize {
    let is_cut = |step: &Step| matches!(step, Step::Stretch { .. });
    let last = steps.iter().rposition(is_cut).unwrap_or(0);
    steps[..last].iter().rposition(|step| !is_cut(step)).map_or(0, |at| at + 1)
}

/// A stretch of something unpacked, which is kept for the next.
fn cut(
    unpacked: &Unpacked,
    key: Key,
    open: impl FnOnce() -> io::Result<Stream>,
    (at, len): (u64, u64),
    meter: &Meter,
) -> io::Result<Vec<u8>> {
    let (mut stream, position) = match unpacked.take(&key) {
        Some(Kept::Bytes(bytes)) => return slice(&bytes, at, len),
        Some(Kept::Stream(stream, position)) if position <= at => (stream, position),
        _ => {
            let mut stream = open()?;
            let mut bytes = Vec::new();
            let whole = file::fill(&mut stream, 0, LARGEST, &mut bytes);
            if bytes.len() as u64 <= LARGEST {
                // What came before the damage was read then, so it is now.
                let found = slice(&bytes, at, len).or_else(|cut| whole.and(Err(cut)));
                unpacked.keep(key, Kept::Bytes(bytes.into()));
                return found;
            }
            (Box::new(Cursor::new(bytes).chain(stream)) as Stream, 0)
        }
    };
    skip(&mut stream, at - position, meter)?;
    let mut bytes = Vec::new();
    (&mut stream).take(len).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    unpacked.keep(key, Kept::Stream(stream, at + len));
    Ok(bytes)
}

fn slice(bytes: &[u8], at: u64, len: u64) -> io::Result<Vec<u8>> {
    let range = usize::try_from(at).ok().zip(usize::try_from(at.saturating_add(len)).ok());
    let found = range.and_then(|(at, end)| bytes.get(at..end));
    found.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
