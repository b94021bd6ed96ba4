//! WACZ: a zip that holds web archives, their index and a list of pages. Each web archive in it is a shard, called `x.wacz!/archive/name`.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::bufread::DeflateDecoder;

use super::source::WarcSource;
use crate::ahead::PackedShard;
use crate::error::Error;
use crate::file;
use crate::member::{Handle, data_start, member_id};
use crate::names::id_of;
use crate::skipped::{Reason, Skipped};
use crate::source::{Piece, ReadAhead, Source, WalkState};

/// Between the path of a WACZ and the name in it.
const SEPARATOR: &str = "!/";

/// Whether a file of this name is a WACZ.
pub fn is_wacz(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wacz"))
}

/// The web archives in a WACZ, one after the other.
pub(crate) struct WaczSource {
    path: PathBuf,
    names: VecDeque<String>,
    /// Members that are no web archives.
    others: u64,
}

impl WaczSource {
    pub(crate) fn open(path: &Path) -> Result<WaczSource, Reason> {
        let mut names = VecDeque::new();
        let mut others = 0;
        for_each_member(path, |member| {
            if member.name.starts_with("archive/") && is_warc(&member.name) {
                names.push_back(member.name);
            } else {
                others += 1;
            }
            false
        })?;
        Ok(WaczSource { path: path.to_owned(), names, others })
    }
}

impl Source for WaczSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        let skip = |id, reason| Some(Ok(Piece::Skip(Skipped { id, reason })));
        let label = id_of(&self.path);
        let Some(name) = self.names.pop_front() else {
            let others = std::mem::take(&mut self.others);
            let reason = Reason::NotDocument(format!("{others} members that are no web archives, such as its index"));
            return if others > 0 { skip(label.into_owned(), reason) } else { None };
        };
        match WarcSource::open(&member_path(&self.path, &name), &state.context) {
            Ok(records) => Some(Ok(Piece::Enter(Box::new(PackedShard(Box::new(records)))))),
            Err(reason) => skip(member_id(&label, &name), reason),
        }
    }

    fn read_ahead(&self) -> ReadAhead {
        ReadAhead::List
    }
}

/// Whether a member of this name is a web archive.
fn is_warc(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".warc", ".warc.gz", ".warc.zst"].iter().any(|suffix| name.ends_with(suffix))
}

/// The path of a web archive in a WACZ. No file has it.
fn member_path(wacz: &Path, name: &str) -> PathBuf {
    let mut path = wacz.as_os_str().to_owned();
    path.push(SEPARATOR);
    path.push(name);
    path.into()
}

/// The WACZ and the name in it, if a path leads into one.
pub(super) fn split_path(path: &Path) -> Option<(PathBuf, &str)> {
    let name = path.to_str()?;
    let (wacz, name) = name
        .match_indices(SEPARATOR)
        .map(|(at, _)| (&name[..at], &name[at + 2..]))
        .find(|(wacz, _)| is_wacz(Path::new(wacz)))?;
    Some((PathBuf::from(wacz), name))
}

/// The WACZ that holds a web archive, if the path is that of a web archive in a WACZ.
pub fn wacz_of(path: &Path) -> Option<PathBuf> {
    split_path(path).filter(|_| !path.exists()).map(|(wacz, _)| wacz)
}

/// The bytes of a web archive in a WACZ.
pub(super) fn open_member(wacz: &Path, name: &str) -> Result<Handle, Reason> {
    let mut found = None;
    for_each_member(wacz, |member| {
        let is_it = member.name == name;
        if is_it {
            found = Some(member);
        }
        is_it
    })?;
    let member = found.ok_or_else(|| Reason::Unreadable("the WACZ has no such member".into()))?;
    let mut file = file::open(wacz)?.0;
    let start = data_start(&mut file, member.header).map_err(|error| damaged(&error))?;
    let slice = Slice { file, start, length: member.packed, at: 0 };
    match member.method {
        Compression::Stored => Ok(Box::new(slice)),
        Compression::Deflated => Ok(Box::new(Forward(DeflateDecoder::new(BufReader::new(slice))))),
        Compression::Other(how) => Err(Reason::Packed(format!(
            "its compression ({how}) is not known here; a WACZ stores its web archives as they are"
        ))),
    }
}

/// What the directory says of a member.
struct Member {
    name: String,
    header: u64,
    packed: u64,
    method: Compression,
}

/// How a member is compressed.
#[cfg_attr(not(feature = "archives"), expect(dead_code, reason = "nothing is listed"))]
enum Compression {
    Stored,
    Deflated,
    Other(String),
}

#[cfg(not(feature = "archives"))]
fn for_each_member(_: &Path, _: impl FnMut(Member) -> bool) -> Result<(), Reason> {
    Err(Reason::Unreadable(crate::archive::WITHOUT_ARCHIVES.into()))
}

/// Calls `each` for every file in the zip, until it says that it has what it wanted.
#[cfg(feature = "archives")]
fn for_each_member(path: &Path, mut each: impl FnMut(Member) -> bool) -> Result<(), Reason> {
    use crate::archive::display_name;
    use crate::member::{Meter, check_zip_extent};
    use zip::CompressionMethod;
    use zip::read::Config;
    use zip::unstable::read::ZipIterable;
    let (file, metadata) = file::open(path)?;
    let meter = Meter::new(metadata.len());
    let mut file = BufReader::new(file);
    check_zip_extent(&mut file).map_err(|error| damaged(&error))?;
    let mut zip = ZipIterable::try_new(file, Config::default()).map_err(|error| damaged(&error))?;
    for entry in zip.files().map_err(|error| damaged(&error))? {
        let entry = entry.map_err(|error| damaged(&error))?;
        if !meter.list(entry.name_raw().len()) {
            return meter.limit_reached().map_or(Ok(()), Err);
        }
        if entry.is_dir() {
            continue;
        }
        if entry.encrypted() {
            return Err(Reason::Packed("it is encrypted; unpack it with its password and name the folder".into()));
        }
        let name = display_name(entry.name_raw());
        let method = match entry.compression() {
            CompressionMethod::Stored => Compression::Stored,
            CompressionMethod::Deflated => Compression::Deflated,
            other => Compression::Other(other.to_string()),
        };
        let (header, packed) = (entry.header_start(), entry.compressed_size());
        if each(Member { name, header, packed, method }) {
            break;
        }
    }
    Ok(())
}

fn damaged(error: &dyn std::fmt::Display) -> Reason {
    Reason::Truncated(format!("the WACZ is damaged or cut short: {error}"))
}

/// Some bytes of a file.
struct Slice {
    file: File,
    start: u64,
    length: u64,
    at: u64,
}

impl Read for Slice {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let most = out.len().min(left);
        let read = self.file.read(&mut out[..most])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Slice {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(at) = to else { return Err(io::ErrorKind::Unsupported.into()) };
        self.file.seek(SeekFrom::Start(self.start.saturating_add(at)))?;
        self.at = at;
        Ok(at)
    }
}

/// A stream that only goes on.
struct Forward<R>(R);

impl<R: Read> Read for Forward<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out)
    }
}

impl<R> Seek for Forward<R> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
