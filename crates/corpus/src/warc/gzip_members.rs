//! Gzip members, one after the other with one decoder: most hold a record of a few kilobytes, and making a decoder costs as much as unpacking
//! that.

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::input::Input;

/// Gzip with deflate; there is no other.
pub(super) const MEMBER_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// Magic, flags, time, what packed it, and on which system.
const HEAD_BYTES: usize = 10;
/// Checksum and length.
const TAIL_BYTES: usize = 8;
/// A name or a comment in the head is no longer.
const MAX_NAME_BYTES: u64 = 64 << 10;

const HAS_CHECKSUM: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

pub(super) struct Member {
    decoder: Decompress,
    crc: Crc,
}

impl Member {
    pub(super) fn new() -> Member {
        Member { decoder: Decompress::new(false), crc: Crc::new() }
    }

    /// Reads the head of a member.
    pub(super) fn begin(&mut self, input: &mut Input) -> io::Result<()> {
        self.decoder.reset(false);
        self.crc.reset();
        let head = input.peek(HEAD_BYTES)?;
        if !head.starts_with(&MEMBER_MAGIC[..head.len().min(3)]) {
            return Err(wrong("expected the beginning of gzip data, found something else"));
        }
        let flags = *head.get(3).ok_or(io::ErrorKind::UnexpectedEof)?;
        if flags & RESERVED != 0 {
            return Err(wrong("expected the beginning of gzip data, found flags that nobody uses"));
        }
        skip(input, HEAD_BYTES as u64)?;
        if flags & HAS_EXTRA != 0 {
            let length = input.peek(2)?.first_chunk().map(|length| u16::from_le_bytes(*length));
            skip(input, 2 + u64::from(length.ok_or(io::ErrorKind::UnexpectedEof)?))?;
        }
        for flag in [HAS_NAME, HAS_COMMENT] {
            if flags & flag != 0 {
                skip_name(input)?;
            }
        }
        if flags & HAS_CHECKSUM != 0 {
            skip(input, 2)?;
        }
        Ok(())
    }

    /// Unpacks some of the member: how many bytes came out, and whether that was its end.
    pub(super) fn unpack(&mut self, input: &mut Input, out: &mut [u8]) -> io::Result<(usize, bool)> {
        loop {
            let seen = input.fill()?;
            let is_end = seen.is_empty();
            let before = (self.decoder.total_in(), self.decoder.total_out());
            let status = self.decoder.decompress(seen, out, FlushDecompress::None).map_err(io::Error::from)?;
            let taken = (self.decoder.total_in() - before.0) as usize;
            let made = (self.decoder.total_out() - before.1) as usize;
            input.consume(taken);
            self.crc.update(&out[..made]);
            if status == Status::StreamEnd {
                self.check(input)?;
            }
            if made > 0 || status == Status::StreamEnd {
                return Ok((made, status == Status::StreamEnd));
            }
            if is_end {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if taken == 0 {
                return Err(wrong("the gzip data do not go on"));
            }
        }
    }

    fn check(&self, input: &mut Input) -> io::Result<()> {
        let tail: &[u8; TAIL_BYTES] = input.peek(TAIL_BYTES)?.first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        let expected = [self.crc.sum().to_le_bytes(), self.crc.amount().to_le_bytes()].concat();
        let is_whole = tail[..] == expected[..];
        input.consume(TAIL_BYTES);
        if is_whole { Ok(()) } else { Err(wrong("the gzip data do not have the checksum that they say")) }
    }
}

fn skip(input: &mut Input, bytes: u64) -> io::Result<()> {
    if input.skip(bytes)? { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Reads over a name and the zero behind it.
fn skip_name(input: &mut Input) -> io::Result<()> {
    let mut length = 0;
    loop {
        let seen = input.fill()?;
        let end = memchr::memchr(0, seen).map(|at| at + 1);
        let some = end.unwrap_or(seen.len());
        input.consume(some);
        length += some as u64;
        if end.is_some() {
            return Ok(());
        }
        if some == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if length > MAX_NAME_BYTES {
            return Err(wrong("a name in the gzip data does not end"));
        }
    }
}

fn wrong(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
