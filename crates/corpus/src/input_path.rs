//! A path that is named as an input or in a list: what is to be done with it?

use std::fs;
use std::path::PathBuf;

use crate::file;
use crate::folder::FolderSource;
use crate::followed_source;
use crate::member::{Container, is_archive};
use crate::names::id_of;
use crate::own_files::OwnFiles;
use crate::shard;
use crate::skipped::{Reason, Skipped};
use crate::source::{Entry, Origin, Piece, WalkState};

/// Looks at the path, through a link if it is one: a link that is named is meant to be followed. Hidden files, ignore
/// rules and globs are for what is found in folders, not for what is named.
pub(crate) fn piece(path: PathBuf, state: &mut WalkState) -> Piece {
    let id = id_of(&path).into_owned();
    let skip = |id, reason| Piece::Skip(Skipped { id, reason });
    let metadata = match fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) => return skip(id, file::unreadable(&error)),
    };
    // a name in a list
    if state.context.own_files.contains(&path) {
        return skip(id, Reason::Own("it belongs to this run"));
    }
    if metadata.is_dir() {
        if let Some(what) = OwnFiles::kind_of_input(&path) {
            return skip(id, Reason::Own(what));
        }
        return Piece::Enter(Box::new(FolderSource::new(path, &state.context)));
    }
    if let Some(what) = file::special(metadata.file_type()) {
        return skip(id, Reason::Special(what));
    }
    if let Some(first) = state.seen.first_name(&metadata, &id) {
        return skip(id, Reason::SameFile(first));
    }
    if state.lists {
        return Piece::File(Entry { origin: Origin::Disk(path), bytes: metadata.len(), stamp: None });
    }
    if let Some(kept) = followed_source::kept(&path, &metadata, state) {
        return kept;
    }
    if state.context.options.archives && is_archive(&path) {
        let archive = Piece::Archive(Container::of_file(path.clone(), String::new(), metadata.len()));
        return followed_source::followed(archive, &path, &metadata, state);
    }
    if let Some(opened) = shard::open(&path, &state.context) {
        return match opened {
            Ok(records) => followed_source::followed(Piece::Enter(records), &path, &metadata, state),
            Err(reason) => skip(id, reason),
        };
    }
    match state.context.options.check_size(metadata.len()) {
        Ok(()) => {
            let stamp = followed_source::stamp(&metadata, state);
            Piece::File(Entry { origin: Origin::Disk(path), bytes: metadata.len(), stamp })
        }
        Err(reason) => skip(id, reason),
    }
}
