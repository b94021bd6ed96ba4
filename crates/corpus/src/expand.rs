//! Patterns that are named as inputs: `shards/*.jsonl.gz` is all the files that it matches, as if each had been named.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use crate::error::Error;
use crate::names::id_of;

/// What makes a name a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// The files and folders that a path stands for: itself, unless it is not there and is a pattern. They are sorted by name, folder by folder.
/// A folder that matches is taken whole, and not looked into for more. Names that begin with a dot only match a pattern with `/.` in it, or if
/// `hidden` is set. With `**`, links to folders are not followed.
pub fn expand(path: PathBuf, hidden: bool) -> Result<Vec<PathBuf>, Error> {
    if fs::symlink_metadata(&path).is_ok() {
        return Ok(vec![path]);
    }
    let Some(pattern) = path.to_str().and_then(|text| Pattern::parse(text, hidden)) else { return Ok(vec![path]) };
    let pattern = pattern?;
    let mut found = Vec::new();
    pattern.walk(pattern.root.as_ref(), &pattern.root, 0, &mut found)?;
    if found.is_empty() {
        return Err(Error::NoMatch { pattern: id_of(&path).into_owned() });
    }
    Ok(found)
}

struct Pattern {
    /// The folder above the first part that is a pattern, as it was written; empty if that is the first.
    root: String,
    whole: GlobMatcher,
    /// What the folders on the way must match, as far as that can be told part by part.
    folders: Vec<GlobMatcher>,
    /// Deeper nothing can match.
    depth: usize,
    is_recursive: bool,
    hidden: bool,
}

impl Pattern {
    /// None if the text is no pattern.
    fn parse(text: &str, hidden: bool) -> Option<Result<Pattern, Error>> {
        let first = text.find(SPECIAL)?;
        let start = text[..first].rfind('/').map_or(0, |at| at + 1);
        let (root, rest) = text.split_at(start);
        let compile = |glob: &str| {
            let glob = format!("{}{glob}", globset::escape(root));
            GlobBuilder::new(&glob).literal_separator(true).build().map(|glob| glob.compile_matcher())
        };
        let whole = match compile(rest.trim_end_matches('/')) {
            Ok(whole) => whole,
            Err(error) => {
                let message = error.kind().to_string();
                return Some(Err(Error::InputGlob { glob: text.to_owned(), message }));
            }
        };
        let is_recursive = rest.contains("**");
        let parts: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
        // a slash between braces or brackets is not the end of a part
        let is_plain = |part: &&&str| !part.contains("**") && compile(part).is_ok();
        let count = parts.iter().take(parts.len() - 1).take_while(is_plain).count();
        let folders = (1..=count).map_while(|end| compile(&parts[..end].join("/")).ok()).collect();
        let depth = if is_recursive { usize::MAX } else { parts.len() };
        let hidden = hidden || rest.starts_with('.') || rest.contains("/.");
        Some(Ok(Pattern { root: root.to_owned(), whole, folders, depth, is_recursive, hidden }))
    }

    /// Looks at all names in a folder; `prefix` is what they are called by.
    fn walk(&self, folder: &Path, prefix: &str, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Error> {
        let missing = |source: io::Error| Error::Missing { path: id_of(folder).into_owned(), source };
        let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut names = Vec::new();
        let entries = match fs::read_dir(listed) {
            Ok(entries) => entries,
            // nothing matches in what is not there
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(error) => return Err(missing(error)),
        };
        for entry in entries {
            let entry = entry.map_err(missing)?;
            // a name that is no Unicode cannot be told by a pattern that is
            names.extend(entry.file_name().into_string().ok());
        }
        names.sort_unstable();
        for name in names.into_iter().filter(|name| self.hidden || !name.starts_with('.')) {
            let path = format!("{prefix}{name}");
            if self.whole.is_match(&path) {
                found.push(path.into());
                continue;
            }
            let is_wanted = depth + 1 < self.depth && self.folders.get(depth).is_none_or(|glob| glob.is_match(&path));
            if is_wanted && self.is_folder(Path::new(&path)) {
                let (below, depth) = (format!("{path}/"), depth + 1);
                self.walk(Path::new(&path), &below, depth, found)?;
            }
        }
        Ok(())
    }

    fn is_folder(&self, path: &Path) -> bool {
        let metadata = if self.is_recursive { fs::symlink_metadata(path) } else { fs::metadata(path) };
        metadata.is_ok_and(|metadata| metadata.is_dir())
    }
}
