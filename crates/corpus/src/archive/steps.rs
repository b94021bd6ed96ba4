//! The way from the bytes of a file to those of something inside it, without looking at names and directories again.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};

use super::meter::Meter;
use crate::{put_varint, take_varint};

/// One step inwards. A member of a zip is a stretch of it, inflated; one of a `.tar.gz` a stretch of what was unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Only these bytes.
    Stretch {
        /// The first.
        at: u64,
        /// How many.
        len: u64,
    },
    /// Undoes bare deflate, as in a zip.
    Inflate,
    /// Undoes gzip.
    Gunzip,
    /// Undoes zstd.
    Unzstd,
}

impl Step {
    pub(crate) fn encode(self, out: &mut Vec<u8>) {
        match self {
            Step::Stretch { at, len } => {
                out.push(0);
                put_varint(at, out);
                put_varint(len, out);
            }
            Step::Inflate => out.push(1),
            Step::Gunzip => out.push(2),
            Step::Unzstd => out.push(3),
        }
    }

    pub(crate) fn decode(bytes: &mut &[u8]) -> Option<Step> {
        let (&kind, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(match kind {
            0 => Step::Stretch { at: take_varint(bytes)?, len: take_varint(bytes)? },
            1 => Step::Inflate,
            2 => Step::Gunzip,
            3 => Step::Unzstd,
            _ => return None,
        })
    }
}

/// What a step leads through.
pub(super) type Stream = Box<dyn Read + Send>;

/// What all the steps lead to. What has to be read over on the way is paid for.
pub(super) fn walk(mut from: Stream, steps: &[Step], meter: &Meter) -> io::Result<Stream> {
    for step in steps {
        from = match *step {
            Step::Stretch { at, len } => {
                skip(&mut from, at, meter)?;
                Box::new(Exactly { from, left: len })
            }
            Step::Inflate => Box::new(DeflateDecoder::new(BufReader::new(from))),
            Step::Gunzip => Box::new(MultiGzDecoder::new(BufReader::new(from))),
            Step::Unzstd => Box::new(zstd::stream::read::Decoder::new(from)?),
        };
    }
    Ok(from)
}

/// The same from the bytes of a file, where a first stretch needs no reading.
pub(super) fn walk_file(mut file: File, steps: &[Step], meter: &Meter) -> io::Result<Stream> {
    match steps.split_first() {
        Some((&Step::Stretch { at, len }, rest)) => {
            file.seek(SeekFrom::Start(at))?;
            walk(Box::new(Exactly { from: file, left: len }), rest, meter)
        }
        _ => walk(Box::new(file), steps, meter),
    }
}

/// Reads over so many bytes.
pub(super) fn skip(from: &mut dyn Read, bytes: u64, meter: &Meter) -> io::Result<()> {
    const AT_ONCE: u64 = 1 << 20;
    let mut left = bytes;
    while left > 0 {
        let part = left.min(AT_ONCE);
        if !meter.spend(part) {
            return Err(io::Error::other("it unpacks to more than is read"));
        }
        if io::copy(&mut from.take(part), &mut io::sink())? < part {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        left -= part;
    }
    Ok(())
}

/// So many bytes; that there are fewer is an error.
struct Exactly<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Exactly<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.from.read(&mut out[..most])?;
        if read == 0 && most > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.left -= read as u64;
        Ok(read)
    }
}
