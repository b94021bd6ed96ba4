//! Patterns that are named as inputs: `shards/*.jsonl.gz` is all the files that it matches, as if each had been named.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use crate::error::Error;
use crate::names::id_of;
use crate::own_files::OwnFiles;
use crate::skipped::Skipped;

/// What makes a name a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// The meaning of an input that is a path.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    /// Files and folders.
    pub(crate) found: Vec<PathBuf>,
    /// What a pattern matches and lookalike wrote. Paths of this run are not among them: whether they exist yet is chance.
    pub(crate) left_out: Vec<Skipped>,
}

/// The files and folders that a path stands for: itself, unless it is not there and is a pattern. They are sorted by name, folder by folder.
/// A folder that matches is taken whole, and not looked into for more. Names that begin with a dot only match a pattern with `/.` in it, or if
/// `hidden` is set. With `**`, links to folders are not followed. A result of lookalike is no input: as the path it is an error, and no pattern
/// matches it or anything in it.
pub(crate) fn expand(path: PathBuf, hidden: bool, own: &OwnFiles) -> Result<Expanded, Error> {
    let is_here = fs::symlink_metadata(&path).is_ok();
    if is_here || !path.to_str().is_some_and(|text| text.contains(SPECIAL)) {
        if own.contains(&path) {
            return Err(Error::InputIsOutput { path: id_of(&path).into_owned() });
        }
        if let Some(what) = OwnFiles::kind_of_input(&path) {
            return Err(Error::InputIsResult { path: id_of(&path).into_owned(), what });
        }
        return Ok(Expanded { found: vec![path], left_out: Vec::new() });
    }
    let pattern = Pattern::parse(path.to_str().unwrap_or_default(), hidden)?;
    let mut expanded = Expanded::default();
    pattern.walk(pattern.root.as_ref(), 0, own, &mut expanded)?;
    if expanded.found.is_empty() {
        return Err(Error::NoMatch { pattern: id_of(&path).into_owned() });
    }
    Ok(expanded)
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
    fn parse(text: &str, hidden: bool) -> Result<Pattern, Error> {
        let first = text.find(SPECIAL).unwrap_or(text.len());
        let start = text[..first].rfind('/').map_or(0, |at| at + 1);
        let (root, rest) = text.split_at(start);
        let compile = |glob: &str| {
            let glob = format!("{}{glob}", globset::escape(root));
            GlobBuilder::new(&glob).literal_separator(true).build().map(|glob| glob.compile_matcher())
        };
        let whole = compile(rest.trim_end_matches('/'))
            .map_err(|error| Error::InputGlob { glob: text.to_owned(), message: error.kind().to_string() })?;
        let is_recursive = rest.contains("**");
        let parts: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
        // a slash between braces or brackets is not the end of a part
        let is_plain = |part: &&&str| !part.contains("**") && compile(part).is_ok();
        let count = parts.iter().take(parts.len() - 1).take_while(is_plain).count();
        let folders = (1..=count).map_while(|end| compile(&parts[..end].join("/")).ok()).collect();
        let depth = if is_recursive { usize::MAX } else { parts.len() };
        let hidden = hidden || rest.starts_with('.') || rest.contains("/.");
        Ok(Pattern { root: root.to_owned(), whole, folders, depth, is_recursive, hidden })
    }

    /// Looks at all names in a folder.
    fn walk(&self, folder: &Path, depth: usize, own: &OwnFiles, expanded: &mut Expanded) -> Result<(), Error> {
        let missing = |source: io::Error| Error::Missing { path: id_of(folder).into_owned(), source };
        let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = match fs::read_dir(listed) {
            Ok(entries) => entries,
            // nothing matches in what is not there
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(error) => return Err(missing(error)),
        };
        let names = entries.map(|entry| Ok(entry.map_err(missing)?.file_name()));
        let mut names = names.collect::<Result<Vec<OsString>, Error>>()?;
        names.sort_unstable();
        for name in names.into_iter().filter(|name| self.hidden || !name.as_encoded_bytes().starts_with(b".")) {
            let path = folder.join(name);
            let is_match = self.whole.is_match(&path);
            let is_wanted =
                || depth + 1 < self.depth && self.folders.get(depth).is_none_or(|glob| glob.is_match(&path));
            let is_read = is_match || is_wanted() && self.is_folder(&path);
            if !is_read || own.contains(&path) {
                continue;
            }
            if let Some(reason) = own.reason(&path, path.is_dir()) {
                expanded.left_out.push(Skipped { id: id_of(&path).into_owned(), reason });
            } else if is_match {
                expanded.found.push(path);
            } else {
                self.walk(&path, depth + 1, own, expanded)?;
            }
        }
        Ok(())
    }

    fn is_folder(&self, path: &Path) -> bool {
        let metadata = if self.is_recursive { fs::symlink_metadata(path) } else { fs::metadata(path) };
        metadata.is_ok_and(|metadata| metadata.is_dir())
    }
}
