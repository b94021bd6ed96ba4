//! Documents that are zip archives of parts.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use lookalike_extract::{ExtractError, Format};

use super::damaged;

/// The parts that are read may together be this many times as large as the document, as in archives, and this many bytes
/// more.
const MAX_UNPACK_RATIO: u64 = 200;
const FREE_UNPACK_BYTES: u64 = 16 << 20;

/// The error of a part larger than that, which passes through readers that do not know our errors.
const TOO_LARGE: &str = "its parts unpack to more than 200 times its size, as bombs do";

/// A zip archive of parts.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    left: u64,
    format: Format,
}

impl<'a> Package<'a> {
    pub(super) fn open(bytes: &'a [u8], format: Format) -> Result<Self, ExtractError> {
        // what Office before 2007 wrote, and what it wraps around what it encrypts
        if bytes.starts_with(b"\xD0\xCF\x11\xE0") {
            return Err(ExtractError::Encrypted { format });
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(format, &error))?;
        let left = (bytes.len() as u64).saturating_mul(MAX_UNPACK_RATIO).saturating_add(FREE_UNPACK_BYTES);
        Ok(Self { archive, left, format })
    }

    /// A part, to be read from its beginning; none if there is none of that name.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<impl BufRead + '_>, ExtractError> {
        let format = self.format;
        match self.archive.by_name(name) {
            Ok(file) => Ok(Some(BufReader::new(Unpacked { file, left: &mut self.left }))),
            Err(ZipError::FileNotFound) => Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => Err(ExtractError::Encrypted { format }),
            Err(error) => Err(damaged(format, &error)),
        }
    }

    /// A part that must be there.
    pub(super) fn required_part(&mut self, name: &str) -> Result<impl BufRead + '_, ExtractError> {
        let format = self.format;
        self.part(name)?.ok_or_else(|| damaged(format, &format_args!("{name} is missing")))
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }
}

/// A part that counts what is unpacked of it.
struct Unpacked<'a, R> {
    file: R,
    left: &'a mut u64,
}

impl<R: Read> Read for Unpacked<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        *self.left = self.left.checked_sub(read as u64).ok_or_else(|| io::Error::other(TOO_LARGE))?;
        Ok(read)
    }
}
