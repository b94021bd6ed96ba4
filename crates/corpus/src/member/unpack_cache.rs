//! Reading a member again by the steps that lead to it.
//!
//! Members that lie in something compressed would each cost unpacking all that comes before them, so what was unpacked
//! is kept for the next one: its bytes if they are few, otherwise the stream where the last one ended.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::meter::Meter;
use super::stream::{self, Stream};
use crate::file;
use crate::options::Options;
use crate::skipped::Reason;
use crate::step::Step;

/// Larger ones are not held in memory.
const MAX_HELD_BYTES: u64 = 32 << 20;
/// So many are kept.
const MAX_ENTRIES: usize = 4;

/// What was unpacked, the latest last.
#[derive(Default)]
pub(crate) struct UnpackCache(Mutex<Vec<(CacheKey, Unpacked)>>);

/// A file as it was, and the steps into it.
#[derive(Clone, PartialEq)]
struct CacheKey {
    path: PathBuf,
    bytes: u64,
    modified: Option<SystemTime>,
    steps: Vec<Step>,
}

enum Unpacked {
    Bytes(Arc<[u8]>),
    /// A stream, and how far it was read.
    Stream(Stream, u64),
}

impl UnpackCache {
    /// Bytes stay, a stream goes to one reader.
    fn take(&self, key: &CacheKey) -> Option<Unpacked> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|(other, _)| other == key)?;
        let (key, found) = entries.remove(at);
        if let Unpacked::Bytes(bytes) = &found {
            entries.push((key, Unpacked::Bytes(Arc::clone(bytes))));
        }
        Some(found)
    }

    fn insert(&self, key: CacheKey, content: Unpacked) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|(other, _)| *other != key);
        if entries.len() >= MAX_ENTRIES {
            entries.remove(0);
        }
        entries.push((key, content));
    }
}

/// Reads a member into `buffer`.
pub(crate) fn read_again(
    cache: &UnpackCache,
    options: &Options,
    path: &Path,
    steps: &[Step],
    buffer: &mut Vec<u8>,
) -> Result<(), Reason> {
    buffer.clear();
    let (file, metadata) = file::open(path)?;
    let meter = Meter::new(metadata.len());
    let limit = options.max_size;
    let (outer, inner) = steps.split_at(cached_steps(steps));
    let from = match inner.split_first() {
        Some((&Step::Range { at, len }, rest)) if !outer.is_empty() => {
            let (bytes, modified) = (metadata.len(), metadata.modified().ok());
            let key = CacheKey { path: path.to_owned(), bytes, modified, steps: outer.to_vec() };
            let open = || stream::open_file(file, outer, &meter);
            // What is packed is hardly larger than what it becomes.
            let most = limit.saturating_mul(2).saturating_add(64 << 10);
            read_range(cache, key, open, (at, len.min(most)), &meter)
                .and_then(|bytes| stream::open(Box::new(Cursor::new(bytes)), rest, &meter))
        }
        _ => stream::open_file(file, steps, &meter),
    };
    from.and_then(|from| file::fill(from, 0, limit, buffer))
        .map_err(|error| Reason::Truncated(format!("the archive has changed: {error}")))?;
    options.check_size(buffer.len() as u64)
}

/// So many of the steps lead to what is worth keeping: up to the last unpacking of something that is then cut.
fn cached_steps(steps: &[Step]) -> usize {
    let is_cut = |step: &Step| matches!(step, Step::Range { .. });
    let last = steps.iter().rposition(is_cut).unwrap_or(0);
    steps[..last].iter().rposition(|step| !is_cut(step)).map_or(0, |at| at + 1)
}

/// A range of something unpacked, which is kept for the next.
fn read_range(
    cache: &UnpackCache,
    key: CacheKey,
    open: impl FnOnce() -> io::Result<Stream>,
    (at, len): (u64, u64),
    meter: &Meter,
) -> io::Result<Vec<u8>> {
    let (mut stream, position) = match cache.take(&key) {
        Some(Unpacked::Bytes(bytes)) => return slice(&bytes, at, len),
        Some(Unpacked::Stream(stream, position)) if position <= at => (stream, position),
        _ => {
            let mut stream = open()?;
            let mut bytes = Vec::new();
            let whole = file::fill(&mut stream, 0, MAX_HELD_BYTES, &mut bytes);
            if bytes.len() as u64 <= MAX_HELD_BYTES {
                // What came before the damage was read then, so it is now.
                let found = slice(&bytes, at, len).or_else(|cut| whole.and(Err(cut)));
                cache.insert(key, Unpacked::Bytes(bytes.into()));
                return found;
            }
            (Box::new(Cursor::new(bytes).chain(stream)) as Stream, 0)
        }
    };
    stream::skip(&mut stream, at - position, meter)?;
    let mut bytes = Vec::new();
    (&mut stream).take(len).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    cache.insert(key, Unpacked::Stream(stream, at + len));
    Ok(bytes)
}

fn slice(bytes: &[u8], at: u64, len: u64) -> io::Result<Vec<u8>> {
    let range = usize::try_from(at).ok().zip(usize::try_from(at.saturating_add(len)).ok());
    let found = range.and_then(|(at, end)| bytes.get(at..end));
    found.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
