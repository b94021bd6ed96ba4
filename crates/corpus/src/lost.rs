//! Shards and archives among what a walk leaves out: records that nobody asked to leave out.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Corpus;
use crate::hidden::is_system_file;
use crate::member::is_archive;
use crate::names::path_of;
use crate::own_files::OwnFiles;
use crate::shard::ShardFormat;
use crate::skipped::{Reason, Skipped};
use crate::warc::is_wacz;

impl Corpus {
    /// The first shard or archive, by its name, that is left out with a file or folder because of its name, an ignore rule or a link: itself, or
    /// a file below it. None if the globs leave it out, and for a second path to a file that is read.
    pub fn lost_with(&self, left_out: &Skipped) -> Option<PathBuf> {
        let path = path_of(&left_out.id);
        match &left_out.reason {
            Reason::Hidden | Reason::Ignored | Reason::System | Reason::Link => {}
            Reason::SameFile(first) if path.canonicalize().ok() != path_of(first).canonicalize().ok() => {}
            _ => return None,
        }
        if !path.is_dir() && !self.is_shard_name(&path) {
            return None;
        }
        let roots = self.paths();
        let root = roots.iter().filter(|root| path.starts_with(root)).max_by_key(|root| root.as_os_str().len());
        self.first_shard(&path, root.map_or(Path::new(""), PathBuf::as_path))
    }

    fn first_shard(&self, path: &Path, root: &Path) -> Option<PathBuf> {
        let (context, inside) = (self.context(), path.strip_prefix(root).unwrap_or(path));
        if context.globs.excludes(inside) {
            return None;
        }
        // a link may lead to a folder
        if !fs::metadata(path).ok()?.is_dir() {
            return (self.is_shard_name(path) && context.globs.includes(inside)).then(|| path.to_owned());
        }
        if OwnFiles::kind_of_input(path).is_some() {
            return None;
        }
        let mut entries: Vec<PathBuf> = fs::read_dir(path).ok()?.flatten().map(|entry| entry.path()).collect();
        entries.sort_unstable();
        let is_read = |path: &PathBuf| !path.is_symlink() && !context.own_files.contains(path);
        entries.iter().filter(|path| is_read(path)).find_map(|path| self.first_shard(path, root))
    }

    /// Whether a file of this name holds records or files.
    fn is_shard_name(&self, path: &Path) -> bool {
        let options = &self.context().options;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // beside each file macOS puts another on disks of other systems
        let is_written = !name.starts_with("._") && !is_system_file(&name);
        let is_shard = || options.shards && (ShardFormat::of_name(path).is_some() || is_wacz(path));
        is_written && (is_shard() || options.archives && is_archive(path))
    }
}
