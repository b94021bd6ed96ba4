//! Files byte for byte: whether two are equal, what a file's hash is, and copies that are verified.

use crate::context::{ActContext, cannot};
use crate::file_system::FileAttributes;
use lookalike_corpus::id_of;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes that are read at once.
const READ_BLOCK: usize = 1 << 17;

impl ActContext<'_> {
    /// The hash of the content that two open files have in common; none if they differ.
    pub(crate) fn equal(&self, a: &mut File, b: &mut File) -> Result<Option<String>, String> {
        let (mut one, mut two) = (vec![0; READ_BLOCK], vec![0; READ_BLOCK]);
        let mut hasher = blake3::Hasher::new();
        loop {
            self.check_cancelled()?;
            let length = fill(a, &mut one)?;
            if length != fill(b, &mut two)? || one[..length] != two[..length] {
                return Ok(None);
            }
            hasher.update(&one[..length]);
            self.progress.advance(length as u64);
            if length < READ_BLOCK {
                return Ok(Some(hasher.finalize().to_hex().to_string()));
            }
        }
    }

    /// Whether two names have the same content, or are the same file.
    pub(crate) fn is_equal(&self, a: &Path, b: &Path) -> Result<bool, String> {
        let ((mut one, status), (mut two, other)) = (self.open(a)?, self.open(b)?);
        Ok(status.is_same_file(&other) || (status.bytes == other.bytes && self.equal(&mut one, &mut two)?.is_some()))
    }

    /// Whether a file is the beginning of another, or all of it: what a copy is that was not finished.
    pub(crate) fn is_prefix(&self, part: &Path, whole: &Path) -> Result<bool, String> {
        let ((mut one, status), (two, other)) = (self.open(part)?, self.open(whole)?);
        let mut two = two.take(status.bytes);
        if status.is_same_file(&other) {
            return Ok(true);
        }
        let (mut first, mut second) = (vec![0; READ_BLOCK], vec![0; READ_BLOCK]);
        loop {
            let length = fill(&mut one, &mut first)?;
            if length != fill(&mut two, &mut second)? || first[..length] != second[..length] {
                return Ok(false);
            }
            if length < READ_BLOCK {
                return Ok(true);
            }
        }
    }

    /// The hash of a file's content.
    pub(crate) fn hash(&self, file: &mut File) -> Result<String, String> {
        let mut block = vec![0; READ_BLOCK];
        let mut hasher = blake3::Hasher::new();
        loop {
            self.check_cancelled()?;
            let length = fill(file, &mut block)?;
            hasher.update(&block[..length]);
            if length < READ_BLOCK {
                return Ok(hasher.finalize().to_hex().to_string());
            }
        }
    }

    /// A copy under a new name that is on the disk and holds what it should, with these rights and this time. If it cannot be made,
    /// nothing is left of it.
    pub(crate) fn copy(
        &self,
        from: &Path,
        to: &Path,
        content: &str,
        attributes: FileAttributes,
        modified: i64,
    ) -> Result<(), String> {
        let (mut source, _) = self.open(from)?;
        let mut copy = self.files.create(to).map_err(cannot("make", to))?;
        let filled = self.fill_copy(&mut source, &mut copy, to).and_then(|()| {
            self.files.finish(&copy, attributes, modified).map_err(cannot("write", to))?;
            self.files.sync(&copy).map_err(cannot("write", to))?;
            // read again: what counts is what the copy holds, not what was meant to be in it
            let (mut copy, _) = self.open(to)?;
            if self.hash(&mut copy)? == content {
                return Ok(());
            }
            Err(format!("{} no longer has the content that it had", id_of(from)))
        });
        if filled.is_err() {
            // if this fails too, the log knows its name
            let _ = self.files.remove(to);
        }
        filled
    }

    fn fill_copy(&self, source: &mut File, copy: &mut File, to: &Path) -> Result<(), String> {
        let mut block = vec![0; READ_BLOCK];
        loop {
            self.check_cancelled()?;
            let length = fill(source, &mut block)?;
            self.files.write(copy, &block[..length]).map_err(cannot("write", to))?;
            if length < READ_BLOCK {
                return Ok(());
            }
        }
    }
}

/// Reads until the block is full or the file ends.
fn fill(file: &mut impl Read, block: &mut [u8]) -> Result<usize, String> {
    let mut length = 0;
    while length < block.len() {
        match file.read(&mut block[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(format!("cannot be read: {e}")),
        }
    }
    Ok(length)
}
