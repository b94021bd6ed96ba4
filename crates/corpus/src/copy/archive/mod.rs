//! Writes an archive again without some of its files. What stays is what it was: the bytes, the header, and the way it was compressed.

#[cfg(feature = "archives")]
mod tar;
#[cfg(feature = "archives")]
mod zip;

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use super::{Copied, CopyError, unsupported};
use crate::member::{ArchiveKind, archive_kind};

/// Whether the file of this name stays.
pub type KeepMember<'a> = dyn FnMut(&str) -> bool + 'a;

/// Writes a `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.zst` or `.tzst` again, into a new file, with those files for which `keep` says so. It is
/// asked once for each file, in the order of the archive, by its name as [`crate::Place::Member`] has it. What was begun is the caller's to
/// remove after an error.
///
/// Folders and symbolic links stay; a link to a file that goes leads nowhere. So do archives inside the archive, whole, whatever is in them, and a file
/// with the name of one before it, which no reader delivers. [`Copied`] counts files and hard links, not folders and
/// symbolic links.
pub fn copy_archive(from: &Path, to: File, keep: &mut KeepMember<'_>) -> Result<Copied, CopyError> {
    let Some(kind) = archive_kind(from) else {
        return Err(unsupported(from, "not an archive; expected .zip, .tar, .tar.gz, .tgz, .tar.zst or .tzst"));
    };
    let mut choice = Choice { keep, met: HashSet::new(), copied: Copied::default() };
    copy(kind, from, to, &mut choice)?;
    Ok(choice.copied)
}

#[cfg(feature = "archives")]
fn copy(kind: ArchiveKind, from: &Path, to: File, choice: &mut Choice<'_, '_>) -> Result<(), CopyError> {
    match kind {
        ArchiveKind::Zip => zip::copy(from, to, choice),
        ArchiveKind::Tar => tar::copy(from, to, choice),
    }
}

#[cfg(not(feature = "archives"))]
fn copy(_: ArchiveKind, from: &Path, _: File, _: &mut Choice<'_, '_>) -> Result<(), CopyError> {
    Err(unsupported(from, crate::archive::WITHOUT_ARCHIVES))
}

/// Which files stay, and how many.
struct Choice<'a, 'b> {
    keep: &'a mut KeepMember<'b>,
    met: HashSet<String>,
    copied: Copied,
}

impl Choice<'_, '_> {
    fn keeps(&mut self, name: &str) -> bool {
        let is_asked = ArchiveKind::of_name(name.as_bytes()).is_none() && self.met.insert(name.to_owned());
        let is_kept = !is_asked || (self.keep)(name);
        self.copied.records += 1;
        self.copied.written += u64::from(is_kept);
        is_kept
    }
}
