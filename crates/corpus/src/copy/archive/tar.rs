//! Tar: headers with all that belongs to them (long names, attributes) and files are the same bytes; a compressed one is compressed again.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use tar::{Archive, EntryType};

use super::Choice;
use crate::archive::display_name;
use crate::copy::compress::Compressor;
use crate::copy::{CopyError, unreadable};
use crate::decompress;
use crate::file;
use crate::member::Stream;

/// The header and the long names of a file have no more bytes; they are held in memory.
const MAX_HEADER_BYTES: usize = 256 << 10;
const BLOCK_BYTES: u64 = 512;

pub(super) fn copy(from: &Path, to: File, choice: &mut Choice<'_, '_>) -> Result<(), CopyError> {
    let (input, _) = file::open(from).map_err(|reason| CopyError::from((from, reason)))?;
    let damaged = |member: Option<&str>, error: &io::Error| {
        let reason = format!("the tar is damaged or cut short: {error}");
        unreadable(from, member.map(str::to_owned), reason)
    };
    let plain = decompress::open(input, None).map_err(|error| damaged(None, &error))?;
    let mut out = Compressor::new(to, plain.format).map_err(CopyError::Write)?;
    let mut stream = HeaderStream { inner: plain.reader, header: Vec::new() };
    let mut is_empty = true;
    while let Some(head) = stream.head().map_err(|error| damaged(None, &error))? {
        is_empty = false;
        let is_file =
            matches!(head.kind, EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse | EntryType::Link);
        let is_kept = !is_file || choice.keeps(&head.name);
        if is_kept {
            out.write_all(&stream.header).map_err(CopyError::Write)?;
        }
        let to = if is_kept { Some(&mut out) } else { None };
        pass(&mut stream.inner, head.length, to)?.map_err(|error| damaged(Some(&head.name), &error))?;
    }
    if is_empty && stream.header.is_empty() {
        return Err(damaged(None, &io::ErrorKind::UnexpectedEof.into()));
    }
    out.write_all(&stream.header).map_err(CopyError::Write)?;
    // All that follows the end of the archive stays, and a compressed stream has its checksum behind it.
    let mut buffer = [0; 8192];
    loop {
        let read = stream.inner.read(&mut buffer).map_err(|error| damaged(None, &error))?;
        if read == 0 {
            break;
        }
        out.write_all(&buffer[..read]).map_err(CopyError::Write)?;
    }
    out.finish().map(drop).map_err(CopyError::Write)
}

/// Reads a number of bytes, and writes them if they stay. The outer error is of writing, the inner of reading.
fn pass(from: &mut Stream, mut left: u64, mut to: Option<&mut Compressor>) -> Result<Result<(), io::Error>, CopyError> {
    let mut buffer = vec![0; (64 << 10).min(usize::try_from(left).unwrap_or(usize::MAX))];
    while left > 0 {
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if let Err(error) = from.read_exact(&mut buffer[..most]) {
            return Ok(Err(error));
        }
        if let Some(to) = &mut to {
            to.write_all(&buffer[..most]).map_err(CopyError::Write)?;
        }
        left -= most as u64;
    }
    Ok(Ok(()))
}

struct TarHead {
    name: String,
    kind: EntryType,
    /// Of the file with the rest of its last block.
    length: u64,
}

/// A stream that keeps what is read of it as a header.
struct HeaderStream {
    inner: Stream,
    header: Vec<u8>,
}

impl HeaderStream {
    /// The next header; `None` at the end of the archive. Its bytes are kept.
    fn head(&mut self) -> io::Result<Option<TarHead>> {
        self.header.clear();
        let mut archive = Archive::new(self);
        let Some(entry) = archive.entries()?.next().transpose()? else { return Ok(None) };
        let kind = entry.header().entry_type();
        // Otherwise a sparse file says its size with its holes.
        let length = if kind.is_gnu_sparse() { entry.header().entry_size()? } else { entry.size() };
        let length = length.checked_next_multiple_of(BLOCK_BYTES);
        let length = length.ok_or_else(|| io::Error::other("a member is larger than anything can be"))?;
        Ok(Some(TarHead { name: display_name(&entry.path_bytes()), kind, length }))
    }
}

impl Read for HeaderStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.header.len() >= MAX_HEADER_BYTES {
            return Err(io::Error::other(format!("more than {MAX_HEADER_BYTES} bytes before a member")));
        }
        let read = self.inner.read(out)?;
        self.header.extend_from_slice(&out[..read]);
        Ok(read)
    }
}
