//! Web archives: records that stay are the same bytes, compressed as they were.
//!
//! A record with gzip members or zstd frames of its own is copied without unpacking; one that shares them with others gets one of its own. A
//! record that is dropped for an original becomes a `revisit` record. Whatever belongs to it stays: its request and its metadata, whose
//! `WARC-Concurrent-To` still names the record that was there.

use std::fs::File;
use std::io::{self, BufWriter, Read, SeekFrom, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::compress::{GZIP_LEVEL, ZSTD_LEVEL};
use super::revisit::{self, MAX_HTTP_HEAD_BYTES};
use super::{Copied, CopyError, CopyOptions, Rule, unreadable, unsupported};
use crate::decompress::Format;
use crate::member::Handle;
use crate::warc::{self, Damage, Record, Records};
use crate::zstd::Encoder;

const BUFFER_BYTES: usize = 256 << 10;

pub(super) fn copy(from: &Path, to: File, options: &CopyOptions, rule: &mut Rule<'_>) -> Result<Copied, CopyError> {
    if options.annotate {
        let reason = "records of web archives have no fields for annotations; drop records, or annotate another format";
        return Err(unsupported(from, reason));
    }
    let mut copy = WarcCopy {
        from,
        records: open(from)?,
        again: None,
        raw: RawBytes { from: open_file(from)?, position: 0 },
        out: BufWriter::with_capacity(BUFFER_BYTES, to),
    };
    let mut copied = Copied::default();
    let prefix = copy.records.prefix();
    copy.raw.copy(0..prefix, &mut copy.out).map_err(|fault| fault.error(from))?;
    while let Some(record) = copy.records.next() {
        let record = record.map_err(|damage| Fault::Read(damage).error(from))?;
        let ruling = rule(record.row).map_err(CopyError::Ruling)?;
        copied.records += 1;
        copied.written += u64::from(ruling.keep || ruling.original.is_some());
        let done = if !ruling.cuts.is_empty() {
            let reason = format!("record {}: text cannot be cut out of a web archive", record.row + 1);
            return Err(unsupported(from, reason));
        } else if ruling.keep {
            copy.keep(&record)
        } else {
            copy.drop(&record).and_then(|block| match &ruling.original {
                Some(original) => {
                    let revisit = revisit::record(&record.head, &block, original);
                    let format = copy.records.format();
                    pack(&mut copy.out, format, |out| Ok(out.write_all(&revisit)?))
                }
                None => Ok(()),
            })
        };
        done.map_err(|fault| fault.error(from))?;
    }
    copy.out.flush().map_err(CopyError::Write)?;
    Ok(copied)
}

fn open_file(from: &Path) -> Result<Handle, CopyError> {
    warc::open_file(from).map_err(|reason| CopyError::from((from, reason)))
}

fn open(from: &Path) -> Result<Records, CopyError> {
    Records::open(open_file(from)?).map_err(|error| unreadable(from, None, error))
}

struct WarcCopy<'a> {
    from: &'a Path,
    records: Records,
    /// Reads records a second time.
    again: Option<Records>,
    raw: RawBytes,
    out: BufWriter<File>,
}

impl WarcCopy<'_> {
    fn keep(&mut self, record: &Record) -> Result<(), Fault> {
        let format = self.records.format();
        let Some(start) = record.start else {
            return write_record(&mut self.records, record, format, &mut self.out);
        };
        self.records.block(record, |_| Ok::<(), Fault>(()))?;
        if let Some(end) = self.records.finish(record)? {
            return self.raw.copy(start..end, &mut self.out);
        }
        // It begins with a member and does not end with one: the first of a file that was compressed as a whole.
        let again = match &mut self.again {
            Some(again) => again,
            none => none.insert(open(self.from).map_err(Fault::Open)?),
        };
        again.restart(start).map_err(|error| Fault::Source(error, Some(record.row)))?;
        match again.next() {
            Some(Ok(same)) => write_record(again, &same, format, &mut self.out),
            Some(Err(damage)) => Err(damage.into()),
            None => Err(Fault::Source(io::ErrorKind::UnexpectedEof.into(), Some(record.row))),
        }
    }

    /// Reads over a record; the beginning of what it holds.
    fn drop(&mut self, record: &Record) -> Result<Vec<u8>, Fault> {
        let mut block = Vec::new();
        self.records.block(record, |some| {
            let room = MAX_HTTP_HEAD_BYTES - block.len();
            block.extend_from_slice(&some[..some.len().min(room)]);
            Ok::<(), Fault>(())
        })?;
        self.records.finish(record)?;
        Ok(block)
    }
}

/// Writes a record with a member of its own.
fn write_record(
    records: &mut Records,
    record: &Record,
    format: Option<Format>,
    out: &mut BufWriter<File>,
) -> Result<(), Fault> {
    pack(out, format, |out| {
        out.write_all(&record.head.raw)?;
        records.block(record, |some| Ok::<(), Fault>(out.write_all(some)?))?;
        records.finish(record)?;
        Ok(out.write_all(b"\r\n\r\n")?)
    })
}

/// Compresses what is written.
fn pack(
    out: &mut BufWriter<File>,
    format: Option<Format>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Fault>,
) -> Result<(), Fault> {
    match format {
        None => write(out),
        Some(Format::Gzip) => {
            let mut encoder = GzEncoder::new(out, Compression::new(GZIP_LEVEL));
            write(&mut encoder)?;
            encoder.finish().map(drop).map_err(Fault::Write)
        }
        Some(Format::Zstd) => {
            let mut encoder = Encoder::new(out, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            write(&mut encoder)?;
            encoder.finish().map(drop).map_err(Fault::Write)
        }
    }
}

/// The file as it is, read a second time.
struct RawBytes {
    from: Handle,
    position: u64,
}

impl RawBytes {
    /// Copies some bytes that lie behind those that were copied before.
    fn copy(&mut self, range: std::ops::Range<u64>, out: &mut impl Write) -> Result<(), Fault> {
        let source = |error| Fault::Source(error, None);
        if range.start != self.position && self.from.seek(SeekFrom::Start(range.start)).is_err() {
            // a stream: what lies between is read over
            let between = range.start - self.position;
            io::copy(&mut (&mut self.from).take(between), &mut io::sink()).map_err(source)?;
        }
        let mut left = range.end - range.start;
        let mut buffer = vec![0; BUFFER_BYTES.min(usize::try_from(left).unwrap_or(BUFFER_BYTES))];
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
            self.from.read_exact(&mut buffer[..most]).map_err(source)?;
            out.write_all(&buffer[..most])?;
            left -= most as u64;
        }
        self.position = range.end;
        Ok(())
    }
}

/// What went wrong, on which side.
enum Fault {
    Read(Damage),
    /// The file cannot be read again; at which record, if that is known.
    Source(io::Error, Option<u64>),
    Open(CopyError),
    Write(io::Error),
}

impl Fault {
    fn error(self, from: &Path) -> CopyError {
        match self {
            Fault::Read(damage) => unreadable(from, None, damage.reason()),
            Fault::Source(error, row) => {
                let record = row.map(|row| format!("record {}", row + 1));
                unreadable(from, record, format!("it cannot be read a second time: {error}"))
            }
            Fault::Open(error) => error,
            Fault::Write(error) => CopyError::Write(error),
        }
    }
}

impl From<Damage> for Fault {
    fn from(damage: Damage) -> Self {
        Fault::Read(damage)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Write(error)
    }
}
