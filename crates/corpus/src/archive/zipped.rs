//! Zip archives. The directory is read at once; members are unpacked where their batch is read.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use zip::read::{Config, ZipFileEntry};
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, System};

use super::container::{Container, Handle};
use super::names::{Names, Wanted, short, shown};
use super::{Step, enter_member};
use crate::batch::{Entry, Origin};
use crate::corpus::Shared;
use crate::reader::{Piece, Run, Source};
use crate::{Error, Place, Reason, Skipped, file};

/// Before the name in the header that stands before a member.
const LOCAL: usize = 30;

/// What the directory says of a member.
struct Slot {
    name: Box<str>,
    /// Where its header is.
    header: u64,
    /// Its bytes in the archive, and unpacked.
    packed: u64,
    size: u64,
    crc: u32,
    deflated: bool,
    /// Whether it is to be entered.
    archive: bool,
}

/// A member that is yet to be read.
pub(crate) struct Zipped {
    pub(crate) container: Arc<Container>,
    slot: Slot,
}

pub(super) struct Zip {
    container: Arc<Container>,
    handle: Handle,
    inflater: Inflater,
    listed: bool,
    members: VecDeque<Result<Slot, Skipped>>,
}

impl Zip {
    pub(super) fn open(container: Arc<Container>) -> Result<Zip, Reason> {
        let handle = container.open()?;
        Ok(Zip { container, handle, inflater: Inflater::default(), listed: false, members: VecDeque::new() })
    }

    /// Reads the directory, which is at the end of the archive.
    fn list(&mut self, shared: &Shared) {
        let mut names = Names::default();
        let failed = |error: &dyn std::fmt::Display| {
            let reason = Reason::Truncated(format!("the directory of the zip is damaged or cut off: {error}"));
            Err(Skipped { id: self.container.id(), reason })
        };
        let mut zip = match ZipIterable::try_new(&mut self.handle, Config::default()) {
            Ok(zip) => zip,
            Err(error) => return self.members.push_back(failed(&error)),
        };
        let entries = match zip.files() {
            Ok(entries) => entries,
            Err(error) => return self.members.push_back(failed(&error)),
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return self.members.push_back(failed(&error)),
            };
            if !self.container.meter.list(entry.name_raw().len()) {
                return;
            }
            self.members.extend(member(&entry, &mut names, &self.container, shared));
        }
    }

    fn piece(&mut self, slot: Slot) -> Option<Piece> {
        if !self.container.meter.spend(slot.size) {
            self.members.clear();
            return None;
        }
        if !slot.archive {
            let bytes = slot.size;
            let member = Zipped { container: Arc::clone(&self.container), slot };
            return Some(Piece::File(Entry { origin: Origin::Zipped(member), bytes }));
        }
        let mut bytes = Vec::new();
        Some(match slot.read(&mut self.handle, &mut self.inflater, &mut bytes) {
            Ok(steps) => enter_member(&self.container, &slot.name, self.container.steps(&steps), bytes),
            Err(reason) => Piece::Skip(Skipped { id: self.container.member_id(&slot.name), reason }),
        })
    }
}

impl Source for Zip {
    fn next(&mut self, run: &mut Run) -> Option<Result<Piece, Error>> {
        if !self.listed {
            self.listed = true;
            self.list(&run.shared);
        }
        let piece = match self.members.pop_front() {
            Some(Ok(slot)) => self.piece(slot),
            Some(Err(skipped)) => Some(Piece::Skip(skipped)),
            None => None,
        };
        piece.or_else(|| self.container.verdict()).map(Ok)
    }
}

/// What is to be done with a member; `None` if it is neither a document nor a loss.
fn member(
    entry: &ZipFileEntry<'_>,
    names: &mut Names,
    container: &Container,
    shared: &Shared,
) -> Option<Result<Slot, Skipped>> {
    if entry.is_dir() {
        return None;
    }
    let name = name_of(entry);
    let archive = match names.ask(&name, container, shared) {
        Wanted::No => return None,
        Wanted::Not(reason) => return Some(Err(Skipped { id: container.member_id(short(&name)), reason })),
        Wanted::Document => false,
        Wanted::Archive => true,
    };
    let slot = Slot {
        archive,
        header: entry.header_start(),
        packed: entry.compressed_size(),
        size: entry.size(),
        crc: entry.crc32(),
        deflated: entry.compression() == CompressionMethod::Deflated,
        name: name.into(),
    };
    Some(match refused(entry, archive, shared) {
        None => Ok(slot),
        Some(reason) => Err(Skipped { id: container.member_id(&slot.name), reason }),
    })
}

