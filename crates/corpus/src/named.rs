//! A path that somebody named, on the command line or in a list: what is to be done with it?

use std::fs;
use std::path::{Path, PathBuf};

use crate::batch::{Entry, Origin};
use crate::folder::Folder;
use crate::jsonl::Jsonl;
use crate::reader::{Piece, Run};
use crate::{Reason, Skipped, archive, file, id_of};

/// `.json.gz` and `.json.zst` are here because C4, Dolma and others ship JSONL under these names; a single JSON
/// document is hardly ever compressed.
const JSONL: [&str; 8] =
    [".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".json.gz", ".jsonl.zst", ".ndjson.zst", ".json.zst"];

/// Whether a file of this name holds one document a line, if it is named itself.
///
/// Inside a folder such a file is one document like its neighbours: who names a folder means its files, and a file of a
/// million lines in a source tree is data of that tree, not a million documents in it.
pub(crate) fn is_jsonl(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_ascii_lowercase();
    JSONL.iter().any(|suffix| name.ends_with(suffix.as_bytes()))
}

/// Looks at the path, through a link if it is one: a link that is named is meant to be followed. Hidden files, ignore
/// rules and globs are for what is found in folders, not for what is named.
pub(crate) fn piece(path: PathBuf, run: &mut Run) -> Piece {
    let id = id_of(&path).into_owned();
    let skip = |id, reason| Piece::Skip(Skipped { id, reason });
    let metadata = match fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) => return skip(id, file::unreadable(&error)),
    };
    if metadata.is_dir() {
        return Piece::Enter(Box::new(Folder::new(path, &run.shared)));
    }
    if let Some(what) = file::special(metadata.file_type()) {
        return skip(id, Reason::Special(what));
    }
    if let Some(first) = run.seen.first_name(&metadata, &id) {
        return skip(id, Reason::SameFile(first));
    }
    if run.shared.options.archives && archive::is_archive(&path) {
        return archive::enter(path, String::new(), metadata.len());
    }
    if is_jsonl(&path) {
        return match Jsonl::open(&path, &run.shared) {
            Ok(jsonl) => Piece::Enter(Box::new(jsonl)),
            Err(reason) => skip(id, reason),
        };
    }
    match run.shared.options.check_size(metadata.len()) {
        Ok(()) => Piece::File(Entry { origin: Origin::Disk(path), bytes: metadata.len() }),
        Err(reason) => skip(id, reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_jsonl() {
        for name in ["a.jsonl", "x/A.JSONL.GZ", "c4.00000-of-01024.json.gz", "b.ndjson.zst"] {
            assert!(is_jsonl(Path::new(name)), "{name}");
        }
        for name in ["a.json", "a.txt.gz", "jsonl", "a.jsonl/b", "a.jsonl.bak", "/"] {
            assert!(!is_jsonl(Path::new(name)), "{name}");
        }
    }
}
