//! Tar archives, plain or compressed. They are streams: members are read in their order, and held until their batch is
//! full.

use std::io::{self, Read};
use std::sync::Arc;

use tar::{Archive, EntryType};

use super::member_names::{MemberNames, MemberUse, display_name, short};
use crate::context::ReadContext;
use crate::decompress::{self, Format};
use crate::error::Error;
use crate::file;
use crate::member::{Container, Meter, Stream};
use crate::skipped::{Reason, Skipped};
use crate::source::{Entry, Origin, Piece, Source, WalkState};
use crate::step::Step;

/// The header and the long names of a member have no more bytes; they are held in memory.
const MAX_HEADER_BYTES: u64 = 256 << 10;
const BLOCK_BYTES: u64 = 512;

pub(super) struct TarSource {
    container: Arc<Container>,
    stream: MeteredStream,
    /// How it was compressed.
    unpack: Option<Step>,
    /// The position of the next header.
    next: u64,
    names: MemberNames,
    ended: bool,
}

/// A header, as far as it matters.
struct TarHeader {
    name: String,
    kind: EntryType,
    link: String,
    /// The bytes of the member in the stream.
    at: u64,
    len: u64,
}

impl TarSource {
    pub(super) fn open(container: Arc<Container>) -> Result<TarSource, Reason> {
        let plain = decompress::open(container.open()?, None).map_err(|error| damaged(&error))?;
        let unpack = plain.format.map(|format| match format {
            Format::Gzip => Step::Gunzip,
            Format::Zstd => Step::Unzstd,
        });
        let meter = Arc::clone(&container.meter);
        let stream = MeteredStream { inner: plain.reader, meter, position: 0, end: 0, over: false };
        Ok(TarSource { container, stream, unpack, next: 0, names: MemberNames::default(), ended: false })
    }

    /// The next header; `None` at the end of the archive.
    fn head(&mut self) -> io::Result<Option<TarHeader>> {
        self.stream.skip_to(self.next)?;
        self.stream.end = self.next.saturating_add(MAX_HEADER_BYTES);
        // A new one for each member, because it cannot be kept beside the stream that it reads.
        let mut archive = Archive::new(&mut self.stream);
        let Some(entry) = archive.entries()?.next().transpose()? else { return Ok(None) };
        let kind = entry.header().entry_type();
        // Otherwise a sparse file says its size with its holes.
        let len = if kind.is_gnu_sparse() { entry.header().entry_size()? } else { entry.size() };
        let name = display_name(&entry.path_bytes());
        let link = display_name(&entry.link_name_bytes().unwrap_or_default());
        let at = self.stream.position;
        let end = len.checked_next_multiple_of(BLOCK_BYTES).and_then(|len| at.checked_add(len));
        self.next = end.ok_or_else(|| io::Error::other("a member is larger than anything can be"))?;
        Ok(Some(TarHeader { name, kind, link, at, len }))
    }

    /// The use of a member; `None` if it is neither a document nor a loss.
    fn piece(&mut self, head: &TarHeader, context: &ReadContext) -> io::Result<Option<Piece>> {
        if head.kind.is_dir() || head.kind.is_pax_global_extensions() {
            return Ok(None);
        }
        let skip = |reason| Ok(Some(Piece::Skip(Skipped { id: self.container.member_id(short(&head.name)), reason })));
        let archive = match self.names.classify(&head.name, &self.container, context) {
            MemberUse::Ignore => return Ok(None),
            MemberUse::Skip(reason) => return skip(reason),
            MemberUse::Document => false,
            MemberUse::Archive => true,
        };
        let limit = context.options.max_size;
        if let Some(reason) = special(head, &self.container) {
            return skip(reason);
        } else if archive && head.len > limit {
            return skip(Reason::TooLarge { bytes: head.len, limit });
        } else if let (false, Err(reason)) = (archive, context.options.check_size(head.len)) {
            return skip(reason);
        }
        let mut bytes = Vec::new();
        self.stream.end = self.next;
        file::fill((&mut self.stream).take(head.len), head.len, head.len, &mut bytes)?;
        if (bytes.len() as u64) < head.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut steps: Vec<Step> = self.unpack.into_iter().collect();
        steps.push(Step::Range { at: head.at, len: head.len });
        let steps = self.container.steps(&steps);
        if archive {
            return Ok(Some(Piece::Archive(self.container.inner(&head.name, steps, bytes))));
        }
        let (id, place) = (self.container.member_id(&head.name), self.container.place(&head.name, steps));
        Ok(Some(Piece::File(Entry { bytes: head.len, origin: Origin::Memory { id, place, bytes }, stamp: None })))
    }
}

