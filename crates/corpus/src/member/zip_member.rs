//! A member of a zip archive: where it is, and how it is unpacked.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::container::{Container, Handle};
use crate::file;
use crate::place::Place;
use crate::skipped::Reason;
use crate::step::Step;

/// Before the name in the header that stands before a member.
const LOCAL_HEADER_BYTES: usize = 30;

/// What the directory says of a member.
pub(crate) struct ZipEntry {
    pub(crate) name: Box<str>,
    /// Where its header is.
    pub(crate) header: u64,
    /// Its bytes in the archive, and unpacked.
    pub(crate) packed: u64,
    pub(crate) size: u64,
    pub(crate) crc: u32,
    pub(crate) deflated: bool,
    /// Whether it is to be entered.
    pub(crate) archive: bool,
}

/// A member that is yet to be read.
pub(crate) struct ZipMember {
    pub(crate) container: Arc<Container>,
    pub(crate) entry: ZipEntry,
}

impl ZipMember {
    /// Unpacks the member into `buffer`, and says where that can be done again.
    pub(crate) fn read(
        &self,
        handle: &mut Handle,
        inflater: &mut Inflater,
        buffer: &mut Vec<u8>,
    ) -> Result<Place, Reason> {
        let steps = self.entry.read(handle, inflater, buffer)?;
        Ok(self.container.place(&self.entry.name, self.container.steps(&steps)))
    }

    pub(crate) fn id(&self) -> String {
        self.container.member_id(&self.entry.name)
    }
}

impl ZipEntry {
    /// Unpacks into `buffer`, and says by which steps from the archive that can be done again.
    pub(crate) fn read(
        &self,
        handle: &mut Handle,
        inflater: &mut Inflater,
        buffer: &mut Vec<u8>,
    ) -> Result<Vec<Step>, Reason> {
        buffer.clear();
        let damaged = |error: &io::Error| Reason::Truncated(format!("the zip is damaged or cut short: {error}"));
        let at = data_start(handle, self.header).map_err(|error| damaged(&error))?;
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
        let range = Step::Range { at, len: self.packed };
        Ok(if self.deflated { vec![range, Step::Inflate] } else { vec![range] })
    }
}

/// Goes to where the bytes of the member begin whose header is here.
pub(crate) fn data_start(zip: &mut (impl Read + Seek), header: u64) -> io::Result<u64> {
    zip.seek(SeekFrom::Start(header))?;
    let mut local = [0; LOCAL_HEADER_BYTES];
    zip.read_exact(&mut local)?;
    if !local.starts_with(b"PK\x03\x04") {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no member is where the directory says"));
    }
    let length = |at: usize| u64::from(u16::from_le_bytes([local[at], local[at + 1]]));
    let before = LOCAL_HEADER_BYTES as u64 + length(26) + length(28);
    let at = header.checked_add(before).ok_or(io::ErrorKind::InvalidData)?;
    zip.seek(SeekFrom::Start(at))
}

/// Undoes deflate, again and again with the same memory: archives mostly hold small files, each of which would ask for more memory than it
/// has bytes.
#[derive(Default)]
pub(crate) struct Inflater(Option<DeflateDecoder<Cursor<Vec<u8>>>>);

impl Inflater {
    fn unpack(&mut self, packed: impl Read, entry: &ZipEntry, buffer: &mut Vec<u8>) -> io::Result<()> {
        let decoder = self.0.get_or_insert_with(|| DeflateDecoder::new(Cursor::default()));
        let mut bytes = std::mem::take(decoder.get_mut()).into_inner();
        bytes.clear();
        // What is packed is hardly larger than what it becomes.
        let most = entry.size.saturating_mul(2).saturating_add(64 << 10);
        file::fill(packed, entry.packed.min(most), most, &mut bytes)?;
        decoder.reset(Cursor::new(bytes));
        file::fill(decoder, entry.size, entry.size, buffer)
    }
}
