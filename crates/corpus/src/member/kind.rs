//! Which files are archives.

use std::path::Path;

/// A kind of archive, which is told by its name alone: many formats of documents are zips inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveKind {
    Zip,
    /// Plain or compressed; that is told by the content.
    Tar,
}

impl ArchiveKind {
    pub(crate) fn of_name(name: &[u8]) -> Option<ArchiveKind> {
        let name = name.to_ascii_lowercase();
        let ends = |suffix: &&str| name.ends_with(suffix.as_bytes());
        if ends(&".zip") {
            Some(ArchiveKind::Zip)
        } else if [".tar", ".tar.gz", ".tgz", ".tar.zst", ".tzst"].iter().any(ends) {
            Some(ArchiveKind::Tar)
        } else {
            None
        }
    }
}

/// Whether a file of this name is an archive, which `Options::archives` enters.
pub fn is_archive(path: &Path) -> bool {
    archive_kind(path).is_some()
}

/// Which kind of archive a file of this name is.
pub(crate) fn archive_kind(path: &Path) -> Option<ArchiveKind> {
    ArchiveKind::of_name(path.file_name().unwrap_or_default().as_encoded_bytes())
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
