//! The files of a folder.

use std::collections::VecDeque;
use std::error::Error as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, Walk, WalkBuilder};

use crate::context::ReadContext;
use crate::error::Error;
use crate::file;
use crate::followed_source;
use crate::hidden::is_system_file;
use crate::left_out::LeftOut;
use crate::member::{Container, is_archive};
use crate::names::id_of;
use crate::seen_files::SeenFiles;
use crate::shard;
use crate::skipped::{Reason, Skipped};
use crate::source::{Entry, Origin, Piece, ReadAhead, Source, WalkState};

/// Walks a folder in the order of the file names' bytes, folder by folder.
pub(crate) struct FolderSource {
    root: PathBuf,
    walk: Walk,
    /// What the walk left out on the way and has to be reported; filled from inside the walk.
    left_out: Arc<Mutex<VecDeque<Skipped>>>,
    /// What it does not tell of.
    passed: Option<LeftOut>,
    /// Its file system, if the walk stays on it: folders of others are named, and not entered.
    device: Option<u64>,
    /// What comes after that.
    next_piece: Option<Piece>,
}

impl FolderSource {
    pub(crate) fn new(root: PathBuf, context: &Arc<ReadContext>) -> FolderSource {
        // The walker takes `-` for standard input; here it is a folder of that name.
        let root = if root == Path::new("-") { Path::new(".").join(root) } else { root };
        let options = &context.options;
        let left_out = Arc::new(Mutex::new(VecDeque::new()));
        let passed = !options.hidden || !options.no_ignore;
        FolderSource {
            walk: walk_with(&root, context, &left_out),
            device: if options.one_fs { root.metadata().ok().and_then(|found| device(&found)) } else { None },
            root,
            left_out,
            passed: passed.then(LeftOut::default),
            next_piece: None,
        }
    }

    fn left_out(&self) -> Option<Skipped> {
        self.left_out.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// Follows the walk to a path, or to its end, and queues what it passed over.
    fn follow(&mut self, path: Option<&Path>, state: &WalkState) {
        let Some(passed) = &mut self.passed else { return };
        let mut queue = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        let mut each = |path: PathBuf, is_folder: bool| {
            let (globs, options) = (&state.context.globs, &state.context.options);
            let (inside, id) = (relative(&path, &self.root), id_of(&path).into_owned());
            let is_system =
                || options.archives && path.file_name().and_then(|name| name.to_str()).is_some_and(is_system_file);
            if globs.excludes(inside) || !is_folder && !globs.includes(inside) {
                return;
            }
            if queue.iter().any(|told| told.id == id) {
                return;
            }
            let is_hidden =
                !options.hidden && path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            let reason = if !options.hidden && is_system() {
                Reason::System
            } else if is_hidden {
                Reason::Hidden
            } else {
                Reason::Ignored
            };
            queue.push_back(Skipped { id, reason });
        };
        match path {
            Some(path) => passed.came_to(path, &mut each),
            None => passed.finish(&mut each),
        }
    }

    /// What to do with an entry; `None` if it is no document and no loss.
    fn piece(&self, entry: DirEntry, state: &mut WalkState) -> Option<Piece> {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if state.lists {
                return None;
            }
            // Rules that cannot be understood are not applied, which changes what is read.
            return entry.error().map(|error| Piece::Skip(skipped(error, entry.path())));
        }
        let context = Arc::clone(&state.context);
        // An archive is included by what is in it, as a folder is.
        let archive = context.options.archives && is_archive(entry.path());
        let relative = relative(entry.path(), &self.root);
        if !archive && !context.globs.includes(relative) {
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
            if let Some(first) = state.seen.first_name(&metadata, &id) {
                Reason::SameFile(first)
            } else if state.lists && (!archive || context.globs.includes(relative)) {
                return Some(Piece::File(Entry {
                    origin: Origin::Disk(entry.into_path()),
                    bytes: metadata.len(),
                    stamp: None,
                }));
            } else if let Some(kept) = followed_source::kept(entry.path(), &metadata, state) {
                return Some(kept);
            } else if archive {
                let (path, relative) = (entry.path(), format!("{}!/", id_of(relative)));
                let archive = Piece::Archive(Container::of_file(path.to_owned(), relative, metadata.len()));
                return Some(followed_source::followed(archive, path, &metadata, state));
            } else if context.options.shards
                && let Some(opened) = shard::open(entry.path(), &context)
            {
                match opened {
                    Ok(records) => {
                        return Some(followed_source::followed(Piece::Enter(records), entry.path(), &metadata, state));
                    }
                    Err(reason) => reason,
                }
            } else if let Err(reason) = context.options.check_size(metadata.len()) {
                reason
            } else {
                let (bytes, stamp) = (metadata.len(), followed_source::stamp(&metadata, state));
                return Some(Piece::File(Entry { origin: Origin::Disk(entry.into_path()), bytes, stamp }));
            }
        };
        Some(Piece::Skip(Skipped { id, reason }))
    }
}