impl Source for TarSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        while !self.ended {
            let step = match self.head() {
                Ok(Some(head)) if self.container.meter.list(head.name.len()) => self.piece(&head, &state.context),
                Ok(Some(_)) => {
                    self.ended = true;
                    Ok(self.container.limit_reached().map(Piece::Skip))
                }
                Ok(None) => {
                    self.ended = true;
                    self.stream.finish(self.next).map(|()| None)
                }
                Err(error) => Err(error),
            };
            match step {
                Ok(Some(piece)) => return Some(Ok(piece)),
                Ok(None) => {}
                Err(error) => {
                    self.ended = true;
                    if self.stream.over {
                        return self.container.limit_reached().map(|skipped| Ok(Piece::Skip(skipped)));
                    }
                    return Some(Ok(Piece::Skip(Skipped { id: self.container.id(), reason: damaged(&error) })));
                }
            }
        }
        None
    }
}

/// The reason why a member is no file that could be read.
fn special(head: &TarHeader, container: &Container) -> Option<Reason> {
    Some(match head.kind {
        EntryType::Regular | EntryType::Continuous => return None,
        EntryType::Symlink => Reason::Link,
        EntryType::Link => Reason::SameFile(container.member_id(short(&head.link))),
        EntryType::Fifo => Reason::Special("a FIFO"),
        EntryType::Char | EntryType::Block => Reason::Special("a device"),
        EntryType::GNUSparse => {
            Reason::Packed("a file with holes, as GNU tar packs sparse files; unpack it and name the folder".into())
        }
        _ => Reason::Special("something special"),
    })
}

fn damaged(error: &io::Error) -> Reason {
    Reason::Truncated(format!("the tar is damaged or cut short: {error}"))
}

/// A stream that counts and pays for the bytes that are read, and has an end that can be moved.
struct MeteredStream {
    inner: Stream,
    meter: Arc<Meter>,
    position: u64,
    /// Reading beyond this position is an error.
    end: u64,
    /// The means of the archive ran out.
    over: bool,
}

impl MeteredStream {
    fn skip_to(&mut self, position: u64) -> io::Result<()> {
        self.end = position;
        let bytes = position - self.position;
        let passed = io::copy(&mut self.take(bytes), &mut io::sink())?;
        if passed < bytes { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// Reads on from the zeros at the end of the archive to the end of the file, where a compressed stream has its
    /// checksum. An empty file is no archive, without the zeros behind the last member others may be missing, and data behind the zeros is not
    /// read: that is damage.
    fn finish(&mut self, members_end: u64) -> io::Result<()> {
        if self.position == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if self.position == members_end {
            let message = format!(
                "no zeros end it at byte {members_end}: members may be missing. Some programs leave the zeros out: then allow damage"
            );
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        self.end = u64::MAX;
        let mut block = [0; 8192];
        loop {
            let start = self.position;
            let read = self.read(&mut block)?;
            if read == 0 {
                break;
            }
            if let Some(found) = block[..read].iter().position(|byte| *byte != 0) {
                let at = start + found as u64;
                let message = format!(
                    "zeros end it, but data follows at byte {at}: a second archive, or members behind a lost block"
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
        Ok(())
    }
}

impl Read for MeteredStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.end - self.position;
        if left == 0 && !out.is_empty() {
            return Err(io::Error::other(format!("more than {MAX_HEADER_BYTES} bytes before a member")));
        }
        let most = out.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.inner.read(&mut out[..most])?;
        self.position += read as u64;
        if self.meter.spend(read as u64) {
            return Ok(read);
        }
        self.over = true;
        Err(io::Error::other("the archive unpacks to more than is read"))
    }
}
