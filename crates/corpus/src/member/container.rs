//! An archive, on the disk or in memory: what it is called, how its bytes were reached, and what it may cost.

use std::io::{BufReader, Cursor, Read, Seek};
use std::path::PathBuf;
use std::sync::Arc;

use super::kind::ArchiveKind;
use super::meter::Meter;
use crate::file;
use crate::names::id_of;
use crate::place::Place;
use crate::skipped::{Reason, Skipped};
use crate::step::Step;

/// Bytes that can be read in any order.
pub(crate) trait Seekable: Read + Seek + Send {}
impl<T: Read + Seek + Send> Seekable for T {}
pub(crate) type Handle = Box<dyn Seekable>;

/// Bytes in memory, not copied to be shared.
#[derive(Clone)]
struct SharedBytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Where members come from.
pub(crate) struct Container {
    /// The archive on the disk that this is or lies in.
    path: PathBuf,
    /// The names of the archives on the way from there, each with `!/` behind it.
    inside: String,
    /// What globs see before the name of a member.
    relative: String,
    /// From the bytes on the disk to those of this archive.
    steps: Vec<Step>,
    /// 1 on the disk.
    pub(crate) depth: usize,
    /// Its bytes, if it is not on the disk.
    held: Option<SharedBytes>,
    pub(crate) meter: Arc<Meter>,
    pub(crate) kind: ArchiveKind,
}

impl Container {
    /// An archive on the disk that has so many bytes. `relative` is what globs see before the names of its members.
    pub(crate) fn of_file(path: PathBuf, relative: String, bytes: u64) -> Container {
        let meter = Arc::new(Meter::new(bytes));
        let kind = ArchiveKind::of_name(path.file_name().unwrap_or_default().as_encoded_bytes());
        let kind = kind.unwrap_or(ArchiveKind::Zip);
        Container { kind, path, inside: String::new(), relative, steps: Vec::new(), depth: 1, held: None, meter }
    }

    /// An archive in this one.
    pub(crate) fn inner(&self, name: &str, steps: Vec<Step>, bytes: Vec<u8>) -> Container {
        Container {
            kind: ArchiveKind::of_name(name.as_bytes()).unwrap_or(ArchiveKind::Zip),
            path: self.path.clone(),
            inside: format!("{}{name}!/", self.inside),
            relative: format!("{}{name}!/", self.relative),
            steps,
            depth: self.depth + 1,
            held: Some(SharedBytes(Arc::new(bytes))),
            meter: Arc::clone(&self.meter),
        }
    }

    /// The archive on the disk.
    pub(crate) fn into_path(self) -> PathBuf {
        self.path
    }

    /// Says once that the archive on the disk is not read to its end.
    pub(crate) fn limit_reached(&self) -> Option<Skipped> {
        let id = || id_of(&self.path).into_owned();
        self.meter.limit_reached().map(|reason| Skipped { id: id(), reason })
    }

    /// What the archive itself is called.
    pub(crate) fn id(&self) -> String {
        let mut id = self.member_id("");
        id.truncate(id.len() - 2);
        id
    }

    pub(crate) fn member_id(&self, name: &str) -> String {
        member_id(&id_of(&self.path), &format!("{}{name}", self.inside))
    }

    pub(crate) fn relative(&self, name: &str) -> String {
        format!("{}{name}", self.relative)
    }

    /// These steps after those to the archive.
    pub(crate) fn steps(&self, more: &[Step]) -> Vec<Step> {
        [&self.steps, more].concat()
    }

    pub(crate) fn place(&self, name: &str, steps: Vec<Step>) -> Place {
        Place::Member { path: self.path.clone(), steps, name: format!("{}{name}", self.inside) }
    }

    pub(crate) fn open(&self) -> Result<Handle, Reason> {
        Ok(match &self.held {
            Some(bytes) => Box::new(Cursor::new(bytes.clone())),
            None => Box::new(BufReader::new(file::open(&self.path)?.0)),
        })
    }
}

/// The id of a member of an archive.
pub(crate) fn member_id(archive: &str, name: &str) -> String {
    format!("{archive}!/{name}")
}
