//! Archives: each file in a zip or tar is a document, also where archives lie in each other.
//!
//! The file `path/in/it` of `x.zip` is called `x.zip!/path/in/it`, and in an archive inside that `x.zip!/y.tar.gz!/name`.
//! A name is only ever a name: nothing in an archive is opened as a path, whatever it is called. What one archive can
//! cost is bounded by its own size (`meter.rs`), and how deep they nest by [`DEEPEST`].

mod again;
mod container;
mod meter;
mod names;
mod steps;
mod tarred;
mod zipped;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use again::{Unpacked, read as read_again};
pub(crate) use container::{Container, Handle, member_id};
pub(crate) use names::is_rubbish;
pub use steps::Step;
pub(crate) use zipped::{Inflater, Zipped};

use crate::reader::{Piece, Source};
use crate::{Reason, Skipped, id_of};

/// So many archives may lie in each other. Exports of courses have two: the course, and what a student handed in.
const DEEPEST: usize = 4;
/// Each archive takes at most three steps: a `.tar.gz` that a zip holds is cut out, inflated and unpacked; and one
/// more to the last member.
pub(crate) const MOST_STEPS: usize = 3 * DEEPEST + 1;

/// A kind of archive, which is told by its name alone: many formats of documents are zips inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zip,
    /// Plain or compressed; that is told by the content.
    Tar,
}

impl Kind {
    fn of_name(name: &[u8]) -> Option<Kind> {
        let name = name.to_ascii_lowercase();
        let ends = |suffix: &&str| name.ends_with(suffix.as_bytes());
        if ends(&".zip") {
            Some(Kind::Zip)
        } else if [".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst"].iter().any(ends) {
            Some(Kind::Tar)
        } else {
            None
        }
    }
}

/// Whether a file of this name is an archive, which `Options::archives` enters.
pub fn is_archive(path: &Path) -> bool {
    Kind::of_name(path.file_name().unwrap_or_default().as_encoded_bytes()).is_some()
}

/// Enters an archive on the disk that has so many bytes. `relative` is what globs see before the names of its members.
pub(crate) fn enter(path: PathBuf, relative: String, bytes: u64) -> Piece {
    let id = id_of(&path).into_owned();
    let kind = Kind::of_name(path.file_name().unwrap_or_default().as_encoded_bytes());
    open(id, kind.unwrap_or(Kind::Zip), Container::of_file(path, relative, bytes))
}

/// Enters an archive that is a member of another and was read.
fn enter_member(outer: &Container, name: &str, steps: Vec<Step>, bytes: Vec<u8>) -> Piece {
    let kind = Kind::of_name(name.as_bytes()).unwrap_or(Kind::Zip);
    open(outer.member_id(name), kind, outer.inner(name, steps, bytes))
}

fn open(id: String, kind: Kind, container: Container) -> Piece {
    if container.depth > DEEPEST {
        let message = format!("an archive inside {DEEPEST} others; unpack those and name the folder");
        return Piece::Skip(Skipped { id, reason: Reason::Packed(message) });
    }
    let container = Arc::new(container);
    let source: Result<Box<dyn Source>, Reason> = match kind {
        Kind::Zip => zipped::Zip::open(container).map(|zip| Box::new(zip) as _),
        Kind::Tar => tarred::Tar::open(container).map(|tar| Box::new(tar) as _),
    };
    match source {
        Ok(source) => Piece::Enter(source),
        Err(reason) => Piece::Skip(Skipped { id, reason }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_archives() {
        for name in ["a.zip", "x/A.TAR.GZ", "b.tgz", "b.tar", "c.tar.zst", "c.tzst"] {
            assert!(is_archive(Path::new(name)), "{name}");
        }
        for name in ["a.docx", "a.jar", "zip", "a.gz", "a.zip/b", "a.zip.bak", "a.zst", "/"] {
            assert!(!is_archive(Path::new(name)), "{name}");
        }
    }
}