fn refused(entry: &ZipFileEntry<'_>, archive: bool, shared: &Shared) -> Option<Reason> {
    const KIND: u32 = 0o170_000;
    const REGULAR: u32 = 0o100_000;
    let size = entry.size();
    if entry.is_symlink() {
        Some(Reason::Link)
    } else if entry.unix_mode().is_some_and(|mode| ![0, REGULAR].contains(&(mode & KIND))) {
        Some(Reason::Special("something special"))
    } else if entry.encrypted() {
        Some(Reason::Packed("it is encrypted; unpack it with its password and name the folder".into()))
    } else if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        let how = entry.compression();
        Some(Reason::Packed(format!("its compression ({how}) is not known here; pack it again with deflate")))
    } else if archive {
        // Its bytes are held in memory, as those of a document.
        let limit = shared.options.max_size;
        (size > limit).then_some(Reason::TooLarge { bytes: size, limit })
    } else {
        shared.options.check_size(size).err()
    }
}

/// UTF-8 if it is, and otherwise code page 437, as the format has it. Some programs on Windows separate folders by
/// backslashes, against the format.
fn name_of(entry: &ZipFileEntry<'_>) -> String {
    let name = entry.name().map_or_else(|_| shown(entry.name_raw()), |name| shown(name.as_bytes()));
    if entry.system() == System::Dos && !name.contains('/') { name.replace('\\', "/") } else { name }
}

impl Zipped {
    /// Unpacks the member into `buffer`, and says where that can be done again.
    pub(crate) fn read(
        &self,
        handle: &mut Handle,
        inflater: &mut Inflater,
        buffer: &mut Vec<u8>,
    ) -> Result<Place, Reason> {
        let steps = self.slot.read(handle, inflater, buffer)?;
        Ok(self.container.place(&self.slot.name, self.container.steps(&steps)))
    }

    pub(crate) fn id(&self) -> String {
        self.container.member_id(&self.slot.name)
    }
}

impl Slot {
    fn read(&self, handle: &mut Handle, inflater: &mut Inflater, buffer: &mut Vec<u8>) -> Result<Vec<Step>, Reason> {
        buffer.clear();
        let damaged = |error: &io::Error| Reason::Truncated(format!("the zip is damaged or cut short: {error}"));
        let at = self.find(handle).map_err(|error| damaged(&error))?;
        let packed = handle.take(self.packed);
        let read = if self.deflated {
            inflater.unpack(packed, self, buffer)
        } else {
            file::fill(packed, self.size, self.size, buffer)
        };
        read.map_err(|error| damaged(&error))?;
        let mut crc = Crc::new();
        crc.update(buffer);
        if buffer.len() as u64 != self.size || crc.sum() != self.crc {
            return Err(Reason::Truncated("it is not what the directory of the zip says".into()));
        }
        let stretch = Step::Stretch { at, len: self.packed };
        Ok(if self.deflated { vec![stretch, Step::Inflate] } else { vec![stretch] })
    }

    /// Goes to where the bytes of the member begin.
    fn find(&self, handle: &mut Handle) -> io::Result<u64> {
        handle.seek(SeekFrom::Start(self.header))?;
        let mut local = [0; LOCAL];
        handle.read_exact(&mut local)?;
        if !local.starts_with(b"PK\x03\x04") {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no member is where the directory says"));
        }
        let length = |at: usize| u64::from(u16::from_le_bytes([local[at], local[at + 1]]));
        let before = LOCAL as u64 + length(26) + length(28);
        let at = self.header.checked_add(before).ok_or(io::ErrorKind::InvalidData)?;
        handle.seek(SeekFrom::Start(at))
    }
}

/// Undoes deflate, again and again with the same memory: archives mostly hold small files, each of which would ask for more memory than it
/// has bytes.
#[derive(Default)]
pub(crate) struct Inflater(Option<DeflateDecoder<Cursor<Vec<u8>>>>);

impl Inflater {
    fn unpack(&mut self, packed: impl Read, slot: &Slot, buffer: &mut Vec<u8>) -> io::Result<()> {
        let decoder = self.0.get_or_insert_with(|| DeflateDecoder::new(Cursor::default()));
        let mut bytes = std::mem::take(decoder.get_mut()).into_inner();
        bytes.clear();
        // What is packed is hardly larger than what it becomes.
        let most = slot.size.saturating_mul(2).saturating_add(64 << 10);
        file::fill(packed, slot.packed.min(most), most, &mut bytes)?;
        decoder.reset(Cursor::new(bytes));
        file::fill(decoder, slot.size, slot.size, buffer)
    }
}
