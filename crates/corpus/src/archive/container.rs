//! An archive, on the disk or in memory: what it is called, how its bytes were reached, and what it may cost.

use std::io::{BufReader, Cursor, Read, Seek};
use std::path::PathBuf;
use std::sync::Arc;

use super::Step;
use super::meter::Meter;
use crate::reader::Piece;
use crate::{Place, Reason, Skipped, file, id_of};

/// Bytes that can be read in any order.
pub(crate) trait Seekable: Read + Seek + Send {}
impl<T: Read + Seek + Send> Seekable for T {}
pub(crate) type Handle = Box<dyn Seekable>;

/// Bytes in memory, not copied to be shared.
#[derive(Clone)]
struct Held(Arc<Vec<u8>>);

impl AsRef<[u8]> for Held {
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
    pub(super) depth: usize,
    /// Its bytes, if it is not on the disk.
    held: Option<Held>,
    pub(super) meter: Arc<Meter>,
}

impl Container {
    pub(super) fn of_file(path: PathBuf, relative: String, bytes: u64) -> Container {
        let meter = Arc::new(Meter::new(bytes));
        Container { path, inside: String::new(), relative, steps: Vec::new(), depth: 1, held: None, meter }
    }

    /// An archive in this one.
    pub(super) fn inner(&self, name: &str, steps: Vec<Step>, bytes: Vec<u8>) -> Container {
        Container {
            path: self.path.clone(),
            inside: format!("{}{name}!/", self.inside),
            relative: format!("{}{name}!/", self.relative),
            steps,
            depth: self.depth + 1,
            held: Some(Held(Arc::new(bytes))),
            meter: Arc::clone(&self.meter),
        }
    }

    /// Says once that the archive on the disk is not read to its end.
    pub(super) fn verdict(&self) -> Option<Piece> {
        let id = || id_of(&self.path).into_owned();
        self.meter.verdict().map(|reason| Piece::Skip(Skipped { id: id(), reason }))
    }

    /// What the archive itself is called.
    pub(super) fn id(&self) -> String {
        let mut id = self.member_id("");
        id.truncate(id.len() - 2);
        id
    }

    pub(crate) fn member_id(&self, name: &str) -> String {
        member_id(&id_of(&self.path), &format!("{}{name}", self.inside))
    }

    pub(super) fn relative(&self, name: &str) -> String {
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