impl Source for FolderSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        loop {
            // What was put left_out on the way to an entry comes before it.
            if let Some(skipped) = self.left_out() {
                return Some(Ok(Piece::Skip(skipped)));
            }
            if let Some(piece) = self.next_piece.take() {
                return Some(Ok(piece));
            }
            self.next_piece = match self.walk.next() {
                None => {
                    self.follow(None, state);
                    return self.left_out().map(|skipped| Ok(Piece::Skip(skipped)));
                }
                Some(Err(error)) => {
                    if let Some(path) = path_of(&error) {
                        self.follow(Some(path), state);
                    }
                    Some(Piece::Skip(skipped(&error, &self.root)))
                }
                Some(Ok(entry)) => {
                    self.follow(Some(entry.path()), state);
                    let is_entered = entry.file_type().is_some_and(|kind| kind.is_dir())
                        && (self.device.is_none() || entry.metadata().is_ok_and(|found| device(&found) == self.device));
                    if let (Some(passed), true) = (&mut self.passed, is_entered) {
                        passed.enter(entry.path());
                    }
                    self.piece(entry, state)
                }
            };
        }
    }

    fn read_ahead(&self) -> ReadAhead {
        ReadAhead::List
    }
}

/// The entries of a folder that are read.
pub(crate) fn walk(root: &Path, context: &Arc<ReadContext>) -> Walk {
    walk_with(root, context, &Arc::default())
}

fn walk_with(root: &Path, context: &Arc<ReadContext>, left_out: &Arc<Mutex<VecDeque<Skipped>>>) -> Walk {
    let options = &context.options;
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(!options.hidden)
        .parents(!options.no_ignore)
        .ignore(!options.no_ignore)
        .git_ignore(!options.no_ignore)
        .git_exclude(!options.no_ignore)
        // The documents depend on the folder, not on the machine that it is on.
        .git_global(false)
        .require_git(false)
        .follow_links(options.follow_links)
        .same_file_system(options.one_fs)
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .filter_entry(filter(root.to_owned(), Arc::clone(context), Arc::clone(left_out)));
    builder.build()
}

/// Keeps the walk out of excluded folders and, where links are followed, out of folders it has been in: a few links
/// crosswise would otherwise make more paths than anyone can wait for.
fn filter(
    root: PathBuf,
    context: Arc<ReadContext>,
    left_out: Arc<Mutex<VecDeque<Skipped>>>,
) -> impl Fn(&DirEntry) -> bool + Send + Sync + 'static {
    let folders = Mutex::new(SeenFiles::new(true));
    move |entry| {
        if context.globs.excludes(relative(entry.path(), &root)) {
            return false;
        }
        // Who reads archives reads what people pack, and finds the same beside it once it is unpacked.
        let options = &context.options;
        let is_folder = || match entry.file_type() {
            Some(kind) => kind.is_dir() || kind.is_symlink() && options.follow_links && entry.path().is_dir(),
            None => false,
        };
        if entry.depth() > 0
            && let Some(reason) = context.own_files.reason(entry.path(), is_folder())
        {
            let skipped = Skipped { id: id_of(entry.path()).into_owned(), reason };
            left_out.lock().unwrap_or_else(PoisonError::into_inner).push_back(skipped);
            return false;
        }
        if options.archives && !options.hidden && entry.file_name().to_str().is_some_and(is_system_file) {
            return false;
        }
        if !context.options.follow_links || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
            return true;
        }
        let Ok(metadata) = entry.metadata() else {
            return true;
        };
        let id = id_of(entry.path());
        let first = folders.lock().unwrap_or_else(PoisonError::into_inner).first_name(&metadata, &id);
        let Some(first) = first else { return true };
        let skipped = Skipped { id: id.into_owned(), reason: Reason::SameFile(first) };
        left_out.lock().unwrap_or_else(PoisonError::into_inner).push_back(skipped);
        false
    }
}

/// The number of the file system that a folder is on.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere it is not known")]
fn device(metadata: &std::fs::Metadata) -> Option<u64> {
    use std::os::unix::fs::MetadataExt;
    Some(metadata.dev())
}

/// The standard library has none elsewhere.
#[cfg(not(unix))]
fn device(_: &std::fs::Metadata) -> Option<u64> {
    None
}

fn relative<'a>(path: &'a Path, root: &Path) -> &'a Path {
    path.strip_prefix(root).unwrap_or(path)
}

/// What a walker's error is about, if it says so.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    use ignore::Error as Walk;
    match error {
        Walk::WithPath { path, .. } | Walk::Loop { child: path, .. } => Some(path),
        Walk::WithDepth { err, .. } | Walk::WithLineNumber { err, .. } => path_of(err),
        Walk::Partial(errors) => errors.iter().find_map(path_of),
        _ => None,
    }
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
