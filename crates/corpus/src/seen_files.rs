//! The same file is read once, whatever names it has.

use std::collections::HashMap;
use std::fs::Metadata;

/// The files met so far, by device and inode.
///
/// Only what can be met twice is remembered, for a name costs memory: with one folder and no links followed that is
/// the files with several hard links; otherwise every file.
#[derive(Debug)]
pub(crate) struct SeenFiles {
    every: bool,
    names: HashMap<(u64, u64), Box<str>>,
}

impl SeenFiles {
    /// `every`: a file with one hard link can be met twice too.
    pub(crate) fn new(every: bool) -> SeenFiles {
        SeenFiles { every, names: HashMap::new() }
    }

    /// The first name of this file, if it was met before; otherwise `id` becomes its first name.
    pub(crate) fn first_name(&mut self, metadata: &Metadata, id: &str) -> Option<String> {
        let (key, links) = identity(metadata)?;
        if !self.every && links < 2 {
            return None;
        }
        if let Some(first) = self.names.get(&key) {
            return Some(first.to_string());
        }
        self.names.insert(key, id.into());
        None
    }
}

/// Device and inode, and the number of hard links.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere a file has no such identity")]
fn identity(metadata: &Metadata) -> Option<((u64, u64), u64)> {
    use std::os::unix::fs::MetadataExt;
    Some(((metadata.dev(), metadata.ino()), metadata.nlink()))
}

/// The standard library shows no identity of a file elsewhere.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<((u64, u64), u64)> {
    None
}
