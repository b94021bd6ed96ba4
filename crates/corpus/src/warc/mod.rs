//! Web archives: WARC 1.0 and 1.1, plain, compressed with gzip or zstd (also with a dictionary at the beginning), and WACZ.
//!
//! Documents are the records of the types `response` (HTTP with a status of 2xx), `resource` and `conversion`; what their media types call an
//! image, a film or a program is skipped, and all other records are counted, a line for each kind. Records are numbered from 0 with all kinds
//! counted. Of a response the payload is the document: chunks joined, gzip, deflate and zstd undone within `Options::max_size`. Brotli is not
//! read. Digests are not checked; checksums of gzip and zstd are.
//!
//! A record is delivered only after its end was seen to be one. Damage costs the record it is in: the reader goes on with the next member that
//! begins with a record, or in a plain file with the next line that looks like one. A record in a file that was compressed as a whole is lost
//! with all behind it, if the compressed data are damaged. Segmented records are not joined: their first part is the document.

mod batch;
mod damage;
mod document;
mod gzip_members;
mod head;
mod http;
mod input;
mod media;
mod other_records;
mod records;
mod source;
mod unpacked;
mod wacz;
mod zstd_frames;

use std::path::Path;

use crate::context::ReadContext;
use crate::file;
use crate::member::Handle;
use crate::skipped::Reason;
use crate::source::Source;

pub(crate) use damage::Damage;
pub(crate) use head::Head;
pub(crate) use http::Response;
pub(crate) use records::{Record, Records};
pub use wacz::{is_wacz, wacz_of};

/// The records of a WARC.
pub(crate) fn open(path: &Path, context: &ReadContext) -> Result<Box<dyn Source>, Reason> {
    source::WarcSource::open(path, context).map(|records| Box::new(records) as _)
}

/// The web archives of a WACZ.
pub(crate) fn open_wacz(path: &Path) -> Result<Box<dyn Source>, Reason> {
    wacz::WaczSource::open(path).map(|archives| Box::new(archives) as _)
}

/// The bytes of a web archive: a file, or a member of a WACZ.
pub(crate) fn open_file(path: &Path) -> Result<Handle, Reason> {
    match wacz::split_path(path).filter(|_| !path.exists()) {
        Some((wacz, name)) => wacz::open_member(&wacz, name),
        None => Ok(Box::new(file::open(path)?.0)),
    }
}
