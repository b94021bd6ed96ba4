//! Streams that may be compressed, recognised by their first bytes.

use std::fmt;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::gunzip::Gunzip;
use crate::zstd::Decoder;

/// How much compressed data is asked for at once.
const BUFFER_BYTES: usize = 128 << 10;
/// What is looked at to recognise a format.
const MAGIC_BYTES: usize = 4;

/// A way of compressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Gzip, of any number of members.
    Gzip,
    /// Zstandard, of any number of frames.
    Zstd,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Gzip => "gzip",
            Format::Zstd => "zstd",
        })
    }
}

impl Format {
    /// What the name promises.
    pub(crate) fn of_name(path: &Path) -> Option<Format> {
        let extension = path.extension()?;
        if extension.eq_ignore_ascii_case("gz") {
            Some(Format::Gzip)
        } else if extension.eq_ignore_ascii_case("zst") {
            Some(Format::Zstd)
        } else {
            None
        }
    }

    /// What the content is. No line of JSON begins with any of these, so the content can overrule the name.
    fn of_magic(magic: &[u8]) -> Option<Format> {
        match magic {
            [0x1f, 0x8b, ..] => Some(Format::Gzip),
            // A frame, or a skippable frame such as pzstd puts first.
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => Some(Format::Zstd),
            _ => None,
        }
    }
}

/// A stream with its compression removed.
pub struct Plain {
    /// What it holds.
    pub reader: Box<dyn Read + Send>,
    /// How it was compressed, if it was.
    pub format: Option<Format>,
    /// The bytes taken from the input so far, before decompression.
    pub consumed: Arc<AtomicU64>,
}

/// Recognises the format of lines of JSON and undoes it. Several gzip members or zstd frames in a row are one stream.
///
/// `named` is the format that the name of the file promises. A file that is not what it is called but could be plain
/// JSONL is read as that, for browsers and proxies like to unpack on the way; one that could not is an error.
pub fn open(input: impl Read + Send + 'static, named: Option<Format>) -> io::Result<Plain> {
    open_if(input, named, could_be_json)
}

/// The same for what is plain if `could_be_plain` says so of its first bytes.
pub(crate) fn open_if(
    input: impl Read + Send + 'static,
    named: Option<Format>,
    could_be_plain: fn(&[u8]) -> bool,
) -> io::Result<Plain> {
    let consumed = Arc::new(AtomicU64::new(0));
    let mut input = Counting { input, count: Arc::clone(&consumed) };
    let mut magic = Vec::with_capacity(MAGIC_BYTES);
    // byte by byte: a short first line is whole, and whoever wrote it may wait for an answer
    while magic.len() < MAGIC_BYTES && magic.last() != Some(&b'\n') && (&mut input).take(1).read_to_end(&mut magic)? > 0
    {
    }
    let format = Format::of_magic(&magic);
    if let (Some(named), None) = (named, format)
        && !could_be_plain(&magic)
    {
        let found = if magic.is_empty() { "nothing" } else { "something else" };
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("expected {named} data, found {found}")));
    }
    let whole = Cursor::new(magic).chain(input);
    let reader: Box<dyn Read + Send> = match format {
        None => Box::new(whole),
        Some(Format::Gzip) => Box::new(Gunzip::new(BufReader::with_capacity(BUFFER_BYTES, whole))),
        Some(Format::Zstd) => Box::new(Decoder::with_buffer(BufReader::with_capacity(BUFFER_BYTES, whole))?),
    };
    Ok(Plain { reader, format, consumed })
}

/// Whether these could be the first bytes of plain JSONL.
fn could_be_json(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    matches!(start.trim_ascii_start().first(), Some(b'{'))
}

/// Whether these could be the first bytes of plain text.
pub(crate) fn could_be_text(start: &[u8]) -> bool {
    !start.is_empty() && start.iter().all(|byte| *byte >= b' ' || b"\t\r\n".contains(byte))
}

/// Counts what passes through.
struct Counting<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
