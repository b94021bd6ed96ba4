//! The files of a folder.

use std::collections::VecDeque;
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, Walk, WalkBuilder};

use crate::batch::{Entry, Origin};
use crate::corpus::Shared;
use crate::reader::{Piece, Run, Source};
use crate::seen::Seen;
use crate::{Error, Reason, Skipped, archive, file, id_of};

/// Walks a folder in the order of the file names' bytes, folder by folder.
pub(crate) struct Folder {
    root: PathBuf,
    walk: Walk,
    /// What the walk left out on the way and has to be reported; filled from inside the walk.
    aside: Arc<Mutex<VecDeque<Skipped>>>,
    /// What comes after that.
    held: Option<Piece>,
}

impl Folder {
    pub(crate) fn new(root: PathBuf, shared: &Arc<Shared>) -> Folder {
        // The walker takes `-` for standard input; here it is a folder of that name.
        let root = if root == Path::new("-") { Path::new(".").join(root) } else { root };
        let options = &shared.options;
        let aside = Arc::new(Mutex::new(VecDeque::new()));
        let mut builder = WalkBuilder::new(&root);
        builder
            .hidden(!options.hidden)
            .parents(!options.no_ignore)
            .ignore(!options.no_ignore)
            .git_ignore(!options.no_ignore)
            .git_exclude(!options.no_ignore)
            // What is read should depend on the folder, not on whose machine it lies.
            .git_global(false)
            .require_git(false)
            .follow_links(options.follow_links)
            .same_file_system(options.one_fs)
            .sort_by_file_name(std::ffi::OsStr::cmp)
            .filter_entry(filter(root.clone(), Arc::clone(shared), Arc::clone(&aside)));
        Folder { walk: builder.build(), root, aside, held: None }
    }

    fn aside(&self) -> Option<Skipped> {
        self.aside.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// What to do with an entry; `None` if it is no document and no loss.
    fn piece(&self, entry: DirEntry, run: &mut Run) -> Option<Piece> {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            // Rules that cannot be understood are not applied, which changes what is read.
            return entry.error().map(|error| Piece::Skip(skipped(error, entry.path())));
        }
        let shared = Arc::clone(&run.shared);
        // An archive is included by what is in it, as a folder is.
        let archive = shared.options.archives && archive::is_archive(entry.path());
        let relative = relative(entry.path(), &self.root);
        if !archive && !shared.globs.includes(relative) {
            return None;
        }
        let id = id_of(entry.path()).into_owned();
        let reason = if kind.is_symlink() {
            Reason::Link
        } else if let Some(what) = file::special(kind) {
            Reason::Special(what)
        } else {
            let metadata = match entry.metadata() {
                Ok(metadata) => metadata,
                Err(error) => return Some(Piece::Skip(skipped(&error, entry.path()))),
            };
            if let Some(first) = run.seen.first_name(&metadata, &id) {
                Reason::SameFile(first)
            } else if archive {
                let relative = format!("{}!/", id_of(relative));
                return Some(archive::enter(entry.into_path(), relative, metadata.len()));
            } else if let Err(reason) = shared.options.check_size(metadata.len()) {
                reason
            } else {
                return Some(Piece::File(Entry { origin: Origin::Disk(entry.into_path()), bytes: metadata.len() }));
            }
        };
        Some(Piece::Skip(Skipped { id, reason }))
    }
}

impl Source for Folder {
    fn next(&mut self, run: &mut Run) -> Option<Result<Piece, Error>> {
        loop {
            // What was put aside on the way to an entry comes before it.
            if let Some(skipped) = self.aside() {
                return Some(Ok(Piece::Skip(skipped)));
            }
            if let Some(piece) = self.held.take() {
                return Some(Ok(piece));
            }
            self.held = match self.walk.next() {
                None => return self.aside().map(|skipped| Ok(Piece::Skip(skipped))),
                Some(Err(error)) => Some(Piece::Skip(skipped(&error, &self.root))),
                Some(Ok(entry)) => self.piece(entry, run),
            };
        }
    }
}

/// Keeps the walk out of excluded folders and, where links are followed, out of folders it has been in: a few links
/// crosswise would otherwise make more paths than anyone can wait for.
fn filter(
    root: PathBuf,
    shared: Arc<Shared>,
    aside: Arc<Mutex<VecDeque<Skipped>>>,
) -> impl Fn(&DirEntry) -> bool + Send + Sync + 'static {
    let folders = Mutex::new(Seen::new(true));
    move |entry| {
        if shared.globs.excludes(relative(entry.path(), &root)) {
            return false;
        }
        // Who reads archives reads what people pack, and finds the same beside it once it is unpacked.
        let options = &shared.options;
        if options.archives && !options.hidden && entry.file_name().to_str().is_some_and(archive::is_rubbish) {
            return false;
        }
        if !shared.options.follow_links || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
            return true;
        }
        let Ok(metadata) = entry.metadata() else {
            return true;
        };
        let id = id_of(entry.path());
        let first = folders.lock().unwrap_or_else(PoisonError::into_inner).first_name(&metadata, &id);
        let Some(first) = first else { return true };
        let skipped = Skipped { id: id.into_owned(), reason: Reason::SameFile(first) };
        aside.lock().unwrap_or_else(PoisonError::into_inner).push_back(skipped);
        false
    }
}

fn relative<'a>(path: &'a Path, root: &Path) -> &'a Path {
    path.strip_prefix(root).unwrap_or(path)
}

/// Takes the walker's error apart; it may or may not know the path.
fn skipped(error: &ignore::Error, path: &Path) -> Skipped {
    use ignore::Error as Walk;
    match error {
        Walk::WithPath { path, err } => skipped(err, path),
        Walk::WithDepth { err, .. } => skipped(err, path),
        Walk::Partial(errors) if errors.len() == 1 => skipped(&errors[0], path),
        Walk::Loop { ancestor, child } => {
            Skipped { id: id_of(child).into_owned(), reason: Reason::Loop(id_of(ancestor).into_owned()) }
        }
        Walk::Io(error) => {
            // The outer layers repeat the path, which the id already says.
            let message = match error.source() {
                Some(cause) => cause.to_string(),
                None => error.to_string(),
            };
            Skipped { id: id_of(path).into_owned(), reason: Reason::Unreadable(message) }
        }
        other => {
            let reason = Reason::Unreadable(format!("ignore rules not understood: {other}"));
            Skipped { id: id_of(path).into_owned(), reason }
        }
    }
}
