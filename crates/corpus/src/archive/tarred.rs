//! Tar archives, plain or compressed. They are streams: members are read as they come, and held until their batch is
//! full.

use std::io::{self, Read};
use std::sync::Arc;

use tar::{Archive, EntryType};

use super::container::Container;
use super::enter_member;
use super::meter::Meter;
use super::names::{Names, Wanted, short, shown};
use super::steps::{Step, Stream};
use crate::batch::{Entry, Origin};
use crate::corpus::Shared;
use crate::decompress::{self, Format};
use crate::reader::{Piece, Run, Source};
use crate::{Error, Reason, Skipped, file};

/// What comes before a member, its header and long names, may have so many bytes; it is held in memory.
const HEADERS: u64 = 256 << 10;
const BLOCK: u64 = 512;

pub(super) struct Tar {
    container: Arc<Container>,
    stream: Metered,
    /// How it was compressed.
    unpack: Option<Step>,
    /// Where the next header is.
    next: u64,
    names: Names,
    ended: bool,
}

/// A header, as far as it matters.
struct Head {
    name: String,
    kind: EntryType,
    link: String,
    /// The bytes of the member in the stream.
    at: u64,
    len: u64,
}

impl Tar {
    pub(super) fn open(container: Arc<Container>) -> Result<Tar, Reason> {
        let plain = decompress::open(container.open()?, None).map_err(|error| damaged(&error))?;
        let unpack = plain.format.map(|format| match format {
            Format::Gzip => Step::Gunzip,
            Format::Zstd => Step::Unzstd,
        });
        let meter = Arc::clone(&container.meter);
        let stream = Metered { inner: plain.reader, meter, position: 0, end: 0, over: false };
        Ok(Tar { container, stream, unpack, next: 0, names: Names::default(), ended: false })
    }

    /// The next header; `None` at the end of the archive.
    fn head(&mut self) -> io::Result<Option<Head>> {
        self.stream.skip_to(self.next)?;
        self.stream.end = self.next.saturating_add(HEADERS);
        // A new one for each member, because it cannot be kept beside the stream that it reads.
        let mut archive = Archive::new(&mut self.stream);
        let Some(entry) = archive.entries()?.next().transpose()? else { return Ok(None) };
        let kind = entry.header().entry_type();
        // Otherwise a sparse file says its size with its holes.
        let len = if kind.is_gnu_sparse() { entry.header().entry_size()? } else { entry.size() };
        let name = shown(&entry.path_bytes());
        let link = shown(&entry.link_name_bytes().unwrap_or_default());
        let at = self.stream.position;
        let end = len.checked_next_multiple_of(BLOCK).and_then(|len| at.checked_add(len));
        self.next = end.ok_or_else(|| io::Error::other("a member is larger than anything can be"))?;
        Ok(Some(Head { name, kind, link, at, len }))
    }

    /// What becomes of a member; `None` if it is neither a document nor a loss.
    fn piece(&mut self, head: &Head, shared: &Shared) -> io::Result<Option<Piece>> {
        if head.kind.is_dir() || head.kind.is_pax_global_extensions() {
            return Ok(None);
        }
        let skip = |reason| Ok(Some(Piece::Skip(Skipped { id: self.container.member_id(short(&head.name)), reason })));
        let archive = match self.names.ask(&head.name, &self.container, shared) {
            Wanted::No => return Ok(None),
            Wanted::Not(reason) => return skip(reason),
            Wanted::Document => false,
            Wanted::Archive => true,
        };
        let limit = shared.options.max_size;
        if let Some(reason) = special(head, &self.container) {
            return skip(reason);
        } else if archive && head.len > limit {
            return skip(Reason::TooLarge { bytes: head.len, limit });
        } else if let (false, Err(reason)) = (archive, shared.options.check_size(head.len)) {
            return skip(reason);
        }
        let mut bytes = Vec::new();
        self.stream.end = self.next;
        file::fill((&mut self.stream).take(head.len), head.len, head.len, &mut bytes)?;
        if (bytes.len() as u64) < head.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut steps: Vec<Step> = self.unpack.into_iter().collect();
        steps.push(Step::Stretch { at: head.at, len: head.len });
        let steps = self.container.steps(&steps);
        if archive {
            return Ok(Some(enter_member(&self.container, &head.name, steps, bytes)));
        }
        let (id, place) = (self.container.member_id(&head.name), self.container.place(&head.name, steps));
        Ok(Some(Piece::File(Entry { bytes: head.len, origin: Origin::Held { id, place, bytes } })))
    }
}

impl Source for Tar {
    fn next(&mut self, run: &mut Run) -> Option<Result<Piece, Error>> {
        while !self.ended {
            let step = match self.head() {
                Ok(Some(head)) if self.container.meter.list(head.name.len()) => self.piece(&head, &run.shared),
                Ok(Some(_)) => {
                    self.ended = true;
                    Ok(self.container.verdict())
                }
                Ok(None) => {
                    self.ended = true;
                    self.stream.finish().map(|()| None)
                }
                Err(error) => Err(error),
            };
            match step {
                Ok(Some(piece)) => return Some(Ok(piece)),
                Ok(None) => {}
                Err(error) => {
                    self.ended = true;
                    if self.stream.over {
                        return self.container.verdict().map(Ok);
                    }
                    return Some(Ok(Piece::Skip(Skipped { id: self.container.id(), reason: damaged(&error) })));
                }
            }
        }
        None
    }
}

/// Why a member is no file that could be read.
fn special(head: &Head, container: &Container) -> Option<Reason> {
    Some(match head.kind {
        EntryType::Regular | EntryType::Continuous => return None,
        EntryType::Symlink => Reason::Link,
        EntryType::Link => Reason::SameFile(container.member_id(short(&head.link))),
        EntryType::Fifo => Reason::Special("a FIFO"),
        EntryType::Char | EntryType::Block => Reason::Special("a device"),
        EntryType::GNUSparse => {
            Reason::Packed("a file with holes, as tar packs it with --sparse; unpack it and name the folder".into())
        }
        _ => Reason::Special("something special"),
    })
}

fn damaged(error: &io::Error) -> Reason {
    Reason::Truncated(format!("the tar is damaged or cut short: {error}"))
}

/// A stream that knows where it is, pays for what is read, and ends where it is told to.
struct Metered {
    inner: Stream,
    meter: Arc<Meter>,
    position: u64,
    /// Who reads on asks for too much.
    end: u64,
    /// Whether the means ran out.
    over: bool,
}

impl Metered {
    fn skip_to(&mut self, position: u64) -> io::Result<()> {
        self.end = position;
        let bytes = position - self.position;
        let passed = io::copy(&mut self.take(bytes), &mut io::sink())?;
        if passed < bytes { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// Reads on to the end, for only there a compressed stream can tell whether it is sound. Nothing at all is no
    /// archive.
    fn finish(&mut self) -> io::Result<()> {
        self.end = u64::MAX;
        io::copy(self, &mut io::sink())?;
        if self.position == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

impl Read for Metered {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.end - self.position;
        if left == 0 && !out.is_empty() {
            return Err(io::Error::other(format!("more than {HEADERS} bytes before a member")));
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
