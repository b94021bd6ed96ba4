//! Where a document lies: below which input, and on which path from there.

use lookalike_corpus::is_archive;
use std::path::Path;

/// An input, as ids begin with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    /// Without a slash at the end; empty for the folder that we are in.
    id: String,
}

impl Root {
    pub(crate) fn new(id: &str) -> Self {
        let id = id.trim_end_matches('/');
        Self { id: if id == "." { String::new() } else { id.to_owned() } }
    }

    pub(crate) fn is_archive(&self) -> bool {
        is_archive(Path::new(&self.id))
    }

    /// The path of a document from here; empty if it is this itself, none if it lies elsewhere.
    pub(crate) fn below<'a>(&self, id: &'a str) -> Option<&'a str> {
        if self.id.is_empty() {
            return Some(id);
        }
        let rest = id.strip_prefix(&self.id)?;
        match rest.strip_prefix("!/") {
            Some(path) if self.is_archive() => Some(path),
            _ if rest.is_empty() => Some(rest),
            _ => rest.strip_prefix('/'),
        }
    }

    /// What it is called.
    pub(crate) fn last_part(&self) -> &str {
        last_part(&self.id)
    }

    pub(crate) fn len(&self) -> usize {
        self.id.len()
    }
}

/// The first part of a path and the rest. An archive is a part without the `!` behind it; a path of one part has no rest.
pub(crate) fn first_part(path: &str) -> (&str, Option<&str>) {
    match path.split_once('/') {
        Some((first, rest)) => (archive_name(first).unwrap_or(first), Some(rest)),
        None => (path, None),
    }
}

/// The last part of a path.
pub(crate) fn last_part(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}

/// The name of the archive, if this part of an id stands for one.
fn archive_name(part: &str) -> Option<&str> {
    part.strip_suffix('!').filter(|name| is_archive(Path::new(name)))
}

/// So many bytes of the ids are the same folders for all inputs; names need not repeat them. With one input that is all of it, or the
/// folder that it lies in if it is a file.
pub(crate) fn shared(roots: &[Root], one_file: bool) -> usize {
    let Some((first, others)) = roots.split_first() else { return 0 };
    let folder = |path: &str| path.rfind('/').map_or(0, |at| at + 1);
    if others.is_empty() {
        return if one_file { folder(&first.id) } else { first.len() };
    }
    let common = others.iter().fold(first.id.as_str(), |common, other| {
        let length = common.bytes().zip(other.id.bytes()).take_while(|(a, b)| a == b).count();
        &common[..common.floor_char_boundary(length)]
    });
    // "a/b" and "a/bc" share "a/", and so do "a/b" and "a/b/c"
    folder(common)
}
