//! Which files belong together: what one person handed in at once, told by where the files lie and what they are called.
//!
//! Each file is a submission. With `per_folder` a folder or archive directly below an input is one, with all that is below it, and a file
//! directly below an input is one of its own; files that are inputs themselves belong to the folder that they lie in, as with MOSS. An archive that is an input is a folder in this: the export of a class. Only where several
//! inputs are archives, one that has files directly in it is what one person handed in.

mod matching;
mod paths;
#[cfg(test)]
mod tests;

use crate::Error;
use crate::lens::passages::info::{Created, INFO, Info, plain};
use matching::FoundFile;
use paths::{Root, first_part, last_part, shared};
use regex::Regex;
use rustc_hash::FxHashMap;

/// How documents become submissions.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    per_folder: bool,
    owner: Option<Regex>,
    roots: Vec<Root>,
    /// With the input that each speaks of; all of them without.
    info: Vec<(Option<usize>, Info)>,
}

/// What one person handed in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Who {
    /// The path without the input, or with several inputs without the folders that all of them lie in. No two submissions share it.
    pub name: String,
    /// Submissions of one owner are not compared with each other; without an owner it is its own.
    pub owner: Option<String>,
    pub label: Option<String>,
    pub created_at: Option<Created>,
    pub full_name: Option<String>,
}

/// Documents by submissions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// For each document the number of its submission and what it is called there; none for an `info.csv` that is no submission.
    pub of: Vec<Option<(u32, String)>>,
    /// In the order in which their first documents came.
    pub submissions: Vec<Who>,
    /// What people should know, such as rows that speak of nothing.
    pub warnings: Vec<String>,
}

/// Makes a pattern that finds the owner in the name of a submission.
pub fn owner_pattern(pattern: &str) -> Result<Regex, Error> {
    Regex::new(pattern).map_err(|error| {
        let message = match error {
            regex::Error::Syntax(message) => {
                message.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
            }
            other => other.to_string(),
        };
        Error::OwnerPattern { pattern: pattern.to_owned(), reason: message }
    })
}

impl Grouping {
    /// `roots` are the inputs, as ids begin with them.
    pub fn new(roots: &[String], per_folder: bool, owner: Option<Regex>) -> Self {
        Self { per_folder, owner, roots: roots.iter().map(|root| Root::new(root)).collect(), info: Vec::new() }
    }

    /// Whether a document is the `info.csv` of an input.
    pub fn is_info(&self, id: &str) -> bool {
        self.place(id).is_some_and(|(_, path)| path == INFO)
    }

    /// What a file says; `id` is that of the document, if it was found in an input and speaks of that only. What is added first counts.
    pub fn add_info(&mut self, info: Info, id: Option<&str>) {
        let root = id.and_then(|id| self.place(id)).map(|(root, _)| root);
        self.info.push((root, info));
    }

    /// Groups all documents, by their ids in the order of reading.
    pub fn group<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> Groups {
        let ids: Vec<&str> = ids.into_iter().collect();
        let shapes = self.shapes(&ids);
        let one_file = ids.iter().all(|id| self.place(id).is_some_and(|(_, path)| path.is_empty()));
        // what lies below no input, as lines of JSON with ids of their own, could be called as something that does
        let base = if ids.iter().all(|id| self.place(id).is_some()) { shared(&self.roots, one_file) } else { 0 };
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut groups = Groups::default();
        let mut found = Vec::new();
        for id in ids {
            if self.is_info(id) {
                groups.of.push(None);
                continue;
            }
            let Cut { root, path, name, file } = self.cut(id, &shapes, base);
            let number = *numbers.entry(name).or_insert_with(|| {
                groups.submissions.push(Who { name: name.to_owned(), ..Who::default() });
                if !self.info.is_empty() {
                    found.push(FoundFile { root, path: plain(path), name: plain(name) });
                }
                groups.submissions.len() as u32 - 1
            });
            groups.of.push(Some((number, file.to_owned())));
        }
        for (root, info) in &self.info {
            groups.warnings.extend(info.warnings.iter().cloned());
            matching::attach(info, *root, &found, &mut groups);
        }
        for who in &mut groups.submissions {
            who.owner = self.owner_of(&who.name).or_else(|| who.full_name.clone());
        }
        groups
    }

