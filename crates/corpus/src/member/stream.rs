//! The way from the bytes of a file to those of something inside it, without looking at names and directories again.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use flate2::bufread::DeflateDecoder;

use super::meter::Meter;
use crate::gunzip::Gunzip;
use crate::step::Step;
use crate::zstd::Decoder;

/// What a step leads through.
pub(crate) type Stream = Box<dyn Read + Send>;

/// What all the steps lead to. What has to be read over on the way is paid for.
pub(crate) fn open(mut from: Stream, steps: &[Step], meter: &Meter) -> io::Result<Stream> {
    for step in steps {
        from = match *step {
            Step::Range { at, len } => {
                skip(&mut from, at, meter)?;
                Box::new(ExactReader { from, left: len })
            }
            Step::Inflate => Box::new(DeflateDecoder::new(BufReader::new(from))),
            Step::Gunzip => Box::new(Gunzip::new(BufReader::new(from))),
            Step::Unzstd => Box::new(Decoder::new(from)?),
        };
    }
    Ok(from)
}

/// The same from the bytes of a file, where a first range needs no reading.
pub(crate) fn open_file(mut file: File, steps: &[Step], meter: &Meter) -> io::Result<Stream> {
    match steps.split_first() {
        Some((&Step::Range { at, len }, rest)) => {
            file.seek(SeekFrom::Start(at))?;
            open(Box::new(ExactReader { from: file, left: len }), rest, meter)
        }
        _ => open(Box::new(file), steps, meter),
    }
}

/// Reads over so many bytes.
pub(crate) fn skip(from: &mut dyn Read, bytes: u64, meter: &Meter) -> io::Result<()> {
    const BLOCK: u64 = 1 << 20;
    let mut left = bytes;
    while left > 0 {
        let part = left.min(BLOCK);
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
struct ExactReader<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for ExactReader<R> {
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