    /// A name with its input before it, to tell it from a name of another year; with several inputs names have that already.
    pub fn name_with_root(&self, name: &str) -> String {
        match self.roots.as_slice() {
            [root] => format!("{}/{name}", root.last_part()),
            _ => name.to_owned(),
        }
    }

    fn owner_of(&self, name: &str) -> Option<String> {
        let found = self.owner.as_ref()?.captures(name)?;
        let owner = found.get(1).or_else(|| found.get(0))?.as_str().trim();
        (!owner.is_empty()).then(|| owner.to_owned())
    }

    /// The input that a document lies below, the innermost if they overlap, and its path from there.
    fn place<'a>(&self, id: &'a str) -> Option<(usize, &'a str)> {
        let below = self.roots.iter().enumerate().filter_map(|(root, at)| at.below(id).map(|path| (root, path)));
        below.max_by_key(|(root, _)| (self.roots[*root].len(), std::cmp::Reverse(*root)))
    }

    fn cut<'a>(&self, id: &'a str, shapes: &[Shape], base: usize) -> Cut<'a> {
        let Some((root, path)) = self.place(id) else {
            return Cut { root: None, path: id, name: id, file: last_part(id) };
        };
        if self.per_folder
            && path.is_empty()
            && let Some(slash) = id.rfind('/')
        {
            // a file that was named itself: those of one folder are one submission
            let folder = &id[..slash];
            let name = folder.get(base..).filter(|name| !name.is_empty()).unwrap_or(last_part(folder));
            return Cut { root: Some(root), path: name, name, file: last_part(id) };
        }
        // what is an input itself has no path from there
        let path = if path.is_empty() { last_part(id) } else { path };
        let before = id.len() - path.len();
        let shape = &shapes[root];
        let (submission, file) = if !self.per_folder {
            (path, last_part(path))
        } else if shape.whole {
            ("", path)
        } else {
            let (first, rest) = first_part(&path[shape.wrapper..]);
            rest.map_or((path, last_part(path)), |rest| (&path[..shape.wrapper + first.len()], rest))
        };
        let whole = if submission.is_empty() { self.roots[root].len() } else { before + submission.len() };
        let name = &id[base..whole];
        let name = name.strip_prefix("!/").or_else(|| name.strip_prefix('/')).unwrap_or(name);
        let path = if submission.is_empty() { last_part(name) } else { submission };
        Cut { root: Some(root), path, name, file }
    }

    /// What the inputs are, told by all that is in them.
    fn shapes(&self, ids: &[&str]) -> Vec<Shape> {
        let mut shapes = vec![Shape::default(); self.roots.len()];
        if !self.per_folder {
            return shapes;
        }
        let mut paths = vec![Vec::new(); self.roots.len()];
        for (root, path) in ids.iter().filter_map(|id| self.place(id)).filter(|(_, path)| *path != INFO) {
            paths[root].push(path);
        }
        for ((root, shape), paths) in self.roots.iter().zip(&mut shapes).zip(&paths) {
            if root.is_archive() {
                shape.wrapper = wrapper(paths);
                shape.whole = self.roots.len() > 1 && paths.iter().any(|path| !path[shape.wrapper..].contains('/'));
            }
        }
        shapes
    }
}

/// Who packs a folder packs its name too: so many bytes of all paths are one folder.
fn wrapper(paths: &[&str]) -> usize {
    let Some(first) = paths.first().and_then(|path| path.find('/').map(|at| &path[..=at])) else { return 0 };
    let packed = first_part(first).0.len() + 1 < first.len();
    if !packed && paths.iter().all(|path| path.starts_with(first)) { first.len() } else { 0 }
}

/// How an input is divided into folders.
#[derive(Clone, Debug, Default)]
struct Shape {
    /// Not at all: it is one submission.
    whole: bool,
    /// Folders count from so many bytes of a path on.
    wrapper: usize,
}

/// Where a document belongs.
struct Cut<'a> {
    root: Option<usize>,
    /// The path of its submission from the input.
    path: &'a str,
    /// The name of its submission.
    name: &'a str,
    /// Its own path in its submission.
    file: &'a str,
}
